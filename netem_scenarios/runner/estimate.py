# SPDX-License-Identifier: GPL-2.0
"""How long all runs will still take, learned from those that have ended."""

TRUST_S = 10.0   # so much of the first guess counts beside what was measured
OVERRUN = 0.25  # of its time so far: what a run that lasts longer than thought has still to go


class Estimate:
    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.cost_s = self.seconds = TRUST_S

    def learn(self, cost_s: float, seconds: float) -> None:
        self.cost_s += cost_s
        self.seconds += seconds

    @property
    def scale(self) -> float:
        return self.seconds / self.cost_s

    def left_s(self, waiting: list[float], running: list[tuple[float, float]]) -> float:
        """waiting: costs; running: (cost, seconds so far)."""
        rests = [max(OVERRUN * seconds, cost_s * self.scale - seconds) for cost_s, seconds in running]
        all_s = sum(waiting) * self.scale + sum(rests)
        return max([all_s / self.lanes, *rests])
