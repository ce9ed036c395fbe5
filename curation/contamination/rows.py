"""Rows of a data set or benchmark, wherever it is."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from curation.errors import InputError, OutsideError
from curation.ingest.readers import BadRow, RawRow
from curation.json_reader import JsonNumber, JsonTextError, JsonValue, iterate_array, loads


def dataset_rows(dataset: str) -> Iterator[RawRow | BadRow]:
    """Yield the rows of a file, a folder or ``hub://owner/name``.

    Raises:
        InputError: there is no such file, or it cannot be used.
        OutsideError: the Hub cannot be reached.
    """
    if dataset.startswith("hub://"):
        rows, _ = hub_rows(dataset.removeprefix("hub://"), "main", ())
        return rows
    return local_rows(Path(dataset))


def hub_rows(hub: str, revision: str, files: Sequence[str]) -> tuple[Iterator[RawRow | BadRow], str]:
    """Return the rows of a Hub data set and the commit they are from.

    Raises:
        OutsideError: the Hub cannot be reached.
    """
    raise OutsideError(f"{hub} cannot be fetched from the Hub")


def local_rows(path: Path) -> Iterator[RawRow | BadRow]:
    """Yield the rows of a file, or of all files in a folder in the order of their names."""
    if not path.exists():
        raise InputError(f"{path} does not exist: check the path")
    if path.is_dir():
        files = [file for file in sorted(path.rglob("*")) if file.is_file() and not file.name.startswith(".")]
        for file in files:
            yield from local_rows(file)
        return
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        for number, row in enumerate(pl.read_parquet(path).iter_rows(named=True), start=1):
            yield RawRow(f"{path}:row {number}", _plain(row))
        return
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            if suffix == ".csv":
                for number, row in enumerate(csv.DictReader(stream), start=1):
                    yield RawRow(f"{path}:row {number}", dict(row))
            elif suffix == ".json":
                for number, value in enumerate(iterate_array(stream), start=1):
                    yield RawRow(f"{path}:row {number}", value)
            else:
                for number, line in enumerate(stream, start=1):
                    if line.strip():
                        yield RawRow(f"{path}:{number}", loads(line))
    except (UnicodeDecodeError, JsonTextError) as error:
        raise InputError(f"{path} cannot be read ({error})") from None


def _plain(value: object) -> JsonValue:
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | bool):
        return value
    return JsonNumber(value)
