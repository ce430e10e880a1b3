# SPDX-License-Identifier: GPL-2.0
"""Results as KTAP, as they come."""


class Results:
    def __init__(self) -> None:
        self.number = 0
        self.good = True
        print("KTAP version 1", flush=True)

    def claim(self, good: bool, text: str, *notes: str) -> None:
        """NOTES: what was seen; shown whether it is good or not."""
        self.number += 1
        self.good &= good
        print(f"{'ok' if good else 'not ok'} {self.number} {text}", flush=True)
        for line in (line for note in notes for line in note.splitlines()):
            print(f"# {line}", flush=True)

    def status(self) -> int:
        print(f"1..{self.number}")
        return 0 if self.good else 1
