#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Debian packages and what they depend on; of this machine's suite and architecture, or of another.

    lab/debian.py SUITE     apt's options for packages of SUITE, a word a line
"""

import platform
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.dont_write_bytecode = True

import cache
from architectures import AMD64, Architecture

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
NONE_INSTALLED = ("-o", "Dir::State::status=/dev/null")    # what a package depends on comes as well
NOT_NEEDED = ("breaks", "conflicts", "enhances", "recommends", "replaces", "suggests")


def with_needed(packages: tuple[str, ...], options: tuple[str, ...]) -> list[str]:
    """PACKAGES and all that they depend on. OPTIONS: apt's, which say of where."""
    words = ["apt-cache", *options, "depends", "--recurse", *(f"--no-{kind}" for kind in NOT_NEEDED), *packages]
    told = subprocess.run(words, capture_output=True, text=True, check=False)
    if told.returncode:
        raise cache.LabError(f"apt-cache depends failed with status {told.returncode}: {told.stderr.strip()}; run `make setup`")
    return [line for line in told.stdout.splitlines() if re.match(r"[a-z0-9]", line)]


def download(packages: list[str], where: Path, options: Sequence[str] = ()) -> None:
    """apt-get download; the sandbox user cannot write into a private cache."""
    cache.run(["apt-get", "-qq", "-o", "APT::Sandbox::User=", *options, "download", *packages], cwd=where,
        hint="apt's lists may be older than the mirror: run `apt-get update` and try again")


def download_with_needed(packages: Sequence[str], where: Path, options: Sequence[str]) -> None:
    """The same with all that PACKAGES depend on and OPTIONS' machine has not."""
    (where / "partial").mkdir(exist_ok=True)
    cache.run(["apt-get", "-qq", "-y", "--no-install-recommends", "--download-only", "-o", "APT::Sandbox::User=", *options,
               "-o", f"Dir::Cache::archives={where}", "install", *packages])
    (where / "lock").unlink()
    (where / "partial").rmdir()


def update(options: Sequence[str]) -> None:
    """Fetch apt's lists; where one source fails, the others are of use."""
    subprocess.run(["apt-get", "-qq", *options, "update"], capture_output=True, check=False)


def unpack(where: Path) -> None:
    """The packages in WHERE, to there."""
    for deb in where.glob("*.deb"):
        cache.run(["dpkg-deb", "-x", str(deb), str(where)])
        deb.unlink()


def options_with(name: str, settings: Mapping[str, object]) -> tuple[str, ...]:
    """apt's options for SETTINGS that are not this machine's: all state in the cache, by NAME."""
    own = cache.root() / "apt" / name
    for folder in ("lists/partial", "cache/archives/partial", "parts"):
        (own / folder).mkdir(parents=True, exist_ok=True)
    state = {"Dir::State::lists": own / "lists", "Dir::Cache": own / "cache", "Acquire::Languages": "none", "APT::Sandbox::User": ""}
    return tuple(word for key, value in {**state, **settings}.items() for word in ("-o", f"{key}={value}"))


def architecture_options(architecture: Architecture) -> tuple[str, ...]:
    """apt's options for packages of ARCHITECTURE, from where this machine has its own."""
    if architecture is AMD64:
        return ()
    return (*options_with(architecture.name, {"APT::Architecture": architecture.name, "APT::Architectures": architecture.name}), *NONE_INSTALLED)


def lacking_in(root: str) -> tuple[str, ...]:
    """apt's options for packages that the Debian system in ROOT lacks."""
    return "-o", f"Dir::State::status={root}/var/lib/dpkg/status"


def suite_options(suite: str) -> tuple[str, ...]:
    """apt's options for SUITE: none for this machine's own, whose sources may have more than one archive."""
    if suite == platform.freedesktop_os_release().get("VERSION_CODENAME"):
        return ()
    own = cache.root() / "apt" / suite
    options = options_with(suite, {"Dir::Etc::sourcelist": own / "sources.list", "Dir::Etc::sourceparts": own / "parts"})
    signed = f"[signed-by={KEYRING}] " if KEYRING.exists() else ""
    (own / "sources.list").write_text(f"deb {signed}{mirror()} {suite} main\n")
    cache.run(["apt-get", "-qq", *options, "update"])
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


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with cache.lock("apt"):
        print("".join(f"{word}\n" for word in suite_options(sys.argv[1])), end="")
    return 0


if __name__ == "__main__":
    cache.program(main, "debian")
