# SPDX-License-Identifier: GPL-2.0
"""The path between sender and receiver: what the router makes of it, and a flow that is measured on it.

Not by the scenarios' runner, which sets both hosts up for a comparison (tcp_mem, the input queue, a mode) and asks ten times a second:
here a host is as the packages left it, and its one emulated processor the flow's.
"""

import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import cache
from machines import FAR, NEAR, RECEIVER, Machine

PORT = 5001
PROGRAM = "/root/test/stream"
SAMPLE = re.compile(r"^(?P<second>[\d.]+) .*?\brb(?P<rcvbuf>\d+).*?\bbytes_received:(?P<received>\d+)", re.MULTILINE)
PAYLOAD_SHARE = 1448 / 1514  # of a frame: Ethernet, IPv4, TCP with timestamps
BUCKET = "256kb"             # what the rate lets through at once: pieces of 64 KB, and an emulated machine's late timer
ACKS_LIMIT = 1_000_000       # packets; netem's own 1000 would drop ACKs


def shape(router: Machine, mbps: int, rtt_ms: int) -> None:
    """RATE towards the receiver with a queue of one BDP, counted in bytes; the round trip on the ACKs' way."""
    queue_bytes = mbps * rtt_ms * 1000 // 8
    router.run(f"tc qdisc replace dev {FAR} root tbf rate {mbps}mbit burst {BUCKET} limit {queue_bytes} && "
               f"tc qdisc replace dev {NEAR} root netem delay {rtt_ms}ms limit {ACKS_LIMIT}")


def unshape(router: Machine) -> None:
    router.run(f"tc qdisc del dev {FAR} root; tc qdisc del dev {NEAR} root", check=False)


def bring_program(machines: list[Machine]) -> None:
    """`stream`, whose reader never lags, as one file that needs nothing there."""
    with tempfile.TemporaryDirectory(prefix="tcp_abt-stream-") as folder:
        program = Path(folder) / "stream"
        subprocess.run(["cc", "-O2", "-static", "-o", program, cache.REPO / "netem_scenarios/stream.c"], check=True)
        for machine in machines:
            machine.put([program], str(Path(PROGRAM).parent))


class Sample(NamedTuple):
    second: float  # of the receiver's clock
    received: int  # bytes
    rcvbuf: int    # bytes of truesize


class Flow:
    """A bulk flow of so many seconds, that the receiver is asked about once a second."""

    def __init__(self, sender: Machine, receiver: Machine, seconds: int) -> None:
        self.name = f"{sender.name} to {receiver.name}"
        self.seconds = seconds
        self.reader = receiver.start(f"{PROGRAM} recv {PORT}")
        receiver.run(f"until ss -Htln sport = :{PORT} | grep -q .; do sleep 0.2; done", seconds=60)
        self.asked = receiver.start(
            f"for i in $(seq {seconds}); do echo $(cut -d ' ' -f 1 /proc/uptime) $(ss -Htinm state established sport = :{PORT}); sleep 1; done")
        self.writer = sender.start(f"{PROGRAM} send {RECEIVER} {PORT} {seconds}")
        self.began = time.monotonic()

    def wait_until(self, second: float) -> None:
        """Of the flow's own time."""
        time.sleep(max(0.0, self.began + second - time.monotonic()))

    def samples(self) -> list[Sample]:
        """When all is over."""
        complaints = [process.communicate(timeout=self.seconds * 4 + 60)[0] for process in (self.writer, self.reader, self.asked)]
        found = [Sample(float(match["second"]), int(match["received"]), int(match["rcvbuf"])) for match in SAMPLE.finditer(complaints[2])]
        if len(found) < self.seconds // 4:
            raise cache.LabError(f"the flow from {self.name}: {len(found)} samples in {self.seconds} s: {' '.join(complaints)[:500]}")
        return found


def goodput_mbps(samples: list[Sample]) -> float:
    """Of the last half: slow start is over."""
    first, last = samples[len(samples) // 2], samples[-1]
    return 8e-6 * (last.received - first.received) / (last.second - first.second)
