/* SPDX-License-Identifier: GPL-2.0 */
/* What an adapter did, to be shown. */
#ifndef TOE_STAT_H
#define TOE_STAT_H

#include <linux/types.h>

#include "offload/tcp_abt_offload.h"
#include "toe/model/dma.h"

/**
 * struct toe_function_stat - a function's work
 * @count: how often
 * @ns: adapter's time [ns]
 * @host_cycles: that the host is saved
 */
struct toe_function_stat {
	u64 count;
	u64 ns;
	u64 host_cycles;
};

/**
 * struct toe_stat - what an adapter did
 * @added: connections that were taken on
 * @refused: connections that were turned away
 * @gone: connections that went
 * @updates: states that were told
 * @waits: directions with data that there was no room for
 * @stalls: of these, with data that has to be in buffers: in flight, or not read
 * @functions: the seven
 * @messages: by mode
 * @bytes: by mode
 * @mode_ns: by mode [ns]
 * @credit_waits: messages that waited for a credit
 * @credit_updates: empty messages that gave credits back
 */
struct toe_stat {
	u64 added;
	u64 refused;
	u64 gone;
	u64 updates;
	u64 waits;
	u64 stalls;
	struct toe_function_stat functions[TCP_ABT_FNS];
	u64 messages[TOE_MODES];
	u64 bytes[TOE_MODES];
	u64 mode_ns[TOE_MODES];
	u64 credit_waits;
	u64 credit_updates;
};

#endif /* TOE_STAT_H */
