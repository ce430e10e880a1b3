# SPDX-License-Identifier: GPL-2.0
"""How busy the processors of this machine are. In a lab that is all hosts of a run, and whatever runs beside them."""

import os
from pathlib import Path

IDLE = (3, 4)  # columns of idle time in /proc/stat: nothing to do, and waiting for a disk
GUESTS = 8     # from here on: parts of the columns before


def busy_s(stat: Path = Path("/proc/stat")) -> float:
    """Processor time since the boot that was not idle, of all processors together."""
    columns = list(map(int, stat.read_text().partition("\n")[0].split()[1:]))[:GUESTS]
    return (sum(columns) - sum(columns[place] for place in IDLE)) / os.sysconf("SC_CLK_TCK")
