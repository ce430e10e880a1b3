# SPDX-License-Identifier: GPL-2.0
"""User-Mode Linux kernels, built from Debian's kernel source, for the virtual lab."""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cache
import source
from kernels import Kernel, run

DIRECTORY = Path(__file__).with_name("uml")


class Recipe(NamedTuple):
    """What a kernel is made of."""

    series: str
    patches: tuple[str, ...]
    configs: tuple[str, ...] = ("config",)

    def config_paths(self) -> list[Path]:
        return [DIRECTORY / name for name in self.configs]

    def patch_paths(self) -> list[Path]:
        return [DIRECTORY / name for name in self.patches]


RECIPES = {"6.12": Recipe("6.12", ("repeatable.patch", "fpstate-6.12.patch")),
           "7.3": Recipe("7.3", ("repeatable.patch",)),
           "7.3-debug": Recipe("7.3", ("repeatable.patch",), ("config", "config-debug"))}

# What a module's build reads of a kernel's tree, and nothing else of its 2 GB.
HEADER_DIRECTORIES = ("include", "arch/um", "arch/x86/include", "arch/x86/um", "scripts")
HEADER_FILES = ("Makefile", ".config", "Module.symvers", "arch/x86/Makefile.um",
                "modules.builtin", "modules.builtin.modinfo", "modules.order")
NOT_HEADERS = shutil.ignore_patterns("*.o", "*.a", "*.cmd", "dt-bindings", "*.dtb", "dtc", "gdb")


# The kernel stirs its build's user, host and date into its random pool: the same for all, or
# runs on two machines would differ by them.
SAME_FOR_ALL = ("KBUILD_BUILD_TIMESTAMP=2005-04-16", "KBUILD_BUILD_USER=tcp_abt",
                "KBUILD_BUILD_HOST=lab", "KBUILD_BUILD_VERSION=1")


def get(name: str) -> Kernel:
    """The kernel NAME of the virtual lab, built once for the same recipe."""
    if name not in RECIPES:
        raise cache.LabError(f"--kernel {name}: the virtual lab has {', '.join(RECIPES)}")
    recipe = RECIPES[name]
    tree = cache.root() / "uml" / f"{name}-{key(recipe)}"
    with cache.lock(f"uml-{name}"):
        if not tree.exists():
            build(name, recipe, tree)
    release = (tree / "include/config/kernel.release").read_text().strip()
    return Kernel(release, tree / "linux", tree, tree / "lib/modules", arch="um")


def key(recipe: Recipe) -> str:
    digest = hashlib.sha256(" ".join(SAME_FOR_ALL).encode())
    for path in (*recipe.config_paths(), *recipe.patch_paths()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def build(name: str, recipe: Recipe, tree: Path) -> None:
    with source_directory(tree.parent / f".source-{name}") as where:
        source.unpack(recipe.series, where)
        cache.say(f"building User-Mode Linux {name}: 4 to 8 minutes on two cores, once")
        for patch in recipe.patch_paths():
            run(["patch", "-s", "-p1", "-d", str(where), "-i", str(patch)])
        compile_in(where, recipe)
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


def compile_in(where: Path, recipe: Recipe) -> None:
    def make(*words: str) -> None:
        run(["make", "-C", str(where), "ARCH=um", "-s", f"-j{os.cpu_count()}",
             *SAME_FOR_ALL, *words])

    make("allnoconfig")
    run(["scripts/kconfig/merge_config.sh", "-m", ".config", *map(str, recipe.config_paths())], cwd=where)
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
