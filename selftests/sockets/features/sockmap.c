// SPDX-License-Identifier: GPL-2.0
/*
 * sockmap - what comes in by one connection goes out by another, and no program sees it
 *
 *	sockmap ADDRESS PORT ADDRESS-BEYOND PORT-BEYOND BYTES LENGTH
 *
 * Accepts a connection, opens one beyond, and puts both into a BPF_MAP_TYPE_SOCKMAP whose
 * verdict sends on what arrives: as it comes if LENGTH is 0, or else in whole messages of
 * LENGTH bytes, which the kernel's parser cuts the stream into. Prints "ready", "joined" when both are in it, and ends
 * both when so many bytes are acknowledged beyond.
 */
#define _GNU_SOURCE
#include <linux/bpf.h>
#include <sys/syscall.h>

#include "../../stream.h"

#define PAUSE_US	10000

enum { INBOUND, OUTBOUND, SOCKETS };

static int bpf(enum bpf_cmd what, union bpf_attr *attr, const char *name)
{
	int got = (int)syscall(SYS_bpf, what, attr, sizeof(*attr));

	if (got < 0)
		die(name);
	return got;
}

static int new_map(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_SOCKMAP,
		.key_size = sizeof(int),
		.value_size = sizeof(int),
		.max_entries = SOCKETS,
	};

	return bpf(BPF_MAP_CREATE, &attr, "a map of sockets");
}

static int loaded(const struct bpf_insn *code, size_t instructions)
{
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SK_SKB,
		.insns = (uintptr_t)code,
		.insn_cnt = (uint32_t)instructions,
		.license = (uintptr_t)"GPL",
	};

	return bpf(BPF_PROG_LOAD, &attr, "a program");
}

/* return length; */
static int new_parser(int length)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = length },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return loaded(code, sizeof(code) / sizeof(code[0]));
}

/* return bpf_sk_redirect_map(skb, map, OUTBOUND, 0); */
static int new_verdict(int map)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_2,
		  .src_reg = BPF_PSEUDO_MAP_FD, .imm = map },
		{ 0 },	/* its upper half */
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = OUTBOUND },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_4, .imm = 0 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_sk_redirect_map },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return loaded(code, sizeof(code) / sizeof(code[0]));
}

static void attach(int map, int program, enum bpf_attach_type type)
{
	union bpf_attr attr = {
		.target_fd = (uint32_t)map,
		.attach_bpf_fd = (uint32_t)program,
		.attach_type = type,
	};

	bpf(BPF_PROG_ATTACH, &attr, "the map's program");
}

static void put_socket(int map, int place, int fd)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)map,
		.key = (uintptr_t)&place,
		.value = (uintptr_t)&fd,
	};

	bpf(BPF_MAP_UPDATE_ELEM, &attr, "a socket into the map");
}

/* The kernel's own struct: glibc's has not this field. */
static uint64_t acknowledged(int fd)
{
	struct {
		struct tcp_info known;
		uint64_t pacing_rate, max_pacing_rate, bytes_acked;
	} info = { 0 };
	socklen_t size = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size))
		die("TCP_INFO");
	return info.bytes_acked;
}

int main(int argc, char **argv)
{
	int inbound, outbound, map, length;

	if (argc != 7)
		usage("sockmap ADDRESS PORT ADDRESS-BEYOND PORT-BEYOND BYTES LENGTH");
	length = atoi(argv[6]);
	inbound = accepted(argv[1], argv[2]);
	outbound = connected(argv[3], argv[4]);
	map = new_map();
	if (length)
		attach(map, new_parser(length), BPF_SK_SKB_STREAM_PARSER);
	attach(map, new_verdict(map), BPF_SK_SKB_STREAM_VERDICT);
	put_socket(map, OUTBOUND, outbound);
	put_socket(map, INBOUND, inbound);
	say("joined");
	/* the SYN counts as a byte */
	while (acknowledged(outbound) <= strtoull(argv[5], NULL, 10))
		usleep(PAUSE_US);
	return 0;
}
