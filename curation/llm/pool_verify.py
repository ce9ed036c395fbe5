"""Read a pool through and say what is wrong with it; nothing is changed.

Every page of every part is read and its checksum compared; every response's key is computed anew from its columns, but
for imported logs, whose prompts nobody knows; no key may stand twice; verdicts must be on responses that are there;
every line of a journal must be one response.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from curation.errors import InputError
from curation.json_reader import JsonTextError
from curation.llm import journal, parts, places
from curation.llm.engine import recomputed_key
from curation.llm.places import PoolPath
from curation.llm.pool import IMPORTED, JOURNALS, RESPONSES, check_pool
from curation.llm.pool_compact import TABLES
from curation.llm.verdicts import VERDICTS
from curation.records import RESPONSE_SCHEMA, Response

_LATER_COLUMNS = frozenset({"statement", "key_rest", "logprobs", "versions"})
"""Columns that parts of earlier versions lack."""

_DOUBLE = "keys that stand in the pool already"


@dataclass(frozen=True, slots=True)
class Defect:
    """Something that is wrong with a file of a pool: how many rows or lines it concerns, 0 for the file as a whole."""

    file: str
    what: str
    count: int = 0


@dataclass(frozen=True, slots=True)
class Verified:
    """What a pool holds, and what is wrong with it.

    Attributes:
        parts: files read.
        responses: rows of the responses' parts that could be read.
        imported: those whose key nobody can compute anew.
        waiting: responses in journals.
        notes: what is no defect and will be put right when the pool is opened next, or compacted.
    """

    parts: int
    responses: int
    imported: int
    waiting: int
    defects: list[Defect]
    notes: list[Defect]


def verify(pool: PoolPath) -> Verified:
    """Read a pool through, a row group at a time; about 100 bytes of memory a response.

    Raises:
        InputError: there is no pool.
    """
    check_pool(pool)
    reading = _Reading(pool)
    for table, schema in TABLES.items():
        for path in parts.paths(pool / table):
            reading.part(table, path, schema)
        for path in parts.superseded(pool / table):
            reading.notes.append(Defect(reading.name(path), "left by a compaction that was killed"))
    for path in sorted((places.home(pool) / JOURNALS).glob("*")):
        reading.journal(path)
    return Verified(reading.parts, reading.responses, reading.imported, reading.waiting, reading.defects, reading.notes)


class _Reading:
    def __init__(self, pool: PoolPath) -> None:
        self._pool = pool
        self._known: set[bytes] = set()
        self.parts = self.responses = self.imported = self.waiting = 0
        self.defects: list[Defect] = []
        self.notes: list[Defect] = []

    def name(self, path: PoolPath) -> str:
        return f"{path.parent.name}/{path.name}"

    def part(self, table: str, path: PoolPath, schema: pl.Schema) -> None:
        self.parts += 1
        wrong: Counter[str] = Counter()
        try:
            present = frozenset(parts.footer(path).schema.to_arrow_schema().names)
            missing = [name for name in schema if name not in present and name not in _LATER_COLUMNS]
            if missing:
                raise InputError(f"it has no column {missing[0]!r}")
            for group in range(parts.row_groups(path)):
                frame = parts.row_group(path, group, schema, checked=True)
                if table == RESPONSES:
                    wrong.update(self._wrong_responses(frame))
                elif table == VERDICTS:
                    wrong.update(self._lost_verdicts(frame))
        except (InputError, pl.exceptions.PolarsError) as error:
            self.defects.append(Defect(self.name(path), f"it cannot be read: {error}"))
        for what, count in sorted(wrong.items()):
            # Where nothing keeps the writers of several machines apart, two of them may store one response.
            elsewhere = what == _DOUBLE and not isinstance(path, Path)
            (self.notes if elsewhere else self.defects).append(Defect(self.name(path), what, count))

    def journal(self, path: Path) -> None:
        whole = journal.count(path)
        self.waiting += whole.responses
        if whole.unreadable:
            self.defects.append(Defect(self.name(path), "lines that are no response", whole.unreadable))
        if whole.torn:
            self.notes.append(Defect(self.name(path), "its last line is torn, or is being written"))

    def _wrong_responses(self, frame: pl.DataFrame) -> Iterator[str]:
        for row in frame.select(RESPONSE_SCHEMA.names()).iter_rows(named=True):
            self.responses += 1
            response = Response(**row)
            try:
                key = bytes.fromhex(response.response_id)
            except ValueError:
                yield "keys that are none"
                continue
            if key in self._known:
                yield _DOUBLE
            self._known.add(key)
            if response.text is None or response.failure is not None:
                yield "rows without a text"
            if response.engine == IMPORTED:
                self.imported += 1
            elif not _has_its_key(response):
                yield "keys that are not those of their rows"

    def _lost_verdicts(self, frame: pl.DataFrame) -> Iterator[str]:
        for response_id in frame["response_id"]:
            if bytes.fromhex(response_id) not in self._known:
                yield "verdicts on responses that are not in the pool"


def _has_its_key(response: Response) -> bool:
    try:
        return recomputed_key(response) == response.response_id
    except JsonTextError:
        return False
