#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The module's kernel-doc through the kernel's own script: any warning is a failure.

But for what the kernel's generator has written of the netlink family.
"""

import subprocess
import sys

sys.dont_write_bytecode = True

import cache
import kernels
from checkpatch import sources

SERIES = "6.12"


def main() -> int:
    script = kernels.get(SERIES).build / "scripts/kernel-doc"
    done = subprocess.run(["perl", str(script), "-none", "-Wall", *sources("kmod", ":!kmod/uapi")], cwd=cache.REPO,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout, end="")
    return 1 if done.returncode or done.stdout else 0


if __name__ == "__main__":
    cache.program(main)
