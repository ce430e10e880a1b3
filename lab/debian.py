# SPDX-License-Identifier: GPL-2.0
"""Debian packages and what they depend on."""

import re
import subprocess

import cache

NOT_NEEDED = ("breaks", "conflicts", "enhances", "recommends", "replaces", "suggests")


def with_needed(packages: tuple[str, ...], options: tuple[str, ...]) -> list[str]:
    """PACKAGES and all that they depend on. OPTIONS: apt's, which say of where."""
    words = ["apt-cache", *options, "depends", "--recurse", *(f"--no-{kind}" for kind in NOT_NEEDED), *packages]
    told = subprocess.run(words, capture_output=True, text=True, check=False)
    if told.returncode:
        raise cache.LabError(f"apt-cache depends failed with status {told.returncode}: {told.stderr.strip()}; run `make setup`")
    return [line for line in told.stdout.splitlines() if re.match(r"[a-z0-9]", line)]
