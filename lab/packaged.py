# SPDX-License-Identifier: GPL-2.0
"""The lab `packaged`: Debian's own kernel under QEMU, in virtual time.

The clock counts instructions of one processor, one a nanosecond. Waiting takes no time of the machine's: the clock is at the next timer at once. So a guest
must not wait for the machine. It has its root, the repository and the module in memory, and its results come on a disk when the command has ended.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import architectures
import cache
import initramfs
import processors
from kernels import Kernel
from task import KERNEL_FAILED, BootFailed, Task
from vm import Size

INIT = Path(__file__).with_name("packaged-init")
HERE = "lab"    # the guest's folder of the lab
BEGINS = b"lab: the command begins"     # packaged-init says so
DISK_BYTES = 8 << 30    # most of it a hole
START_OF_TIME = "2023-11-14T22:13:20"
MACHINE = ("-smp", "1", "-accel", "tcg", "-icount", "shift=0,sleep=off", "-nographic", "-nodefaults", "-no-reboot", "-net", "none",
           "-rtc", f"base={START_OF_TIME},clock=vm")
APPEND = "rdinit=/init panic=-1 loglevel=5 mitigations=off"     # `output` is for packaged-init


def run(kernel: Kernel, task: Task, size: Size) -> int:
    """Boot KERNEL, run TASK in it as root, return the task's status."""
    with tempfile.TemporaryDirectory(prefix="tcp_abt-packaged-") as name, processors.one() as cpu:
        lab = Path(name)
        fill(lab, kernel, task)
        words = qemu(kernel, size, cpu, lab)
        try:
            return task.follow(words, {"PATH": cache.search_path()}, lab, collect=lambda: collect(task, lab))
        except BootFailed as failed:
            failed.report()
            return KERNEL_FAILED


def fill(lab: Path, kernel: Kernel, task: Task) -> None:
    """A root of what all guests have, the repository, and what this guest has for itself; an empty disk."""
    own = lab / "own"
    (own / HERE).mkdir(parents=True)
    shutil.copy(INIT, own / "init")
    module = Path(task.environment["ABT_MODULE"])
    build = module.parents[1]
    task.write(own / HERE, {"ABT_MODULE": f"/{HERE}/{module.relative_to(build)}"})
    for path in build.rglob("*.ko"):
        place = own / HERE / path.relative_to(build)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
    initramfs.copy_built(cache.REPO, architectures.of(kernel.arch), own)
    shutil.copy(initramfs.base(kernel), lab / "root")
    with (lab / "root").open("ab") as root:
        initramfs.pack(initramfs.repository(cache.REPO), Path("/"), root.fileno())
        initramfs.pack(initramfs.named(task), Path("/"), root.fileno())
        initramfs.pack([str(path.relative_to(own)) for path in sorted(own.rglob("*"))], own, root.fileno())
    (lab / "output").touch()
    with (lab / "disk").open("wb") as disk:
        disk.truncate(DISK_BYTES)


def qemu(kernel: Kernel, size: Size, cpu: int, lab: Path) -> list[str]:
    architecture = architectures.of(kernel.arch)
    place = str(lab).replace(",", ",,")     # within an option of QEMU's
    *second_port, port = architecture.second_port
    return ["taskset", "-c", str(cpu), cache.tool(architecture.qemu), *architecture.machine, *MACHINE, "-m", size.memory,
            "-kernel", str(kernel.image), "-initrd", f"{lab}/root",
            "-append", f"console={architecture.console} output={architecture.output} {APPEND}",
            "-serial", "stdio", *second_port, f"{port}{place}/output", "-drive", f"file={place}/disk,format=raw,if=virtio,cache=unsafe"]


def collect(task: Task, lab: Path) -> None:
    """From the console that the command began; from the disk, if the kernel came to write all of it, results and status."""
    if BEGINS in (task.out / "console.log").read_bytes():
        (lab / "began").touch()
    if unpacked(lab, lab, "--strip-components=1", f"{HERE}/status") and (lab / "status").exists():
        unpacked(lab, task.out, "--strip-components=1", "out")


def unpacked(lab: Path, where: Path, *words: str) -> bool:
    done = subprocess.run(["tar", "-C", str(where), "-xf", str(lab / "disk"), *words], capture_output=True, check=False)
    return done.returncode == 0
