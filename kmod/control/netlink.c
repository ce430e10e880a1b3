// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family tcp_abt, its pools and its knobs. A socket sees and sets
 * what is of its own namespace.
 */
#include <uapi/linux/tcp_abt.h>

#include "compat/genetlink.h"
#include "conn/hooks.h"
#include "control/commit.h"
#include "control/knob.h"
#include "control/netlink.h"
#include "control/netlink_gen.h"
#include "control/view.h"
#include "state/host.h"
#include "state/net.h"

/* Longest text that says what a knob expects. */
#define ABT_EXPECTED_TEXT	80

static char abt_expected[ABT_KNOBS][ABT_EXPECTED_TEXT];

static const struct genl_multicast_group abt_genl_groups[] = {
	[TCP_ABT_NLGRP_DECISIONS] = { .name = "decisions" },
};

struct genl_family abt_genl_family __ro_after_init = {
	.name = TCP_ABT_FAMILY_NAME,
	.version = TCP_ABT_FAMILY_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.mcgrps = abt_genl_groups,
	.n_mcgrps = ARRAY_SIZE(abt_genl_groups),
};

static int abt_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, TCP_ABT_A_POOL_PAD);
}

/**
 * abt_netlink_put_pool() - the figures of a pool
 * @skb: message
 * @pool: pool, of connections or of an adapter
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE.
 */
int abt_netlink_put_pool(struct sk_buff *skb, struct abt_pool *pool)
{
	struct abt_pool_stat s;

	abt_pool_stat(pool, &s);
	if (abt_put_u64(skb, TCP_ABT_A_POOL_SIZE, s.size) ||
	    abt_put_u64(skb, TCP_ABT_A_POOL_CHARGED, s.charged) ||
	    abt_put_u64(skb, TCP_ABT_A_POOL_DEMAND, s.demand) ||
	    (s.level != ABT_LEVEL_NONE &&
	     nla_put_u32(skb, TCP_ABT_A_POOL_LEVEL, s.level)) ||
	    nla_put_u32(skb, TCP_ABT_A_POOL_SLOPE, abt_view_q16(s.slope_q16)) ||
	    nla_put_u32(skb, TCP_ABT_A_POOL_CONNS, s.members) ||
	    abt_put_u64(skb, TCP_ABT_A_POOL_GRANTS, s.grants) ||
	    abt_put_u64(skb, TCP_ABT_A_POOL_SHRINKS, s.shrinks) ||
	    abt_put_u64(skb, TCP_ABT_A_POOL_REFUSED, s.refused))
		return -EMSGSIZE;
	return 0;
}

static int abt_dump_pool(struct sk_buff *skb, struct netlink_callback *cb,
			 struct abt_pool *pool, enum abt_dir dir)
{
	void *header;

	header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			     &abt_genl_family, NLM_F_MULTI, TCP_ABT_CMD_POOL_GET);
	if (!header || nla_put_u32(skb, TCP_ABT_A_POOL_DIRECTION, dir) ||
	    nla_put_u32(skb, TCP_ABT_A_POOL_SCOPE, pool->parent ?
			TCP_ABT_SCOPE_NETNS : TCP_ABT_SCOPE_HOST) ||
	    abt_netlink_put_pool(skb, pool))
		return -EMSGSIZE;
	genlmsg_end(skb, header);
	return 0;
}

/**
 * tcp_abt_nl_pool_get_dumpit() - the pools of a namespace: they fit into one buffer
 * @skb: message buffer to fill
 * @cb: state of the dump
 *
 * Return: bytes in @skb, 0 at the end; -EMSGSIZE.
 */
int tcp_abt_nl_pool_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct abt_net *an = abt_net_of(sock_net(cb->skb->sk));
	struct abt_pool *pool;
	enum abt_dir dir;

	if (cb->args[0])
		return 0;
	abt_host_settle();
	for (dir = 0; dir < ABT_DIRS; dir++)
		for (pool = READ_ONCE(an->pool[dir]); pool; pool = pool->parent)
			if (abt_dump_pool(skb, cb, pool, dir))
				return -EMSGSIZE;
	cb->args[0] = 1;
	return skb->len;
}

static int abt_put_config(struct sk_buff *skb, const struct abt_config *config)
{
	int i, err = 0;

	for (i = 0; i < ABT_KNOBS && !err; i++) {
		u64 value = abt_knob_get(&abt_knobs[i], config);

		if (abt_knobs[i].wide)
			err = nla_put_u64_64bit(skb, ABT_KNOB_ATTR(i), value,
						TCP_ABT_A_CONFIG_PAD);
		else
			err = nla_put_u32(skb, ABT_KNOB_ATTR(i), value);
	}
	return err;
}

/**
 * tcp_abt_nl_config_get_doit() - all knobs of a namespace, as one consistent set
 * @skb: request
 * @info: of the request
 *
 * Return: 0; -ENOMEM.
 */
int tcp_abt_nl_config_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct abt_net *an = abt_net_of(genl_info_net(info));
	struct sk_buff *reply;
	void *header;
	int err;

	reply = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &abt_genl_family, 0,
				   TCP_ABT_CMD_CONFIG_GET);
	rcu_read_lock();
	err = header ? abt_put_config(reply, abt_net_config(an)) : -EMSGSIZE;
	rcu_read_unlock();
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}

/* The attributes of a request, into a set of knobs. */
static int abt_config_stage(struct abt_config *staged,
			    const struct genl_info *info)
{
	const struct nlattr *last = NULL;
	int i;

	for (i = 0; i < ABT_KNOBS; i++) {
		const struct nlattr *attr = info->attrs[ABT_KNOB_ATTR(i)];

		if (!attr)
			continue;
		if (!abt_knob_stage(&abt_knobs[i], staged,
				    abt_knobs[i].wide ? nla_get_u64(attr) :
							nla_get_u32(attr)))
			return abt_netlink_refuse(info->extack, attr,
						  abt_expected[i]);
		last = attr;
	}
	if (!last)
		return abt_netlink_refuse(info->extack, NULL,
					  "no attribute: expected at least one knob");
	if (!abt_config_valid(staged))
		return abt_netlink_refuse(info->extack, last, ABT_CONFIG_RULE);
	return 0;
}

/**
 * tcp_abt_nl_config_set_doit() - knobs of a namespace: all that are given, or none
 * @skb: request
 * @info: of the request
 *
 * Return: 0; -EINVAL, an error of abt_net_commit(), and nothing changed.
 */
int tcp_abt_nl_config_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct abt_net *an = abt_net_of(genl_info_net(info));
	struct abt_config staged;
	int err;

	mutex_lock(&an->lock);
	staged = *rcu_dereference_protected(an->config,
					    lockdep_is_held(&an->lock));
	err = abt_config_stage(&staged, info);
	if (!err)
		err = abt_net_commit(an, &staged);
	mutex_unlock(&an->lock);
	return err;
}

/* "sender: expected stock, fixed, atbt, sabt" */
static void __init abt_expect(const struct abt_knob *knob, char *text)
{
	int n = scnprintf(text, ABT_EXPECTED_TEXT, "%s: expected", knob->name);
	bool first = true;
	u64 i;

	if (!knob->words) {
		scnprintf(text + n, ABT_EXPECTED_TEXT - n, " %s%llu to %llu",
			  knob->zero ? "0, or " : "", knob->min, knob->max);
		return;
	}
	for (i = 0; knob->words[i]; i++) {
		if (!abt_knob_takes(knob, i))
			continue;
		n += scnprintf(text + n, ABT_EXPECTED_TEXT - n, "%s %s",
			       first ? "" : ",", knob->words[i]);
		first = false;
	}
}

/**
 * abt_netlink_register() - the family appears
 *
 * Context: process, sleeps.
 * Return: 0 or an error of genl_register_family().
 */
int __init abt_netlink_register(void)
{
	int i;

	for (i = 0; i < ABT_KNOBS; i++)
		abt_expect(&abt_knobs[i], abt_expected[i]);
	abt_hooks.changed = abt_decision_tell;
	return abt_genl_register(&abt_genl_family, tcp_abt_nl_ops,
				 ARRAY_SIZE(tcp_abt_nl_ops));
}

/**
 * abt_netlink_unregister() - the family goes
 *
 * No hook tells decisions any more.
 * Context: process, sleeps until nobody uses it.
 */
void abt_netlink_unregister(void)
{
	abt_genl_unregister(&abt_genl_family);
}
