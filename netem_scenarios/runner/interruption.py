# SPDX-License-Identifier: GPL-2.0
"""Ctrl-C and the like, and what else may end a program early."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from .failure import Failure

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupt(*_: object) -> NoReturn:
    """The first signal ends the run; while that is undone, no other may cut it short."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def end_on_signals() -> None:
    for number in SIGNALS:
        signal.signal(number, interrupt)


def status_of(work: Callable[[], int], name: str) -> int:
    """What WORK returns; 2 if it was not possible, 130 after a signal."""
    end_on_signals()
    try:
        return work()
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; everything that was made is gone", file=sys.stderr)
        return 130
