# SPDX-License-Identifier: GPL-2.0
"""What an administrator would find changed on a machine: settings, modules, files of /etc, packages."""

from typing import NamedTuple

import cache
from machines import Machine

MOVING = "|".join(line for line in (cache.REPO / "deploy/packaging/tests/moving").read_text().splitlines() if not line.startswith("#"))

QUESTIONS = {
    "sysctl -a": f"sysctl -a 2> /dev/null | grep -Ev '{MOVING}' | sort",
    "lsmod": "awk '{ print $1 }' /proc/modules | sort",
    # A cache that ld.so and apt keep is no setting
    "/etc": "find /etc ! -name ld.so.cache ! -type d ! -type l -exec sha256sum {} + | sort -k 2; find /etc -type l -printf '%p -> %l\\n' | sort",
    "the packages": "dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\\n' | sort",
}


class Difference(NamedTuple):
    question: str
    lines: list[str]


def state(machine: Machine) -> dict[str, list[str]]:
    return {question: machine.run(script).splitlines() for question, script in QUESTIONS.items()}


def differences(before: dict[str, list[str]], after: dict[str, list[str]]) -> list[Difference]:
    """One for each question, the lines that only one of both has."""
    return [Difference(question, [f"- {line}" for line in before[question] if line not in set(after[question])] +
                       [f"+ {line}" for line in after[question] if line not in set(before[question])]) for question in before]
