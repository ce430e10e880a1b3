# SPDX-License-Identifier: GPL-2.0
"""Places in C source that read or write what the module writes to a socket, by file and function.

Lexical, as the kernel's style allows it: a function starts at the first column, and ends with a
brace there. An inline function or a macro of a header that touches a field stands for it: a call of it is a
place of its own, under the name of what was called.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

# Bits of a word that the module does not write, where one of them alone is looked at
OTHER_LOCKS = r"(?!\s*[&|]=?\s*~?\(?\s*SOCK_(?:BIND|CONNECT)\w+)"
OTHER_ACKS = r"(?!\s*[&|]=?\s*~?\(?\s*ICSK_ACK_(?:SCHED|TIMER|NOW|NOMEM)\b)"

FIELDS = {
    **{name: rf"\b{name}\b" for name in ("sk_sndbuf", "sk_rcvbuf", "window_clamp", "rcv_ssthresh", "rcv_wnd", "rcv_wup", "notsent_lowat")},
    "sk_userlocks": rf"\bsk_userlocks\b{OTHER_LOCKS}|\bSOCK_(?:SNDBUF|RCVBUF|BUF)_LOCK(?:_MASK)?\b",
    "icsk_ack.pending": rf"\bicsk_ack\.pending\b{OTHER_ACKS}|\bICSK_ACK_PUSHED2?\b",
    **{f"rcvq_space.{part}": rf"\brcvq_space\.{part}\b" for part in ("seq", "time", "space")},
    **{f"sysctl_tcp_{way}mem[2]": rf"\bsysctl_tcp_{way}mem\b(?!\[[01]\])" for way in "rw"},
}
# A file has one of these for each of them
WORDS = {"sk_userlocks": ("sk_userlocks", "BUF_LOCK", "BUF_LOCK_MASK"), "icsk_ack.pending": ("icsk_ack.", "ICSK_ACK_PUSHED")}
# Members only: what a trace event, a function or a socket option calls by the same name is its own
MEMBER = re.compile(r"(?:(?<!__entry)->|(?<!\bopt)\.|\boffsetof\(struct \w+, )\s*$")
# A timer's function leaves the bits of others as they are: its callers are none of the field's
NOT_FOLLOWED = {"icsk_ack.pending"}

IGNORED = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
DEFINE = re.compile(r"#\s*define\s+(\w+)")
# Macros that a definition begins with: the name is their first argument
DEFINING = re.compile(r"^[A-Z][A-Z0-9_]+\(\s*(\w+)", re.MULTILINE)
NOT_NAMES = r"(?!__attribute__|__printf|__aligned|__section|__acquires|__releases|__must_hold)"
FUNCTION = re.compile(rf"\b{NOT_NAMES}([A-Za-z_]\w*)\s*\(")
VARIABLE = re.compile(r"(\w+)\s*(?:\[[^]]*\]\s*)*=|(\w+)\s*$")

ASSIGNED = re.compile(r"(?:\s*\[[^]]*\])?\s*(?:(=)(?!=)|(?:[-+*/|&^%]|<<|>>)=|\+\+|--)")
WRITTEN = re.compile(r"\b(?:WRITE_ONCE|smp_store_release|xchg|cmpxchg|swap)\(\s*&?\*?[\w>.()\[\] -]*$")
ADDRESS = re.compile(r"(?:^|[\s(,=])&(?=[^\s&])[\w>.()\[\]-]*$")


class Place(NamedTuple):
    """A function of a file, and what it touches there."""

    field: str
    file: str
    function: str


class Source(NamedTuple):
    """A file without comments and strings, and what each of its lines belongs to."""

    name: str
    text: str
    owners: list[str]

    def owner(self, position: int) -> str:
        return self.owners[self.text.count("\n", 0, position)] or "unknown"


def blank(match: re.Match) -> str:
    """Nothing, of as many lines."""
    return "\n" * match[0].count("\n") or " "


def name_of(head: str) -> str:
    """What a definition defines, from its text up to the brace."""
    if macro := DEFINING.search(head):
        return macro[1]
    if "=" not in head and (function := FUNCTION.search(head)):
        return function[1]
    variable = VARIABLE.search(head)
    return variable[1] or variable[2] if variable else ""


def balanced(text: str) -> bool:
    return text.count("(") == text.count(")")


def complete(head: str) -> bool:
    """Has a definition come to its body or its end? One within the brackets of a macro ends with them."""
    if not balanced(head.partition("{")[0]):
        return balanced(head)
    return "{" in head or head.endswith(";")


def owners(text: str) -> list[str]:
    """Of each line the function, macro, table or trace event that it is part of."""
    result: list[str] = []
    head, first, body, macro = "", 0, "", ""
    for number, line in enumerate(text.split("\n")):
        result.append(macro or body)
        if macro or line.lstrip().startswith("#"):
            defined = DEFINE.match(line.lstrip())
            result[-1] = macro = macro or (defined[1] if defined else body)
            macro = macro if line.endswith("\\") else ""
        elif body:
            body = "" if line.startswith("}") else body
        elif not line.strip() and balanced(head) and not head.endswith(")"):
            head = ""
        elif head or line[:1].isalpha() or line.startswith("_"):
            first = first if head else number
            head = f"{head}\n{line.rstrip()}"
            if complete(head):
                name = name_of(head.partition("{")[0].strip())
                result[first:] = [name] * (number + 1 - first)
                body = name if head.count("{") > head.count("}") else ""
                head = ""
    return result


def parse(name: str, text: str) -> Source:
    text = IGNORED.sub(blank, text)
    return Source(name, text, owners(text))


def access(before: str, text: str, end: int) -> str:
    """How a field is used that ends there: r, w, rw, or & where its address is passed on."""
    if WRITTEN.search(before):
        return "w"
    if after := ASSIGNED.match(text, end):
        return "w" if after[1] else "rw"
    return "&" if ADDRESS.search(before) else "r"


def words(field: str) -> tuple[str, ...]:
    return WORDS.get(field) or (re.match(r"\w+", field)[0],)


def touched(source: Source, patterns: dict[str, re.Pattern]) -> Iterator[tuple[Place, str]]:
    for field, pattern in patterns.items():
        if not any(word in source.text for word in words(field)):
            continue
        for found in pattern.finditer(source.text):
            before = source.text[max(0, found.start() - 80):found.start()]
            called = field.endswith("()")
            owner = source.owner(found.start())
            if field != f"{owner}()" and (called or found[0].isupper() or MEMBER.search(before)):
                yield Place(field, source.name, owner), "r" if called else access(before, source.text, found.end())


def stands_for(source: Source, name: str) -> bool:
    """Is it a function or macro of a header, which its callers are looked up for, not a table or an event?"""
    return source.name.endswith(".h") and bool(
        re.search(rf"^#\s*define\s+{name}\(|^(?:static|extern).*\b{name}\s*\(|^{name}\s*\(", source.text, re.MULTILINE))


def scan(tree: Path, elsewhere: Callable[[Place], bool]) -> dict[Place, str]:
    """All places of a kernel's tree but those ELSEWHERE, with what is done there."""
    texts = {path.relative_to(tree).as_posix(): path.read_text(errors="replace") for path in sorted(tree.rglob("*.[ch]"))}
    parsed: dict[str, Source] = {}
    found: dict[Place, set[str]] = defaultdict(set)
    patterns = {name: re.compile(pattern) for name, pattern in FIELDS.items()}
    seen = set(patterns)
    while patterns:
        wanted = [word for field in patterns for word in words(field)]
        calls = set()
        for name, text in texts.items():
            if not any(word in text for word in wanted):
                continue
            source = parsed[name] = parsed.get(name) or parse(name, text)
            for place, how in touched(source, patterns):
                if elsewhere(place):
                    continue
                found[place] |= set(how)
                if place.field not in NOT_FOLLOWED and stands_for(source, place.function):
                    calls.add(f"{place.function}()")
        patterns = {call: re.compile(rf"\b{call[:-2]}\b(?=\s*[(;,)])") for call in calls - seen}
        seen |= calls
    return {place: "".join(how for how in "rw&" if how in hows) for place, hows in found.items()}
