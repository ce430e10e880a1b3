# SPDX-License-Identifier: GPL-2.0
"""bpftune, another tuner, to be measured beside: Debian's package, unpacked into the cache with its libraries, never installed."""

from pathlib import Path

import cache
import debian

PACKAGE, SUITE = "bpftune", "trixie"    # the first Debian that has it
LIBRARIES = "usr/lib/x86_64-linux-gnu"
START = """#!/bin/sh
# In a guest: bpftune with the libraries that came with it. It looks for its tuners in one place alone.
root=${0%/*}
[ -e /LIBRARIES/bpftune ] || ln -s "$root/LIBRARIES/bpftune" /LIBRARIES/bpftune
grep -q ' /sys/fs/bpf ' /proc/mounts || mount -t bpf bpf /sys/fs/bpf
exec "$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$root/LIBRARIES" "$root/usr/sbin/bpftune" "$@"
"""


def get() -> Path:
    """The tree that it was unpacked to; the program `run` in there starts it in a guest."""
    tree = cache.root() / "bpftune" / SUITE
    with cache.lock("bpftune"):
        if not tree.exists():
            with cache.lock("apt"):
                unpack(tree)
    return tree


def unpack(tree: Path) -> None:
    options = debian.suite_options(SUITE)
    cache.say("downloading and unpacking bpftune and its libraries (4 MB)")
    with cache.staged(tree) as stage:
        debian.download_with_needed((PACKAGE,), stage, (*options, *debian.NONE_INSTALLED))
        debian.unpack(stage)
        (stage / "run").write_text(START.replace("LIBRARIES", LIBRARIES))
        (stage / "run").chmod(0o755)
