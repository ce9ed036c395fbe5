"""Rows of which a part stands in other files of the source, as the tests of a problem that has many of them."""

from __future__ import annotations

from collections.abc import Mapping

from curation.ingest.code_section import RowsBeside
from curation.ingest.files import read_place
from curation.ingest.place import DataFile, Place
from curation.ingest.readers import BadRow, RawRow, Rows
from curation.json_reader import JsonValue, as_text


def with_rows_beside(rows: Rows, described: RowsBeside, place: Place) -> Rows:
    """Yield the rows, each with those that belong to it in a column of its own.

    A file is read anew for each row that names it, because one may be larger than memory.

    Args:
        rows: the source's rows.
        described: which files and columns.
        place: where those files are.

    Raises:
        InputError: a file is damaged.
        OutsideError: the network failed.
    """
    files = {file.name: file for file in place.files}
    for row in rows:
        if isinstance(row, BadRow) or not isinstance(row.value, dict):
            yield row
            continue
        name = described.file(row.value)
        found = None if name is None or name not in files else _belonging(files[name], row.value, described, place)
        if isinstance(found, BadRow):
            yield BadRow(row.location, found.rule, f"{found.location}: {found.reason}", found.evidence)
        else:
            yield RawRow(row.location, {**row.value, described.into: found})


def _belonging(
    file: DataFile, row: Mapping[str, JsonValue], described: RowsBeside, place: Place
) -> list[JsonValue] | BadRow:
    wanted, found = as_text(row.get(described.of)), []
    for other in read_place(Place(place.address, (file,), place.revision)):
        if isinstance(other, BadRow):
            return other
        if isinstance(other.value, dict) and as_text(other.value.get(described.key)) == wanted:
            found.append(other.value)
    return list(found)
