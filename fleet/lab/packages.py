# SPDX-License-Identifier: GPL-2.0
"""The package files that `make deb` made."""

from pathlib import Path

import cache


def package_files(folder: Path) -> list[Path]:
    """The module's and the tools', in this order."""
    files = [path for name in ("tcp-abt-dkms", "tcp-abt-tools") for path in sorted(folder.glob(f"{name}_*.deb"))]
    if len(files) != 2:
        raise cache.LabError(f"{folder}: expected the two packages that `make deb` makes, found {len(files)}")
    return files
