# SPDX-License-Identifier: GPL-2.0
"""The processors that guests are pinned to: one guest of this user each, the others wait."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

import cache

POLL_SECONDS = 0.1
WORD_SECONDS = 10  # a wait of this time is worth a word, and one of twice the last again


@contextlib.contextmanager
def one() -> Iterator[int]:
    """A processor to oneself, as soon as there is one."""
    began = time.monotonic()
    word = WORD_SECONDS
    with contextlib.ExitStack() as held:
        while (cpu := take(held)) is None:
            if time.monotonic() - began >= word:
                cache.say(f"waiting for a processor, {word} s so far: all {len(usable())} have a guest")
                word *= 2
            time.sleep(POLL_SECONDS)
        yield cpu


def take(held: contextlib.ExitStack) -> int | None:
    """A processor that no other guest has, locked until HELD is closed."""
    locks = cache.root() / "locks"
    locks.mkdir(exist_ok=True)
    for cpu in usable():
        with contextlib.ExitStack() as opened, contextlib.suppress(BlockingIOError):
            lock = opened.enter_context(open(locks / f"cpu-{cpu}", "w", encoding="ascii"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held.enter_context(opened.pop_all())
            return cpu
    return None


def usable() -> list[int]:
    return sorted(os.sched_getaffinity(0))
