"""Rows of a data set or benchmark, wherever it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curation.contamination import fields
from curation.contamination.scan import RowTexts
from curation.ingest.files import read_place
from curation.ingest.place import find_place, hub_place, local_place
from curation.ingest.readers import Rows


def dataset_rows(dataset: str) -> Rows:
    """Return the rows of a file, a folder, ``hub://owner/name`` or another address.

    Raises:
        InputError: it does not exist or cannot be used.
        OutsideError: the network failed.
    """
    return read_place(find_place(dataset, streaming=True))


def hub_rows(hub: str, revision: str, files: Sequence[str]) -> tuple[Rows, str | None]:
    """Return the rows of a Hub data set and the commit they are from.

    Raises:
        InputError: the Hub has no such data set, revision or file.
        OutsideError: the Hub cannot be reached and its cache does not hold the data set.
    """
    place = hub_place(hub, revision, files, streaming=False)
    return read_place(place), place.revision


def local_rows(path: Path) -> Rows:
    """Return the rows of a file or folder.

    Raises:
        InputError: it does not exist or cannot be used.
    """
    return read_place(local_place(path, str(path), ()))


def row_texts(number: int, row: fields.Row, columns: Sequence[str]) -> RowTexts:
    """Return what an audit looks at in a row.

    Args:
        number: its place, for a row without an identifier.
        row: the row.
        columns: the columns to look at; found by their names where none is given.
    """
    texts = tuple((one.column, one.text) for one in fields.texts(row, columns or fields.text_columns(row)))
    return RowTexts(
        row_id=fields.identifier(row) or str(number),
        texts=texts,
        answer=fields.answer(row),
        tags=tuple(fields.tags(row)),
    )
