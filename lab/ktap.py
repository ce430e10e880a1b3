# SPDX-License-Identifier: GPL-2.0
"""KTAP read line by line: how many results passed, how many failed. A skipped one shows nothing: it has failed."""

import re

RESULT = re.compile(r"^(?P<indent> *)(?P<failed>not )?ok\b *(?:\d+)? *(?:- )?(?P<name>.*)$")
PLAN = re.compile(r"^(?P<indent> *)1\.\.(?P<count>\d+)\b")
SKIP = re.compile(r"#\s*SKIP\b", re.IGNORECASE)


class Level:
    """The results at one depth of indentation that no parent has closed yet."""

    def __init__(self) -> None:
        self.planned: int | None = None
        self.seen = 0
        self.failed = False


class Counter:
    """Leaves count. A parent counts only when it failed and none of its children did."""

    def __init__(self) -> None:
        self.passed = 0
        self.failures: list[str] = []
        self.levels: dict[int, Level] = {}

    def feed(self, line: str) -> None:
        if plan := PLAN.match(line):
            self.close(len(plan["indent"]))
            self.level(len(plan["indent"])).planned = int(plan["count"])
        elif result := RESULT.match(line):
            self.result(len(result["indent"]), bool(result["failed"]), result["name"].strip())

    def result(self, indent: int, failed: bool, name: str) -> None:
        is_parent, child_failed = self.close(indent + 1)
        level = self.level(indent)
        level.seen += 1
        failed |= bool(SKIP.search(name))
        level.failed |= failed or child_failed
        if failed and not child_failed:
            self.failures.append(name)
        elif not failed and not is_parent:
            self.passed += 1

    def close(self, indent: int) -> tuple[bool, bool]:
        """End all levels from INDENT inwards: were there any, and did one fail?"""
        ended = [self.levels.pop(depth) for depth in sorted(self.levels) if depth >= indent]
        for level in ended:
            if level.planned is not None and level.planned != level.seen:
                self.failures.append(f"{level.seen} results where {level.planned} were announced")
                level.failed = True
        return any(level.seen for level in ended), any(level.failed for level in ended)

    def finish(self) -> None:
        self.close(0)

    def level(self, indent: int) -> Level:
        return self.levels.setdefault(indent, Level())

    def __str__(self) -> str:
        return f"{self.passed} passed, {len(self.failures)} failed"
