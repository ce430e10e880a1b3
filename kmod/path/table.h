/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_PATH_TABLE_H
#define ABT_PATH_TABLE_H

#include <linux/in6.h>
#include <linux/rhashtable-types.h>

#include "path/path.h"

struct net;
struct sock;

/**
 * struct abt_path_view - a path of the table, to be shown
 * @peer: address of the peer; of IPv4 as a mapped one
 * @local: our address, as @peer
 * @conns: connections, those that are silent or no members as well
 * @state: what is known of it
 */
struct abt_path_view {
	struct in6_addr peer;
	struct in6_addr local;
	u32 conns;
	struct abt_path_state state;
};

/* Shows a path. Return: 0, or an error that ends the walk, which goes on with the same path. */
typedef int (*abt_path_show_t)(const struct abt_path_view *view, void *to);

int abt_paths_init(void);
void abt_paths_exit(void);
struct abt_path_member *abt_path_join(const struct sock *sk);
void abt_path_leave(struct abt_path_member *m);
void abt_paths_walk_enter(struct rhashtable_iter *iter);
int abt_paths_walk(struct rhashtable_iter *iter, const struct net *net,
		   abt_path_show_t show, void *to);
void abt_paths_walk_exit(struct rhashtable_iter *iter);

#endif /* ABT_PATH_TABLE_H */
