# SPDX-License-Identifier: GPL-2.0
"""Debian's own kernels, downloaded and unpacked into the cache, never installed."""

import os
import platform
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import cache

SUPPORTED_MACHINE = "x86_64"


class Kernel(NamedTuple):
    """A kernel that can be booted, and the tree that modules for it build in."""

    release: str
    image: Path
    build: Path
    modules: Path  # what is /lib/modules for it
    arch: str = ""  # for Kbuild, where it is not the machine's own


def get(series: str) -> Kernel:
    """The newest packaged kernel of SERIES, from the cache or from apt."""
    if not re.fullmatch(r"\d+\.\d+", series):
        raise cache.LabError(f"--kernel {series}: expected a series such as 6.12 or 6.1")
    if platform.machine() != SUPPORTED_MACHINE:
        raise cache.LabError(f"this machine is {platform.machine()}; the vm lab boots "
                             f"{SUPPORTED_MACHINE} kernels only, use --lab host")
    with cache.lock("apt"):  # apt has its own, and does not wait
        try:
            release = obtain(series)
        except cache.LabError:
            if os.geteuid() != 0:
                raise
            cache.say("apt-get update, and again")
            subprocess.run(["apt-get", "-qq", "update"], capture_output=True, check=False)
            release = obtain(series)
    root = directory() / release
    return Kernel(release, root / f"boot/vmlinuz-{release}",
                  root / f"usr/src/linux-headers-{release}", root / "lib/modules")


def obtain(series: str) -> str:
    """The newest release of SERIES that there is, unpacked."""
    release = newest(packaged(series)) or newest(unpacked(series))
    if not release:
        raise cache.LabError(
            f"no linux-image-{series}.*-amd64 in this machine's apt sources: "
            "run apt-get update, or add a Debian suite that carries this series")
    if not (directory() / release).exists():
        unpack(release, directory() / release)
    return release


def directory() -> Path:
    return cache.root() / "kernels"


def image_pattern(series: str) -> str:
    """Real kernels only: no metapackage, no cloud, rt or dbg flavour."""
    return rf"^{re.escape(series)}\.[0-9]+([+][a-z0-9]+|-[0-9]+)?-amd64$"


def packaged(series: str) -> list[str]:
    pattern = "^linux-image-" + image_pattern(series)[1:]
    found = subprocess.run(["apt-cache", "search", "--names-only", pattern],
                           capture_output=True, text=True, check=False)
    return [line.split()[0].removeprefix("linux-image-") for line in found.stdout.splitlines()]


def unpacked(series: str) -> list[str]:
    if not directory().exists():
        return []
    return [path.name for path in directory().iterdir()
            if re.match(image_pattern(series), path.name)]


def newest(releases: list[str]) -> str | None:
    return max(releases, key=lambda name: [int(n) for n in re.findall(r"\d+", name)], default=None)


def header_packages(release: str) -> list[str]:
    """The headers' package and the parts of the kernel's build system it needs."""
    package = f"linux-headers-{release}"
    depends = subprocess.run(["apt-cache", "depends", package],
                             capture_output=True, text=True, check=True).stdout
    parts = re.findall(r"Depends: (linux-(?:headers|kbuild)-\S+)", depends)
    return [package, *parts]


def unpack(release: str, root: Path) -> None:
    packages = [f"linux-image-{release}", *header_packages(release)]
    cache.say(f"downloading and unpacking {', '.join(packages)} (about 100 MB)")
    with cache.staged(root) as stage:
        debs = stage / "debs"
        debs.mkdir()
        download(packages, debs)
        for deb in debs.iterdir():
            run(["dpkg-deb", "-x", str(deb), str(stage)])
            deb.unlink()
        debs.rmdir()
        relocate_headers(release, stage, root)
        run([cache.tool("depmod"), "-b", str(stage), release])


def download(packages: list[str], where: Path, options: tuple[str, ...] = ()) -> None:
    """apt-get download; the sandbox user cannot write into a private cache."""
    run(["apt-get", "-qq", "-o", "APT::Sandbox::User=", *options, "download", *packages], cwd=where,
        hint="apt's lists may be older than the mirror: run `apt-get update` and try again")


def relocate_headers(release: str, stage: Path, root: Path) -> None:
    """Let the headers be used from where they are, with the compiler there is."""
    headers = stage / f"usr/src/linux-headers-{release}"
    makefile = headers / "Makefile"
    makefile.write_text(makefile.read_text().replace("/usr/src/", f"{root}/usr/src/"))
    variables = headers / ".kernelvariables"
    variables.write_text(choose_compiler(variables.read_text()))
    modules = stage / f"lib/modules/{release}"
    for name in ("build", "source"):
        link = modules / name
        target = Path("../../../usr/src") / link.readlink().name
        link.unlink()
        link.symlink_to(target)


def choose_compiler(variables: str) -> str:
    """Debian's headers name the compiler of their kernel; any gcc will do here."""
    named = re.search(r"\bgcc-\d+", variables)
    if named and cache.installed(named[0]):
        return variables
    return re.sub(r"^CC = .*$", "CC = gcc", variables, flags=re.MULTILINE)


def run(command: list[str], cwd: Path | None = None, hint: str = "") -> None:
    """Run quietly; on failure show what the command said."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip()
        raise cache.LabError("\n".join(filter(None, [
            f"{' '.join(command)} failed with status {done.returncode}:", said[-2000:], hint])))
