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
    """The newest packaged kernel of a series, from the cache or from apt: 6.12, 6.12-arm64."""
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
    pattern = image_pattern(series, architecture)
    release = newest(packaged(pattern, options)) or newest(unpacked(pattern))
    if not release:
        raise cache.LabError(
            f"no linux-image-{series}.*-{architecture.name} in this machine's apt sources: "
            "run apt-get update, or add a Debian suite that carries this series")
    if not (directory() / release).exists():
        unpack(release, architecture, options)
    return release


def directory() -> Path:
    return cache.root() / "kernels"


def image_pattern(series: str, architecture: Architecture) -> str:
    """Real kernels only: no metapackage, no cloud, rt or dbg flavour."""
    return rf"{re.escape(series)}\.[0-9]+([+][a-z0-9]+|-[0-9]+)?-{architecture.name}$"


def packaged(pattern: str, options: Sequence[str]) -> list[str]:
    found = subprocess.run(["apt-cache", *options, "search", "--names-only", f"^linux-image-{pattern}"],
                           capture_output=True, text=True, check=False)
    return [line.split()[0].removeprefix("linux-image-") for line in found.stdout.splitlines()]


def unpacked(pattern: str) -> list[str]:
    if not directory().exists():
        return []
    return [path.name for path in directory().iterdir() if re.match(pattern, path.name)]


def newest(releases: list[str]) -> str | None:
    return max(releases, key=lambda name: [int(n) for n in re.findall(r"\d+", name)], default=None)


def header_packages(release: str, options: Sequence[str]) -> list[str]:
    """The headers' package and the parts of the kernel's build system it needs."""
    package = f"linux-headers-{release}"
    depends = subprocess.run(["apt-cache", *options, "depends", package],
                             capture_output=True, text=True, check=True).stdout
    parts = re.findall(r"Depends: (linux-(?:headers|kbuild)-\S+)", depends)
    return [package, *parts]


def unpack(release: str, architecture: Architecture, options: Sequence[str]) -> None:
    """With the build system's programs for this machine, whatever the kernel's is."""
    packages = [f"linux-image-{release}", *header_packages(release, options)]
    cache.say(f"downloading and unpacking {', '.join(packages)} (about 100 MB)")
    root = directory() / release
    with cache.staged(root) as stage:
        programs = [name for name in packages if name.startswith("linux-kbuild-")]
        debian.download([name for name in packages if name not in programs], stage, options)
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
