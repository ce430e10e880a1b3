// SPDX-License-Identifier: GPL-2.0
/*
 * net.ipv4.tcp_abt.*: the knobs of a namespace.
 *
 * One table says all there is to say of a knob: its name, where it lives in a set
 * of knobs, and which words or numbers it takes. A write is staged into a copy of
 * the set, the set is checked as a whole, and committed; or it is refused with
 * EINVAL, and nothing changed.
 */
#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/sysctl.h"
#include "control/commit.h"
#include "control/knob.h"
#include "control/sysctl.h"
#include "control/words_gen.h"
#include "state/config.h"
#include "state/host.h"
#include "state/net.h"
#include "uapi/policies.h"

/* Longest text of a knob: 2^64 in decimal, and room for blanks. */
#define ABT_KNOB_TEXT	32

/* Smallest pool [bytes]: floors of some connections of Ethernet's MSS. */
#define ABT_POOL_MIN	(64ULL << 10)

/* Smallest buffer [bytes]: the kernel's SOCK_MIN_SNDBUF on 64-bit machines. */
#define ABT_BUFFER_MIN	4608

#define ABT_KNOB_WORD(_field, _words, _takes) {				\
	.name = #_field,						\
	.offset = offsetof(struct abt_config, _field),			\
	.words = (_words),						\
	.takes = (_takes),						\
}

#define ABT_KNOB_U32(_field, _min, _max) {				\
	.name = #_field,						\
	.offset = offsetof(struct abt_config, _field),			\
	.min = (_min),							\
	.max = (_max),							\
}

#define ABT_KNOB_U32_OR_0(_field, _min, _max) {				\
	.name = #_field,						\
	.offset = offsetof(struct abt_config, _field),			\
	.zero = true,							\
	.min = (_min),							\
	.max = (_max),							\
}

#define ABT_KNOB_POOL(_field) {						\
	.name = #_field,						\
	.offset = offsetof(struct abt_config, _field),			\
	.wide = true,							\
	.zero = true,							\
	.min = ABT_POOL_MIN,						\
	.max = ABT_POOL_MAX,						\
}

const struct abt_knob abt_knobs[] = {
	ABT_KNOB_WORD(mode, tcp_abt_mode_words, U32_MAX),
	ABT_KNOB_WORD(sender, tcp_abt_policy_words, TCP_ABT_SENDER_POLICIES),
	ABT_KNOB_WORD(receiver, tcp_abt_policy_words, TCP_ABT_RECEIVER_POLICIES),
	ABT_KNOB_WORD(share, tcp_abt_share_words, U32_MAX),
	ABT_KNOB_WORD(alpha_signal, tcp_abt_alpha_signal_words, U32_MAX),
	ABT_KNOB_U32_OR_0(path_headroom, 5, 100),
	ABT_KNOB_POOL(send_pool),
	ABT_KNOB_POOL(recv_pool),
	ABT_KNOB_U32(fixed_send, ABT_BUFFER_MIN, ABT_BYTES_MAX),
	ABT_KNOB_U32(fixed_recv, ABT_BUFFER_MIN, ABT_BYTES_MAX),
	ABT_KNOB_U32(send_band_low, 1, 8),
	ABT_KNOB_U32(send_target, 1, 16),
	ABT_KNOB_U32(send_band_high, 2, 16),
	ABT_KNOB_U32(epoch_min_us, 100, 1000000),
	ABT_KNOB_U32_OR_0(wake_min_us, 100, 1000000),
};

static_assert(ARRAY_SIZE(abt_knobs) == ABT_KNOBS);

/**
 * abt_config_default() - the knobs of a namespace that nobody configured
 * @config: where they go
 * @mode: the module's default mode
 */
void abt_config_default(struct abt_config *config, enum tcp_abt_mode mode)
{
	*config = (struct abt_config) {
		.mode = mode,
		.sender = TCP_ABT_POLICY_ATBT,
		.receiver = TCP_ABT_POLICY_TBT_PLR,
		.share = ABT_SHARE_MAXMIN,
		.alpha_signal = ABT_ALPHA_EPOCH,
		.fixed_send = 128 << 10,	/* TBT-PLR's small fixed buffer */
		.fixed_recv = 128 << 10,
		.send_band_low = 2,		/* ATBT */
		.send_target = 3,		/* TBT-PLR: S = 3 x cwnd */
		.send_band_high = 4,
		.epoch_min_us = 1000,		/* below, the host's own delays rule */
		.path_headroom = 20,
		.wake_min_us = 1000,		/* a writer comes a thousand times a second */
	};
}

/**
 * abt_config_valid() - what can only be said of a set as a whole
 * @config: knobs, each of which is in its range
 *
 * Return: true when they go together, see ABT_CONFIG_RULE.
 */
bool abt_config_valid(const struct abt_config *config)
{
	return config->send_band_low <= config->send_target &&
	       config->send_target <= config->send_band_high &&
	       config->send_band_low < config->send_band_high;
}

/**
 * abt_knob_get() - a knob's value
 * @knob: which
 * @config: in which set
 *
 * Return: a number, or the place of a word.
 */
u64 abt_knob_get(const struct abt_knob *knob, const struct abt_config *config)
{
	const void *field = (const void *)config + knob->offset;

	return knob->wide ? *(const u64 *)field : *(const u32 *)field;
}

/**
 * abt_knob_takes() - does a knob take a value?
 * @knob: which
 * @value: a number, or the place of a word
 *
 * Return: true when it does.
 */
bool abt_knob_takes(const struct abt_knob *knob, u64 value)
{
	u64 i;

	if (!knob->words)
		return (!value && knob->zero) ||
		       (value >= knob->min && value <= knob->max);
	for (i = 0; knob->words[i] && i < value; i++)
		;
	return knob->words[i] && (knob->takes & BIT(i));
}

/**
 * abt_knob_stage() - another value of a knob, in a set that is being made
 * @knob: which
 * @config: the set
 * @value: a number, or the place of a word
 *
 * Return: false when the knob does not take it: @config is as it was then.
 */
bool abt_knob_stage(const struct abt_knob *knob, struct abt_config *config,
		    u64 value)
{
	void *field = (void *)config + knob->offset;

	if (!abt_knob_takes(knob, value))
		return false;
	if (knob->wide)
		*(u64 *)field = value;
	else
		*(u32 *)field = value;
	return true;
}

static int abt_knob_parse(const struct abt_knob *knob, const char *text,
			  u64 *value)
{
	u64 i;

	if (!knob->words)
		return isdigit(text[0]) && !kstrtou64(text, 0, value) ? 0 : -EINVAL;
	for (i = 0; knob->words[i]; i++) {
		if (!strcmp(knob->words[i], text)) {
			*value = i;
			return 0;
		}
	}
	return -EINVAL;
}

/* Stage, check, commit. Context: @an->lock held. */
static int abt_knob_write(struct abt_net *an, const struct abt_knob *knob,
			  const char *text)
{
	struct abt_config staged;
	u64 value;
	int err;

	err = abt_knob_parse(knob, text, &value);
	if (err)
		return err;
	staged = *rcu_dereference_protected(an->config,
					    lockdep_is_held(&an->lock));
	if (!abt_knob_stage(knob, &staged, value) || !abt_config_valid(&staged))
		return -EINVAL;
	return abt_net_commit(an, &staged);
}

/* Without the lock, which a write may hold for a second while sockets are handed back. */
static void abt_knob_show(struct abt_net *an, const struct abt_knob *knob,
			  char *text, size_t size)
{
	u64 value;

	rcu_read_lock();
	value = abt_knob_get(knob, abt_net_config(an));
	rcu_read_unlock();
	if (knob->words)
		snprintf(text, size, "%s", knob->words[value]);
	else
		snprintf(text, size, "%llu", value);
}

static int abt_knob_handler(abt_ctl_table *table, int write, void *buffer,
			    size_t *lenp, loff_t *ppos)
{
	const struct abt_knob *knob = table->extra1;
	struct abt_net *an = table->data;
	char text[ABT_KNOB_TEXT] = "";
	struct ctl_table line = { .data = text, .maxlen = sizeof(text) };
	int err;

	if (write && *lenp >= sizeof(text))
		return -EINVAL;
	if (!write)
		abt_knob_show(an, knob, text, sizeof(text));
	err = proc_dostring(&line, write, buffer, lenp, ppos);
	if (err || !write)
		return err;
	mutex_lock(&an->lock);
	err = abt_knob_write(an, knob, strim(text));
	mutex_unlock(&an->lock);
	return err;
}

/**
 * abt_sysctl_register() - the knobs of a namespace appear
 * @an: namespace
 *
 * Context: process, sleeps.
 * Return: 0 or -ENOMEM.
 */
int abt_sysctl_register(struct abt_net *an)
{
	const size_t n = ARRAY_SIZE(abt_knobs);
	size_t i;

	/* one empty entry ends the table where the kernel looks for it */
	an->sysctl_table = kcalloc(n + 1, sizeof(*an->sysctl_table),
				   GFP_KERNEL_ACCOUNT);
	if (!an->sysctl_table)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		an->sysctl_table[i] = (struct ctl_table) {
			.procname = abt_knobs[i].name,
			.data = an,
			.maxlen = ABT_KNOB_TEXT,
			.mode = 0644,
			.proc_handler = abt_knob_handler,
			.extra1 = (void *)&abt_knobs[i],
		};
	an->sysctl_header = register_net_sysctl_sz(an->net, "net/ipv4/tcp_abt",
						   an->sysctl_table, n);
	if (!an->sysctl_header) {
		kfree(an->sysctl_table);
		return -ENOMEM;
	}
	return 0;
}

/**
 * abt_sysctl_unregister() - the knobs of a namespace go
 * @an: namespace
 *
 * Context: process; sleeps until nobody reads or writes one.
 */
void abt_sysctl_unregister(struct abt_net *an)
{
	unregister_net_sysctl_table(an->sysctl_header);
	kfree(an->sysctl_table);
}
