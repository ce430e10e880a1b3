#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Build the kernel's own networking tests from its source package, once, and say where they are."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))

import cache
import source
from cache import run

# The newest knows most: upstream runs its tests on older kernels as well.
SERIES = "7.3"
TESTS = "tools/testing/selftests"
PARTS = ("Makefile", "scripts", "include", "arch/x86", "tools/include", "tools/arch/x86/include", f"{TESTS}/net",
         f"{TESTS}/lib.mk", f"{TESTS}/kselftest.h", f"{TESTS}/kselftest_harness.h", f"{TESTS}/kselftest")
PROGRAMS = {
    "net": ("tls", "tcp_inq", "tcp_fastopen_backup_key", "bind_timewait", "tcp_port_share", "reuseport_addr_any",
            "reuseport_dualstack", "stress_reuseport_listen", "sk_so_peek_off"),
    "net/mptcp": ("mptcp_connect", "mptcp_inq", "mptcp_sockopt", "pm_nl_ctl", "mptcp_diag"),
}


# It starts a hundred servers at a time, and goes on when the last of them listens: one of the others may not yet.
DIAG = "net/mptcp/diag.sh"
WAIT_FOR_LAST = re.compile(r"^(mptcp_lib_wait_local_port_listen \$ns \$\(\()(NR_[A-Z]+)( \+ [0-9]+\)\))$", re.MULTILINE)
WAIT_FOR_ALL = r"for I in $(seq $\2); do \1I\3; done"


def get() -> Path:
    """The directory that is tools/testing/selftests there, with the programs built."""
    return source.kept("upstream", SERIES, PARTS, fill)


def fill(where: Path, stage: Path) -> None:
    run(["make", "-C", str(where), "-s", "headers"])
    for directory, names in PROGRAMS.items():
        for name in names:
            compile_one(where, where / TESTS / directory / name)
    wait_for_all(where / TESTS / DIAG)
    shutil.copytree(where / TESTS, stage, symlinks=True, dirs_exist_ok=True)


def wait_for_all(diag: Path) -> None:
    text, waits = WAIT_FOR_LAST.subn(WAIT_FOR_ALL, diag.read_text())
    if waits != 2:
        raise cache.LabError(f"{DIAG} is not what it was: {waits} waits for the last of its servers, expected 2")
    diag.write_text(text)


def compile_one(where: Path, program: Path) -> None:
    """With the flags of the makefiles that build all of them."""
    run(["gcc", "-O2", "-w", "-D_GNU_SOURCE=", "-isystem", str(where / "usr/include"), "-I", str(where / TESTS),
         "-I", str(where / "tools/include"), "-o", str(program), f"{program}.c", "-lpthread", "-lcrypto"])


if __name__ == "__main__":
    try:
        print(get())
    except (cache.LabError, subprocess.CalledProcessError) as error:
        sys.exit(f"build.py: {error}")
