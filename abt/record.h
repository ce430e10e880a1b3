/* SPDX-License-Identifier: GPL-2.0 */
/* Connections, pools, paths and adapters out of the module's messages: see tcp_abt.yaml. */
#ifndef ABT_RECORD_H
#define ABT_RECORD_H

#include <linux/netlink.h>
#include <linux/tcp_abt.h>
#include <stdbool.h>
#include <stdint.h>

#define DIRECTIONS	(TCP_ABT_DIRECTION_MAX + 1)

/* Room for "[address]:port". */
#define END_TEXT	56

struct end {
	uint8_t address[16];
	uint8_t length;		/* 4 or 16; 0: none */
	uint16_t port;
};

/* One direction: bytes are truesize. */
struct buffer {
	bool told;
	uint32_t policy;
	uint32_t reason;
	uint32_t demand;
	uint32_t grant;
	uint32_t charged;
	uint32_t applied;
	uint32_t used;
	bool idle;
	bool drains;
};

struct conn {
	struct end local;
	struct end remote;
	uint32_t ifindex;
	uint32_t cwnd;
	uint32_t mss;
	uint32_t srtt_us;
	uint32_t min_rtt_us;
	uint32_t rcv_rtt_us;
	uint32_t alpha;			/* 1/1000 */
	struct buffer buffer[DIRECTIONS];
	/* of a decision */
	uint32_t direction;
	uint32_t old;
	uint64_t lost;
};

struct pool {
	uint32_t direction;
	uint32_t scope;
	uint64_t size;
	uint64_t charged;
	uint64_t demand;
	bool has_level;
	uint32_t level;
	uint32_t slope;			/* 1/1000 */
	uint32_t conns;
	uint64_t grants;
	uint64_t shrinks;
	uint64_t refused;
};

/* The way from a peer: bytes are payload. */
struct path {
	struct end remote;
	struct end local;
	uint32_t state;			/* enum tcp_abt_path_state */
	uint32_t base_us;
	uint32_t rtt_us;
	uint32_t held;
	bool has_level;
	uint32_t level;
	uint32_t members;
	uint32_t conns;
	uint32_t id;			/* 0: of this peer alone */
	uint32_t peers;
};

/* A device whose driver takes connections on. */
struct adapter {
	uint32_t ifindex;
	uint32_t functions;		/* enum tcp_abt_function */
	uint64_t max_conns;
	uint64_t conns;
	uint64_t waiting;
	uint64_t adds;
	uint64_t updates;
	uint64_t refused;
	uint64_t gone;
	uint64_t rerouted;
	uint64_t evicted;
	uint32_t floor;			/* 0: it keeps no buffers, and has no memory */
	struct pool memory;
};

void read_conn(const struct nlmsghdr *message, struct conn *conn);
void read_pool(const struct nlmsghdr *message, struct pool *pool);
void read_path(const struct nlmsghdr *message, struct path *path);
void read_adapter(const struct nlmsghdr *message, struct adapter *adapter);

const char *address_text(const struct end *end, char text[END_TEXT]);
const char *end_text(const struct end *end, char text[END_TEXT]);


#endif /* ABT_RECORD_H */
