/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The specification's generator writes halves of operations, do and dump, which 6.1 does not
 * know. Each operation of the family has but one half: registered as whole ones,
 * which every kernel takes, and which refuse attributes where there is no policy
 * (halves without one take any, before 7). And the attributes of a dump's request lie
 * elsewhere since 6.6.
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
#endif

/* The half that an operation has tells which of its functions are valid: they lie in a union */
static inline void abt_genl_whole(struct genl_ops *op, const struct genl_split_ops *half)
{
	*op = (struct genl_ops) {
		.policy = half->policy,
		.maxattr = half->maxattr,
		.cmd = half->cmd,
		.flags = half->flags,
	};
	if (half->flags & GENL_CMD_CAP_DO) {
		op->doit = half->doit;
	} else {
		op->start = half->start;
		op->dumpit = half->dumpit;
		op->done = half->done;
	}
}

static inline int abt_genl_register(struct genl_family *family,
				    const struct genl_split_ops *split, u8 n)
{
	struct genl_ops *ops = kcalloc(n, sizeof(*ops), GFP_KERNEL);
	int i, err;

	if (!ops)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		abt_genl_whole(&ops[i], &split[i]);
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

#endif /* ABT_COMPAT_GENETLINK_H */
