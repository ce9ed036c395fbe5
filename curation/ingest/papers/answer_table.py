"""Answer keys as CSV: a row with the number and the answer of each problem."""

from __future__ import annotations

import csv
from pathlib import Path

from curation.errors import InputError
from curation.ingest.papers.answers import without_dollars
from curation.ingest.papers.items import Fault, Item

_NUMBER_NAMES = ("number", "no", "#", "problem", "question", "id")
_ANSWER_NAMES = ("answer", "answers", "solution", "key")


def read_csv_key(path: Path, shown: str, place: int) -> list[Item | Fault]:
    """Return the answers of a table: of the columns that its first row names, else of its first two.

    Args:
        path: the file.
        shown: its path in the archive, for locations.
        place: the file's place among those of its round.

    Raises:
        InputError: the file cannot be opened.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    try:
        rows = [row for row in csv.reader(text.splitlines(keepends=True)) if any(cell.strip() for cell in row)]
    except csv.Error as error:
        return [Fault(shown, "unreadable_csv", f"the file cannot be read as CSV: {error}")]
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    number, answer = _column(header, _NUMBER_NAMES, 0), _column(header, _ANSWER_NAMES, 1)
    found = [
        Item((place * 1000, given), "", given, "", None, (without_dollars(row[answer].strip()),), f"{shown}:{line}")
        for line, row in enumerate(rows, 1)
        if len(row) > max(number, answer) and (given := row[number].strip().rstrip(".")).isdecimal()
    ]
    return [*found] or [Fault(f"{shown}:1", "no_answer_list", "the table holds no numbers with answers")]


def _column(header: list[str], names: tuple[str, ...], otherwise: int) -> int:
    return next((header.index(name) for name in names if name in header), otherwise)
