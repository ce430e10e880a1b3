# SPDX-License-Identifier: GPL-2.0
"""Unit tests whose results are KTAP."""

import unittest
from typing import Any


class Ktap(unittest.TestResult):
    """One KTAP line a test; the reason of a failure above it."""

    def name(self, test: unittest.TestCase) -> str:
        return test.id()

    def line(self, test: unittest.TestCase, word: str, reason: str = "", after: str = "") -> None:
        print("".join(f"# {text}\n" for text in reason.splitlines()) + f"{word} {self.testsRun} {self.name(test)}{after}", flush=True)

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self.line(test, "ok")

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        self.line(test, "not ok", self.failures[-1][1])

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        super().addError(test, err)
        self.line(test, "not ok", self.errors[-1][1])

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.line(subtest, "not ok", str(err[1]))

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self.line(test, "ok", after=f" # SKIP {reason}")


def run(suite: unittest.TestSuite, result: unittest.TestResult) -> int:
    """The exit status."""
    print(f"KTAP version 1\n1..{suite.countTestCases()}", flush=True)
    suite.run(result)
    return 0 if result.wasSuccessful() else 1
