"""An input taken apart into scalars and tables, in order, with the named values that each of them can refer to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curation.testgen.grammar import Block, BlockValue, Field, Line, Node, Repeat, Values, table_fields


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of fields that stand together: one row for scalars, any number for a table.

    Attributes:
        fields: its columns.
        rows: its tokens, row by row; change them with `put` only.
        scope: the named integers that come before it, and the lengths of words as ``|s|``.
        is_table: it repeats.
        cells: where the tokens stand in the document, if that is not in ``rows``.
    """

    fields: tuple[Field, ...]
    rows: list[list[str]]
    scope: dict[str, int]
    is_table: bool
    cells: list[list[list[list[str]]]] | None = None

    def put(self, row: int, place: int, token: str) -> None:
        """Change one token in the document."""
        self.rows[row][place] = token
        if self.cells is not None:
            self.cells[row][place][0][0] = token

    def column(self, place: int) -> list[str]:
        """Return one column's tokens."""
        return [row[place] for row in self.rows]


def parts(nodes: tuple[Node, ...], values: Values, names: Sequence[str]) -> Iterator[Part]:
    """Yield the parts of an input in order.

    Args:
        nodes: its grammar.
        values: its values.
        names: the name of each field, by key; empty for none.
    """
    yield from _parts(nodes, values, names, {})


def _parts(nodes: tuple[Node, ...], values: Values, names: Sequence[str], scope: dict[str, int]) -> Iterator[Part]:
    for node, value in zip(nodes, values, strict=True):
        if isinstance(node, Block) and isinstance(value, BlockValue):
            columns = table_fields(node)
            if columns is not None:
                cells = [_items(body) for body in value.bodies]
                rows = [[cell[0][0] for cell in row] for row in cells]
                yield Part(columns, rows, dict(scope), is_table=True, cells=cells)
            else:
                for body in value.bodies:
                    yield from _parts(node.body, body, names, dict(scope))
        elif isinstance(node, Line) and not isinstance(value, BlockValue):
            for item, item_rows in zip(node.items, value.items, strict=True):
                fields = (item,) if isinstance(item, Field) else item.fields
                yield Part(fields, item_rows, dict(scope), is_table=isinstance(item, Repeat))
                if isinstance(item, Field):
                    enter(scope, names[item.key], item.kind, item_rows[0][0])


def _items(body: Values) -> list[list[list[str]]]:
    line = body[0]
    return [] if isinstance(line, BlockValue) else line.items


def enter(scope: dict[str, int], name: str, kind: str, token: str) -> None:
    """Put a token's value, or a word's length, into a scope under its name."""
    if not name:
        return
    if kind == "int":
        scope[name] = int(token)
    elif kind == "word":
        scope[f"|{name}|"] = len(token)
