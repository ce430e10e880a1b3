#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The check of the kernel contract, on made-up sources: does it fail on what the table lacks, and on what is gone?

KTAP; no kernel is needed.
"""

import sys
import tempfile
import textwrap
import unittest
from collections.abc import Callable
from pathlib import Path

sys.dont_write_bytecode = True

import contract
import readers
import unit
from contract import Row, Rule
from readers import Place

HEADER = """
    /* sk->sk_sndbuf in a comment */
    static inline int room(const struct sock *sk)
    {
    	return READ_ONCE(sk->sk_sndbuf);
    }

    static inline int room_for(const struct sock *sk) { return room(sk); }
    struct request { int sk_sndbuf; };
    #define FULL(sk) \\
    	((sk)->sk_rcvbuf == 0)
"""
SOURCE = """
    static int reads(struct sock *sk)
    {
    	const char *said = "sk->sk_rcvbuf = 1";

    	if (sk->sk_userlocks & SOCK_BINDADDR_LOCK)
    		return sk->rcv_wnd == 1;
    	return room(sk);
    out:
    	return sk->sk_rcvbuf;
    }

    int writes(struct sock *sk,
    	   int to)
    {
    	int sk_rcvbuf = to;

    	WRITE_ONCE(sk->sk_rcvbuf,
    		   sk_rcvbuf);
    	sk->sk_userlocks |= SOCK_SNDBUF_LOCK;
    	passes_on(&sk->window_clamp);
    	sk->rcv_wup--;
    	return FULL(sk);
    }
    EXPORT_SYMBOL(writes);

    TRACE_EVENT(event,
    	TP_fast_assign(
    		if (sk) {
    			__entry->rcv_wnd = tcp_sk(sk)->rcv_wnd;
    		}
    	)
    );

    static struct table knobs[] = {
    	{ .data = &init_net.ipv4.sysctl_tcp_rmem, .first = net->ipv4.sysctl_tcp_wmem[1] },
    };

    void calls(struct sock *sk)
    {
    	if (room_for(sk) && inet_csk(sk)->icsk_ack.pending & ICSK_ACK_SCHED)
    		sk->sk_prot->op = calls;
    }
"""
ADDED = """
    bool added(struct sock *sk)
    {
    	return sk->rcv_ssthresh > 1;
    }
"""
FOUND = {
    ("sk_sndbuf", "room"): "r", ("sk_rcvbuf", "FULL"): "r", ("room()", "room_for"): "r",
    ("sk_rcvbuf", "reads"): "r", ("rcv_wnd", "reads"): "r", ("room()", "reads"): "r",
    ("sk_rcvbuf", "writes"): "w", ("sk_userlocks", "writes"): "rw", ("window_clamp", "writes"): "&", ("rcv_wup", "writes"): "rw",
    ("FULL()", "writes"): "r", ("rcv_wnd", "event"): "r", ("sysctl_tcp_rmem[2]", "knobs"): "&", ("room_for()", "calls"): "r",
}
TABLE = """
    # A page
    ## `rcv_wnd`

    | where | kernels | does | what | shown by |
    |---|---|---|---|---|
    | `net/a.c`: `reads`, `event`; `net/b.c`: `other` | 6.1, 7.3 | r | so | `renege`: all |

    ## Another heading

    | `net/a.c`: `writes` | all | r | of no field | |
"""


def nowhere(_place: Place) -> bool:
    return False


class Contract(unittest.TestCase):
    def scanned(self, source: str, elsewhere: Callable[[Place], bool] = nowhere) -> dict[Place, str]:
        with tempfile.TemporaryDirectory(prefix="tcp_abt-contract-") as name:
            for file, text in (("include/a.h", HEADER), ("net/a.c", source)):
                path = Path(name) / file
                path.parent.mkdir()
                path.write_text(textwrap.dedent(text))
            return readers.scan(Path(name), elsewhere)

    def told(self, found: dict[Place, str]) -> list[tuple[Place, Row]]:
        return [(place, Row(contract.KERNELS, does, "", 7)) for place, does in found.items()]

    def compared(self, source: str) -> list[str]:
        """The source of the newest kernel is another one; the table is that of all before."""
        before = self.scanned(SOURCE)
        found = dict.fromkeys(contract.KERNELS, before) | {contract.KERNELS[-1]: self.scanned(source)}
        return contract.compare(found, self.told(before))

    def test_each_place_is_found_and_nothing_else(self) -> None:
        found = self.scanned(SOURCE)
        self.assertEqual({(place.field, place.function): does for place, does in found.items()}, FOUND)

    def test_a_table_that_has_all_passes(self) -> None:
        self.assertEqual(self.compared(SOURCE), [])

    def test_an_added_reader_fails(self) -> None:
        faults = self.compared(SOURCE + ADDED)
        self.assertEqual(faults, [f"{contract.KERNELS[-1]}: net/a.c: added() reads rcv_ssthresh, and the table has no such row"])

    def test_a_reader_in_a_function_that_has_a_row_for_another_field_fails(self) -> None:
        faults = self.compared(SOURCE.replace("if (room_for(sk)", "if (sk->rcv_wup && room_for(sk)"))
        self.assertEqual([fault.split(": ", 2)[2] for fault in faults], ["calls() reads rcv_wup, and the table has no such row"])

    def test_a_new_caller_of_an_inline_function_fails(self) -> None:
        faults = self.compared(SOURCE.replace("return sk->sk_rcvbuf;", "return sk->sk_rcvbuf + room_for(sk);"))
        self.assertEqual([fault.split(": ", 2)[2] for fault in faults], ["reads() reads room_for(), and the table has no such row"])

    def test_a_reader_that_now_writes_fails(self) -> None:
        faults = self.compared(SOURCE.replace("return sk->sk_rcvbuf;", "return sk->sk_rcvbuf = 0;"))
        self.assertEqual(faults, ["line 7: reads() of net/a.c: says r of sk_rcvbuf, and it is rw"])

    def test_a_reader_that_is_gone_fails(self) -> None:
        faults = self.compared(SOURCE.replace("sk->rcv_wup--;", ""))
        self.assertEqual(faults, [f"line 7: {contract.KERNELS[-1]}: writes() of net/a.c does not touch rcv_wup"])

    def test_exceptions_take_directories_files_and_functions(self) -> None:
        whole, one, unused = Rule("include/", "*", "so"), Rule("net/a.c", "calls", "so"), Rule("net/b.c", "*", "so")
        place = Place("sk_sndbuf", "net/a.c", "reads")
        self.assertEqual([rule.takes(place) for rule in (whole, one, Rule("net/a.c", "*", "so"), Rule("net/", "reads", "so"))],
                         [False, False, True, True])
        left = self.scanned(SOURCE, lambda place: whole.takes(place) or one.takes(place))
        # What stands for a field in a header that is excepted is not followed either
        self.assertEqual({place.field for place in left} & {"room()", "FULL()", "room_for()", "sk_sndbuf"}, set())
        self.assertEqual(len(contract.stale([whole, one, unused], {whole, one})), 1)

    def test_the_table_is_read(self) -> None:
        row = Row(("6.1", "7.3"), "r", "`renege`: all", 6)
        self.assertEqual(list(contract.rows(textwrap.dedent(TABLE).lstrip())),
                         [(Place("rcv_wnd", file, name), row) for file, name in
                          (("net/a.c", "reads"), ("net/a.c", "event"), ("net/b.c", "other"))])

    def test_a_test_that_is_not_there_fails(self) -> None:
        place = Place("rcv_wnd", "net/a.c", "reads")
        shown = {"`renege`: all": 0, "`socket_features`: tcp_repair, msg_zerocopy": 0, "`policies`: ss_agrees": 1, "`socket_features`: no_such_case": 1, "`no_such_test`: all": 1}
        for text, faults in shown.items():
            self.assertEqual(len(contract.no_such_tests([(place, Row(("7.3",), "r", text, 1))])), faults, text)


class Ktap(unit.Ktap):
    def name(self, test: unittest.TestCase) -> str:
        return test.id().split(".")[-1]


if __name__ == "__main__":
    sys.exit(unit.run(unittest.defaultTestLoader.loadTestsFromTestCase(Contract), Ktap()))
