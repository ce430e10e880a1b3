// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, made by lab/spec.py --write of kmod/control/tcp_abt.yaml */
#ifdef __KERNEL__
#include <linux/stddef.h>
#else
#include <stddef.h>
#endif

#include "control/words_gen.h"
#include "uapi/linux/tcp_abt.h"

const char *const tcp_abt_mode_words[] = {
	[TCP_ABT_MODE_OFF] = "off",
	[TCP_ABT_MODE_OBSERVE] = "observe",
	[TCP_ABT_MODE_ON] = "on",
	NULL
};

const char *const tcp_abt_policy_words[] = {
	[TCP_ABT_POLICY_STOCK] = "stock",
	[TCP_ABT_POLICY_FIXED] = "fixed",
	[TCP_ABT_POLICY_MAX] = "max",
	[TCP_ABT_POLICY_ATBT] = "atbt",
	[TCP_ABT_POLICY_SABT] = "sabt",
	[TCP_ABT_POLICY_DRS] = "drs",
	[TCP_ABT_POLICY_TBT_PLR] = "tbt_plr",
	[TCP_ABT_POLICY_APP] = "app",
	NULL
};

const char *const tcp_abt_path_state_words[] = {
	[TCP_ABT_PATH_STATE_APART] = "apart",
	[TCP_ABT_PATH_STATE_SHARED] = "shared",
	[TCP_ABT_PATH_STATE_STOPPED] = "stopped",
	NULL
};

const char *const tcp_abt_share_words[] = {
	[TCP_ABT_SHARE_MAXMIN] = "maxmin",
	[TCP_ABT_SHARE_PROPORTIONAL] = "proportional",
	[TCP_ABT_SHARE_FCFS] = "fcfs",
	NULL
};

const char *const tcp_abt_alpha_signal_words[] = {
	[TCP_ABT_ALPHA_SIGNAL_EPOCH] = "epoch",
	[TCP_ABT_ALPHA_SIGNAL_QUEUE] = "queue",
	NULL
};

const char *const tcp_abt_reason_words[] = {
	[TCP_ABT_REASON_INIT] = "init",
	[TCP_ABT_REASON_GROW] = "grow",
	[TCP_ABT_REASON_SHRINK] = "shrink",
	[TCP_ABT_REASON_SHARE] = "share",
	[TCP_ABT_REASON_POOL] = "pool",
	[TCP_ABT_REASON_HOLD] = "hold",
	[TCP_ABT_REASON_FLOOR] = "floor",
	[TCP_ABT_REASON_ADMIN] = "admin",
	[TCP_ABT_REASON_APP] = "app",
	[TCP_ABT_REASON_STOCK] = "stock",
	[TCP_ABT_REASON_OBSERVE] = "observe",
	NULL
};
