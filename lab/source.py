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
import kernels

# Series that a stable Debian does not carry, and the suite that does.
SUITES = {"7.3": "trixie-backports"}
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def unpack(series: str, where: Path, parts: Sequence[str] = ()) -> None:
    """The source tree of SERIES in WHERE; PARTS: only these of its directories."""
    package = f"linux-source-{series}"
    with cache.lock("apt"):  # apt has its own, and does not wait
        options = () if known(package) else options_for(series)
        cache.say(f"downloading {package} (about 160 MB)")
        kernels.download([package], where, options)
    deb = next(where.glob(f"{package}_*.deb"))
    tree = f"dpkg-deb --fsys-tarfile '{deb}' | tar -xO ./usr/src/{package}.tar.xz"
    wanted = " ".join(f"'linux-source-{series}/{part}'" for part in parts)
    kernels.run(["bash", "-o", "pipefail", "-c",
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
    return suite_options(SUITES[series])


def suite_options(suite: str) -> tuple[str, ...]:
    """The same for SUITE."""
    own = cache.root() / "apt" / suite
    for name in ("lists/partial", "cache/archives/partial", "parts"):
        (own / name).mkdir(parents=True, exist_ok=True)
    signed = f"[signed-by={KEYRING}] " if KEYRING.exists() else ""
    (own / "sources.list").write_text(f"deb {signed}{mirror()} {suite} main\n")
    settings = {"Dir::Etc::sourcelist": own / "sources.list", "Dir::Etc::sourceparts": own / "parts",
                "Dir::State::lists": own / "lists", "Dir::Cache": own / "cache",
                "Acquire::Languages": "none", "APT::Sandbox::User": ""}
    options = tuple(word for name, value in settings.items() for word in ("-o", f"{name}={value}"))
    kernels.run(["apt-get", "-qq", *options, "update"])
    return options


def mirror() -> str:
    """The Debian archive that this machine itself uses, whatever the format of its sources."""
    shown = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(LABEL)",
                            "Created-By: Packages"], capture_output=True, text=True, check=False)
    lines = [line.split(" ", 2) for line in shown.stdout.splitlines()]
    labelled = [uri for uri, _, label in lines if label == "Debian"]
    looks_so = [uri for uri, release, _ in lines
                if uri.rstrip("/").endswith("/debian") and "security" not in release]
    if not labelled + looks_so:
        raise cache.LabError("no Debian archive in this machine's apt sources "
                             "(apt-get indextargets): expected one to take a newer suite from")
    return (labelled + looks_so)[0]
