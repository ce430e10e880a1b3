# SPDX-License-Identifier: GPL-2.0
"""How far the run is and how long it will still take, on standard error."""

import sys

from .quantity import human_time

EVERY_S = 5
SETUP_S = 4  # hosts, links and servers of a variant, on a slow VM


class Progress:
    def __init__(self, scenario):
        self.scenario = scenario
        self.number = 0
        self.next_s = 0.0

    def total_s(self):
        return len(self.scenario.variants) * (self.scenario.expect_s + SETUP_S)

    def say(self, text):
        print(f"[{self.scenario.name}] {text}", file=sys.stderr, flush=True)

    def begin(self, variant):
        self.number += 1
        self.next_s = 0.0
        self.name = variant.name

    def step(self, elapsed_s, record):
        if elapsed_s < self.next_s:
            return
        self.next_s = elapsed_s + EVERY_S
        left_s = max(0.0, self.scenario.expect_s - elapsed_s)
        left_s += (len(self.scenario.variants) - self.number) * (self.scenario.expect_s + SETUP_S)
        self.say(f"variant {self.number} of {len(self.scenario.variants)}, {self.name}: {human_time(elapsed_s)}, "
                 f"{len(record.finished)} of {len(self.scenario.flows)} flows done; about {human_time(left_s)} left in all")
