# SPDX-License-Identifier: GPL-2.0
"""Cells: the combinations of a size's axes, and what a scenario's tree of tables is in one of them.

    [[size.full.axis]]
    flows = [1, 8]          "$flows" as a whole text is 1 or 8, a number; inside a longer text it is replaced there

A block of lists stands for all their combinations; several blocks are a union.

    [[size.full.given]]
    when = { flows = [8] }
    time = "60 s"           "$time" is that in the cells that these values make up; the last table that holds decides
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

from .failure import Failure

Tree = dict[str, Any]  # a TOML file's

REFERENCE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
AXIS = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Cell:
    """One value of every axis: pairs (axis, value) in the file's order; without axes, none."""
    pairs: tuple[tuple[str, Any], ...] = ()

    @property
    def values(self) -> dict[str, Any]:
        return dict(self.pairs)

    @property
    def slug(self) -> str:
        """The cell as the name of a folder."""
        return "-".join(re.sub(r"[^A-Za-z0-9.]", "", str(value).removesuffix("/s")) for _, value in self.pairs)


def cells(content: Tree, size_name: str, where: str) -> list[Cell]:
    """All cells of this size, in the file's order; one without values where the size has no axes."""
    place = f"{where}.size.{size_name}: axis"
    blocks = content["size"][size_name].get("axis", [{}])
    if not isinstance(blocks, list) or not blocks or not all(isinstance(block, dict) for block in blocks):
        raise Failure(f"{place} = {blocks!r}: expected one or more [[size.{size_name}.axis]] tables")
    if any(set(block) != set(blocks[0]) for block in blocks):
        raise Failure(f"{place}: the tables' axes differ, expected {', '.join(blocks[0])} in each")
    found = dict.fromkeys(cell for block in blocks for cell in combinations(block, list(blocks[0]), place))
    slugs: dict[str, Cell] = {}
    for cell in found:
        other = slugs.setdefault(cell.slug, cell)
        if other is not cell:
            raise Failure(f"{place}: {other.values} and {cell.values} are both named {cell.slug}, expected values that "
                          "differ in letters or digits")
    return list(found)


def combinations(block: Tree, order: list[str], place: str) -> list[Cell]:
    for axis, values in block.items():
        if not AXIS.fullmatch(axis):
            raise Failure(f"{place}: {axis!r}: expected an axis name of small letters, digits and _")
        if not isinstance(values, list) or not values or not all(isinstance(value, str | int | float) for value in values):
            raise Failure(f"{place}: {axis} = {values!r}: expected a list of texts or numbers")
    return [Cell(tuple(zip(order, chosen, strict=True))) for chosen in product(*(block[axis] for axis in order))]


def in_cell(content: Tree, size_name: str, cell: Cell, where: str) -> dict[str, Any]:
    """The tree of this size in this cell: no axes, and no $ in it any more."""
    size = {key: value for key, value in content["size"][size_name].items() if key not in ("axis", "given")}
    values = cell.values | given(content["size"][size_name], cell.values, f"{where}.size.{size_name}: given")
    used: set[str] = set()
    tree = substituted(content | {"size": {size_name: size}}, values, used, where)
    for name in values:
        if name not in used:
            raise Failure(f"{where}.size.{size_name}: {name} is never used, expected ${name} somewhere in the file")
    return tree


def given(size: Tree, chosen: Tree, place: str) -> dict[str, Any]:
    """The values that follow from the axes' own."""
    values: Tree = {}
    for block in size.get("given", []):
        when = block.get("when", {})
        for axis, wanted in when.items():
            if axis not in chosen or not isinstance(wanted, list):
                raise Failure(f"{place}: when: {axis} = {wanted!r}: expected a list of values of one of "
                              f"{', '.join(chosen) or 'no axis'}")
        follows = {name: value for name, value in block.items() if name != "when"}
        for name, value in follows.items():
            if name in chosen or not AXIS.fullmatch(name) or not isinstance(value, str | int | float):
                raise Failure(f"{place}: {name} = {value!r}: expected a text or number, under a name that no axis has")
        if all(chosen[axis] in wanted for axis, wanted in when.items()):
            values |= follows
    return values


def substituted(node: Any, values: Tree, used: set[str], where: str) -> Any:
    if isinstance(node, dict):
        return {key: substituted(value, values, used, f"{where}.{key}") for key, value in node.items()}
    if isinstance(node, list):
        return [substituted(value, values, used, where) for value in node]
    if not isinstance(node, str):
        return node
    for axis in REFERENCE.findall(node):
        if axis not in values:
            raise Failure(f"{where} = {node!r}: nothing is named {axis} in this size, expected one of {', '.join(values) or 'none'}")
        used.add(axis)
    whole = REFERENCE.fullmatch(node)
    return values[whole[1]] if whole else REFERENCE.sub(lambda found: str(values[found[1]]), node)
