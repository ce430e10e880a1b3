# SPDX-License-Identifier: GPL-2.0
"""User-Mode Linux, built from Debian's kernel source, for the virtual lab."""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import cache
import source
from kernels import Kernel, run

RECIPE = Path(__file__).with_name("uml")
PATCHES = {"6.12": ("repeatable.patch", "fpstate-6.12.patch"), "7.3": ("repeatable.patch",)}

# What a module's build reads of a kernel's tree, and nothing else of its 2 GB.
HEADER_DIRECTORIES = ("include", "arch/um", "arch/x86/include", "arch/x86/um", "scripts")
HEADER_FILES = ("Makefile", ".config", "Module.symvers", "arch/x86/Makefile.um",
                "modules.builtin", "modules.builtin.modinfo", "modules.order")
NOT_HEADERS = shutil.ignore_patterns("*.o", "*.a", "*.cmd", "dt-bindings", "*.dtb", "dtc", "gdb")


# The kernel stirs its build's user, host and date into its random pool: the same for all, or
# runs on two machines would differ by them.
SAME_FOR_ALL = ("KBUILD_BUILD_TIMESTAMP=2005-04-16", "KBUILD_BUILD_USER=tcp_abt",
                "KBUILD_BUILD_HOST=lab", "KBUILD_BUILD_VERSION=1")


def get(series: str) -> Kernel:
    """The kernel of SERIES for the virtual lab, built once for the same recipe."""
    if series not in PATCHES:
        raise cache.LabError(f"--kernel {series}: the virtual lab has {', '.join(PATCHES)}")
    tree = cache.root() / "uml" / f"{series}-{key(series)}"
    with cache.lock(f"uml-{series}"):
        if not tree.exists():
            build(series, tree)
    release = (tree / "include/config/kernel.release").read_text().strip()
    return Kernel(release, tree / "linux", tree, tree / "lib/modules", arch="um")


def patches(series: str) -> Iterable[Path]:
    return (RECIPE / name for name in PATCHES[series])


def key(series: str) -> str:
    digest = hashlib.sha256(" ".join(SAME_FOR_ALL).encode())
    for path in (RECIPE / "config", *patches(series)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def build(series: str, tree: Path) -> None:
    with source_directory(tree.parent / f".source-{series}") as where:
        source.unpack(series, where)
        cache.say(f"building User-Mode Linux {series}: 4 to 8 minutes on two cores, once")
        for patch in patches(series):
            run(["patch", "-s", "-p1", "-d", str(where), "-i", str(patch)])
        compile_in(where)
        with cache.staged(tree) as stage:
            keep(where, stage)


@contextlib.contextmanager
def source_directory(where: Path) -> Iterator[Path]:
    """2 GB for a while; what a build that was killed has left goes first."""
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir(parents=True)
    try:
        yield where
    finally:
        shutil.rmtree(where, ignore_errors=True)


def compile_in(where: Path) -> None:
    def make(*words: str) -> None:
        run(["make", "-C", str(where), "ARCH=um", "-s", f"-j{os.cpu_count()}",
             *SAME_FOR_ALL, *words])

    make("allnoconfig")
    run(["scripts/kconfig/merge_config.sh", "-m", ".config", str(RECIPE / "config")], cwd=where)
    make("olddefconfig")
    make()


def keep(where: Path, stage: Path) -> None:
    """The kernel, what modules need to build against it, and modprobe's list of built-ins."""
    run(["strip", "-o", str(stage / "linux"), str(where / "linux")])
    for name in HEADER_DIRECTORIES:
        shutil.copytree(where / name, stage / name, symlinks=True, ignore=NOT_HEADERS)
    for name in HEADER_FILES:
        (stage / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(where / name, stage / name)
    release = (where / "include/config/kernel.release").read_text().strip()
    modules = stage / "lib/modules" / release
    modules.mkdir(parents=True)
    for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        (stage / name).rename(modules / name)
    run([cache.tool("depmod"), "-b", str(stage), release])
