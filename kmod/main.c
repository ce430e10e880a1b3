// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_abt: adaptive buffer tuning for TCP.
 *
 * The host has one number, the memory that TCP may use. Every connection gets the
 * buffers that its path needs, max-min fairly, on a stock kernel, with no tuning
 * per path.
 *
 *	event  ->  sample  ->  demand  ->  grant  ->  applied buffer  ->  exported
 *	conn/      conn/       model/      pool/      conn/               control/
 *
 *	sender		ATBT: buffer between 2 and 4 x cwnd, centred on 3 x cwnd
 *	receiver	DRS: the bytes of a receiver's round trip are its cwnd;
 *			TBT-PLR: grow by 1 + alpha, alpha = share in order
 *	pool		max-min: min(demand, level), sum(min(demand, level)) = size
 *
 * References:
 *	Semke, Mahdavi, Mathis: Automatic TCP Buffer Tuning, SIGCOMM 1998
 *	Fisk, Feng: Dynamic Right-Sizing in TCP, 2001
 *	Yoo, Kim: An Efficient TCP Buffer Tuning Algorithm based on Packet Loss
 *	Ratio, 2004
 */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "conn/hand_back_all.h"
#include "conn/reclaim.h"
#include "conn/record.h"
#include "control/netlink.h"
#include "control/words_gen.h"
#include "offload/offload.h"
#include "path/table.h"
#include "pernet.h"
#include "state/host.h"
#include "version.h"

static char *mode = "on";
module_param(mode, charp, 0444);
MODULE_PARM_DESC(mode, "mode of every network namespace until it sets its own: off, observe or on (default: on)");

static int __init abt_parse_mode(void)
{
	int found = match_string(tcp_abt_mode_words, -1, mode);

	if (found < 0) {
		pr_err("mode=%s: expected off, observe or on\n", mode);
		return -EINVAL;
	}
	abt_host.default_mode = found;
	return 0;
}

static int __init abt_init(void)
{
	int err;

	err = abt_parse_mode();
	if (err)
		return err;
	abt_reclaim_init();
	err = abt_paths_init();
	if (err)
		return err;
	err = abt_records_init();
	if (err)
		goto err_paths;
	err = abt_pernet_register();
	if (err)
		goto err_records;
	err = abt_offload_init();
	if (err)
		goto err_pernet;
	err = abt_netlink_register();
	if (err)
		goto err_offload;
	/* all above is set up; pairs with abt_conn_seek() */
	smp_store_release(&abt_host.live, true);
	return 0;

err_offload:
	abt_offload_exit();
err_pernet:
	abt_pernet_unregister();
err_records:
	abt_records_exit();
err_paths:
	abt_paths_exit();
	return err;
}

/*
 * Mirrored, with two turns. The hooks stop making records first, but they stay, for records
 * that go with their sockets, until the last namespace is off. And sockets are handed back
 * before namespaces are, because handing back waits for owners of sockets, for a second at
 * most, and making or ending a namespace would wait for that as well.
 */
static void __exit abt_exit(void)
{
	WRITE_ONCE(abt_host.live, false);
	synchronize_rcu();
	abt_netlink_unregister();
	abt_reclaim_stop();
	abt_offload_exit();
	abt_records_hand_back(NULL);
	abt_pernet_unregister();
	abt_records_exit();
	abt_paths_exit();
}

module_init(abt_init);
module_exit(abt_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR(ABT_AUTHOR);
MODULE_DESCRIPTION("Adaptive TCP buffer tuning: ATBT, DRS and TBT-PLR over max-min fair pools");
MODULE_VERSION(ABT_VERSION);
