# SPDX-License-Identifier: GPL-2.0
"""Programs of Debian for guests: this machine's own as installed, or another architecture's, unpacked into the cache."""

import hashlib
import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import cache
import debian
from architectures import AMD64, Architecture

# What tests and scenarios run. The packages that these depend on come with them.
PACKAGES = (
    "bash", "bsdutils", "coreutils", "dash", "debianutils", "diffutils", "findutils", "grep", "gzip", "hostname", "libc-bin", "mawk", "mount", "procps", "sed",
    "tar", "util-linux", "kmod", "make", "python3", "python3-jsonschema", "python3-yaml", "busybox-static",
    "curl", "ethtool", "iperf3", "iproute2", "iptables", "iputils-ping", "ibverbs-providers", "libmnl0", "librdmacm1", "libwrap0", "netbase",
)
LINKED = ("libmnl-dev",)    # what programs for another architecture are linked with
# A package of any other state has its files: one may wait for a trigger while apt is at work
ABSENT = ("config-files", "not-installed")
NOT_NEEDED = re.compile(r"/usr/share/(bash-completion|bug|doc|i18n|icons|info|lintian|locale|man|zoneinfo)(/|$)")
# Of the machine's settings: who is who, and which of several programs has a name
SETTINGS = ("/etc/alternatives", "/etc/group", "/etc/nsswitch.conf", "/etc/passwd")
LIBRARIES = "/etc/ld.so.cache"  # where they are, of this machine's own architecture
PROGRAMS = ("/usr/bin", "/usr/sbin")
# Folders that a guest mounts something on or writes to
FOLDERS = ("/dev", "/proc", "/root", "/run", "/sys", "/tmp", "/var/tmp")
# Names for folders that have another today
LINKS = ("/bin", "/lib", "/lib64", "/sbin")


class Part(NamedTuple):
    """FILES below TOP, which a guest has at the same places below its root."""

    top: Path
    files: list[Path]


class Root(NamedTuple):
    """Its parts, and text that another root has otherwise."""

    parts: list[Part]
    state: str


def get(architecture: Architecture) -> Root:
    machine = [*settings(), *map(Path, FOLDERS)]
    if architecture is not AMD64:
        top = unpacked(architecture)
        return Root([Part(top, needed(tree(top), top)), Part(Path("/"), machine)], "\n".join([top.name, *dates(machine)]))
    installed = closure()
    machine += [*map(Path, (LIBRARIES, *LINKS)), *(Path(found) for found in [cache.installed("vsftpd")] if found)]
    return Root([Part(Path("/"), [*needed(listed(line.split()[0] for line in installed), Path("/")), *machine])], "\n".join([*installed, *dates(machine)]))


def closure() -> list[str]:
    """PACKAGES and all that they depend on, as installed: a line of name and version each."""
    names = debian.with_needed(PACKAGES, ("--installed",))
    found = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Version}\n", *names], capture_output=True, text=True, check=False)
    lines = [line.split(" ", 1) for line in found.stdout.splitlines()]
    return sorted({package for status, package in lines if status not in ABSENT})


def listed(names: Iterable[str]) -> Iterator[Path]:
    """What these packages installed."""
    said = subprocess.run(["dpkg-query", "-L", *names], capture_output=True, text=True, check=False).stdout.splitlines()
    return (Path(line) for line in said if re.match(r"/\w", line))


def unpacked(architecture: Architecture) -> Path:
    """PACKAGES of ARCHITECTURE and all that they depend on, fetched once; no program of theirs has run."""
    key = hashlib.sha256(" ".join((*PACKAGES, *LINKED)).encode()).hexdigest()[:12]
    top = cache.root() / "roots" / f"{architecture.name}-{key}"
    with cache.lock("roots"):
        if not top.exists():
            cache.say(f"downloading and unpacking programs for {architecture.name} (50 MB)")
            options = debian.architecture_options(architecture)
            with cache.staged(top) as stage, cache.lock("apt"):
                debian.update(options)
                debian.download_with_needed((*PACKAGES, *LINKED), stage, options)
                debian.unpack(stage)
    return top


def needed(paths: Iterable[Path], top: Path) -> list[Path]:
    return [path for path in paths if not NOT_NEEDED.search(f"/{path.relative_to(top)}")]


def settings() -> list[Path]:
    """Of this machine; and names for a choice among programs, which no package lists."""
    links = (path for folder in PROGRAMS for path in sorted(Path(folder).iterdir()) if path.is_symlink() and "alternatives" in str(path.readlink()))
    return [*(path for name in SETTINGS for path in tree(Path(name))), *links]


def dates(paths: Iterable[Path]) -> list[str]:
    return [f"{path} {os.lstat(path).st_mtime}" for path in paths if os.path.lexists(path) and not path.is_dir()]


def tree(top: Path) -> list[Path]:
    return [top, *top.rglob("*")] if top.is_dir() and not top.is_symlink() else [top]
