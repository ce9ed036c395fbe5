"""Rows of a user's become a problem table, for the commands that ask a model about any data set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO, get_args

import polars as pl

from curation import records, storage
from curation.errors import InputError
from curation.ingest.readers import BadRow
from curation.ingest.user_rows import Field, InputRow, read_rows
from curation.json_reader import JsonNumber, JsonValue, as_text, dumps
from curation.records import CHECKER_SCHEMA, PROBLEM_SCHEMA, TEST_SCHEMA, Domain, Group, Problem

_ROWS_AT_ONCE = 2_000
_SOURCE, _UNSTATED = "rows", "unstated"


@dataclass(frozen=True)
class TakenIn:
    """A data set as tables.

    Attributes:
        problems: of `records.PROBLEM_SCHEMA`, in the order of the rows.
        tests: of `records.TEST_SCHEMA`.
        rows: how many problems there are.
        bad: location and reason of each row that is none.
    """

    problems: Path
    tests: Path
    rows: int
    bad: tuple[tuple[str, str], ...]


def take_in(
    source: str,
    directory: Path,
    *,
    columns: Mapping[Field, str] | None = None,
    tests: Path | None = None,
    limit: int | None = None,
    raw: TextIO | None = None,
) -> TakenIn:
    """Read a data set; a problem table of a run is read as it is.

    Args:
        source: a file, a folder, ``hub://owner/name`` or another address.
        columns: what stands in other columns than the usual ones; see `curation.ingest.user_rows`.
        directory: where the tables go.
        tests: a table of `records.TEST_SCHEMA` for code problems, whose column ``tests`` names their rows.
        limit: rows to read at most.
        raw: gets one JSON line for every row of the source, bad ones too, in their order.

    Raises:
        InputError: the source cannot be used, or two rows have the same identifier.
        OutsideError: the network failed.
    """
    bad: list[tuple[str, str]] = []
    seen: dict[str, str] = {}

    def note(row: BadRow) -> None:
        bad.append((row.location, row.reason))
        if raw is not None:
            raw.write(dumps({"location": row.location, "reason": row.reason, "text": row.evidence.get("text")}) + "\n")

    def problems() -> Iterator[Problem]:
        for row in read_rows(source, columns, limit=limit, on_bad=note):
            problem = _problem(row)
            if problem.problem_id in seen:
                raise InputError(
                    f"{source}: {row.location}: the identifier {problem.problem_id!r} is also that of "
                    f"{seen[problem.problem_id]}: give every row one of its own"
                )
            seen[problem.problem_id] = row.location
            if raw is not None:
                raw.write(dumps({"row": row.raw}) + "\n")
            yield problem

    table = directory / "problems.parquet"
    count = storage.write_table(table, _frames(problems()), PROBLEM_SCHEMA)
    return TakenIn(table, _tests(tests, directory), count, tuple(bad))


def _frames(problems: Iterator[Problem]) -> Iterator[pl.DataFrame]:
    batch: list[Problem] = []
    for problem in problems:
        batch.append(problem)
        if len(batch) >= _ROWS_AT_ONCE:
            yield records.to_frame(batch, PROBLEM_SCHEMA)
            batch = []
    yield records.to_frame(batch, PROBLEM_SCHEMA)


def _tests(given: Path | None, directory: Path) -> Path:
    if given is not None:
        storage.check_columns(given, TEST_SCHEMA)
        return given
    path = directory / "tests.parquet"
    storage.write_table(path, pl.DataFrame(schema=TEST_SCHEMA), TEST_SCHEMA)
    return path


def checked_checkers(given: Path | None) -> Path | None:
    """Return a table of checkers that came with code problems, if it is one.

    Raises:
        InputError: it has not the columns of `records.CHECKER_SCHEMA`.
    """
    if given is not None:
        storage.check_columns(given, CHECKER_SCHEMA)
    return given


def _problem(row: InputRow) -> Problem:
    raw = row.raw
    domain: Domain = "code" if raw.get("domain") == "code" else "math"
    named = raw.get("group")
    group: Group = next((name for name in get_args(Group) if name == named), _group_of(domain))
    return Problem(
        problem_id=_text(raw, "problem_id") or row.id,
        domain=domain,
        group=group,
        source=_text(raw, "source") or _SOURCE,
        source_id=_text(raw, "source_id") or row.id,
        statement=row.statement,
        licence=_text(raw, "licence") or _text(raw, "license") or _UNSTATED,
        url=_text(raw, "url"),
        answer=row.answer,
        answer_type=_text(raw, "answer_type"),
        tests=_text(raw, "tests") if domain == "code" else None,
        time_limit_s=_number(raw.get("time_limit_s")),
        memory_limit_mb=_whole(raw.get("memory_limit_mb")),
        checker=_text(raw, "checker"),
        attribution=_text(raw, "attribution"),
    )


def _group_of(domain: Domain) -> Group:
    return "code" if domain == "code" else "opensource_math"


def _text(raw: Mapping[str, JsonValue], name: str) -> str | None:
    return as_text(raw.get(name))


def _number(value: JsonValue) -> float | None:
    return float(value) if isinstance(value, JsonNumber) else None


def _whole(value: JsonValue) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number.is_integer() else None
