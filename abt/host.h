/* SPDX-License-Identifier: GPL-2.0 */
/* A host's figures of TCP's memory: from its own /proc and /etc, or a recording of them. */
#ifndef ABT_HOST_H
#define ABT_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line of a file that sysctl loads at boot. */
struct setting {
	char *file;
	int line;
	char *key;	/* net.ipv4.tcp_rmem */
	char *value;
};

struct host {
	char release[64];
	uint64_t page;			/* bytes */
	uint64_t ram;			/* bytes */
	uint64_t tcp_mem[3];		/* bytes */
	uint64_t tcp_rmem[3];
	uint64_t tcp_wmem[3];
	uint64_t window_scaling;
	uint64_t conns;
	uint64_t in_use;		/* bytes that TCP's buffers take */
	bool bpftune;			/* that tuner runs beside */
	bool synproxy;			/* netfilter's proxy of handshakes is loaded */
	struct setting *settings;
	size_t setting_count;
};

/* ROOT: "/", or where the recording is. Dies where a file is missing. */
void host_read(struct host *host, const char *root);
void host_free(struct host *host);

#endif /* ABT_HOST_H */
