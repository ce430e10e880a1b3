# SPDX-License-Identifier: GPL-2.0
"""The tables: Markdown for people, TSV for programs and the figure."""

import itertools
from collections.abc import Mapping
from pathlib import Path

from .paper import RECEIVE, SEND, SIDES, WAIT, Side
from .plan import COURSES, FIXED, LAN, RATE, SIZES, STATES, Course, Key
from .profile import Message, Profile, in_paper

Profiles = Mapping[tuple[Key, str], Profile]
PAPER = "paper"


def columns(profiles: Profiles, course: Course, index: int, side: Side) -> list[tuple[str, Profile]]:
    """The paper, then each state, for message size number INDEX."""
    return [(PAPER, in_paper(side, index)),
            *((state.name, profiles[Key(course.name, SIZES[index].name, state.name), side.name]) for state in STATES)]


def write_profile(path: Path, profiles: Profiles) -> None:
    lines = ["course\tside\tsize\tbuffers\tpart\tfunction\tkilo\tshare_percent"]
    for course in COURSES:
        for side, size in itertools.product(SIDES, course.sizes):
            for name, profile in columns(profiles, course, SIZES.index(size), side):
                where = f"{course.name}\t{side.name}\t{size.name}\t{name}"
                lines += [f"{where}\t{part.number}\t{part.title}\t{profile.parts[part.number]:.1f}\t{profile.share(part):.1f}"
                          for part in side.parts]
                rest = profile.tcp - sum(profile.parts.values())
                lines.append(f"{where}\t0\trest of TCP\t{rest:.1f}\t{100 * rest / profile.tcp:.1f}")
                lines.append(f"{where}\t-\tIP\t{profile.ip:.1f}\t{100 * profile.ip / profile.tcp:.1f}")
    path.write_text("\n".join(lines) + "\n")


def write_messages(path: Path, messages: Mapping[Key, Message]) -> None:
    rows = ["\t".join([*Key._fields, *Message._fields])]
    rows += ["\t".join([*which, *(f"{figure:.2f}" for figure in message)]) for which, message in messages.items()]
    path.write_text("\n".join(rows) + "\n")


def markdown(messages: Mapping[Key, Message], profiles: Profiles, kernel: str, rounds: int) -> str:
    head = (f"Linux {kernel}, medians of {rounds}; {RATE.replace('gbit', ' Gbit/s')}. Thousands of clocks in the paper, of "
            "instructions (a nanosecond each) elsewhere; share of TCP's time in the call.")
    return "\n".join([head, "", *totals(profiles), "", *parts(profiles, SEND), "", *parts(profiles, RECEIVE), "", *waits(messages, profiles)]) + "\n"


def kilo(thousands: float) -> str:
    return f"{thousands:,.0f}" if thousands >= 10 else f"{thousands:.1f}"


def heading(*names: str) -> list[str]:
    return ["| " + " | ".join([*names, PAPER, *(state.title for state in STATES)]) + " |", "|---" * (len(names) + 1 + len(STATES)) + "|"]


def totals(profiles: Profiles) -> list[str]:
    """The paper's table 1: TCP and IP."""
    lines = heading("", "message")
    for side in SIDES:
        for index, size in enumerate(SIZES):
            found = [f"{kilo(profile.tcp)} / {kilo(profile.ip)}" for _, profile in columns(profiles, LAN, index, side)]
            lines.append(f"| {side.name}: TCP / IP | {size.name} | " + " | ".join(found) + " |")
    return lines


def parts(profiles: Profiles, side: Side) -> list[str]:
    """The paper's table 2 or 3: each function."""
    lines = heading(side.name, "message")
    for part in side.parts:
        for index, size in enumerate(SIZES):
            found = [f"{kilo(profile.parts[part.number])} ({profile.share(part):.0f} %)" for _, profile in columns(profiles, LAN, index, side)]
            lines.append(f"| {part.number} `{part.title}` | {size.name} | " + " | ".join(found) + " |")
    return lines


def waits(messages: Mapping[Key, Message], profiles: Profiles) -> list[str]:
    """How much of function 3 a buffer of another size takes away."""
    lines = ["| path, messages | buffers | sleeps a MB | send call | wait's share | of the wait with a fixed buffer | send buffer |", "|---|---|---|---|---|---|---|"]
    for course in COURSES:
        for size in (size for size in course.sizes if size in SIZES[2:]):
            keys = {state.name: Key(course.name, size.name, state.name) for state in STATES}
            fixed = profiles[keys[FIXED.name], SEND.name].parts[WAIT.number]
            for state in STATES:
                which = keys[state.name]
                message, profile = messages[which], profiles[which, SEND.name]
                left = f"{100 * profile.parts[WAIT.number] / fixed:.0f} %" if fixed else ""
                lines.append(f"| {course.title}, {size.name} | {state.title} | {message.sleeps_per_mb:.2f} | {message.sending_k / 1000:.3f} ms | "
                             f"{profile.share(WAIT):.0f} % | {left} | {message.sndbuf / 1024:,.0f} KB |")
    return lines
