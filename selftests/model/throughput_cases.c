// SPDX-License-Identifier: GPL-2.0
/* SABT's throughput equation against the formula, and the loss that goes into it. */
#include <linux/limits.h>
#include <linux/minmax.h>

#include "cases.h"
#include "model/throughput.h"

#define MSS		65000U	/* large, so that rounding to bytes says nothing */

/*
 * By the formula in floating point, MSS x 1 / (sqrt(2bp/3) + ...), rounded:
 *
 *	python3 -c 'from math import *; p, r, b = 4294967 / 2**32, 2, 2
 *	print(65000 / (sqrt(2*b*p/3) + r * min(1, 3*sqrt(3*b*p/8)) * p * (1 + 32*p*p)))'
 */
static void equation(struct abt_test *t)
{
	static const struct {
		u32 loss_q32, timeout, ack_segs, bytes;
	} rows[] = {
		{       4295,   1, 1,  79607934 },
		{       4295,   2, 1,  79607755 },
		{       4295,   5, 1,  79607218 },
		{       4295,  20, 1,  79604531 },
		{       4295, 100, 1,  79590206 },
		{      42950,   1, 1,  25173729 },
		{      42950,   2, 1,  25173163 },
		{      42950,   5, 1,  25171464 },
		{      42950,  20, 1,  25162972 },
		{      42950, 100, 1,  25117780 },
		{     429497,   1, 1,   7959048 },
		{     429497,   2, 1,   7957258 },
		{     429497,   5, 1,   7951893 },
		{     429497,  20, 1,   7925176 },
		{     429497, 100, 1,   7785662 },
		{    2147484,   1, 1,   3556196 },
		{    2147484,   2, 1,   3552204 },
		{    2147484,   5, 1,   3540282 },
		{    2147484,  20, 1,   3481854 },
		{    2147484, 100, 1,   3200174 },
		{    4294967,   1, 1,   2511788 },
		{    4294967,   2, 1,   2506161 },
		{    4294967,   5, 1,   2489432 },
		{    4294967,  20, 1,   2409029 },
		{    4294967, 100, 1,   2055040 },
		{   12884902,   1, 1,   1443696 },
		{   12884902,   2, 1,   1434079 },
		{   12884902,   5, 1,   1405979 },
		{   12884902,  20, 1,   1280524 },
		{   12884902, 100, 1,    867627 },
		{   42949673,   1, 1,    778512 },
		{   42949673,   2, 1,    761698 },
		{   42949673,   5, 1,    715350 },
		{   42949673,  20, 1,    548479 },
		{   42949673, 100, 1,    244408 },
		{  128849019,   1, 1,    429774 },
		{  128849019,   2, 1,    403569 },
		{  128849019,   5, 1,    341161 },
		{  128849019,  20, 1,    192400 },
		{  128849019, 100, 1,     57855 },
		{  429496730,   1, 1,    194097 },
		{  429496730,   2, 1,    157932 },
		{  429496730,   5, 1,    101305 },
		{  429496730,  20, 1,     36274 },
		{  429496730, 100, 1,      8200 },
		{  858993459,   1, 1,     87863 },
		{  858993459,   2, 1,     58326 },
		{  858993459,   5, 1,     29039 },
		{  858993459,  20, 1,      8272 },
		{  858993459, 100, 1,      1718 },
		{ 2147483648,   1, 1,     12802 },
		{ 2147483648,   2, 1,      6787 },
		{ 2147483648,   5, 1,      2817 },
		{ 2147483648,  20, 1,       718 },
		{ 2147483648, 100, 1,       144 },
		{       4295,   1, 2,  56291310 },
		{       4295,   2, 2,  56291184 },
		{       4295,   5, 2,  56290804 },
		{       4295,  20, 2,  56288904 },
		{       4295, 100, 2,  56278774 },
		{      42950,   1, 2,  17800515 },
		{      42950,   2, 2,  17800114 },
		{      42950,   5, 2,  17798913 },
		{      42950,  20, 2,  17792908 },
		{      42950, 100, 2,  17760953 },
		{     429497,   1, 2,   5627897 },
		{     429497,   2, 2,   5626631 },
		{     429497,   5, 2,   5622838 },
		{     429497,  20, 2,   5603946 },
		{     429497, 100, 2,   5505294 },
		{    2147484,   1, 2,   2514610 },
		{    2147484,   2, 2,   2511787 },
		{    2147484,   5, 2,   2503357 },
		{    2147484,  20, 2,   2462043 },
		{    2147484, 100, 2,   2262865 },
		{    4294967,   1, 2,   1776102 },
		{    4294967,   2, 2,   1772124 },
		{    4294967,   5, 2,   1760294 },
		{    4294967,  20, 2,   1703441 },
		{    4294967, 100, 2,   1453133 },
		{   12884902,   1, 2,   1020848 },
		{   12884902,   2, 2,   1014047 },
		{   12884902,   5, 2,    994177 },
		{   12884902,  20, 2,    905467 },
		{   12884902, 100, 2,    613505 },
		{   42949673,   1, 2,    550491 },
		{   42949673,   2, 2,    538602 },
		{   42949673,   5, 2,    505829 },
		{   42949673,  20, 2,    387833 },
		{   42949673, 100, 2,    172822 },
		{  128849019,   1, 2,    303896 },
		{  128849019,   2, 2,    285366 },
		{  128849019,   5, 2,    241238 },
		{  128849019,  20, 2,    136047 },
		{  128849019, 100, 2,     40909 },
		{  429496730,   1, 2,    137247 },
		{  429496730,   2, 2,    111675 },
		{  429496730,   5, 2,     71634 },
		{  429496730,  20, 2,     25650 },
		{  429496730, 100, 2,      5798 },
		{  858993459,   1, 2,     66845 },
		{  858993459,   2, 2,     45506 },
		{  858993459,   5, 2,     23244 },
		{  858993459,  20, 2,      6745 },
		{  858993459, 100, 2,      1409 },
		{ 2147483648,   1, 2,     12226 },
		{ 2147483648,   2, 2,      6622 },
		{ 2147483648,   5, 2,      2788 },
		{ 2147483648,  20, 2,       716 },
		{ 2147483648, 100, 2,       144 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 bytes = abt_throughput_window(&(struct abt_throughput_sample) {
			.loss_q32 = rows[i].loss_q32,
			.timeout_q16 = rows[i].timeout << 16,
			.ack_segs = rows[i].ack_segs,
			.mss_bytes = MSS,
			.most_bytes = ABT_BYTES_MAX,
		});

		EXPECT_AT(t, i, (u64)bytes * 1000, >=, (u64)rows[i].bytes * 995);
		EXPECT_AT(t, i, (u64)bytes * 1000, <=, (u64)rows[i].bytes * 1005 + 1000);
	}
}

static void no_loss_is_the_whole_window(struct abt_test *t)
{
	struct abt_throughput_sample s = {
		.timeout_q16 = 2 << 16, .ack_segs = 2, .mss_bytes = 1448, .most_bytes = 123456,
	};

	EXPECT(t, abt_throughput_window(&s), ==, 123456);
	s.loss_q32 = 1;
	EXPECT(t, abt_throughput_window(&s), ==, 123456);
}

/* Whatever comes in, it is a window; more loss never makes a larger one. */
static void any_sample_gives_a_window(struct abt_test *t)
{
	for (u32 i = 0; i < 200000; i++) {
		struct abt_throughput_sample s = {
			.loss_q32 = abt_test_random(t) >> abt_test_below(t, 32),
			.timeout_q16 = abt_test_random(t) >> abt_test_below(t, 32),
			.ack_segs = 1 + (i & 1),
			.mss_bytes = 1 + abt_test_below(t, 65535),
			.most_bytes = 1 + abt_test_below(t, ABT_BYTES_MAX),
		};
		u32 bytes = abt_throughput_window(&s);

		EXPECT_AT(t, i, bytes, >=, 1);
		EXPECT_AT(t, i, bytes, <=, s.most_bytes);
		s.loss_q32 += (U32_MAX - s.loss_q32) / 2;
		EXPECT_AT(t, i, abt_throughput_window(&s), <=, bytes);
	}
}

/* Of a steady loss in 128 the estimate is that; a change is half seen in 16384 segments. */
static void old_losses_count_less(struct abt_test *t)
{
	struct abt_loss l = { .segs = U32_MAX - 1000, .lost = U32_MAX - 5 };
	u32 segs = l.segs, lost = l.lost, loss = 0;

	EXPECT(t, abt_loss_q32(&l, segs, lost), ==, 0);
	for (u32 i = 0; i < 1000; i++) {
		segs += 128;
		lost++;
		loss = abt_loss_q32(&l, segs, lost);
		EXPECT_AT(t, i, loss, >, (1U << 25) / 100 * 98);
		EXPECT_AT(t, i, loss, <, (1U << 25) / 100 * 102);
	}
	for (u32 i = 0; i < 128; i++) {
		segs += 128;
		loss = abt_loss_q32(&l, segs, lost);
	}
	EXPECT(t, loss, <, (1U << 25) / 3 * 2);
	EXPECT(t, loss, >, 0);
}

/* No loss is held against a connection for ever, not even the last one. */
static void a_single_loss_is_forgotten(struct abt_test *t)
{
	struct abt_loss l = { 0 };
	u32 loss = abt_loss_q32(&l, 128, 1);

	EXPECT(t, loss, ==, 1U << 25);
	for (u32 segs = 256; segs <= 1U << 15; segs += 128)
		loss = abt_loss_q32(&l, segs, 1);
	EXPECT(t, loss, ==, 0);
}

const struct abt_case abt_throughput_cases[] = {
	{ "throughput: the equation, within 0.5 %", equation },
	{ "throughput: no loss is the whole window", no_loss_is_the_whole_window },
	{ "throughput: any sample gives a window", any_sample_gives_a_window },
	{ "throughput: old losses count less", old_losses_count_less },
	{ "throughput: a single loss is forgotten", a_single_loss_is_forgotten },
	{ }
};
