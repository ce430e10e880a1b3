/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations of a generic netlink family come in halves, do and dump, since 6.2;
 * before, in whole. Of ours each has but one half. And the attributes of a dump's
 * request lie elsewhere since 6.6.
 */
#ifndef ABT_COMPAT_GENETLINK_H
#define ABT_COMPAT_GENETLINK_H

#include <linux/slab.h>
#include <linux/version.h>
#include <net/genetlink.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
static inline struct nlattr **abt_dump_attrs(struct netlink_callback *cb)
{
	return genl_dumpit_info(cb)->attrs;
}
#else
static inline struct nlattr **abt_dump_attrs(struct netlink_callback *cb)
{
	return genl_dumpit_info(cb)->info.attrs;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
struct genl_split_ops {
	int (*doit)(struct sk_buff *skb, struct genl_info *info);
	int (*start)(struct netlink_callback *cb);
	int (*dumpit)(struct sk_buff *skb, struct netlink_callback *cb);
	int (*done)(struct netlink_callback *cb);
	const struct nla_policy *policy;
	unsigned int maxattr;
	u8 cmd;
	u8 flags;
};

static inline int abt_genl_register(struct genl_family *family,
				    const struct genl_split_ops *split, u8 n)
{
	struct genl_ops *ops = kcalloc(n, sizeof(*ops), GFP_KERNEL);
	int i, err;

	if (!ops)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		ops[i] = (struct genl_ops) {
			.doit = split[i].doit,
			.start = split[i].start,
			.dumpit = split[i].dumpit,
			.done = split[i].done,
			.policy = split[i].policy,
			.maxattr = split[i].maxattr,
			.cmd = split[i].cmd,
			.flags = split[i].flags,
		};
	family->ops = ops;
	family->n_ops = n;
	err = genl_register_family(family);
	if (err)
		kfree(ops);
	return err;
}

static inline void abt_genl_unregister(struct genl_family *family)
{
	genl_unregister_family(family);
	kfree(family->ops);
}
#else
/*
 * An operation without a policy takes no attribute: so it is in whole, and in halves
 * after 6.12; before, in halves, it takes any.
 */
static inline int abt_genl_register(struct genl_family *family,
				    const struct genl_split_ops *split, u8 n)
{
	static const struct nla_policy none[] = { { .type = NLA_REJECT }, { .type = NLA_REJECT } };
	struct genl_split_ops *ops = kmemdup(split, n * sizeof(*ops), GFP_KERNEL);
	int i, err;

	if (!ops)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		if (ops[i].policy)
			continue;
		ops[i].policy = none;
		ops[i].maxattr = ARRAY_SIZE(none) - 1;
	}
	family->split_ops = ops;
	family->n_split_ops = n;
	err = genl_register_family(family);
	if (err)
		kfree(ops);
	return err;
}

static inline void abt_genl_unregister(struct genl_family *family)
{
	genl_unregister_family(family);
	kfree(family->split_ops);
}
#endif

#endif /* ABT_COMPAT_GENETLINK_H */
