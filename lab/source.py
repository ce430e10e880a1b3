# SPDX-License-Identifier: GPL-2.0
"""A kernel's source, from Debian's linux-source packages, unpacked where asked."""

import contextlib
import hashlib
import inspect
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cache
import debian
from series import ALL

# Series that a stable Debian does not carry, and the suite that does.
SUITES = {one.name: one.suite for one in ALL if one.suite}


def unpack(series: str, where: Path, parts: Sequence[str] = ()) -> None:
    """The source tree of SERIES in WHERE; PARTS: only these of its directories."""
    package = f"linux-source-{series}"
    with cache.lock("apt"):  # apt has its own, and does not wait
        options = () if known(package) else options_for(series)
        cache.say(f"downloading {package} (about 160 MB)")
        debian.download([package], where, options)
    deb = next(where.glob(f"{package}_*.deb"))
    tree = f"dpkg-deb --fsys-tarfile '{deb}' | tar -xO ./usr/src/{package}.tar.xz"
    wanted = " ".join(f"'linux-source-{series}/{part}'" for part in parts)
    cache.run(["bash", "-o", "pipefail", "-c",
               f"{tree} | xz -dc -T0 | tar -x --strip-components=1 -C '{where}' {wanted}"])
    deb.unlink()


def kept(name: str, series: str, parts: Sequence[str], fill: Callable[[Path, Path], None]) -> Path:
    """The directory NAME of the cache that FILL made, once, of PARTS of the source: of where they are, in where it stays."""
    maker = Path(inspect.getfile(fill)).read_bytes()
    tree = cache.root() / name / f"{series}-{hashlib.sha256(maker).hexdigest()[:12]}"
    with cache.lock(name):
        if not tree.exists():
            with directory(tree.parent / ".source") as where:
                unpack(series, where, parts)
                with cache.staged(tree) as stage:
                    fill(where, stage)
    return tree


@contextlib.contextmanager
def directory(where: Path) -> Iterator[Path]:
    """2 GB for a while; what a build that was killed has left goes first."""
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir(parents=True)
    try:
        yield where
    finally:
        shutil.rmtree(where, ignore_errors=True)


def known(package: str) -> bool:
    policy = subprocess.run(["apt-cache", "policy", package], capture_output=True, text=True,
                            check=False).stdout
    return re.search(r"Candidate: [^(\s]", policy) is not None


def options_for(series: str) -> tuple[str, ...]:
    """apt's options for a suite that this machine does not use: all state in the cache."""
    if series not in SUITES:
        raise cache.LabError(f"no package linux-source-{series} in this machine's apt sources; "
                             f"from elsewhere only: {', '.join(SUITES)}")
    return debian.suite_options(SUITES[series])
