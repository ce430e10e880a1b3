/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The knobs of a namespace as one table. sysctl.c has it, and the attributes of the netlink family
 * are numbered in its order.
 */
#ifndef ABT_CONTROL_KNOB_H
#define ABT_CONTROL_KNOB_H

#include <linux/types.h>
#include <uapi/linux/tcp_abt.h>

#include "state/config.h"

/**
 * struct abt_knob - what there is to say of a knob
 * @name: under net.ipv4.tcp_abt
 * @offset: in struct abt_config
 * @wide: a u64 there, else a u32
 * @zero: 0 is allowed below @min
 * @min: least number
 * @max: largest number
 * @words: words in the order of their values, NULL at the end; NULL: a number
 * @takes: the values that it takes of these, a bit each
 */
struct abt_knob {
	const char *name;
	size_t offset;
	bool wide;
	bool zero;
	u64 min;
	u64 max;
	const char *const *words;
	u32 takes;
};

/* Attributes of a set of knobs begin with that of the first knob. */
#define ABT_KNOB_ATTR(_knob)	(TCP_ABT_A_CONFIG_MODE + (_knob))
#define ABT_KNOBS		(TCP_ABT_A_CONFIG_MAX - TCP_ABT_A_CONFIG_MODE + 1)

extern const struct abt_knob abt_knobs[];

/* The rule that abt_config_valid() checks. */
#define ABT_CONFIG_RULE	\
	"send_band_low <= send_target <= send_band_high, and send_band_low < send_band_high"

u64 abt_knob_get(const struct abt_knob *knob, const struct abt_config *config);
bool abt_knob_stage(const struct abt_knob *knob, struct abt_config *config,
		    u64 value);
bool abt_knob_takes(const struct abt_knob *knob, u64 value);
bool abt_config_valid(const struct abt_config *config);

#endif /* ABT_CONTROL_KNOB_H */
