"""Benchmark items out of the rows of a data set, or out of a contest folder of TeX files; and their fingerprint."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from curation.contamination import fields
from curation.contamination.items import BenchmarkItem
from curation.contamination.registry import ItemColumns
from curation.errors import InputError
from curation.ingest.readers import BadRow, RawRow
from curation.json_reader import as_text, dumps


class ItemRows:
    """The items of a benchmark's rows, and which rows are none.

    Attributes:
        items: the items, in the order of rows.
        unreadable: rows that are no items, which nothing can be checked against: where and why.

    Args:
        name: the benchmark's.
        columns: what its columns are called; found by their names where that is not given.
        rows: its rows.
    """

    def __init__(self, name: str, columns: ItemColumns | None, rows: Iterable[RawRow | BadRow]) -> None:
        self.items: list[BenchmarkItem] = []
        self.unreadable: list[str] = []
        for number, raw in enumerate(rows, start=1):
            row = fields.as_row(raw.value) if isinstance(raw, RawRow) else None
            if row is None:
                self.unreadable.append(f"{raw.location}: {raw.reason if isinstance(raw, BadRow) else 'no object'}")
                continue
            problem, identifier, answer = _read(row, columns)
            if problem is None or not problem.strip():
                self.unreadable.append(f"{raw.location}: no problem in it")
                continue
            self.items.append(BenchmarkItem(name, identifier or str(number), problem, answer))


def contest_folder_items(folder: Path, name: str) -> Iterator[BenchmarkItem]:
    """Yield the items of a folder with ``problems/N.tex`` and, where there is one, ``answers.csv`` (id, answer).

    Raises:
        InputError: a file is not UTF-8, or the answers have no such columns.
    """
    answers = _answers(folder / "answers.csv")
    files = [path for path in (folder / "problems").iterdir() if path.suffix == ".tex"]
    for path in sorted(files, key=lambda file: (len(file.stem), file.stem)):
        try:
            text = path.read_text(encoding="utf-8").strip()
        except UnicodeDecodeError:
            raise InputError(f"{path} is not UTF-8: convert it") from None
        yield BenchmarkItem(name, path.stem, text, answers.get(path.stem))


def fingerprint(items: Iterable[BenchmarkItem]) -> str:
    """Return the SHA-256 over identifiers, texts and answers, in order."""
    digest = hashlib.sha256()
    for item in items:
        digest.update(dumps([item.benchmark_id, item.text, item.answer]).encode() + b"\n")
    return digest.hexdigest()


def _read(row: fields.Row, columns: ItemColumns | None) -> tuple[str | None, str | None, str | None]:
    if columns is None:
        return fields.problem_text(row), fields.identifier(row), fields.answer(row)
    return (
        as_text(row.get(columns.problem)),
        as_text(row.get(columns.id)) if columns.id else None,
        as_text(row.get(columns.answer)) if columns.answer else None,
    )


def _answers(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, skipinitialspace=True))
    if rows and not {"id", "answer"} <= set(rows[0]):
        raise InputError(f"{path} has no columns id and answer: add its header line")
    return {row["id"].strip(): row["answer"].strip() for row in rows if row["answer"] is not None}
