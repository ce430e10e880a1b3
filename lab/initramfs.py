# SPDX-License-Identifier: GPL-2.0
"""What a packaged kernel has in its memory when it boots: programs of Debian, the kernel's modules, the repository.

These are archives that the kernel unpacks one after another (cpio, "newc"). The first, of programs and modules, is kept in the cache.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import architectures
import cache
import roots
from architectures import Architecture
from kernels import Kernel
from roots import Root, tree
from task import Task

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
    root = roots.get(architectures.of(kernel.arch))
    makers = [Path(maker.__file__ or "").read_text() for maker in (sys.modules[__name__], roots)]
    key = hashlib.sha256("\n".join([root.state, *makers]).encode()).hexdigest()[:12]
    archive = cache.root() / "initramfs" / f"{kernel.release}-{key}"
    with cache.lock("initramfs"):
        if not archive.exists():
            cache.say(f"packing programs and modules for {kernel.release}")
            make(archive, root, kernel)
        os.utime(archive)
        for old in sorted(archive.parent.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            old.unlink()
    return archive


def make(archive: Path, root: Root, kernel: Kernel) -> None:
    archive.parent.mkdir(exist_ok=True)
    unfinished = archive.with_suffix(".new")
    with unfinished.open("wb") as file:
        for top, files in root.parts:
            pack(placed(files, top), top, file.fileno())
        pack(modules(kernel), kernel.modules.parents[1], file.fileno())
    unfinished.rename(archive)


def modules(kernel: Kernel) -> list[str]:
    """Names below the folder that has lib/modules; lib itself is a link in a guest."""
    home = kernel.modules / kernel.release
    found = [path for pattern in MODULES for top in home.glob(pattern) for path in tree(top)]
    parents = {parent for path in found for parent in path.parents if parent.is_relative_to(kernel.modules)}
    return [str(path.relative_to(kernel.modules.parents[1])) for path in sorted({*found, *parents})]


def repository(repo: Path) -> list[str]:
    """The repository as it is, without what is built of it."""
    return placed(path for top in repo.iterdir() if top.name not in (".git", "out") for path in tree(top) if path.suffix != ".o")


def copy_built(repo: Path, architecture: Architecture, where: Path) -> None:
    """Programs for ARCHITECTURE, as of now, to where a guest looks for them below WHERE."""
    out = repo / "out" / architecture.name if architecture.cross else repo / "out"
    words = [f"OUT={out}", f"CC={architecture.cross}gcc", f"LDFLAGS=-L{roots.unpacked(architecture)}/usr/lib/{architecture.gnu}"] if architecture.cross else []
    with cache.lock("built"):
        cache.run(["make", "-s", "-C", str(repo), *MADE, *words])
        for name in BUILT:
            shutil.copytree(out / name, where / repo.relative_to("/") / "out" / name, ignore=shutil.ignore_patterns("*.o"))


def named(task: Task) -> list[str]:
    """Files of the machine's that the command names, and what else its environment has of the cache."""
    files = [Path(word) for word in task.command if word.startswith("/") and Path(word).is_file() and not Path(word).is_relative_to(cache.REPO)]
    trees = [tree(Path(task.environment[name])) for name in TREES if name in task.environment]
    return placed([*files, *(path for found in trees for path in found)])


def placed(paths: Iterable[Path], top: Path = Path("/")) -> list[str]:
    """Names below TOP for those that there are: a folder before what is in it, and each by the path that has no link in it."""
    found = {path.parent.resolve() / path.name for path in paths if os.path.lexists(path)}
    found |= {parent for path in found for parent in path.parents}
    return [str(path.relative_to(top)) for path in sorted(found) if path != top and path.is_relative_to(top)]


def pack(names: Iterable[str], root: Path, file: int) -> None:
    """An archive of NAMES below ROOT, to the end of FILE; without those that went since they were listed."""
    words = [cache.tool("cpio"), "-o", "-H", "newc", "-0", "--quiet", "-D", str(root)]
    done = subprocess.run(words, input="\0".join(names).encode(), stdout=file, stderr=subprocess.PIPE, env={"LC_ALL": "C"}, check=False)
    complaints = [line for line in done.stderr.decode(errors="replace").splitlines() if not line.endswith("No such file or directory")]
    if done.returncode and complaints:
        raise cache.LabError(f"cpio failed with status {done.returncode}: {complaints[0]}")
