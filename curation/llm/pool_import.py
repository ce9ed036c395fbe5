"""Graded logs of other people's runs become pool responses, their verdicts a table beside our own."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import fsspec
import polars as pl

from curation.errors import InputError
from curation.ingest.files import explained
from curation.ingest.readers import BadRow, read_jsonl
from curation.json_reader import JsonNumber, JsonValue, as_text, dumps
from curation.llm import parts, places, pool_problems
from curation.llm.engine import UNSTATED
from curation.llm.places import PoolPath
from curation.llm.pool import IMPORTED, Pool, open_pool
from curation.llm.solving import PURPOSE
from curation.llm.verdicts import FROM_LOG, VERDICT_SCHEMA, VERDICTS
from curation.records import GRADE_SCHEMA, PROBLEM_SCHEMA, Grade, Problem, Response, to_frame
from curation.storage import sha256_text
from curation.text import fold

_BYTES_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class LogColumns:
    """Which columns of a log hold what.

    Attributes:
        problem: the question.
        response: a response, or a list of them.
        score: right or wrong as a boolean, 0 or 1, or a list of these beside the responses; None where there is none.
        finish_reason: how each response ended, or a list beside the responses; None where the log does not say.
        problem_id: the problem's identifier; None to make one from the question.
        answer: the right answer, which the pool then keeps with the problem; None where the log has none.
    """

    problem: str = "question"
    response: str = "code"
    score: str | None = "score"
    finish_reason: str | None = None
    problem_id: str | None = None
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import brought.

    Attributes:
        rows: rows of the log that were read.
        responses: responses in them.
        new: those that the pool did not have.
        right, wrong, unknown: the log's own verdicts.
        skipped: location and reason of each row that could not be used.
    """

    rows: int
    responses: int
    new: int
    right: int
    wrong: int
    unknown: int
    skipped: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Row:
    location: str
    problem_id: str
    statement: str
    answer: str | None
    texts: list[str]
    grades: list[tuple[Grade, str]]
    finish_reasons: list[str]


def import_log(
    file: PoolPath, pool: PoolPath, *, model: str, revision: str = "", columns: LogColumns | None = None
) -> Imported:
    """Add the responses of a log in JSON lines, plain or compressed, to a pool; the same file twice adds nothing.

    Args:
        file: the log.
        pool: the pool's directory.
        model: the name under which the responses stand in the pool.
        revision: the model's revision, where it is known.
        columns: which columns hold what; those of the Qwen2.5-Math evaluation by default.

    Raises:
        InputError: the file cannot be read, no row of it can be used, or the model has no name.
        OutsideError: the file system of an address cannot be reached.
    """
    if not model.strip():
        raise InputError("--model is empty: give the name under which the responses stand in the pool")
    columns = columns or LogColumns()
    if not (file.is_file() if isinstance(file, Path) else places.exists(file)):
        raise InputError(f"{file}: there is no such file")
    with explained(str(file), remote=not isinstance(file, Path)):
        origin = _sha256(file)
    counts: Counter[str] = Counter()
    skipped: list[tuple[str, str]] = []
    verdicts: list[tuple[str, str, int, Grade, str, str]] = []
    problems: dict[str, Problem] = {}
    with open_pool(pool) as stored:
        known, free = _known(stored, model)
        for row in _rows(file, columns, skipped):
            for position in range(len(row.texts)):
                parts_of_key = [IMPORTED, model, revision, origin, str(counts["rows"]), str(position)]
                response_id = sha256_text(dumps(parts_of_key))
                grade, why = row.grades[position]
                counts.update(["responses", grade])
                if response_id not in known:
                    known[response_id] = free[row.statement]
                    free[row.statement] += 1
                    counts["new"] += 1
                    stored.add(_response(response_id, row, model, revision, known[response_id], position))
                verdicts.append((row.problem_id, response_id, known[response_id], grade, why, f"{FROM_LOG}{model}"))
            counts["rows"] += 1
            if row.answer is not None:
                problems[row.problem_id] = _problem(row, model)
    if not counts["responses"]:
        where, why = skipped[0] if skipped else (str(file), "the file is empty")
        raise InputError(f"{where}: {why}: no row of {file} can be imported")
    if columns.score is not None:
        _store_verdicts(pool, pl.DataFrame(verdicts, schema=GRADE_SCHEMA, orient="row"))
    if problems:
        pool_problems.keep(pool, [to_frame(list(problems.values()), PROBLEM_SCHEMA)])
    names = ("rows", "responses", "new", "right", "wrong", "unknown")
    return Imported(**{name: counts[name] for name in names}, skipped=skipped)


def _sha256(file: PoolPath) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while chunk := opened.read(_BYTES_AT_ONCE):
            digest.update(chunk)
    return digest.hexdigest()


def _problem(row: _Row, model: str) -> Problem:
    return Problem(
        problem_id=row.problem_id,
        domain="math",
        group="opensource_math",
        source=f"{IMPORTED}:{model}",
        source_id=row.problem_id,
        statement=row.statement,
        licence="unstated",
        answer=row.answer,
    )


def _response(response_id: str, row: _Row, model: str, revision: str, sample_index: int, position: int) -> Response:
    return Response(
        response_id=response_id,
        problem_id=row.problem_id,
        purpose=PURPOSE,
        prompt_sha256=sha256_text(row.statement),
        model=model,
        model_revision=revision,
        sampler="{}",
        sample_index=sample_index,
        text=row.texts[position],
        reasoning=None,
        finish_reason=row.finish_reasons[position],
        failure=None,
        prompt_tokens=None,
        completion_tokens=None,
        latency_s=None,
        engine=IMPORTED,
        statement=row.statement,
    )


def _known(pool: Pool, model: str) -> tuple[dict[str, int], Counter[str]]:
    """Return the sample index of each response of ``model``, and for each question the next free one."""
    of_model = pool.keys().filter(pl.col("model") == model).select("response_id", "sample_index")
    last = pool.statements().join(of_model, on="response_id").group_by("statement").agg(pl.col("sample_index").max())
    return dict(of_model.iter_rows()), Counter({statement: index + 1 for statement, index in last.iter_rows()})


def _store_verdicts(pool: PoolPath, verdicts: pl.DataFrame) -> None:
    # Compared with what is there, so that an import that was cut off between the two tables is made whole.
    directory = pool / VERDICTS
    with places.locked(pool):
        stored = [
            response_id
            for path in parts.paths(directory)
            for group in parts.text_column(path, "response_id")
            for response_id in group
        ]
        new = verdicts.filter(~pl.col("response_id").is_in(stored))
        if new.height:
            unversioned = new.with_columns(pl.lit(None, pl.String).alias(name) for name in ("version", "reference"))
            parts.append(directory, unversioned, VERDICT_SCHEMA)


def _rows(file: PoolPath, columns: LogColumns, skipped: list[tuple[str, str]]) -> Iterator[_Row]:
    def opened() -> BinaryIO:
        return cast(BinaryIO, fsspec.open(str(file), "rb", compression="infer").open())

    with explained(str(file), remote=not isinstance(file, Path)):
        for read in read_jsonl(opened, file.name):
            if isinstance(read, BadRow):
                skipped.append((read.location, read.reason))
                continue
            row = _row(read.location, read.value, columns)
            if isinstance(row, _Row):
                yield row
            else:
                skipped.append((read.location, row))


def _row(location: str, value: JsonValue, columns: LogColumns) -> _Row | str:
    """Return the row, or why it is none."""
    if not isinstance(value, dict):
        return "the row is no object"
    for column in (columns.problem, columns.response, columns.score, columns.finish_reason, columns.problem_id):
        if column is not None and column not in value:
            return f"there is no column {column!r}, only {', '.join(value)}"
    statement = value[columns.problem]
    if not isinstance(statement, str) or not statement.strip():
        return f"{columns.problem} is no text"
    texts = _listed(value[columns.response])
    if not texts or not all(isinstance(text, str) and not isinstance(text, JsonNumber) for text in texts):
        return f"{columns.response} is neither a text nor a list of texts"
    scores = _listed(value[columns.score]) if columns.score else [None] * len(texts)
    reasons = _listed(value[columns.finish_reason]) if columns.finish_reason else [UNSTATED] * len(texts)
    if len(scores) != len(texts) or len(reasons) != len(texts):
        return f"there are {len(texts)} responses, {len(scores)} scores and {len(reasons)} finish reasons"
    own_id = value[columns.problem_id] if columns.problem_id else None
    return _Row(
        location=location,
        problem_id=str(own_id) if own_id is not None else f"import:{sha256_text(fold(statement))[:16]}",
        statement=statement,
        answer=as_text(value.get(columns.answer)) if columns.answer else None,
        texts=[str(text) for text in texts],
        grades=[_grade(score) for score in scores],
        finish_reasons=[str(reason) if reason is not None else UNSTATED for reason in reasons],
    )


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


def _grade(score: JsonValue) -> tuple[Grade, str]:
    if isinstance(score, JsonNumber) and float(score) in (0.0, 1.0):
        score = float(score) == 1.0
    if isinstance(score, bool):
        return ("right", "the log says so") if score else ("wrong", "the log says so")
    return "unknown", "the log has no score" if score is None else f"the score {dumps(score)[:60]} is neither 0 nor 1"
