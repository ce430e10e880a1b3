# SPDX-License-Identifier: GPL-2.0
"""bpftune, another tuner, to be measured beside: Debian's package, unpacked into the cache with its libraries, never installed."""

from pathlib import Path

import cache
import debian
import kernels
import source

PACKAGE, SUITE = "bpftune", "trixie"    # the first Debian that has it
NONE_INSTALLED = ("-o", "Dir::State::status=/dev/null")    # of a newer Debian: its libraries come as well
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
    options = source.suite_options(SUITE)
    cache.say("downloading and unpacking bpftune and its libraries (4 MB)")
    with cache.staged(tree) as stage:
        kernels.download(debian.with_needed((PACKAGE,), (*options, *NONE_INSTALLED)), stage, options)
        for deb in stage.glob("*.deb"):
            kernels.run(["dpkg-deb", "-x", str(deb), str(stage)])
            deb.unlink()
        (stage / "run").write_text(START.replace("LIBRARIES", LIBRARIES))
        (stage / "run").chmod(0o755)
