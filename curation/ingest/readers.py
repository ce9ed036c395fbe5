"""Rows out of files."""

from __future__ import annotations

from dataclasses import dataclass

from curation.json_reader import JsonValue


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row as the source has it.

    Attributes:
        location: file and line (``a.jsonl:7``) or file and row (``a.parquet:row 7``), counted from 1.
        value: the row, an object or a list; numbers as `JsonNumber`.
    """

    location: str
    value: JsonValue


@dataclass(frozen=True, slots=True)
class BadRow:
    """One row that cannot be read.

    Attributes:
        location: as in `RawRow`.
        rule: the ledger's name for what is wrong.
        reason: one sentence.
    """

    location: str
    rule: str
    reason: str
