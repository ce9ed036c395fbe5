"""The shape of an input: lines of fields, repeated in a line or over lines, with counts that the input announces.

Parsing is strict: one space between tokens, every line ends in a line feed, nothing follows the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind = Literal["int", "real", "word"]
_INTEGER_FORM, _REAL_FORM = r"(?:0|-?[1-9][0-9]{0,999})", r"-?(?:0|[1-9][0-9]{0,99})\.[0-9]{1,99}"
_INTEGER, _REAL = re.compile(_INTEGER_FORM), re.compile(_REAL_FORM)
_NUMBER_FORM = f"(?:{_REAL_FORM}|{_INTEGER_FORM})"
_COLUMNS = {
    "int": re.compile(f"{_INTEGER_FORM}(?: {_INTEGER_FORM})*+"),
    "real": re.compile(f"{_NUMBER_FORM}(?: {_NUMBER_FORM})*+"),
}
"""What a column's tokens match together; an integer is a real number too, and any token is a word."""
_OTHER_SPACE = "\t\r\v\f\x1c\x1d\x1e\x1f\x85\xa0"


@dataclass(frozen=True, slots=True)
class Field:
    """One token. ``key`` is its place among the grammar's fields."""

    key: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Count:
    """``times * field + plus``; without a field a constant."""

    field: int | None
    times: int = 1
    plus: int = 0

    def of(self, scope: Mapping[int, int]) -> int | None:
        """Return its value where the fields in scope have these values; None where its field has none."""
        if self.field is None:
            return self.plus
        value = scope.get(self.field)
        return None if value is None else self.times * value + self.plus


@dataclass(frozen=True, slots=True)
class Repeat:
    """Fields that stand several times in one line."""

    count: Count
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line."""

    items: tuple[Field | Repeat, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that stand several times."""

    count: Count
    body: tuple[Node, ...]


Node: TypeAlias = "Line | Block"


@dataclass(slots=True)
class LineValue:
    """A line's tokens: of each item its tuples; a field is one tuple of one token."""

    items: list[list[list[str]]]


@dataclass(slots=True)
class BlockValue:
    """The values of each time that a block stands."""

    bodies: list[Values]


Values: TypeAlias = "list[LineValue | BlockValue]"
"""The values of a list of nodes."""


def kind_of(token: str) -> Kind:
    """Return what a token is."""
    if _INTEGER.fullmatch(token):
        return "int"
    return "real" if _REAL.fullmatch(token) else "word"


def split_lines(text: str) -> list[list[str]] | None:
    """Return the tokens of each line; None where white space is not as strict as the module says."""
    if not text.endswith("\n") or any(character in text for character in _OTHER_SPACE):
        return None
    lines = [line.split(" ") if line else [] for line in text[:-1].split("\n")]
    return lines if sum(map(len, lines)) == len(text.split()) else None


def parse(nodes: tuple[Node, ...], text: str) -> Values | None:
    """Return an input's values; None where it is not of this shape."""
    lines = split_lines(text)
    if lines is None:
        return None
    parsed = parse_lines(nodes, lines, 0, {})
    return None if parsed is None or parsed[1] != len(lines) else parsed[0]


def parse_lines(
    nodes: tuple[Node, ...], lines: list[list[str]], place: int, scope: dict[int, int]
) -> tuple[Values, int] | None:
    """Parse nodes from a line on; fields enter ``scope``. Return their values and the place after them, or None."""
    values: Values = []
    for node in nodes:
        if isinstance(node, Line):
            if place >= len(lines):
                return None
            found = _parse_line(node, lines[place], scope)
            if found is None:
                return None
            values.append(found)
            place += 1
            continue
        count = node.count.of(scope)
        if count is None or not 0 <= count <= len(lines) - place:
            return None
        columns = table_fields(node)
        if columns is not None:
            rows = lines[place : place + count]
            if not _are_rows(columns, rows):
                return None
            values.append(BlockValue([[LineValue([[[token]] for token in row])] for row in rows]))
            place += count
            continue
        bodies: list[Values] = []
        for _ in range(count):
            inner = parse_lines(node.body, lines, place, dict(scope))
            if inner is None:
                return None
            bodies.append(inner[0])
            place = inner[1]
        values.append(BlockValue(bodies))
    return values, place


def _parse_line(line: Line, tokens: list[str], scope: dict[int, int]) -> LineValue | None:
    items: list[list[list[str]]] = []
    place = 0
    for item in line.items:
        fields = (item,) if isinstance(item, Field) else item.fields
        count = 1 if isinstance(item, Field) else item.count.of(scope)
        width = len(fields)
        if count is None or not 0 <= count * width <= len(tokens) - place:
            return None
        rows = [tokens[start : start + width] for start in range(place, place + count * width, width)]
        if not _are_rows(fields, rows):
            return None
        if isinstance(item, Field) and item.kind == "int":
            scope[item.key] = int(rows[0][0])
        items.append(rows)
        place += count * width
    return LineValue(items) if place == len(tokens) else None


def _are_rows(fields: tuple[Field, ...], rows: list[list[str]]) -> bool:
    """Whether rows have these columns; a column is matched as one text, as it may have a hundred thousand tokens."""
    if any(len(row) != len(fields) for row in rows):
        return False
    return all(
        field.kind == "word" or not rows or _COLUMNS[field.kind].fullmatch(" ".join([row[place] for row in rows]))
        for place, field in enumerate(fields)
    )


def table_fields(block: Block) -> tuple[Field, ...] | None:
    """Return the columns of a block that is a table, one line of plain fields; None for any other."""
    if len(block.body) != 1 or not isinstance(block.body[0], Line):
        return None
    items = block.body[0].items
    found = tuple(item for item in items if isinstance(item, Field))
    return found if len(found) == len(items) else None


def render(values: Values) -> str:
    """Return the text of an input with these values."""
    return "".join(line + "\n" for line in _lines(values))


def _lines(values: Values) -> Iterator[str]:
    for value in values:
        if isinstance(value, BlockValue):
            for body in value.bodies:
                yield from _lines(body)
        else:
            yield " ".join(token for rows in value.items for row in rows for token in row)


def fields_of(nodes: tuple[Node, ...]) -> list[Field]:
    """Return a grammar's fields in order."""
    found: list[Field] = []
    for node in nodes:
        if isinstance(node, Block):
            found += fields_of(node.body)
        else:
            for item in node.items:
                found += [item] if isinstance(item, Field) else item.fields
    return found


def counts_of(nodes: tuple[Node, ...]) -> list[Count]:
    """Return the counts of a grammar's repeats and blocks, in order."""
    found: list[Count] = []
    for node in nodes:
        if isinstance(node, Block):
            found += [node.count, *counts_of(node.body)]
        else:
            found += [item.count for item in node.items if isinstance(item, Repeat)]
    return found
