# SPDX-License-Identifier: GPL-2.0
"""Debian's own kernels, downloaded and unpacked into the cache, never installed."""

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import architectures
import cache
import debian
from architectures import AMD64, Architecture

SUPPORTED_MACHINE = "x86_64"


class Kernel(NamedTuple):
    """A kernel that can be booted, and the tree that modules for it build in."""

    release: str
    image: Path
    build: Path
    modules: Path  # what is /lib/modules for it
    arch: str = ""  # for Kbuild, where it is not the machine's own


def get(name: str) -> Kernel:
    """The newest packaged kernel of a series, from the cache or from apt: 6.12, 6.12-arm64. Or the newest that a root has: /its/path."""
    if name.startswith("/"):
        return installed_in(Path(name))
    series, architecture = parsed(name)
    if platform.machine() != SUPPORTED_MACHINE:
        raise cache.LabError(f"this machine is {platform.machine()}; the labs run on {SUPPORTED_MACHINE} only, use --lab host")
    options = debian.architecture_options(architecture)
    with cache.lock("apt"):  # apt has its own, and does not wait
        try:
            release = obtain(series, architecture, options)
        except cache.LabError:
            if os.geteuid() != 0 and not options:
                raise
            cache.say("apt-get update, and again")
            debian.update(options)
            release = obtain(series, architecture, options)
    root = directory() / release
    return Kernel(release, root / f"boot/vmlinuz-{release}",
                  root / f"usr/src/linux-headers-{release}", root / "lib/modules", architecture.kbuild)


def installed_in(root: Path) -> Kernel:
    """The newest kernel of a Debian system in a folder."""
    release = by_age([path.name.removeprefix("vmlinuz-") for path in (root / "boot").glob("vmlinuz-*")])[-1]
    return Kernel(release, root / f"boot/vmlinuz-{release}", root / f"usr/src/linux-headers-{release}", root / "lib/modules")


def parsed(name: str) -> tuple[str, Architecture]:
    """Series and architecture, whose compiler is there."""
    series, _, wanted = name.partition("-")
    architecture = next((one for one in architectures.ALL if one.name == (wanted or AMD64.name)), None)
    if not re.fullmatch(r"\d+\.\d+", series) or architecture is None:
        raise cache.LabError(f"--kernel {name}: expected a series such as 6.12 or 6.1, or 6.12-arm64")
    architectures.set_up(architecture)
    return series, architecture


def obtain(series: str, architecture: Architecture, options: Sequence[str]) -> str:
    """The newest release of SERIES that there is, unpacked."""
    releases = packaged(series, architecture, options) or unpacked(series, architecture)
    if not releases:
        raise cache.LabError(
            f"no linux-image-{series}.*-{architecture.name} in this machine's apt sources: "
            "run apt-get update, or add a Debian suite that carries this series")
    if not (directory() / releases[-1]).exists():
        unpack(releases[-1], architecture, options)
    return releases[-1]


def directory() -> Path:
    return cache.root() / "kernels"


def image_pattern(series: str, architecture: Architecture) -> str:
    """Real kernels only: no metapackage, no cloud, rt or dbg flavour."""
    return rf"{re.escape(series)}\.[0-9]+([+][a-z0-9]+|-[0-9]+)?-{architecture.name}$"


def packaged(series: str, architecture: Architecture, options: Sequence[str]) -> list[str]:
    """Releases that apt knows."""
    found = subprocess.run(["apt-cache", *options, "search", "--names-only", f"^linux-image-{image_pattern(series, architecture)}"],
                           capture_output=True, text=True, check=False)
    return by_age([line.split()[0].removeprefix("linux-image-") for line in found.stdout.splitlines()])


def unpacked(series: str, architecture: Architecture) -> list[str]:
    """Releases that the cache has."""
    if not directory().exists():
        return []
    return by_age([path.name for path in directory().iterdir() if re.match(image_pattern(series, architecture), path.name)])


def by_age(releases: list[str]) -> list[str]:
    """The newest last."""
    return sorted(releases, key=lambda name: [int(n) for n in re.findall(r"\d+", name)])


def packages(release: str) -> list[str]:
    """The kernel, and what modules are built against."""
    return [f"linux-{kind}-{release}" for kind in ("image", "headers")]


def with_parts(release: str, options: Sequence[str]) -> list[str]:
    """These, and the parts of the kernel's build system that the headers need."""
    image, headers = packages(release)
    depends = subprocess.run(["apt-cache", *options, "depends", headers],
                             capture_output=True, text=True, check=True).stdout
    return [image, headers, *re.findall(r"Depends: (linux-(?:headers|kbuild)-\S+)", depends)]


def unpack(release: str, architecture: Architecture, options: Sequence[str]) -> None:
    """With the build system's programs for this machine, whatever the kernel's is."""
    names = with_parts(release, options)
    cache.say(f"downloading and unpacking {', '.join(names)} (about 100 MB)")
    root = directory() / release
    with cache.staged(root) as stage:
        programs = [name for name in names if name.startswith("linux-kbuild-")]
        debian.download([name for name in names if name not in programs], stage, options)
        debian.download(programs, stage)
        debian.unpack(stage)
        relocate_headers(release, architecture, stage, root)
        cache.run([cache.tool("depmod"), "-b", str(stage), release])


def relocate_headers(release: str, architecture: Architecture, stage: Path, root: Path) -> None:
    """Let the headers be used from where they are, with the compiler there is."""
    headers = stage / f"usr/src/linux-headers-{release}"
    makefile = headers / "Makefile"
    makefile.write_text(makefile.read_text().replace("/usr/src/", f"{root}/usr/src/"))
    variables = headers / ".kernelvariables"
    variables.write_text(choose_compiler(variables.read_text(), architecture.cross))
    modules = stage / f"lib/modules/{release}"
    for name in ("build", "source"):
        link = modules / name
        target = Path("../../../usr/src") / link.readlink().name
        link.unlink()
        link.symlink_to(target)


def choose_compiler(variables: str, cross: str) -> str:
    """Debian's headers name the compiler of their kernel; any gcc will do here."""
    named = re.search(r"\bgcc-\d+", variables)
    if named and cache.installed(cross + named[0]):
        return variables
    return re.sub(r"^CC = .*$", f"CC = {cross}gcc", variables, flags=re.MULTILINE)
