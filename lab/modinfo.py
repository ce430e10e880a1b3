# SPDX-License-Identifier: GPL-2.0
"""What modinfo shows of the modules: is all of it there, and the version the one of version.h?"""

import re
import subprocess
from pathlib import Path

import cache

TOLD = ("description", "author", "license", "version")


def field(module: Path, name: str) -> list[str]:
    done = subprocess.run([cache.tool("modinfo"), "-F", name, str(module)],
                          capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def missing(module: Path) -> list[str]:
    """What MODULE does not say of itself, a line each."""
    found = {name: field(module, name) for name in TOLD}
    faults = [f"{module.name}: modinfo has no {name}" for name, said in found.items() if not any(said)]
    version = re.search(r'ABT_VERSION\s+"(.*)"', (cache.REPO / "kmod/version.h").read_text())[1]
    if found["version"] != [version]:
        faults.append(f"{module.name}: modinfo has version {found['version']}, kmod/version.h {version}")
    # A parameter stands there as NAME:DESCRIPTION (TYPE), or NAME: (TYPE)
    return faults + [f"{module.name}: no description of the parameter {line.split(':')[0]}"
                     for line in field(module, "parm") if re.search(r":\s*(\(\w+\))?$", line)]
