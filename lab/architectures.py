# SPDX-License-Identifier: GPL-2.0
"""The architectures of Debian's kernels, and the machine that QEMU emulates for each."""

import subprocess
from pathlib import Path
from typing import NamedTuple

import cache

# Without ERMS the kernel copies by words of 8 bytes: `rep movsb` would count as an instruction a byte,
# which no processor takes, and next to that any other cost would vanish.
NO_STRINGS = "max,-erms"


class Architecture(NamedTuple):
    """What each program calls it, and its machine."""

    name: str   # Debian's
    kbuild: str
    gnu: str    # the compiler's, and its folders of libraries
    qemu: str   # the emulator's program
    machine: tuple[str, ...]    # of its words
    console: str    # where the kernel writes; what a command says goes to a second serial port
    output: str
    second_port: tuple[str, ...]    # QEMU's words for that port, up to the name of a file

    @property
    def cross(self) -> str:
        """What the names of its compiler's programs begin with; nothing for this machine's own."""
        return "" if self is AMD64 else f"{self.gnu}-"


AMD64 = Architecture("amd64", "x86_64", "x86_64-linux-gnu", "qemu-system-x86_64", ("-M", "q35", "-cpu", NO_STRINGS),
                     "ttyS0", "ttyS1", ("-serial", "file:"))
# Pointers are signed by a plain hash: the architecture's own takes an emulator half of its time
ARM64 = Architecture("arm64", "arm64", "aarch64-linux-gnu", "qemu-system-aarch64", ("-M", "virt", "-cpu", "max,pauth-impdef=on"),
                     "ttyAMA0", "ttyS0", ("-device", "pci-serial,chardev=output", "-chardev", "file,id=output,path="))
ALL = (AMD64, ARM64)


def of(kbuild: str) -> Architecture:
    """By Kbuild's name; this machine's for a kernel that names none."""
    return next((one for one in ALL if one.kbuild == kbuild), AMD64)


def set_up(architecture: Architecture) -> None:
    """Its compiler and emulator, installed where they are missing; setup says what it does."""
    words = [str(Path(__file__).with_name("setup")), architecture.name]
    if architecture is not AMD64 and subprocess.run(words, check=False).returncode:
        raise cache.LabError(f"what {architecture.name} needs is not installed: see above")
