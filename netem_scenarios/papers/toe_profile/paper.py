# SPDX-License-Identifier: GPL-2.0
"""The TOE paper's figures, and what its seven functions are called today.

Jang, Oh, Chung and Kim, 2005: Linux 2.4.7, Xeon of 1.8 GHz, Gigabit Ethernet; thousands of clocks a message.
"""

from typing import NamedTuple


class Part(NamedTuple):
    """A function of the paper, and what does its work today: (work, function) of toe_clock."""

    number: int
    title: str
    today: tuple[tuple[str, str], ...]
    kiloclocks: tuple[int, ...]  # of each message size


class Side(NamedTuple):
    """A table of the paper: its functions, TCP in all, and IP beside it."""

    name: str
    parts: tuple[Part, ...]
    works: tuple[str, ...]
    outside: tuple[str, ...]  # functions that are not of TCP, or being idle
    tcp: tuple[int, ...]
    ip: tuple[int, ...]
    ip_today: tuple[str, ...]


IP = ("__ip_queue_xmit", "ip_rcv")

SEND = Side(
    "send",
    (Part(1, "tcp_alloc_skb", (("send", "tcp_stream_alloc_skb"), ("send", "sk_page_frag_refill")), (9, 105, 957, 7291)),
     Part(2, "skb_add_data", (("send", "_copy_from_iter"),), (3, 46, 413, 2525)),
     Part(3, "wait_for_tcp_memory", (("send", "sk_stream_wait_memory"),), (0, 0, 4092, 31298))),
    ("send",), IP, (14, 166, 5651, 44411), (3, 19, 267, 2100), IP)

RECEIVE = Side(
    "receive",
    (Part(4, "tcp_v4_rcv", (("arrival", "tcp_v4_rcv"),), (11, 12, 117, 720)),
     Part(5, "ACK functions", (("arrival", "tcp_send_ack"), ("receive", "tcp_send_ack")), (13, 54, 99, 294)),
     Part(6, "tcp_copy_to_iovec", (("receive", "skb_copy_datagram_iter"),), (17, 72, 767, 7413)),
     Part(7, "__kfree_skb", (("receive", "skb_attempt_defer_free"), ("receive", "__kfree_skb"), ("arrival", "__kfree_skb")),
          (5, 51, 720, 5710))),
    ("arrival", "receive"), (*IP, "sk_wait_data"), (48, 214, 1816, 15304), (11, 49, 158, 1004), IP)

SIDES = (SEND, RECEIVE)
WAIT = SEND.parts[2]
