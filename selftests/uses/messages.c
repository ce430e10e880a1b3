// SPDX-License-Identifier: GPL-2.0
/*
 * messages - a stream that a BPF parser of a sockmap cuts into messages of one length
 *
 *	messages ADDRESS PORT BYTES LENGTH
 *
 * Accepts a connection, and puts it into a BPF_MAP_TYPE_SOCKMAP with a stream parser. The
 * kernel's strparser then hands on whole messages only, each of LENGTH bytes. Prints
 * "ready", "joined" when the socket is in the map, and "received BYTES ok" when all is there.
 */
#define _GNU_SOURCE
#include <linux/bpf.h>
#include <sys/syscall.h>

#include "stream.h"

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
		.max_entries = 1,
	};

	return bpf(BPF_MAP_CREATE, &attr, "a map of sockets");
}

/* return answer; */
static void attach(int map, int answer, enum bpf_attach_type type)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = answer },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_SK_SKB,
		.insns = (uintptr_t)code,
		.insn_cnt = sizeof(code) / sizeof(code[0]),
		.license = (uintptr_t)"GPL",
	};
	union bpf_attr at = {
		.target_fd = (uint32_t)map,
		.attach_bpf_fd = (uint32_t)bpf(BPF_PROG_LOAD, &load, "a program"),
		.attach_type = type,
	};

	bpf(BPF_PROG_ATTACH, &at, "the map's program");
}

static void put_socket(int map, int fd)
{
	int place = 0;
	union bpf_attr attr = {
		.map_fd = (uint32_t)map,
		.key = (uintptr_t)&place,
		.value = (uintptr_t)&fd,
	};

	bpf(BPF_MAP_UPDATE_ELEM, &attr, "a socket into the map");
}

int main(int argc, char **argv)
{
	static char data[1 << 16];
	uint64_t bytes, at = 0;
	int fd, map;

	if (argc != 5)
		usage("messages ADDRESS PORT BYTES LENGTH");
	make_pattern();
	bytes = strtoull(argv[3], NULL, 10);
	fd = accepted(argv[1], argv[2]);
	map = new_map();
	attach(map, atoi(argv[4]), BPF_SK_SKB_STREAM_PARSER);
	attach(map, SK_PASS, BPF_SK_SKB_STREAM_VERDICT);
	put_socket(map, fd);
	say("joined");
	while (at < bytes) {
		ssize_t got = recv(fd, data, sizeof(data), 0);

		/* a sockmap's recv() may wake for what is not a whole message */
		if (got < 0 && errno == EAGAIN)
			continue;
		if (got <= 0)
			die("recv");
		if (!as_sent(at, data, (size_t)got)) {
			fprintf(stderr, "not what was sent, at %llu\n", (unsigned long long)at);
			return 1;
		}
		at += (uint64_t)got;
	}
	printf("received %llu ok\n", (unsigned long long)at);
	return 0;
}
