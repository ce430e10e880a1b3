# SPDX-License-Identifier: GPL-2.0
"""What a monitoring system is told: read strictly, as Prometheus 0.0.4 or OpenMetrics 1.0 has it."""

import re
from typing import NamedTuple

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\d+)")
DESCRIBED = re.compile(rf"# (HELP|TYPE|UNIT) ({NAME}) (\S.*)")
TYPES = {"gauge", "counter"}


class BadExpositionError(ValueError):
    """A line that does not belong where it stands."""


class Exposition(NamedTuple):
    """TYPES: of each family. SAMPLES: (name, labels) to value."""

    types: dict[str, str]
    samples: dict[tuple[str, frozenset[str]], int]

    def names(self) -> set[str]:
        """The samples' names, as a query has them: of families without samples, too."""
        return {f"{name.removesuffix('_total')}_total" if kind == "counter" else name
                for name, kind in self.types.items()}


def read(text: str, openmetrics: bool) -> Exposition:
    """Raises BadExpositionError."""
    result = Exposition({}, {})
    lines = text.splitlines()
    if not text.endswith("\n"):
        raise BadExpositionError("the last line has no end")
    if openmetrics and lines.pop() != "# EOF":
        raise BadExpositionError("the last line is not # EOF")
    family = ""
    told: dict = {}
    for line in lines:
        if described := DESCRIBED.fullmatch(line):
            what, name, value = described.groups()
            if what == "HELP":
                family, told = begin(result, name, openmetrics), {}
            told[what] = value
            describe(result, family, what, name, value)
        elif sampled := SAMPLE.fullmatch(line):
            if not {"HELP", "TYPE"} <= told.keys():
                raise BadExpositionError(f"{line}: before its HELP and TYPE")
            add(result, family, *sampled.groups())
        else:
            raise BadExpositionError(f"{line}: neither a sample nor HELP, TYPE, UNIT")
    return result


def begin(result: Exposition, name: str, openmetrics: bool) -> str:
    """NAME of HELP and TYPE. Return: the family, without _total."""
    family = name.removesuffix("_total")
    if family in result.types or (openmetrics and family != name):
        raise BadExpositionError(f"# HELP {name}: twice, or with _total in OpenMetrics")
    return family


def describe(result: Exposition, family: str, what: str, name: str, value: str) -> None:
    if name.removesuffix("_total") != family:
        raise BadExpositionError(f"# {what} {name}: within the family {family}")
    if what == "TYPE" and (value not in TYPES or (name != family and value != "counter")):
        raise BadExpositionError(f"# TYPE {name} {value}: expected one of {' '.join(sorted(TYPES))}")
    if what == "TYPE":
        result.types[family] = value
    if what == "UNIT" and not family.endswith(f"_{value}"):
        raise BadExpositionError(f"# UNIT {name} {value}: the unit is not the end of the name")


def add(result: Exposition, family: str, name: str, labels: str | None, value: str) -> None:
    if name != family + ("_total" if result.types[family] == "counter" else ""):
        raise BadExpositionError(f"{name}: within the family {family}, a {result.types[family]}")
    key = name, frozenset(re.findall(LABEL, labels or ""))
    if key in result.samples:
        raise BadExpositionError(f"{name}{{{labels}}}: twice")
    result.samples[key] = int(value)


def known(source: str) -> set[str]:
    """The samples' names that abt/metrics.c has."""
    return {f"{name}_total" if kind == "COUNTER" else name
            for name, kind in re.findall(r'"(tcp_abt_\w+)", (GAUGE|COUNTER),', source)}
