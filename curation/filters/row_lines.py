"""Rows as the lines of JSON that they are written as, made by a process that need not be the one that writes."""

from __future__ import annotations

from collections.abc import Mapping

from curation.json_reader import JsonValue, dumps


class RowLines:
    """Rows as they are written, held in memory. In another process they arrive as one text, which costs least.

    Attributes:
        lines: the text of the rows, in pieces that end where lines end.
        count: how many rows they are.
        columns: the rows' columns in the order in which they came up.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0
        self.columns: dict[str, None] = {}

    def write(self, row: Mapping[str, JsonValue]) -> None:
        """Add a row."""
        if not row.keys() <= self.columns.keys():
            self.columns.update(dict.fromkeys(row))
        self.lines.append(dumps(row) + "\n")
        self.count += 1

    def __getstate__(self) -> dict[str, object]:
        return {"lines": ["".join(self.lines)], "count": self.count, "columns": self.columns}
