# SPDX-License-Identifier: GPL-2.0
"""Kernels built from Debian's kernel source: User-Mode Linux for the virtual lab, and debug kernels."""

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import cache
import kernels
import source
from cache import run
from kernels import Kernel
from series import ALL, REPEATABLE

DIRECTORY = Path(__file__).with_name("recipes")


class Machine(NamedTuple):
    """What a kernel runs on."""

    arch: str  # Kbuild's name
    title: str
    image: str  # what a build makes
    kept: str  # where that is kept; virtme-ng takes lib/modules beside boot for the kernel's
    directory: str  # of the cache
    minutes: str  # that a build takes on two cores
    # What a module's build reads of a kernel's tree, and nothing else of its 2 GB
    header_directories: tuple[str, ...]
    header_files: tuple[str, ...]


UML = Machine("um", "User-Mode Linux", "linux", "linux", "uml", "4 to 8",
              ("arch/um", "arch/x86/include", "arch/x86/um"), ("arch/x86/Makefile.um",))
PC = Machine("x86_64", "the kernel", "arch/x86/boot/bzImage", "boot/vmlinuz-{release}", "x86", "8 to 15",
             ("arch/x86/include",), ("arch/x86/Makefile", "arch/x86/Makefile_32.cpu", "tools/objtool/objtool"))

HEADER_DIRECTORIES = ("include", "scripts")
HEADER_FILES = ("Makefile", ".config", "Module.symvers", "modules.builtin", "modules.builtin.modinfo", "modules.order")
NOT_HEADERS = shutil.ignore_patterns("*.o", "*.a", "*.cmd", "dt-bindings", "*.dtb", "dtc", "gdb")


class Recipe(NamedTuple):
    """What a kernel is made of."""

    series: str
    patches: tuple[str, ...]
    configs: tuple[str, ...] = ("config",)

    def config_paths(self) -> list[Path]:
        return [DIRECTORY / name for name in self.configs]

    def patch_paths(self) -> list[Path]:
        return [DIRECTORY / name for name in self.patches]


DEBUG_ON_PC = ("config", "config-pc", "config-debug", "config-debug-pc")

# By lab and name; a PC has several processors, in real time.
RECIPES = {
    UML: {**{one.name: Recipe(one.name, one.patches) for one in ALL},
          "7.3-debug": Recipe("7.3", REPEATABLE, ("config", "config-debug")),
          "7.3-upstream": Recipe("7.3", REPEATABLE, ("config", "config-upstream"))},
    PC: {"6.12-debug": Recipe("6.12", (), DEBUG_ON_PC),
         "7.3-debug": Recipe("7.3", (), DEBUG_ON_PC),
         "7.3-kcsan": Recipe("7.3", (), ("config", "config-pc", "config-kcsan"))},
}


# The kernel stirs its build's user, host and date into its random pool: the same for all, or
# runs on two machines would differ by them.
SAME_FOR_ALL = ("KBUILD_BUILD_TIMESTAMP=2005-04-16", "KBUILD_BUILD_USER=tcp_abt",
                "KBUILD_BUILD_HOST=lab", "KBUILD_BUILD_VERSION=1")


def uml(name: str) -> Kernel:
    """The kernel NAME of the virtual lab, built once for the same recipe."""
    if name not in RECIPES[UML]:
        raise cache.LabError(f"--kernel {name}: the virtual lab has {', '.join(RECIPES[UML])}")
    return get(UML, name)


def pc(name: str) -> Kernel:
    """The kernel NAME of the vm lab: one of Debian's, or one of these."""
    return get(PC, name) if name in RECIPES[PC] else kernels.get(name)


def get(machine: Machine, name: str) -> Kernel:
    recipe = RECIPES[machine][name]
    tree = cache.root() / machine.directory / f"{name}-{key(recipe)}"
    with cache.lock(f"{machine.directory}-{name}"):
        if not tree.exists():
            build(machine, name, recipe, tree)
    release = (tree / "include/config/kernel.release").read_text().strip()
    return Kernel(release, tree / machine.kept.format(release=release), tree, tree / "lib/modules", machine.arch)


def key(recipe: Recipe) -> str:
    digest = hashlib.sha256(" ".join(SAME_FOR_ALL).encode())
    for path in (*recipe.config_paths(), *recipe.patch_paths()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def build(machine: Machine, name: str, recipe: Recipe, tree: Path) -> None:
    with source.directory(tree.parent / f".source-{name}") as where:
        source.unpack(recipe.series, where)
        cache.say(f"building {machine.title} {name}: {machine.minutes} minutes on two cores, once")
        for patch in recipe.patch_paths():
            run(["patch", "-s", "-p1", "-d", str(where), "-i", str(patch)])
        compile_in(where, machine, recipe)
        with cache.staged(tree) as stage:
            keep(where, machine, stage)


def compile_in(where: Path, machine: Machine, recipe: Recipe) -> None:
    def make(*words: str) -> None:
        run(["make", "-C", str(where), f"ARCH={machine.arch}", "-s", f"-j{os.cpu_count()}",
             *SAME_FOR_ALL, *words])

    configure(make, where, where, recipe.config_paths())
    make()


def configure(make: Callable[..., None], where: Path, tree: Path, configs: Sequence[Path]) -> None:
    """By MAKE in TREE, from the source in WHERE: nothing but CONFIGS, the later over the earlier."""
    make("allnoconfig")
    run(["scripts/kconfig/merge_config.sh", "-m", "-O", str(tree), str(tree / ".config"), *map(str, configs)], cwd=where)
    make("olddefconfig")


def keep(where: Path, machine: Machine, stage: Path) -> None:
    """The kernel, what modules need to build against it, and modprobe's list of built-ins."""
    for name in (*HEADER_DIRECTORIES, *machine.header_directories):
        shutil.copytree(where / name, stage / name, symlinks=True, ignore=NOT_HEADERS)
    for name in (*HEADER_FILES, *machine.header_files):
        (stage / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(where / name, stage / name)
    release = (where / "include/config/kernel.release").read_text().strip()
    kept = stage / machine.kept.format(release=release)
    kept.parent.mkdir(exist_ok=True)
    shutil.copy(where / machine.image, kept)
    if machine is UML:  # 300 MB, with what a debugger reads
        run(["strip", str(kept)])
    modules = stage / "lib/modules" / release
    modules.mkdir(parents=True)
    for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        (stage / name).rename(modules / name)
    run([cache.tool("depmod"), "-b", str(stage), release])
