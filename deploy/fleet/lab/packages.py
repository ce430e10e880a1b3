# SPDX-License-Identifier: GPL-2.0
"""The package files that `make deb` made, and the words that install them from /root/packages and purge them."""

from pathlib import Path

import cache

INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get -qq -y install /root/packages/tcp-abt-*.deb 2>&1"
PURGE = "DEBIAN_FRONTEND=noninteractive apt-get -qq -y purge tcp-abt-dkms tcp-abt-tools 2>&1"


def package_files(folder: Path) -> list[Path]:
    """The module's and the tools', in this order."""
    files = [path for name in ("tcp-abt-dkms", "tcp-abt-tools") for path in sorted(folder.glob(f"{name}_*.deb"))]
    if len(files) != 2:
        raise cache.LabError(f"{folder}: expected the two packages that `make deb` makes, found {len(files)}")
    return files
