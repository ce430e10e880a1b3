/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_PATH_TABLE_H
#define ABT_PATH_TABLE_H

struct abt_path_member;
struct sock;

int abt_paths_init(void);
void abt_paths_exit(void);
struct abt_path_member *abt_path_join(const struct sock *sk);
void abt_path_leave(struct abt_path_member *m);

#endif /* ABT_PATH_TABLE_H */
