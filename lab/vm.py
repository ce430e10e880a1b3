# SPDX-License-Identifier: GPL-2.0
"""A packaged kernel under QEMU, booted by virtme-ng on the host's own root.

The lab `vm` runs in real time. `count` is the same with a clock that counts instructions, one a nanosecond, on one
processor. What is idle takes no time there: the clock is at the next timer at once, so that a file of the host's, which
takes a millisecond to come, comes seconds late.
"""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import architectures
import cache
import machine
from architectures import AMD64, NO_STRINGS
from kernels import Kernel
from task import KERNEL_FAILED, BootFailed, Task

GUEST_SCRIPT = Path(__file__).with_name("guest")
GUEST_DIRECTORY = "/run/tcp_abt"
# virtme-ng's init wants to write here before our own overlay stands.
INIT_WRITES = ("/etc", "/usr", "/var")
BOOT_LOGLEVEL = 5
BOOT_TRIES = 3

# How QEMU runs the guest's instructions, in words for virtme-run.
NATIVE = ()
EMULATED = ("--disable-kvm",)
COUNTED = (*EMULATED, "--qemu-opt=-cpu", f"--qemu-opt={NO_STRINGS}", "--qemu-opt=-icount", "--qemu-opt=shift=0,sleep=off")


class Size:
    """What the virtual machine gets of the real one, and the plugin of QEMU that watches it."""

    def __init__(self, memory: str, cpus: int, plugin: str = "") -> None:
        self.memory = memory
        self.cpus = cpus
        self.plugin = plugin


def run(kernel: Kernel, task: Task, size: Size) -> int:
    """Boot KERNEL, run TASK in it as root, return the task's status."""
    return insist(kernel, task, size, NATIVE if machine.kvm_works(kernel, boots_with_kvm) else EMULATED)


def count(kernel: Kernel, task: Task, size: Size) -> int:
    """The same in the lab `count`, on the one processor whose instructions can be counted."""
    watched = ("--qemu-opt=-plugin", f"--qemu-opt={size.plugin}") if size.plugin else ()
    return insist(kernel, task, Size(size.memory, 1), (*COUNTED, *watched))


def insist(kernel: Kernel, task: Task, size: Size, processor: Sequence[str]) -> int:
    """Boot until the task has begun.

    A stock kernel patches its own code while it boots; an emulated processor sometimes
    runs into the int3 that another has just patched away, and the kernel panics. Only a
    boot is tried again: nothing of the task has run then.
    """
    for tries_left in reversed(range(BOOT_TRIES)):
        try:
            return boot(kernel, task, size, processor)
        except BootFailed as failed:
            failed.report(": booting once more" if tries_left else "")
    return KERNEL_FAILED


def boots_with_kvm(kernel: Kernel, seconds: int) -> bool:
    with tempfile.TemporaryDirectory(prefix="tcp_abt-kvm-") as out:
        probe = Task(["true"], Path(out), seconds, {}, quiet=True)
        try:
            return boot(kernel, probe, Size("512M", 1), NATIVE) == 0
        except BootFailed:
            return False


def boot(kernel: Kernel, task: Task, size: Size, processor: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="tcp_abt-vm-") as name:
        private = Path(name)
        lab = private / "lab"
        lab.mkdir()
        task.write(lab)
        shutil.copy(GUEST_SCRIPT, lab / "guest")
        # virtme-run leaves its temporary files behind when it is killed.
        environment = {**os.environ, "TMPDIR": name, "PATH": cache.search_path()}
        return task.follow(virtme(kernel, task, size, processor, lab), environment, lab)


def virtme(kernel: Kernel, task: Task, size: Size, processor: Sequence[str], lab: Path) -> list[str]:
    """9p, not virtiofs: bookworm's virtiofsd is one that virtme-ng cannot use."""
    if architectures.of(kernel.arch) is not AMD64:
        raise cache.LabError(f"{kernel.release} is for another processor: expected --lab packaged")
    cache.tool("qemu-system-x86_64")
    return [
        cache.tool("virtme-run"), "--name", "lab", "--kimg", str(kernel.image), "--mods", "auto",
        "--force-9p", *processor, "--disable-microvm",
        "--memory", size.memory, "--cpus", str(size.cpus),
        "--show-boot-console", "--kopt", f"loglevel={BOOT_LOGLEVEL}",
        *(word for path in INIT_WRITES for word in ("--overlay-rwdir", path)),
        f"--rodir={GUEST_DIRECTORY}/modules={kernel.modules}",
        f"--rwdir={GUEST_DIRECTORY}/lab={lab}", f"--rwdir={GUEST_DIRECTORY}/out={task.out}",
        "--script-sh", f"sh {GUEST_DIRECTORY}/lab/guest",
    ]
