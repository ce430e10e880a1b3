# SPDX-License-Identifier: GPL-2.0
"""What is claimed, and whether it holds."""

from collections.abc import Mapping

from runner.ktap import Verdict

from .paper import SEND, WAIT
from .plan import ADAPTIVE, COURSES, FIXED, LARGEST, SIZES, Course, Key
from .profile import Message, Profile, in_paper

SLEEPS = 0.25   # of those with the fixed buffer, at most


def judge(messages: Mapping[Key, Message], profiles: Mapping[tuple[Key, str], Profile]) -> list[Verdict]:
    return [sleeps(course, messages, profiles) for course in COURSES]


def sleeps(course: Course, messages: Mapping[Key, Message], profiles: Mapping[tuple[Key, str], Profile]) -> Verdict:
    keys = [Key(course.name, LARGEST.name, state.name) for state in (FIXED, ADAPTIVE)]
    fixed, adaptive = (messages[which].sleeps_per_mb for which in keys)
    shares = [profiles[which, SEND.name].share(WAIT) for which in keys]
    paper = in_paper(SEND, SIZES.index(LARGEST)).share(WAIT)
    claim = (f"{course.title}: with {ADAPTIVE.title} a send of {LARGEST.name} sleeps {adaptive:.2f} times a MB, "
             f"at most {SLEEPS:g} x the {fixed:.2f} with {FIXED.title}")
    note = (f"waiting for send memory takes {shares[1]:.0f} % of the send, with {FIXED.title} {shares[0]:.0f} %, "
            f"in the paper {paper:.0f} %")
    return Verdict(fixed > 0 and adaptive <= SLEEPS * fixed, claim, (note,))
