# SPDX-License-Identifier: GPL-2.0
"""Ctrl-C and the like."""

import signal

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupt(*_):
    """The first signal ends the run; while that is undone, no other may cut it short."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def end_on_signals():
    for number in SIGNALS:
        signal.signal(number, interrupt)
