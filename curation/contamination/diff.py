"""`curation audit diff`: what a later audit finds that an earlier one did not, and the other way round.

Hits can be compared only where both audits had the same items. A benchmark that only one of them checked, or of which
they had other revisions, is left out by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import polars as pl

from curation import storage
from curation.contamination.audit import check_kinds
from curation.contamination.items import KINDS, MATCH_SCHEMA
from curation.errors import InputError
from curation.json_reader import JsonTextError, JsonValue, as_text, loads

_COMPARED = pl.Schema({name: MATCH_SCHEMA[name] for name in ("row_id", "column", "benchmark", "benchmark_id", "kind")})
_SURENESS: Mapping[str, int] = {kind: place for place, kind in enumerate(KINDS)}


@dataclass(frozen=True, slots=True)
class HitChange:
    """One pair of row and item whose hit is not the same in both audits.

    Attributes:
        change: ``appeared``, ``vanished`` or ``changed`` (the kind).
        benchmark_id: the item; empty for a contest that is excluded whole.
    """

    change: Literal["appeared", "vanished", "changed"]
    row_id: str
    column: str
    benchmark: str
    benchmark_id: str
    kind_before: str | None
    kind_after: str | None


@dataclass(frozen=True, slots=True)
class BenchmarkDiff:
    """One benchmark, or excluded contest, in numbers of hits."""

    name: str
    before: int
    after: int
    appeared: int
    vanished: int
    changed: int


@dataclass(frozen=True, slots=True)
class NotCompared:
    """A benchmark that the two audits cannot be compared on."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class AuditDiff:
    """Two audits compared.

    Attributes:
        before: the earlier audit's directory.
        after: the later one's.
        benchmarks: those compared.
        not_compared: those left out, and why.
        notes: what else differs and can explain the changes.
        hits: every change, appeared ones first, the surest kinds first.
        failed: a hit appeared, or changed to a kind, that ``fail_on`` names.
    """

    before: Path
    after: Path
    benchmarks: tuple[BenchmarkDiff, ...]
    not_compared: tuple[NotCompared, ...]
    notes: tuple[str, ...]
    hits: tuple[HitChange, ...]
    failed: bool


class _Place(NamedTuple):
    row_id: str
    column: str
    benchmark: str
    benchmark_id: str


def compare_audits(before: Path, after: Path, fail_on: Sequence[str] = ()) -> AuditDiff:
    """Compare the hits of two audits on the benchmarks that they have in common.

    Args:
        before: the directory of an audit.
        after: the directory of another.
        fail_on: kinds of match that make the result ``failed`` where they are new; ``any`` is all of them.

    Raises:
        InputError: a directory holds no audit, a kind is none, or the two have no benchmark in common.
    """
    check_kinds(fail_on)
    one, other = _Audit(before), _Audit(after)
    not_compared = _not_compared(one, other)
    left_out = {entry.name for entry in not_compared}
    names = [name for name in one.contents if name not in left_out]
    if not names:
        reasons = "; ".join(f"{entry.name}: {entry.reason}" for entry in not_compared) or "neither checked any"
        raise InputError(f"{before} and {after} have no benchmark in common ({reasons}): audit both against the same")
    changes = _changes(one, other, frozenset(names))
    counts = Counter((change.benchmark, change.change) for change in changes)
    benchmarks = tuple(
        BenchmarkDiff(
            name,
            sum(1 for place in one.hits if place.benchmark == name),
            sum(1 for place in other.hits if place.benchmark == name),
            counts[name, "appeared"],
            counts[name, "vanished"],
            counts[name, "changed"],
        )
        for name in names
    )
    wanted = set(KINDS if "any" in fail_on else fail_on)
    failed = any(change.change != "vanished" and change.kind_after in wanted for change in changes)
    return AuditDiff(before, after, benchmarks, tuple(not_compared), _notes(one, other), tuple(changes), failed)


class _Audit:
    """One audit as its directory has it.

    Attributes:
        contents: for each benchmark and excluded contest, what identifies its content.
        hits: the surest kind at each place.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.summary = _summary(directory)
        self.contents: dict[str, str] = {}
        self.revisions: dict[str, str] = {}
        benchmarks = self.summary.get("benchmarks")
        for one in benchmarks if isinstance(benchmarks, list) else []:
            if isinstance(one, dict):
                name = as_text(one.get("name")) or ""
                self.contents[name] = as_text(one.get("fingerprint")) or ""
                self.revisions[name] = as_text(one.get("revision")) or self.contents[name][:12]
        contests = self.summary.get("excluded_contests")
        for contest in contests if isinstance(contests, list) else []:
            self.contents[str(contest)] = "contest"
        self.hits: dict[_Place, str] = {}
        table = storage.read_table(directory / "matches.parquet", _COMPARED)
        for row_id, column, benchmark, item, kind in table.iter_rows():
            place = _Place(row_id, column, benchmark, item)
            there = self.hits.get(place)
            # Rows may share an identifier.
            if there is None or _SURENESS[kind] < _SURENESS[there]:
                self.hits[place] = kind


def _summary(directory: Path) -> Mapping[str, JsonValue]:
    path = directory / "summary.json"
    try:
        value = loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise InputError(
            f"{directory} holds no audit (no summary.json): give the --out of a `curation audit`"
        ) from None
    except (UnicodeDecodeError, JsonTextError) as error:
        raise InputError(f"{path} is damaged ({error}): audit again") from None
    if not isinstance(value, dict) or "benchmarks" not in value:
        raise InputError(f"{path} is no summary of an audit: give the --out of a `curation audit`")
    return value


def _not_compared(one: _Audit, other: _Audit) -> list[NotCompared]:
    found = []
    for name in dict.fromkeys((*one.contents, *other.contents)):
        if name not in one.contents or name not in other.contents:
            found.append(
                NotCompared(name, f"only {one.directory if name in one.contents else other.directory} checked it")
            )
        elif one.contents[name] != other.contents[name]:
            revisions = f"{one.revisions.get(name)} and {other.revisions.get(name)}"
            found.append(NotCompared(name, f"its items differ: {revisions}"))
    return found


def _changes(one: _Audit, other: _Audit, names: frozenset[str]) -> list[HitChange]:
    changes = []
    for place in one.hits.keys() | other.hits.keys():
        before, after = one.hits.get(place), other.hits.get(place)
        if place.benchmark not in names or before == after:
            continue
        if before is None:
            changes.append(HitChange("appeared", *place, before, after))
        elif after is None:
            changes.append(HitChange("vanished", *place, before, after))
        else:
            changes.append(HitChange("changed", *place, before, after))
    return sorted(changes, key=_order)


def _order(change: HitChange) -> tuple[object, ...]:
    kind = change.kind_after or change.kind_before or ""
    first = ("appeared", "changed", "vanished").index(change.change)
    return first, _SURENESS[kind], change.benchmark, change.benchmark_id, change.row_id, change.column


def _notes(one: _Audit, other: _Audit) -> tuple[str, ...]:
    told = {
        "dataset": "the data sets",
        "rows": "the numbers of rows",
        "match_version": "the versions of the matching",
        "fold_version": "the versions of the text folding",
    }
    notes = []
    for key, what in told.items():
        before, after = one.summary.get(key), other.summary.get(key)
        if before != after:
            notes.append(f"{what} differ: {before} and {after}")
    if one.summary.get("columns") != other.summary.get("columns"):
        notes.append("other columns were looked at, or other numbers of texts in them")
    return tuple(notes)
