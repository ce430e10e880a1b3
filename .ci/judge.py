#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""make test, for a machine to judge: a failure, which a skip is as well, is a non-zero exit.

The last line counts the KTAP results: `N passed, N failed`.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
REPO = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPO / "lab"))

import ktap
from task import end_on_signals, process_group


def main() -> int:
    counts = ktap.Counter()
    end_on_signals()
    with process_group(["make", "test"], cwd=REPO) as test:
        for line in map(bytes.decode, test.stdout):
            counts.feed(line)
            print(line, end="", flush=True)
        test.wait()
    counts.finish()
    if test.returncode and not counts.failures:
        counts.failures.append(f"make test ended with status {test.returncode}")
    for name in counts.failures:
        print(f"# failed: {name}")
    print(counts)
    return 1 if counts.failures else 0


if __name__ == "__main__":
    sys.exit(main())
