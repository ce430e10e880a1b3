# SPDX-License-Identifier: GPL-2.0
"""The reference of the netlink family, for people, from its specification."""

import textwrap
from pathlib import Path

COLUMNS = 100
HEAD = """<!-- SPDX-License-Identifier: GPL-2.0 -->
<!-- Made from {source} by lab/spec.py --write: edit that. -->
# The netlink family `{name}`

{doc}

`abt` speaks it, and so do the kernel's own tools:

    tools/net/ynl/pyynl/cli.py --spec {source} --no-schema --dump conn-get --json '{{"below-demand": true}}'
    tools/net/ynl/pyynl/cli.py --spec {source} --no-schema --do config-set --json '{{"recv-pool": 268435456}}'
    tools/net/ynl/pyynl/cli.py --spec {source} --no-schema --subscribe decisions

An attribute that is wrong is refused with `EINVAL`, and nothing changes. The kernel's message names
the attribute and the value that was expected.

A dump takes no lock that traffic waits for. A connection that exists during the whole dump is in it
once. If the table of connections was replaced meanwhile, the dump is marked `NLM_F_DUMP_INTR`, and
may have the connection twice.
"""


def one_line(text: str) -> str:
    return " ".join(text.split())


def wrapped(text: str, first: str = "") -> str:
    """A paragraph, or with FIRST "- " an item of a list. Words are not broken."""
    return textwrap.fill(one_line(text), COLUMNS, initial_indent=first, subsequent_indent=" " * len(first),
                         break_long_words=False, break_on_hyphens=False)


def reference(spec: Path, source: str) -> str:
    """Markdown of all operations, attributes and words."""
    import yaml  # of the machine: what needs no reference needs no such module

    family = yaml.safe_load(spec.read_text())
    parts = [HEAD.format(source=source, name=family["name"], doc=family["doc"].strip())]
    parts += ["## Operations\n"] + [operation(one) for one in family["operations"]["list"]]
    parts += ["## Attributes\n"] + [attributes(one) for one in family["attribute-sets"]]
    constants = [one for one in family["definitions"] if one["type"] == "const"]
    parts += ["## Words\n"] + [words(one) for one in family["definitions"] if one not in constants]
    parts += ["## Constants\n", *(f"- `{one['name']}`: {one['value']}. {one_line(one['doc'])}" for one in constants), ""]
    return "\n".join(parts)


def operation(one: dict) -> str:
    mode = next(mode for mode in ("do", "dump", "event") if mode in one)
    right = "; needs CAP_NET_ADMIN in its network namespace" if "uns-admin-perm" in one.get("flags", ()) else ""
    group = f", multicast group `{one['mcgrp']}`" if "mcgrp" in one else ""
    lines = [f"### `{one['name']}` ({mode}{group}{right})", "", wrapped(one["doc"]), ""]
    told = {"request": "takes", "reply": "gives"}
    for part, word in told.items():
        if part in one[mode]:
            lines += [wrapped(f"{word} `{'`, `'.join(one[mode][part]['attributes'])}`", "- ")]
    if mode == "event":
        lines += [wrapped(f"gives `{'`, `'.join(one[mode]['attributes'])}`", "- ")]
    return "\n".join([*lines, ""])


def attributes(one: dict) -> str:
    lines = [f"### {one['name']}", "", *([wrapped(one["doc"]), ""] if "doc" in one else [])]
    if "subset-of" in one:
        names = "`, `".join(attr["name"] for attr in one["attributes"] if attr["name"] != "pad")
        return "\n".join([*lines, wrapped(f"Of {one['subset-of']}: `{names}`"), ""])
    lines += ["| attribute | type | meaning |", "|---|---|---|"]
    for attr in one["attributes"]:
        if attr["type"] != "pad":
            kind = attr.get("enum") or attr.get("nested-attributes") or attr["type"]
            lines.append(f"| `{attr['name']}` | {kind} | {one_line(attr.get('doc', ''))} |")
    return "\n".join([*lines, ""])


def words(one: dict) -> str:
    entries = [entry if isinstance(entry, dict) else {"name": entry} for entry in one["entries"]]
    said = [f"`{entry['name']}`" + (f": {one_line(entry['doc'])}" if "doc" in entry else "") for entry in entries]
    kind = "bit " if one["type"] == "flags" else ""
    return "\n".join([f"### {one['name']}", "", *(f"- {kind}{number} {text}" for number, text in enumerate(said)), ""])
