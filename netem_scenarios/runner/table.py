# SPDX-License-Identifier: GPL-2.0
"""A TOML table that is read once, key by key; every complaint names file, table, key and value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn

from .failure import Failure

if TYPE_CHECKING:
    from .quantity import Units

REQUIRED = object()
NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list",
         dict: "a table"}


class Table:
    def __init__(self, content: dict[str, Any], where: str) -> None:
        self.content = dict(content)
        self.where = where

    def fail(self, key: str, value: Any, complaint: object) -> NoReturn:
        raise Failure(f"{self.where}: {key} = {value!r}: {complaint}")

    def take(self, key: str, kind: type, default: Any = REQUIRED) -> Any:
        if key not in self.content:
            if default is REQUIRED:
                raise Failure(f"{self.where}: key {key} is missing, expected {NAMES[kind]}")
            return default
        value = self.content.pop(key)
        accepted = (int, float) if kind is float else kind
        if not isinstance(value, accepted) or (isinstance(value, bool) and kind is not bool):
            self.fail(key, value, f"expected {NAMES[kind]}")
        return value

    def take_one_of(self, key: str, allowed: Iterable[str], default: Any = REQUIRED) -> Any:
        value = self.take(key, str, default)
        if value is not None and value not in allowed:
            self.fail(key, value, f"expected one of {', '.join(allowed)}")
        return value

    def take_number(self, key: str, low: float, high: float, default: Any = REQUIRED) -> Any:
        value = self.take(key, float, default)
        if value is not default and not low <= value <= high:
            self.fail(key, value, f"expected a number from {low} to {high}")
        return value

    def take_quantity(self, key: str, units: Units, dimension: str, default: Any = REQUIRED) -> Any:
        value = self.take(key, str, default)
        if value is default and default is not REQUIRED:
            return default
        try:
            return units.parse(value, dimension).value
        except Failure as failure:
            return self.fail(key, value, failure)

    def take_texts(self, key: str, default: Any = REQUIRED) -> Any:
        values = self.take(key, list, default)
        if values is not default and not all(isinstance(value, str) for value in values):
            self.fail(key, values, "expected a list of texts")
        return values

    def take_table(self, key: str) -> Table:
        return Table(self.take(key, dict, {}), f"{self.where}.{key}")

    def take_tables(self, key: str, default: Any = REQUIRED) -> Any:
        """The tables of an array [[key]], numbered from 1 in messages; at least one."""
        entries = self.take(key, list, default)
        if entries is default:
            return default
        if not entries or not all(isinstance(entry, dict) for entry in entries):
            self.fail(key, entries, f"expected one or more [[{key}]] tables")
        return [Table(entry, f"{self.where}: {key} {number}") for number, entry in enumerate(entries, 1)]

    def done(self) -> None:
        for key, value in self.content.items():
            self.fail(key, value, "unknown key")
