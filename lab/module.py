# SPDX-License-Identifier: GPL-2.0
"""The module and its KUnit, built for a lab kernel in a copy of the sources kept in the cache."""

import argparse
import hashlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import architectures
import cache
import labs
import modinfo
from kernels import Kernel

SOURCES = (".c", ".h", ".S")
NAMES = ("Kbuild", "Makefile")
KEPT_BUILDS = 16
# Compilers by their own names, each by way of ccache
CCACHE = "/usr/lib/ccache"


class Product(NamedTuple):
    """What can be built of the sources."""

    file: str
    trees: tuple[str, ...] = ("kmod",)  # what it is made of
    top: str = "."  # where its Kbuild begins
    variables: tuple[str, ...] = ()


# With the modules that tests need beside it.
TESTED = ("kmod", "selftests/offload", "selftests/lifetime/stuck")
TESTS = ("ABT_SELFTESTS=m",)
TOE_PROFILE = "netem_scenarios/papers/toe_profile"

PRODUCTS = {
    "module": Product("kmod/tcp_abt.ko", trees=TESTED, variables=TESTS),
    "coverage": Product("kmod/tcp_abt.ko", trees=TESTED, variables=(*TESTS, "GCOV_PROFILE=y")),
    "toe_clock": Product(f"{TOE_PROFILE}/toe_clock.ko", trees=(TOE_PROFILE,), top=TOE_PROFILE),
    "kunit": Product("selftests/model/tcp_abt_kunit.ko",
                     trees=("kmod", "selftests/model"), top="selftests/model"),
}


def sources(product: Product) -> list[Path]:
    """What Kbuild reads, relative to the repository, in a stable order."""
    found = sorted(path for tree in product.trees for path in (cache.REPO / tree).rglob("*")
                   if (path.suffix in SOURCES and not path.name.endswith(".mod.c"))
                   or path.name in NAMES)
    return [path.relative_to(cache.REPO) for path in (cache.REPO / "Kbuild", *found)]


def key(kernel: Kernel, product: Product) -> str:
    # Resolved: a cache whose kernels are links to those of another one shares its builds
    digest = hashlib.sha256(f"{kernel.build.resolve()}\n{product}\n".encode())
    for path in sources(product):
        digest.update(f"{path}\n".encode())
        digest.update((cache.REPO / path).read_bytes())
    return digest.hexdigest()[:12]


def place(kernel: Kernel, product: Product) -> Path:
    """Of its build from the present sources."""
    return cache.root() / "build" / kernel.release / key(kernel, product)


def build(kernel: Kernel, product: Product) -> Path:
    """PRODUCT for KERNEL; built once for the same sources."""
    final = place(kernel, product)
    with cache.lock(f"build-{kernel.release}"):
        if not final.exists():
            cache.say(f"building {Path(product.file).name} for {kernel.release}")
            with cache.staged(final) as stage:
                copy_sources(product, stage)
                log = make(kernel, stage / product.top, list(product.variables))
                (stage / "build.log").write_text(log)
            forget_old(final.parent)
        final.touch()
    return final / product.file


def copy_sources(product: Product, where: Path) -> None:
    for path in sources(product):
        target = where / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(cache.REPO / path, target)


def make(kernel: Kernel, where: Path, variables: list[str]) -> str:
    """Kbuild in WHERE; its output, or an error that carries it."""
    command = ["make", "-C", str(kernel.build), f"M={where}", f"-j{os.cpu_count()}",
               *([f"ARCH={kernel.arch}", f"CROSS_COMPILE={architectures.of(kernel.arch).cross}"] if kernel.arch else []), *variables, "modules"]
    environment = os.environ | {"PATH": f"{CCACHE}:{os.environ['PATH']}", "CCACHE_DIR": str(cache.root() / "ccache")}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
                          text=True, check=False)
    output = done.stdout.replace(f"{where}/", "")
    if done.returncode:
        raise cache.LabError(f"the module does not build for {kernel.release}:\n{output}")
    return output


def forget_old(builds: Path) -> None:
    by_age = sorted(builds.glob("[0-9a-f]*"), key=lambda path: path.stat().st_mtime)
    for old in by_age[:-KEPT_BUILDS]:
        shutil.rmtree(old)


def is_complaint(line: str) -> bool:
    """A compiler's or sparse's, about a file of ours."""
    return line.startswith(TESTED) and ("warning:" in line or "error:" in line)


def check(kernel: Kernel, variables: list[str]) -> int:
    """Build afresh with W=1, C=1 or the like, unless these sources were, without a complaint; any warning is a failure, and what modinfo lacks."""
    product = PRODUCTS["module"]
    compiler = f"{architectures.of(kernel.arch).cross}gcc" if kernel.arch else "gcc"
    rules = (Path(path).read_bytes() for path in (__file__, modinfo.__file__))
    mark = cache.mark("build", key(kernel, product), cache.version(compiler, "sparse"), *rules, *variables)
    if mark.exists():
        print(f"built before for {kernel.release}, without a warning: {' '.join(variables)}")
        return 0
    stage = cache.root() / "build" / f"check-{kernel.release}"
    with cache.lock(f"check-{kernel.release}"):
        shutil.rmtree(stage, ignore_errors=True)
        copy_sources(product, stage)
        try:
            output = make(kernel, stage, [*product.variables, *variables])
            silent = [line for file in sorted((stage / "kmod").glob("*.ko")) for line in modinfo.missing(file)]
            keep(stage, kernel, product, output)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
    complaints = [line for line in output.splitlines() if is_complaint(line)]
    print(output, *silent, sep="\n")
    if complaints or silent:
        return 1
    mark.touch()
    return 0


def keep(stage: Path, kernel: Kernel, product: Product, log: str) -> None:
    """As the lab's build: what is looked for in the sources changes nothing of it."""
    final = place(kernel, product)
    with cache.lock(f"build-{kernel.release}"):
        if not final.exists():
            (stage / "build.log").write_text(log)
            final.parent.mkdir(parents=True, exist_ok=True)
            stage.rename(final)
            forget_old(final.parent)


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the module for a lab kernel afresh; "
                                     "fail on any warning.")
    parser.add_argument("--lab", choices=list(labs.LABS), default="vm")
    parser.add_argument("--kernel", default="6.12")
    parser.add_argument("variables", nargs="*", metavar="W=1|C=1")
    args = parser.parse_args()
    return check(labs.LABS[args.lab].get(args.kernel), args.variables)


if __name__ == "__main__":
    cache.program(main)
