# SPDX-License-Identifier: GPL-2.0
"""What a kernel's source has about sockets: the files that may touch one of TCP's, kept once a series."""

import re
import shutil
from pathlib import Path

import source

# Where code that is built into a kernel, or as its module, can reach a socket
PARTS = ("block", "crypto", "drivers", "fs", "include", "io_uring", "kernel", "lib", "mm", "net", "security")
ABOUT = re.compile(rb"\bstruct (?:sock|tcp_sock|inet_connection_sock|netns_ipv4)\b|sk->|sysctl_tcp")


def get(series: str) -> Path:
    """A tree with these files of SERIES: 50 of 1,400 MB."""
    return source.kept("sockets", series, PARTS, fill)


def fill(where: Path, stage: Path) -> None:
    for path in where.rglob("*.[ch]"):
        if path.is_file() and not path.is_symlink() and ABOUT.search(path.read_bytes()):
            kept = stage / path.relative_to(where)
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, kept)
