"""Rows as the lines of JSON that they are written as, made by a process that need not be the one that writes."""

from __future__ import annotations

from collections.abc import Mapping

from curation.json_reader import JsonValue, dumps


class RowLines:
    """Rows as they are written, held in memory.

    Attributes:
        lines: one a row, with its line end.
        columns: the rows' columns in the order in which they came up.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.columns: dict[str, None] = {}

    def write(self, row: Mapping[str, JsonValue]) -> None:
        """Add a row."""
        if not row.keys() <= self.columns.keys():
            self.columns.update(dict.fromkeys(row))
        self.lines.append(dumps(row) + "\n")
