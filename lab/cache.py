# SPDX-License-Identifier: GPL-2.0
"""Where the lab keeps what it downloads and builds, and the errors it reports."""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

REPO = Path(__file__).resolve().parents[1]


class LabError(Exception):
    """Something the user can mend; the message says what and how."""


def root() -> Path:
    """The cache: outside the tree, shared by all checkouts of one user."""
    default = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    path = Path(os.environ.get("TCP_ABT_CACHE") or Path(default) / "tcp_abt")
    if any(c in str(path) for c in " :\t"):
        raise LabError(f"TCP_ABT_CACHE={path}: make cannot build below a path with blanks or colons")
    path.mkdir(parents=True, exist_ok=True)
    return path.resolve()


@contextlib.contextmanager
def lock(name: str) -> Iterator[None]:
    """One process at a time makes NAME; the others wait and find it made."""
    locks = root() / "locks"
    locks.mkdir(exist_ok=True)
    with open(locks / name, "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def staged(final: Path) -> Iterator[Path]:
    """A directory to fill, which becomes FINAL only when all went well."""
    final.parent.mkdir(parents=True, exist_ok=True)
    stage = Path(tempfile.mkdtemp(prefix=".stage-", dir=final.parent))
    stage.chmod(0o755)
    try:
        yield stage
        stage.rename(final)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def mark(check: str, *parts: str | bytes) -> Path:
    """What CHECK leaves when it found nothing in PARTS, which are all that it depends on: where it is, they need no second look."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(f"{len(data)}\n".encode() + data)
    place = root() / "marks" / check / digest.hexdigest()[:32]
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def version(*names: str) -> str:
    """What these programs say of themselves: a newer one may find more."""
    return "".join(subprocess.run([tool(name), "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout for name in names)


def program(main: Callable[[], int], name: str = "lab") -> NoReturn:
    """Ends with MAIN's status; an error that the user can mend is words, not a traceback."""
    try:
        sys.exit(main())
    except LabError as error:
        sys.exit(f"{name}: {error}")


def run(command: list[str], cwd: Path | None = None, hint: str = "") -> None:
    """Run quietly; on failure show what the command said."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip()
        raise LabError("\n".join(filter(None, [
            f"{' '.join(command)} failed with status {done.returncode}:", said[-2000:], hint])))


def say(text: str) -> None:
    """Progress, apart from the output of the command that the lab runs."""
    print(f"lab: {text}", file=sys.stderr, flush=True)


def tool(name: str) -> str:
    """The path of a program, from setup's own tools or the machine's."""
    found = installed(name)
    if not found:
        raise LabError(f"{name} is not installed: run `make setup`")
    return found


def installed(name: str) -> str | None:
    return shutil.which(name, path=f"{root()}/venv/bin:{search_path()}")


def search_path() -> str:
    """PATH of the lab: the system's directories, then what setup unpacked."""
    system = [f"{prefix}/{kind}" for prefix in ("/usr/local", "/usr", "")
              for kind in ("sbin", "bin")]
    return ":".join([*system, *(str(root() / f"tools/usr/{kind}") for kind in ("sbin", "bin"))])
