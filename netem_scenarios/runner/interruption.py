# SPDX-License-Identifier: GPL-2.0
"""Ctrl-C and the like."""

from __future__ import annotations

import signal
from typing import NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupt(*_: object) -> NoReturn:
    """The first signal ends the run; while that is undone, no other may cut it short."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def end_on_signals() -> None:
    for number in SIGNALS:
        signal.signal(number, interrupt)
