#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The family tcp_abt through the kernel's own YNL, told what to do by lines on stdin.

    ynl_peer.py YNL SPEC

    dump OPERATION JSON COLUMN...   a line per object: the values of these attributes
    do OPERATION JSON COLUMN...     the same of the one reply
    listen SECONDS COLUMN...        the same of each decision that is told in that time

A column is an attribute, NEST.ATTRIBUTE, or `local`, `remote`: an end as /proc prints it. What
is not there prints as "-". Each command ends with a line "done", or "refused MESSAGE".
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyynl.lib import YnlFamily

sys.dont_write_bytecode = True


def end(attrs: dict, side: str) -> str:
    address, port = attrs[f"{side}-addr"], attrs[f"{side}-port"]
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def column(attrs: dict, name: str) -> str:
    if name in ("local", "remote"):
        return end(attrs, name)
    value: object = attrs
    for part in name.split("."):
        value = value.get(part, "-") if isinstance(value, dict) else "-"
    return str(value)


def show(objects: list[dict], columns: list[str]) -> None:
    for attrs in objects:
        print(*(column(attrs, name) for name in columns))


def obey(family: YnlFamily, words: list[str]) -> None:
    verb, what, *rest = words
    if verb == "listen":
        family.ntf_subscribe("decisions")
        print("listening", flush=True)
        show([told["msg"] for told in family.poll_ntf(duration=float(what))], rest)
    elif verb == "dump":
        show(family.dump(what, json.loads(rest[0])), rest[1:])
    else:
        show([family.do(what, json.loads(rest[0])) or {}], rest[1:])


def main() -> None:
    ynl, spec = sys.argv[1:]
    sys.path.insert(0, str(Path(ynl) / "tools/net/ynl"))
    from pyynl.lib import NlError, YnlFamily

    family = YnlFamily(spec, schema="")
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            obey(family, line.split())
            print("done", flush=True)
        except NlError as error:
            print("refused", error, flush=True)


if __name__ == "__main__":
    main()
