"""All rows of a place as one stream, whatever its files are: told apart by content and name, read in sorted order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from curation.errors import InputError, OutsideError
from curation.ingest.arrow_tables import read_arrow, read_parquet
from curation.ingest.catalog import Format
from curation.ingest.compression import DAMAGE, decompressed, first_bytes, without_suffix
from curation.ingest.csv_tables import read_csv
from curation.ingest.fetch.manifest import addresses
from curation.ingest.packages.reader import read_packages
from curation.ingest.papers.archive import read_archive
from curation.ingest.papers.layout import Papers
from curation.ingest.place import Place
from curation.ingest.readers import (
    SUFFIXES,
    BadRow,
    Kind,
    OpenFile,
    Rows,
    UnparsedRows,
    json_lines,
    parsed,
    read_json,
)
from curation.ingest.usaco.reader import read_usaco
from curation.object_stores import client_errors

UNKNOWN_FILE = "unknown_file"
"""The rule of a file that is of no kind that can be read."""

_MAGIC: dict[bytes, Kind] = {b"PAR1": "parquet", b"ARROW1": "arrow"}
_POINTER = b"version https://git-lfs.github.com/spec/"
_LOOKED_AT = 4_096
_BAD_ROWS_HELD = 1_000


def read_place(
    place: Place, form: Format = "auto", keys: frozenset[str] | None = None, papers: Papers | None = None
) -> Rows:
    """Yield every row of a place. Files of an unknown kind are bad rows.

    Args:
        place: the place.
        form: the format of all files; ``auto`` tells each by its content and name.
        keys: columns that Parquet and Arrow files need to give; None for all.
        papers: how a contest archive lies in its folder; for the format ``papers`` alone.

    Raises:
        InputError: a file is empty or damaged, or none of its rows can be read; or there is no file of a known kind.
        OutsideError: the network failed.
    """
    if papers is not None:
        if place.folder is None:
            raise InputError(f"{place.address}: contest papers are read from a folder: give its path")
        yield from read_archive(place.folder, papers, addresses(place.folder))
        return
    if form in _FOLDERS:
        what, read_folder = _FOLDERS[form]
        if place.folder is None:
            raise InputError(f"{place.address}: {what} are read from a folder: give its path")
        yield from read_folder(place.folder)
        return
    yield from map(parsed, read_unparsed(place, form, keys))


def read_unparsed(place: Place, form: Format = "auto", keys: frozenset[str] | None = None) -> UnparsedRows:
    """Yield every row of a place's data files as `read_place` does, and lines of JSON as they stand there.

    Raises:
        InputError: a file is empty or damaged, or none of its rows can be read; or there is no file of a known kind.
        OutsideError: the network failed.
    """
    found = False
    for file in place.files:
        with explained(file.name, remote=file.remote):
            for name, open_file in decompressed(file.open_file, file.name):
                kind = _kind(name, open_file, form, alone=len(place.files) == 1)
                if kind is None:
                    yield BadRow(name, UNKNOWN_FILE, "the file is no JSONL, JSON, CSV, Parquet or Arrow file")
                else:
                    found = True
                    yield from _usable(_READERS[kind](open_file, name, keys), name)
    if not found:
        raise InputError(f"{place.address} holds no JSONL, JSON, CSV, Parquet or Arrow file: give one")


_FOLDERS: dict[Format, tuple[str, Callable[[Path], Rows]]] = {
    "packages": ("problem packages", read_packages),
    "usaco": ("USACO's problems", read_usaco),
}

_READERS: dict[Kind, Callable[[OpenFile, str, frozenset[str] | None], UnparsedRows]] = {
    "jsonl": lambda open_file, name, keys: json_lines(open_file, name),
    "json": lambda open_file, name, keys: read_json(open_file, name),
    "csv": lambda open_file, name, keys: read_csv(open_file, name, ","),
    "tsv": lambda open_file, name, keys: read_csv(open_file, name, "\t"),
    "parquet": read_parquet,
    "arrow": read_arrow,
}


def _kind(name: str, open_file: OpenFile, form: Format, *, alone: bool) -> Kind | None:
    start = first_bytes(open_file, _LOOKED_AT)
    if not start:
        raise InputError(f"{name} is empty: fetch it again or leave it out")
    if start.startswith(_POINTER):
        raise InputError(f"{name} only points to its content: fetch it with git lfs pull")
    suffix = PurePosixPath(without_suffix(name)).suffix.lower()
    if form == "csv":
        return "tsv" if suffix == ".tsv" else "csv"
    if form in ("jsonl", "json", "parquet", "arrow"):
        return form
    by_content = next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), None)
    if by_content or suffix in SUFFIXES:
        return by_content or SUFFIXES[suffix]
    # In a folder a README may start with a bracket; a file that the user names is meant to be read.
    return "json" if alone and start.lstrip()[:1] in (b"{", b"[") else None


@contextmanager
def explained(name: str, *, remote: bool) -> Iterator[None]:
    """Say in one sentence why a file cannot be read to its end.

    Args:
        name: the file's, for the sentence.
        remote: whether reading it can fail because of the network.

    Raises:
        InputError: it is damaged.
        OutsideError: the network failed.
    """
    try:
        yield
    except DAMAGE as error:
        raise InputError(f"{name} is damaged or cut off ({error}): fetch it again") from None
    except client_errors() as error:
        # Arrow's errors go over several lines.
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        if remote:
            raise OutsideError(f"{name} cannot be read over the network ({reason}): run again") from None
        raise InputError(f"{name} cannot be read ({reason}): fetch it again") from None


def _usable(rows: UnparsedRows, name: str) -> UnparsedRows:
    """Pass rows on; a file whose rows are all bad is of another kind than it seems."""
    held: list[BadRow] = []
    for given in rows:
        row = parsed(given)
        if isinstance(row, BadRow) and len(held) < _BAD_ROWS_HELD:
            held.append(row)
            continue
        if isinstance(row, BadRow):
            break
        yield from held
        yield row
        yield from rows
        return
    if held:
        first = held[0]
        raise InputError(f"{name} has no row that can be read; {first.location}: {first.reason}: mend the file")
