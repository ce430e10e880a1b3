# SPDX-License-Identifier: GPL-2.0
"""What a packaged kernel has in its memory when it boots: programs of this machine's own Debian, the kernel's modules, the repository.

These are archives that the kernel unpacks one after another (cpio, "newc"). The first, of programs and modules, is kept in the cache.
"""

import hashlib
import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import cache
import debian
import kernels
from kernels import Kernel
from task import Task

# What tests and scenarios run. The packages that these depend on come with them.
PACKAGES = (
    "bash", "bsdutils", "coreutils", "dash", "debianutils", "diffutils", "findutils", "grep", "gzip", "hostname", "libc-bin", "mawk", "mount", "procps", "sed",
    "tar", "util-linux", "kmod", "make", "python3", "python3-jsonschema", "python3-yaml", "busybox-static",
    "curl", "ethtool", "iperf3", "iproute2", "iptables", "iputils-ping", "ibverbs-providers", "libmnl0", "librdmacm1", "libwrap0", "netbase",
)
# A package of any other state has its files: one may wait for a trigger while apt is at work
ABSENT = ("config-files", "not-installed")
NOT_NEEDED = re.compile(r"/usr/share/(bash-completion|bug|doc|i18n|icons|info|lintian|locale|man|zoneinfo)(/|$)")
# Of the machine's settings: who is who, where libraries are, and which of several programs has a name
SETTINGS = ("/etc/alternatives", "/etc/group", "/etc/ld.so.cache", "/etc/nsswitch.conf", "/etc/passwd")
PROGRAMS = ("/usr/bin", "/usr/sbin")
# Folders that a guest mounts something on or writes to, and names for folders that have another today
PLACES = ("/bin", "/dev", "/lib", "/lib64", "/proc", "/root", "/run", "/sbin", "/sys", "/tmp", "/var/tmp")
# Below lib/modules/RELEASE: what networks are made of, and the disk that results go to
MODULES = ("kernel/arch", "kernel/crypto", "kernel/drivers/block/virtio_blk.ko*", "kernel/drivers/infiniband/core", "kernel/drivers/infiniband/sw",
           "kernel/drivers/net/*.ko*", "kernel/drivers/net/netdevsim", "kernel/drivers/virtio", "kernel/lib", "kernel/net", "modules.*")
# Of the repository's built files those that tests need: an emulated processor takes a minute for a compiler's work
BUILT = ("abt", "programs", "selftests")
MADE = ("abt", "programs")  # by these
TREES = ("ABT_BPFTUNE", "ABT_YNL")  # what the environment may have of the cache
KEPT = 4    # archives, one of each kernel in use


def base(kernel: Kernel) -> Path:
    """Programs and modules for KERNEL, from the cache."""
    installed = closure()
    settings = [f"{path} {os.lstat(path).st_mtime}" for path in unpackaged() if os.path.lexists(path)]
    key = hashlib.sha256("\n".join([*installed, *settings, Path(__file__).read_text()]).encode()).hexdigest()[:12]
    archive = cache.root() / "initramfs" / f"{kernel.release}-{key}"
    with cache.lock("initramfs"):
        if not archive.exists():
            cache.say(f"packing programs and modules for {kernel.release}")
            make(archive, installed, kernel)
        os.utime(archive)
        for old in sorted(archive.parent.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            old.unlink()
    return archive


def make(archive: Path, installed: Iterable[str], kernel: Kernel) -> None:
    archive.parent.mkdir(exist_ok=True)
    unfinished = archive.with_suffix(".new")
    with unfinished.open("wb") as file:
        pack(placed(programs(line.split()[0] for line in installed)), Path("/"), file.fileno())
        pack(modules(kernel), kernel.modules.parents[1], file.fileno())
    unfinished.rename(archive)


def closure() -> list[str]:
    """PACKAGES and all that they depend on, as installed: a line of name and version each."""
    names = debian.with_needed(PACKAGES, ("--installed",))
    found = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Version}\n", *names], capture_output=True, text=True, check=False)
    lines = [line.split(" ", 1) for line in found.stdout.splitlines()]
    return sorted({package for status, package in lines if status not in ABSENT})


def programs(names: Iterable[str]) -> Iterator[Path]:
    """What the packages installed, and what no package lists."""
    listed = subprocess.run(["dpkg-query", "-L", *names], capture_output=True, text=True, check=False).stdout.splitlines()
    yield from (Path(line) for line in listed if re.match(r"/\w", line) and not NOT_NEEDED.search(line))
    yield from unpackaged()
    yield from (Path(name) for name in PLACES)


def unpackaged() -> Iterator[Path]:
    """Settings, names for a choice among programs, and vsftpd, which setup has unpacked where it is not installed."""
    yield from (path for name in SETTINGS for path in tree(Path(name)))
    yield from (path for folder in PROGRAMS for path in sorted(Path(folder).iterdir()) if path.is_symlink() and "alternatives" in str(path.readlink()))
    yield from (Path(found) for found in [cache.installed("vsftpd")] if found)


def modules(kernel: Kernel) -> list[str]:
    """Names below the folder that has lib/modules; lib itself is a link in a guest."""
    home = kernel.modules / kernel.release
    found = [path for pattern in MODULES for top in home.glob(pattern) for path in tree(top)]
    parents = {parent for path in found for parent in path.parents if parent.is_relative_to(kernel.modules)}
    return [str(path.relative_to(kernel.modules.parents[1])) for path in sorted({*found, *parents})]


def repository(repo: Path) -> list[str]:
    """The repository as it is, and what is built of it, as of now."""
    with cache.lock("built"):
        kernels.run(["make", "-s", "-C", str(repo), *MADE])
    tops = [path for path in repo.iterdir() if path.name not in (".git", "out")]
    return placed(path for top in (*tops, *(repo / "out" / name for name in BUILT)) for path in tree(top) if path.suffix != ".o")


def named(task: Task) -> list[str]:
    """Files of the machine's that the command names, and what else its environment has of the cache."""
    files = [Path(word) for word in task.command if word.startswith("/") and Path(word).is_file() and not Path(word).is_relative_to(cache.REPO)]
    trees = [tree(Path(task.environment[name])) for name in TREES if name in task.environment]
    return placed([*files, *(path for found in trees for path in found)])


def tree(top: Path) -> list[Path]:
    return [top, *top.rglob("*")] if top.is_dir() and not top.is_symlink() else [top]


def placed(paths: Iterable[Path]) -> list[str]:
    """Names below / for those that there are: a folder before what is in it, and each by the path that has no link in it."""
    found = {path.parent.resolve() / path.name for path in paths if os.path.lexists(path)}
    found |= {parent for path in found for parent in path.parents}
    return [str(path).removeprefix("/") for path in sorted(found) if path != Path("/")]


def pack(names: Iterable[str], root: Path, file: int) -> None:
    """An archive of NAMES below ROOT, to the end of FILE; without those that went since they were listed."""
    words = [cache.tool("cpio"), "-o", "-H", "newc", "-0", "--quiet", "-D", str(root)]
    done = subprocess.run(words, input="\0".join(names).encode(), stdout=file, stderr=subprocess.PIPE, env={"LC_ALL": "C"}, check=False)
    complaints = [line for line in done.stderr.decode(errors="replace").splitlines() if not line.endswith("No such file or directory")]
    if done.returncode and complaints:
        raise cache.LabError(f"cpio failed with status {done.returncode}: {complaints[0]}")
