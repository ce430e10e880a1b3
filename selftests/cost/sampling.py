# SPDX-License-Identifier: GPL-2.0
"""One sample inside a lab kernel: a piece of work in a state of the module, in a network namespace of its own."""

import os
import subprocess
import sys
import time
from pathlib import Path

import plan
from guest import run
from rows import parse
from samples import Sample

MODULES = ("tcp_abt_provider", "tcp_abt")   # in the order that they go
DEBUGFS = "/sys/kernel/debug"
SETTLE_SECONDS = 1  # what a namespace leaves behind is cleaned up; idle time costs nothing here
# Each packet is acknowledged as it comes; else some buffers would have the ACK wait for the reader, others not.
QUICKACK = "ip route replace local 127.0.0.1 dev lo table local proto kernel scope host src 127.0.0.1 quickack 1"
STARTS = {"tcp_wmem": (4096, 16384), "tcp_rmem": (4096, 131072)}    # the kernel's own least and first buffers
NO_LEVEL = "inf"    # of a pool that everyone's demand fits into


def mount_debugfs() -> None:
    if not os.path.ismount(DEBUGFS):
        run("mount", "-t", "debugfs", "none", DEBUGFS)


def enter(state: plan.State, module: str) -> None:
    """Insert the module anew, so that each namespace begins with the state's mode."""
    leave()
    if state.mode:
        run("insmod", module, f"mode={state.mode}")
    if state.adapter:
        run("insmod", Path(module).parents[1] / "selftests/offload/tcp_abt_provider.ko")


def leave() -> None:
    for name in MODULES:
        if Path("/sys/module", name).exists():
            run("rmmod", name)


def namespace(work: plan.Work, state: plan.State) -> list[str]:
    """Shell commands that make of a fresh namespace what WORK in STATE needs."""
    steps = ["ip link set lo mtu 1500 up"]
    if not work.offload:
        steps.append("ethtool -K lo tso off gso off")
    if work.quickack:
        steps.append(QUICKACK)
    if state.short:
        steps += [f"sysctl -q -w net.ipv4.tcp_abt.{pool}={work.pool_bytes}" for pool in ("send_pool", "recv_pool")]
    if state.small:
        steps += [f"sysctl -q -w 'net.ipv4.{name}={least} {min(start, work.share_bytes)} {work.share_bytes}'"
                  for name, (least, start) in STARTS.items()]
    if state.adapter:
        steps.append(f"echo attach lo > {DEBUGFS}/tcp_abt_provider/control")
    return steps


def sample(number: int, work: plan.Work, state: plan.State, load: Path) -> Sample:
    time.sleep(SETTLE_SECONDS)
    script = " && ".join([*namespace(work, state), f"exec {load} {work.load} {work.count} {plan.CONNS} {work.over}"])
    with subprocess.Popen(["unshare", "--net", "sh", "-c", script], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as process:
        figures = process.stdout.readline().split("\t")
        if len(figures) > 1:
            check_state(work, state, process.pid)
        process.stdin.close()
    if process.returncode or len(figures) <= 1:
        sys.exit(f"cost: {work.name}, {state.name}: load ended with status {process.returncode}")
    taken = parse([str(number), state.name, work.name, *figures], Sample)
    if taken.waits:
        sys.exit(f"cost: {work.name}, {state.name}: waited {taken.waits} times, so that idle time counted: expected 0")
    return taken


def check_state(work: plan.Work, state: plan.State, pid: int) -> None:
    """Is or was a pool more than half full where one should be, and nowhere else, and does the driver have the connections?

    What asks for little fits into small pools.
    """
    if not state.mode or (state.short and work.load != "bulk"):
        return
    header, *rows = (line.split() for line in Path(f"/proc/{pid}/net/tcp_abt_pool").read_text().splitlines())
    pools = [dict(zip(header, row, strict=True)) for row in rows]
    if any(map(is_short, pools)) != state.short:
        expected = "a pool more than half full, or somebody refused" if state.short else "pools at ease, and nobody refused"
        sys.exit(f"cost: {work.name}, {state.name}: expected {expected}: {pools}")
    taken_on = sum(int(pool["conns"]) for pool in pools if pool["pool"] == "adapter")
    if state.adapter and plan.limit(work, state) is not None and not taken_on:
        sys.exit(f"cost: {work.name}, {state.name}: expected connections of the adapter's, saw none")


def is_short(pool: dict[str, str]) -> bool:
    """Does the module size the buffers of a local path, which are the kernel's own while no more than half is charged?"""
    return 2 * int(pool["charged"]) > int(pool["size"]) or pool["level"] != NO_LEVEL or pool["refused"] != "0"
