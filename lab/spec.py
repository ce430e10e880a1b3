#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The netlink specification against the kernel's schema, and what is generated from it.

Fails when a generated file is not what the kernel's generator makes of the specification;
--write writes them anew.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import cache
import specdoc
import specwords
import ynl

SPEC = "kmod/control/tcp_abt.yaml"
SCHEMA = "genetlink-legacy.yaml"
GENERATED = {
    "kmod/control/netlink_gen.c": ("--mode", "kernel", "--source"),
    "kmod/control/netlink_gen.h": ("--mode", "kernel", "--header"),
    "kmod/uapi/linux/tcp_abt.h": ("--mode", "uapi", "--header"),
}
WRITTEN = {
    "docs/netlink.md": specdoc.reference,
    "kmod/control/words_gen.c": specwords.code,
    "kmod/control/words_gen.h": specwords.header,
    "kmod/trace/words_gen.h": specwords.symbols,
}
FILES = (*GENERATED, *WRITTEN)


def run(*command: str | Path) -> None:
    """A program of the kernel's; what it says only when it fails."""
    done = subprocess.run([sys.executable, *map(str, command)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise cache.LabError(f"{SPEC}: {done.stdout.strip()}")


def generate(tools: Path, where: Path) -> None:
    """All files in WHERE, as in a kernel's tree: with MAINTAINERS, and the schema above the specification."""
    spec = where / SPEC
    spec.parent.mkdir(parents=True)
    shutil.copy(cache.REPO / SPEC, spec)
    shutil.copy(tools / "Documentation/netlink" / SCHEMA, spec.parents[1])
    (where / "MAINTAINERS").touch()
    programs = tools / "tools/net/ynl/pyynl"
    run(programs / "cli.py", "--spec", spec, "--validate")
    for name in FILES:
        (where / name).parent.mkdir(parents=True, exist_ok=True)
    for name, write in WRITTEN.items():
        (where / name).write_text(write(spec, SPEC))
    for name, options in GENERATED.items():
        run(programs / "ynl_gen_c.py", "--spec", spec, *options, "-o", where / name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    stale = []
    with tempfile.TemporaryDirectory(prefix="tcp_abt-spec-") as name:
        generate(ynl.get(), Path(name))
        for file in FILES:
            fresh, kept = (Path(name) / file).read_bytes(), cache.REPO / file
            if write:
                kept.write_bytes(fresh)
            elif not kept.exists() or kept.read_bytes() != fresh:
                stale.append(file)
    for file in stale:
        print(f"{file}: not what {SPEC} says; to write it anew: lab/spec.py --write")
    return 1 if stale else 0


if __name__ == "__main__":
    cache.program(main)
