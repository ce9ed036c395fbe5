"""Merge pools into one: each key once, and what stands differently under one key told, not hidden.

The first pool's text stays. Every part is taken over by itself, so that a merge that was killed goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from curation.errors import InputError
from curation.llm import parts, places, pool_problems
from curation.llm.places import PoolPath
from curation.llm.pool import RESPONSES, check_pool, open_pool
from curation.llm.pool_problems import PROBLEMS
from curation.llm.verdicts import VERDICT_SCHEMA, VERDICTS, verdict_key
from curation.records import PROBLEM_SCHEMA, RESPONSE_SCHEMA
from curation.storage import sha256_text

_SHOWN = 1000
_VERDICT_KEY = ("response_id", "grader", "version", "reference")


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two pools hold something else under one key: ``text``, ``finish_reason``, or ``grade``."""

    pool: str
    response_id: str
    problem_id: str
    what: str


@dataclass(slots=True)
class Merged:
    """What a merge did.

    Attributes:
        read: responses of the pools that were merged.
        added: those that were new.
        known: those that were there already, with the same text.
        verdicts: verdicts added.
        conflicts: how many responses or verdicts stand differently under one key.
        shown: the first thousand of them.
    """

    read: int = 0
    added: int = 0
    known: int = 0
    verdicts: int = 0
    conflicts: int = 0
    shown: list[Conflict] = field(default_factory=list)

    def conflict(self, conflict: Conflict) -> None:
        """Count a conflict."""
        self.conflicts += 1
        if len(self.shown) < _SHOWN:
            self.shown.append(conflict)


def merge(pools: Sequence[PoolPath], into: PoolPath) -> Merged:
    """Add the responses, verdicts and problems of ``pools`` to the pool ``into``, which may be new, in that order.

    Holds a key and a hash of each response in memory.

    Raises:
        InputError: a pool is none, is the target itself, or has a damaged part.
    """
    for pool in pools:
        check_pool(pool)
        if pool.resolve() == into.resolve():
            raise InputError(f"{pool} is the pool to merge into: name it once, as --into")
    merged = Merged()
    for pool in (*pools, into):
        if places.exists(pool):
            with open_pool(pool):
                pass
    responses = _Responses(into, merged)
    verdicts = _Verdicts(into, merged)
    for pool in pools:
        responses.take_from(pool)
        verdicts.take_from(pool)
        pool_problems.keep(into, parts.frames(pool / PROBLEMS, PROBLEM_SCHEMA))
    return merged


class _Responses:
    def __init__(self, into: PoolPath, merged: Merged) -> None:
        self._into, self._merged = into, merged
        self._known: dict[str, tuple[str, str | None]] = {}
        for frame in parts.frames(into / RESPONSES, RESPONSE_SCHEMA):
            self._known.update((row["response_id"], _content(row)) for row in frame.iter_rows(named=True))

    def take_from(self, pool: PoolPath) -> None:
        for path in parts.paths(pool / RESPONSES):
            groups = (parts.row_group(path, group, RESPONSE_SCHEMA) for group in range(parts.row_groups(path)))
            new = (frame.filter(self._new(frame, str(pool))) for frame in groups)
            _append(self._into, RESPONSES, new, RESPONSE_SCHEMA)

    def _new(self, frame: pl.DataFrame, pool: str) -> pl.Series:
        return pl.Series([self._is_new(row, pool) for row in frame.iter_rows(named=True)], dtype=pl.Boolean)

    def _is_new(self, row: dict[str, str], pool: str) -> bool:
        self._merged.read += 1
        content, stored = _content(row), self._known.get(row["response_id"])
        if stored is None:
            self._known[row["response_id"]] = content
            self._merged.added += 1
            return True
        if stored == content:
            self._merged.known += 1
        else:
            what = "text" if stored[0] != content[0] else "finish_reason"
            self._merged.conflict(Conflict(pool, row["response_id"], row["problem_id"], what))
        return False


class _Verdicts:
    def __init__(self, into: PoolPath, merged: Merged) -> None:
        self._into, self._merged = into, merged
        self._known: dict[bytes, str] = {}
        for frame in parts.frames(into / VERDICTS, VERDICT_SCHEMA):
            for row in frame.iter_rows(named=True):
                self._known[_verdict_key(row)] = row["grade"]

    def take_from(self, pool: PoolPath) -> None:
        frames = parts.frames(pool / VERDICTS, VERDICT_SCHEMA)
        new = (frame.filter(self._new(frame, str(pool))) for frame in frames)
        _append(self._into, VERDICTS, new, VERDICT_SCHEMA)

    def _new(self, frame: pl.DataFrame, pool: str) -> pl.Series:
        return pl.Series([self._is_new(row, pool) for row in frame.iter_rows(named=True)], dtype=pl.Boolean)

    def _is_new(self, row: dict[str, str], pool: str) -> bool:
        key = _verdict_key(row)
        if key not in self._known:
            self._known[key] = row["grade"]
            self._merged.verdicts += 1
            return True
        if self._known[key] != row["grade"]:
            self._merged.conflict(Conflict(pool, row["response_id"], row["problem_id"], "grade"))
        return False


def _append(into: PoolPath, table: str, frames: Iterable[pl.DataFrame], schema: pl.Schema) -> None:
    with places.locked(into):
        filled = (frame for frame in frames if frame.height)
        first = next(filled, None)
        if first is not None:
            parts.append(into / table, _with_first(first, filled), schema)


def _with_first(first: pl.DataFrame, others: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    yield first
    yield from others


def _content(row: dict[str, str]) -> tuple[str, str | None]:
    return sha256_text(f"{row['text']}\0{row['reasoning'] or ''}"), row["finish_reason"]


def _verdict_key(row: dict[str, str]) -> bytes:
    return verdict_key(*(row[name] for name in _VERDICT_KEY))
