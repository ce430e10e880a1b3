// SPDX-License-Identifier: GPL-2.0
/*
 * by_address - a plugin of QEMU: how often does the kernel run each of its instructions?
 *
 *	-plugin by_address.so,mark=ADDRESS,out=FILE
 *
 * mark: address of an instruction of a program in user space, in hexadecimal. Counting begins
 * when it is run, and ends when it is run again. Then FILE gets a row for each instruction in
 * the upper half of the addresses: its address, in hexadecimal, and how often it was run.
 *
 * Debian has no package with QEMU's header, so what is used of version 1 of its interface is
 * declared here (docs: "QEMU TCG Plugins"). One processor: nothing here is locked.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT		__attribute__((visibility("default")))
#define INLINE_ADD_U64	0	/* QEMU_PLUGIN_INLINE_ADD_U64 */
#define NO_REGISTERS	0	/* QEMU_PLUGIN_CB_NO_REGS */

struct qemu_plugin_tb;
struct qemu_plugin_insn;

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*translated)(uint64_t id, struct qemu_plugin_tb *tb));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t number);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int what,
						void *counter, uint64_t imm);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    void (*run)(unsigned int cpu, void *data),
					    int flags, void *data);
EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);

EXPORT int qemu_plugin_version = 1;

/* A kernel runs half a million of its instructions from its boot on. */
#define SLOTS_SHIFT	22
#define SLOTS		(1UL << SLOTS_SHIFT)
#define GOLDEN_RATIO	0x61C8864680B583EBULL	/* spreads addresses over the slots */

static struct {
	uint64_t address, times;
} *table;

static uint64_t mark;
static const char *out;
static bool counting;

/* QEMU goes on after an error that a plugin reports, and the figures would be wrong. */
static void die(const char *what)
{
	fprintf(stderr, "by_address: %s\n", what);
	exit(1);
}

static uint64_t *counter_of(uint64_t address)
{
	size_t slot = address * GOLDEN_RATIO >> (64 - SLOTS_SHIFT);

	for (size_t tries = 0; tries < SLOTS; tries++) {
		if (!table[slot].address || table[slot].address == address) {
			table[slot].address = address;
			return &table[slot].times;
		}
		slot = (slot + 1) % SLOTS;
	}
	die("more instructions than slots");
	return NULL;
}

static void begin(void)
{
	for (size_t slot = 0; slot < SLOTS; slot++)
		table[slot].times = 0;
}

static void end(void)
{
	FILE *file = fopen(out, "w");

	if (!file)
		die("the file of out= cannot be written");
	fprintf(file, "address\ttimes\n");
	for (size_t slot = 0; slot < SLOTS; slot++)
		if (table[slot].times)
			fprintf(file, "%" PRIx64 "\t%" PRIu64 "\n",
				table[slot].address, table[slot].times);
	if (fclose(file))
		die("the file of out= cannot be written");
}

static void passed(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	counting = !counting;
	if (counting)
		begin();
	else
		end();
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t address = qemu_plugin_insn_vaddr(insn);

		if (address == mark)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, passed, NO_REGISTERS, NULL);
		else if (address >> 63)
			qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64,
								   counter_of(address), 1);
	}
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "mark=", 5))
			mark = strtoull(argv[i] + 5, NULL, 16);
		else if (!strncmp(argv[i], "out=", 4))
			out = strdup(argv[i] + 4);
	}
	table = calloc(SLOTS, sizeof(*table));
	if (!mark || !out || !table)
		die("expected mark=ADDRESS and out=FILE");
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
