// SPDX-License-Identifier: GPL-2.0
/*
 * The model and the pools, fed with whatever libFuzzer comes up with: its bytes are
 * operations and their operands. What has to hold of any, holds after each.
 *	make fuzz
 */
#include <stddef.h>
#include <stdlib.h>

#include <linux/kernel.h>
#include <linux/string.h>

#include "model/receive.h"
#include "model/send.h"
#include "model/throughput.h"
#include "pool/pool.h"
#include "pool/stake.h"

#define MEMBERS		6	/* half of them in a pool of their own */

#define HOLD(condition)	do { if (!(condition)) __builtin_trap(); } while (0)

/* The bytes that are left; beyond their end there are zeros. */
struct input {
	const u8 *at;
	size_t left;
};

static void take(struct input *in, void *where, size_t size)
{
	size_t some = min(in->left, size);

	memset(where, 0, size);
	memcpy(where, in->at, some);
	in->at += some;
	in->left -= some;
}

#define TAKE(in, type) ({ type taken; take(in, &taken, sizeof(taken)); taken; })

static struct abt_pool host, net;
static struct abt_stake stakes[MEMBERS];
static atomic_t generation;

static bool below_net(u32 i) { return i >= MEMBERS / 2; }

static void pools_begin(void)
{
	memset(&host, 0, sizeof(host));
	memset(&net, 0, sizeof(net));
	memset(stakes, 0, sizeof(stakes));
	abt_pool_init(&host, NULL, &generation, 1 << 20);
	abt_pool_init(&net, &host, &generation, 1 << 18);
	for (u32 i = 0; i < MEMBERS; i++)
		abt_stake_join(&stakes[i], below_net(i) ? &net : &host);
}

static struct abt_pool_stat stat_of(struct abt_pool *pool)
{
	struct abt_pool_stat stat;

	abt_pool_stat(pool, &stat);
	return stat;
}

/* What is charged is what the members have; nobody is granted more than it wants. */
static void pools_hold(void)
{
	u64 host_charged = 0, net_charged = 0;

	for (u32 i = 0; i < MEMBERS; i++) {
		host_charged += stakes[i].charged;
		net_charged += below_net(i) ? stakes[i].charged : 0;
	}
	HOLD(stat_of(&host).charged == host_charged);
	HOLD(stat_of(&net).charged == net_charged);
	HOLD(stat_of(&host).members == MEMBERS);
	HOLD(stat_of(&net).members == MEMBERS - MEMBERS / 2);
}

static void expect_empty(struct abt_pool *pool)
{
	struct abt_pool_stat stat = stat_of(pool);

	HOLD(!stat.charged && !stat.members && !stat.demand);
}

static void pools_end(void)
{
	for (u32 i = 0; i < MEMBERS; i++)
		abt_stake_leave(&stakes[i]);
	expect_empty(&host);
	expect_empty(&net);
	abt_pool_exit(&net);
	abt_pool_exit(&host);
}

static void fuzz_demand(struct input *in)
{
	struct abt_stake *stake = &stakes[TAKE(in, u8) % MEMBERS];
	u32 demand = abt_clamp_bytes(TAKE(in, u32));
	u32 grant = abt_stake_demand(stake, demand);

	HOLD(grant <= demand && grant == stake->grant);
}

static void fuzz_charge(struct input *in)
{
	struct abt_stake *stake = &stakes[TAKE(in, u8) % MEMBERS];
	u32 want = abt_clamp_bytes(TAKE(in, u32));
	u32 floor = abt_clamp_bytes(TAKE(in, u32)) >> (TAKE(in, u8) % 32);
	u32 had = stake->charged;
	u64 before = host.charged;
	u32 got = abt_stake_charge(stake, want, floor);

	HOLD(got == stake->charged && got <= max(want, floor));
	HOLD(got >= floor && got >= min(want, had));
	/* growth stays within the size, but for the floor */
	HOLD(got <= max(had, floor) || host.charged <= max(host.size, before));
}

static void fuzz_pool(struct input *in)
{
	struct abt_pool *pool = TAKE(in, u8) % 2 ? &net : &host;
	u8 how = TAKE(in, u8);

	if (how % 2)
		abt_pool_resize(pool, TAKE(in, u64) >> 16);
	else if (how & 0x80)
		abt_pool_press(&host, how & 0x40);
	else
		abt_pool_set_share(pool, (how >> 1) % 3);
}

static void fuzz_tick(struct input *in)
{
	run_timer(TAKE(in, u8) % 2 ? &net.tick : &host.tick);
}

static void fuzz_leave(struct input *in)
{
	u32 i = TAKE(in, u8) % MEMBERS;

	abt_stake_leave(&stakes[i]);
	abt_stake_join(&stakes[i], below_net(i) ? &net : &host);
}

static struct abt_rcv_model receiver;

static void fuzz_receive(struct input *in)
{
	struct abt_rcv_sample s = TAKE(in, struct abt_rcv_sample);
	u8 how = TAKE(in, u8);

	s.shared = how & 1;
	s.follows = how & 8;
	s.rtt_us = max(s.rtt_us, 1U);
	abt_rcv_update(&receiver, &s, (how >> 1) % 2);
	HOLD(receiver.base.us && receiver.base.us <= s.rtt_us);
	HOLD(receiver.alpha_q16 <= ABT_Q16_ONE);
	HOLD(abt_rcv_window(&receiver, how & 4) <= ABT_BYTES_MAX);
}

static void fuzz_send(struct input *in)
{
	struct abt_snd_sample s = TAKE(in, struct abt_snd_sample);
	struct abt_snd_band band = { .low = 1 + TAKE(in, u8) % 8 };
	struct abt_snd_bounds b;

	band.centre = band.low + TAKE(in, u8) % (17 - band.low);
	band.high = max(band.centre, band.low + 1) + TAKE(in, u8) % 4;
	b = abt_snd_bounds(&band, s.cwnd_segs, s.mss_bytes);
	HOLD(abt_snd_inside(&b, s.cwnd_segs, U32_MAX));
	HOLD(abt_snd_reach(&band, &s) <= s.cwnd_segs);
	HOLD(abt_snd_cost_q16(&s) >= ABT_Q16_ONE);
	HOLD(abt_snd_demand(&band, &s) <= ABT_BYTES_MAX);
}

static void fuzz_throughput(struct input *in)
{
	struct abt_throughput_sample t = TAKE(in, struct abt_throughput_sample);
	struct abt_loss loss = TAKE(in, struct abt_loss);
	u32 window;

	t.loss_q32 = abt_loss_q32(&loss, TAKE(in, u32), TAKE(in, u32));
	t.ack_segs = 1 + t.ack_segs % 2;
	t.mss_bytes = 1 + t.mss_bytes % 65535;
	window = abt_throughput_window(&t);
	HOLD(window <= max(t.most_bytes, 1U));
}

static void (*const fuzz[])(struct input *in) = {
	fuzz_demand, fuzz_charge, fuzz_pool, fuzz_tick, fuzz_leave, fuzz_receive,
	fuzz_send, fuzz_throughput,
};

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { .at = data, .left = size };

	abt_rcv_init(&receiver);
	pools_begin();
	while (in.left) {
		fuzz[TAKE(&in, u8) % ARRAY_SIZE(fuzz)](&in);
		pools_hold();
	}
	pools_end();
	return 0;
}
