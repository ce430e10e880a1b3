# SPDX-License-Identifier: GPL-2.0
"""What programs that measure in the lab `count` have in common: arguments, one boot that takes samples, figures, the end."""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import cache
from runner.quantity import human_time
from task import process_group

BOOT_SECONDS = 240      # of wall time, on a busy machine
SAMPLE_SECONDS = 60     # the same
FAILED = 2


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The arguments, with a number of rounds that can be measured; None: the plan's own."""
    args = parser.parse_args()
    if args.rounds is not None and args.rounds < 1:
        parser.error(f"--rounds {args.rounds}: expected a number from 1 on")
    return args


class Bench:
    """Runs a command that prints a row a sample, TOTAL of them, with WORDS more for the lab."""

    def __init__(self, name: str, out: Path, series: str, total: int, *words: str) -> None:
        self.name = name
        self.out = out
        self.series = series
        self.total = total
        self.words = words
        self.done = 0
        self.began = 0.0

    def run(self, *command: str | Path) -> None:
        cache.run(["make", "-s", "-C", str(cache.REPO / "netem_scenarios"), "papers"])
        seconds = BOOT_SECONDS + self.total * SAMPLE_SECONDS
        lab = [str(cache.REPO / "lab/lab"), "--lab", "count", "--kernel", self.series, "--timeout", str(seconds),
               "--out", str(self.out), *self.words, "--", *map(str, command)]
        with process_group(lab, cwd=cache.REPO) as process:
            for line in (raw.decode(errors="replace").rstrip("\n") for raw in process.stdout):
                if "\t" in line:
                    self.sample(line)
                else:
                    print(line, file=sys.stderr, flush=True)
            status = process.wait()
        if status:
            raise cache.LabError(f"the samples could not be taken: status {status}, see {self.out}/console.log")

    def sample(self, row: str) -> None:
        """Say how far it is, and when all will be there by the wall clock."""
        self.done += 1
        if self.done == 1:
            self.began = time.monotonic()
        took = (time.monotonic() - self.began) / max(self.done - 1, 1)
        left = took * (self.total - self.done)
        end = f"about {human_time(left)} left, ends {time.strftime('%H:%M', time.localtime(time.time() + left))}" if self.done > 1 else "booted"
        cache.say(f"{self.name}: sample {self.done} of {self.total}, {', '.join(row.split(chr(9))[1:4])}: {end}")


def draw(out: Path, *figures: str) -> None:
    """plots/FIGURE.gp, of the tables in OUT."""
    (out / "figures.tsv").write_text("\n".join(["figure", *figures]) + "\n")
    done = subprocess.run([str(cache.REPO / "plots/plot"), str(out)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise cache.LabError(f"plots/plot {out} failed with status {done.returncode}: {done.stdout.strip()}")
    print("".join(f"# {line}\n" for line in done.stdout.splitlines()), end="")


def program(main: Callable[[], int], name: str) -> NoReturn:
    """Ends with MAIN's status, or with FAILED and the reason why nothing was measured."""
    try:
        sys.exit(main())
    except (cache.LabError, ValueError, subprocess.SubprocessError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(FAILED)
