// SPDX-License-Identifier: GPL-2.0
/* Knobs: a table of names, units and ranges over struct toe_config. See config.h. */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "toe/config.h"
#include "toe/model/sched.h"
#include "toe/toe.h"

/* Held for as long as a value is read or written. */
static DEFINE_MUTEX(toe_knobs_lock);
static struct toe_config toe_knobs;

/*
 * Where no paper is named the value is ours: of the size that is usual with such hardware.
 *
 * Host: the TOE paper's clocks of 1 MB (1,024 KB, 718 segments of 1460 bytes, 359 ACKs) by
 * function. Its time in the wait is that of a clock that runs on, 1.8 GHz.
 */
static const struct toe_config toe_default = {
	.memory_kb = 64 << 10,
	.buffer_bytes = 2048,		/* a full frame */
	.conns = 4096,
	.ports = 3,			/* NP: six engines, two a port */
	.threads = TOE_THREADS_MAX,	/* NP */
	.policy = TOE_MLP,
	.take = 1,
	.engine_mhz = 166,		/* IXP1200 */
	.wire_mbit = 1000,		/* NP */
	.functions = {
		.alloc_ns = 434,	/* two SRAM accesses of NP's */
		.check_ns = 795,	/* NP's six header reads */
		.ack_ns = 6181,		/* NP's work on a packet of one piece */
		.free_ns = 434,
		.wait_cycles = 2000,
		.core_mhz = 166,	/* IXP1200's StrongARM */
	},
	.host = {
		.alloc_kb = 7120,	/* 7,291,000 clocks */
		.copy_in_kb = 2466,	/* 2,525,000 */
		.check = 1003,		/* 720,000 */
		.ack = 819,		/* 294,000 */
		.copy_out_kb = 7239,	/* 7,413,000 */
		.free_kb = 5576,	/* 5,710,000 */
		.wait_us = 1800,
	},
};

/**
 * struct toe_knob - one parameter
 * @name: as it is written
 * @unit: of its value
 * @offset: in struct toe_config, of a u32
 * @least: value
 * @most: value
 */
struct toe_knob {
	const char *name;
	const char *unit;
	size_t offset;
	u32 least;
	u32 most;
};

#define KNOB(name, field, unit, least, most) \
	{ name, unit, offsetof(struct toe_config, field), least, most }

#define CYCLES_MAX	10000
#define NS_MAX		10000000

#define ACCESSES(name, kind, where, least) \
	KNOB(name, pieces.accesses[kind][where], "accesses", least, 10)

/* An instruction, at least, for each step that accesses can make. */
#define INSTRUCTIONS(name, kind) \
	KNOB(name, pieces.instructions[kind], "cycles", TOE_STEPS_MAX, CYCLES_MAX)

static const struct toe_knob toe_knob_table[] = {
	KNOB("memory", memory_kb, "KB", 64, 1 << 20),
	KNOB("buffer", buffer_bytes, "bytes", 256, 65536),
	KNOB("conns", conns, "connections", 0, 65536),
	KNOB("fixed", fixed_bytes, "bytes", 0, 1 << 30),
	KNOB("ports", ports, "ports", 1, TOE_PORTS_MAX),
	KNOB("threads", threads, "threads", 1, TOE_THREADS_MAX),
	KNOB("policy", policy, "ss,ml,mlp", 0, TOE_POLICIES - 1),
	KNOB("take", take, "steps", 1, 2),
	KNOB("engine_clock", engine_mhz, "MHz", 10, 10000),
	KNOB("wire", wire_mbit, "Mbit/s", 1, 100000),
	KNOB("csr_latency", pieces.latency[TOE_CSR], "cycles", 0, CYCLES_MAX),
	KNOB("sram_latency", pieces.latency[TOE_SRAM], "cycles", 0, CYCLES_MAX),
	KNOB("header_latency", pieces.latency[TOE_HEADER], "cycles", 0, CYCLES_MAX),
	KNOB("scratch_latency", pieces.latency[TOE_SCRATCH], "cycles", 0, CYCLES_MAX),
	KNOB("payload_latency", pieces.latency[TOE_PAYLOAD], "cycles", 0, CYCLES_MAX),
	KNOB("sdram_latency", pieces.latency[TOE_SDRAM], "cycles", 0, CYCLES_MAX),
	ACCESSES("mop_csr", TOE_KIND_MOP, TOE_CSR, 1),
	ACCESSES("mop_sram", TOE_KIND_MOP, TOE_SRAM, 1),
	ACCESSES("mop_header", TOE_KIND_MOP, TOE_HEADER, 0),
	ACCESSES("mop_scratch", TOE_KIND_MOP, TOE_SCRATCH, 0),
	ACCESSES("mop_payload", TOE_KIND_MOP, TOE_PAYLOAD, 0),
	ACCESSES("mop_sdram", TOE_KIND_MOP, TOE_SDRAM, 0),
	INSTRUCTIONS("mop_instructions", TOE_KIND_MOP),
	ACCESSES("eop_csr", TOE_KIND_EOP, TOE_CSR, 1),
	ACCESSES("eop_sram", TOE_KIND_EOP, TOE_SRAM, 1),
	ACCESSES("eop_header", TOE_KIND_EOP, TOE_HEADER, 0),
	ACCESSES("eop_scratch", TOE_KIND_EOP, TOE_SCRATCH, 0),
	ACCESSES("eop_payload", TOE_KIND_EOP, TOE_PAYLOAD, 0),
	ACCESSES("eop_sdram", TOE_KIND_EOP, TOE_SDRAM, 0),
	INSTRUCTIONS("eop_instructions", TOE_KIND_EOP),
	ACCESSES("sop_csr", TOE_KIND_SOP, TOE_CSR, 1),
	ACCESSES("sop_sram", TOE_KIND_SOP, TOE_SRAM, 1),
	ACCESSES("sop_header", TOE_KIND_SOP, TOE_HEADER, 0),
	ACCESSES("sop_scratch", TOE_KIND_SOP, TOE_SCRATCH, 0),
	ACCESSES("sop_payload", TOE_KIND_SOP, TOE_PAYLOAD, 0),
	ACCESSES("sop_sdram", TOE_KIND_SOP, TOE_SDRAM, 0),
	INSTRUCTIONS("sop_instructions", TOE_KIND_SOP),
	ACCESSES("only_csr", TOE_KIND_ONLY, TOE_CSR, 1),
	ACCESSES("only_sram", TOE_KIND_ONLY, TOE_SRAM, 1),
	ACCESSES("only_header", TOE_KIND_ONLY, TOE_HEADER, 0),
	ACCESSES("only_scratch", TOE_KIND_ONLY, TOE_SCRATCH, 0),
	ACCESSES("only_payload", TOE_KIND_ONLY, TOE_PAYLOAD, 0),
	ACCESSES("only_sdram", TOE_KIND_ONLY, TOE_SDRAM, 0),
	INSTRUCTIONS("only_instructions", TOE_KIND_ONLY),
	KNOB("copy", dma.copy_ps, "ps/byte", 0, 1000000),
	KNOB("link", dma.link_ps, "ps/byte", 0, 1000000),
	KNOB("message", dma.message_ns, "ns", 0, NS_MAX),
	KNOB("pin", dma.pin_ns, "ns", 0, NS_MAX),
	KNOB("pin_page", dma.pin_page_ns, "ns", 0, NS_MAX),
	KNOB("credit_return", dma.credit_ns, "ns", 0, NS_MAX),
	KNOB("private_buffer", dma.buffer_bytes, "bytes", 256, 1 << 20),
	KNOB("credits", dma.credits, "credits", 1, 4096),
	KNOB("inline", dma.inline_bytes, "bytes", 0, 65536),
	KNOB("alloc", functions.alloc_ns, "ns", 0, NS_MAX),
	KNOB("check", functions.check_ns, "ns", 0, NS_MAX),
	KNOB("ack", functions.ack_ns, "ns", 0, NS_MAX),
	KNOB("free", functions.free_ns, "ns", 0, NS_MAX),
	KNOB("wait", functions.wait_cycles, "cycles", 0, 1000000),
	KNOB("core_clock", functions.core_mhz, "MHz", 10, 10000),
	KNOB("host_alloc", host.alloc_kb, "cycles/KB", 0, 1000000),
	KNOB("host_copy_in", host.copy_in_kb, "cycles/KB", 0, 1000000),
	KNOB("host_check", host.check, "cycles", 0, 1000000),
	KNOB("host_ack", host.ack, "cycles", 0, 1000000),
	KNOB("host_copy_out", host.copy_out_kb, "cycles/KB", 0, 1000000),
	KNOB("host_free", host.free_kb, "cycles/KB", 0, 1000000),
	KNOB("host_wait", host.wait_us, "cycles/us", 0, 1000000),
};

static u32 *toe_knob_value(struct toe_config *config, const struct toe_knob *knob)
{
	return (void *)config + knob->offset;
}

/* Defaults: this file's, and the models' own. */
static void toe_config_default(struct toe_config *config)
{
	*config = toe_default;
	config->pieces = toe_ixp1200;
	config->dma = toe_dma_default;
}

/**
 * toe_config_init() - knobs are at their defaults
 */
void toe_config_init(void)
{
	toe_config_default(&toe_knobs);
}

/**
 * toe_config_get() - the knobs as they are
 * @config: where they go
 *
 * Context: process.
 */
void toe_config_get(struct toe_config *config)
{
	mutex_lock(&toe_knobs_lock);
	*config = toe_knobs;
	mutex_unlock(&toe_knobs_lock);
}

/**
 * toe_config_set() - another value of a knob
 * @name: knob
 * @text: a number
 *
 * Context: process.
 * Return: 0; -ENOENT: no such knob; -EINVAL, -ERANGE: no number, or not of the range. Nothing
 *	changes then, and the kernel's log says why.
 */
int toe_config_set(const char *name, const char *text)
{
	const struct toe_knob *knob = toe_knob_table;
	const struct toe_knob *end = knob + ARRAY_SIZE(toe_knob_table);
	u32 value;
	int err;

	while (knob < end && strcmp(knob->name, name))
		knob++;
	if (knob == end) {
		pr_warn("no knob '%s': expected one of those that the file knobs lists\n", name);
		return -ENOENT;
	}
	err = kstrtou32(text, 0, &value);
	if (!err && (value < knob->least || value > knob->most))
		err = -ERANGE;
	if (err) {
		pr_warn("%s '%s': expected a number from %u to %u [%s]\n", name, text,
			knob->least, knob->most, knob->unit);
		return err;
	}
	mutex_lock(&toe_knobs_lock);
	*toe_knob_value(&toe_knobs, knob) = value;
	mutex_unlock(&toe_knobs_lock);
	return 0;
}

/**
 * toe_config_show() - a line a knob
 * @m: file
 */
void toe_config_show(struct seq_file *m)
{
	struct toe_config now, normal;

	toe_config_get(&now);
	toe_config_default(&normal);
	seq_puts(m, "knob value default least most unit\n");
	for (size_t i = 0; i < ARRAY_SIZE(toe_knob_table); i++) {
		const struct toe_knob *knob = &toe_knob_table[i];

		seq_printf(m, "%s %u %u %u %u %s\n", knob->name,
			   *toe_knob_value(&now, knob), *toe_knob_value(&normal, knob),
			   knob->least, knob->most, knob->unit);
	}
}
