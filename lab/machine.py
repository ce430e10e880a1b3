# SPDX-License-Identifier: GPL-2.0
"""What this machine can do: found out by trying, remembered until it boots again."""

import os
from collections.abc import Callable
from pathlib import Path

import cache
from kernels import Kernel

PROBE_SECONDS = 15


def kvm_works(kernel: Kernel, boots: Callable[[Kernel, int], bool]) -> bool:
    """/dev/kvm may be there and never get a stock kernel through its early boot."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    boot_id = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    answer = cache.root() / "kvm"
    with cache.lock("kvm"):
        known = answer.read_text().split() if answer.exists() else []
        if known[:1] != [boot_id]:
            cache.say(f"trying KVM, at most {PROBE_SECONDS} s")
            known = [boot_id, "yes" if boots(kernel, PROBE_SECONDS) else "no"]
            answer.write_text(" ".join(known) + "\n")
            cache.say("KVM works" if known[1] == "yes" else "KVM does not work here: emulating")
    return known[1] == "yes"
