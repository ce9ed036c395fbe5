"""Grades a file of cases: each row of gold and pred comes back with its verdict, path and reason."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from curation.answers.comparison import Comparison
from curation.answers.grading import grade
from curation.cluster import Cluster
from curation.errors import InputError
from curation.filters.output import RowFile, open_rows, refuse_overwriting
from curation.ingest.files import read_place
from curation.ingest.place import find_place
from curation.ingest.readers import BadRow, RawRow
from curation.json_reader import JsonValue
from curation.parallel import Workers
from curation.progress import Reporter, Silent

GOLD_COLUMNS = ("gold", "answer", "ground_truth", "expected_answer")
"""Where the right answer is looked for, in this order; names count whatever the case of their letters."""

PRED_COLUMNS = ("pred", "prediction", "response", "generation", "completion")
"""Where the answer or the whole response is looked for."""

_BATCH = 250
_CASES_WITHOUT_HELP = 4_000

_ADDED = ("verdict", "path", "why", "extracted")

_Case = tuple[str, str]
"""Gold and pred."""

_Row = tuple[int, RawRow | BadRow, _Case | str]
"""A row with its number, and its case or what is wrong with it."""


@dataclass(frozen=True)
class GradeSummary:
    """What `grade_file` did.

    Attributes:
        rows: rows read, with those that could not be graded.
        verdicts: rows by verdict.
        paths: rows by the path that decided.
        bad: file and row of each row that could not be graded, and why; their verdict is ``unknown``.
    """

    rows: int
    verdicts: Mapping[str, int]
    paths: Mapping[str, int]
    bad: tuple[tuple[str, str], ...]


def grade_file(
    source: str,
    out: Path,
    *,
    limit: int | None = None,
    workers: int | Cluster | None = None,
    reporter: Reporter | None = None,
) -> GradeSummary:
    """Grade the cases of a data set.

    Every row comes back with all its columns and, besides, ``verdict`` (``equal``, ``different`` or ``unknown``),
    ``path``, ``why`` and ``extracted``, and an ``id`` (its number where it had none); a column of the input with one of
    these names becomes ``input_verdict`` and so on.

    Args:
        source: a file, a folder, ``hub://owner/name`` or another address. Rows have the right answer in one of
            `GOLD_COLUMNS` and an answer or a whole response in one of `PRED_COLUMNS`.
        out: the file to write: .jsonl, .parquet or .csv.
        limit: rows to read at most.
        workers: processes to use; None for one a processor, and none for few rows; a cluster for its processors.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the source, the suffix of ``out`` or the cluster cannot be used, or no row has the columns.
        OutsideError: the network failed, a process died, or there is no such cluster.
    """
    refuse_overwriting(source, out)
    verdicts: Counter[str] = Counter()
    paths: Counter[str] = Counter()
    bad: list[tuple[str, str]] = []
    waiting: deque[list[_Row]] = deque()
    with (
        open_rows(out) as rows,
        Workers("grades answers", workers, items_without_help=_CASES_WITHOUT_HELP) as pool,
        (reporter or Silent()).task("grade", None, "cases") as task,
    ):
        for _, results in pool.map(_graded, _batches(_rows(source, limit), waiting)):
            graded = iter(results)
            batch = waiting.popleft()
            for number, row, case in batch:
                if isinstance(case, str):
                    bad.append((row.location, case))
                    result = Comparison("unknown", "bad row", f"{row.location}: {case}")
                else:
                    result = next(graded)
                _write(row, number, result, rows)
                verdicts[result.verdict] += 1
                paths[result.path] += 1
            task.advance(len(batch))
        if not verdicts:
            raise InputError(f"{source} holds no rows: give cases with gold and pred")
        if len(bad) == verdicts.total():
            raise InputError(f"{source}: {bad[0][0]}: {bad[0][1]}, and no other row can be graded either")
    return GradeSummary(verdicts.total(), dict(verdicts.most_common()), dict(paths.most_common()), tuple(bad))


def _graded(batch: list[_Case]) -> list[Comparison]:
    return [grade(gold, pred) for gold, pred in batch]


def _batches(rows: Iterator[RawRow | BadRow], waiting: deque[list[_Row]]) -> Iterator[list[_Case]]:
    """Yield the cases to grade; leave each batch's rows in the queue for when its verdicts come back."""
    numbered = ((number, row, _case(row)) for number, row in enumerate(rows, start=1))
    while batch := list(islice(numbered, _BATCH)):
        waiting.append(batch)
        yield [case for _, _, case in batch if not isinstance(case, str)]


def _rows(source: str, limit: int | None) -> Iterator[RawRow | BadRow]:
    return islice(read_place(find_place(source, streaming=limit is not None)), limit)


def _case(row: RawRow | BadRow) -> _Case | str:
    """Return gold and pred, or what is wrong with the row."""
    if isinstance(row, BadRow):
        return row.reason
    if not isinstance(row.value, dict):
        return "the row is no object"
    folded = {name.casefold(): value for name, value in row.value.items()}
    found = []
    for names in (GOLD_COLUMNS, PRED_COLUMNS):
        value = next((folded[name] for name in names if folded.get(name) is not None), None)
        if not isinstance(value, str):
            return f"no text in a column {', '.join(names)}"
        found.append(str(value))
    return found[0], found[1]


def _columns(row: RawRow | BadRow, number: int) -> dict[str, JsonValue]:
    value = row.value if isinstance(row, RawRow) else None
    given = value if isinstance(value, dict) else {"row": value}
    renamed: dict[str, JsonValue] = {f"input_{name}" if name in _ADDED else name: cell for name, cell in given.items()}
    return renamed if renamed.get("id") is not None else {**renamed, "id": str(number)}


def _write(row: RawRow | BadRow, number: int, result: Comparison, rows: RowFile) -> None:
    added: dict[str, JsonValue] = {
        "verdict": result.verdict,
        "path": result.path,
        "why": result.why,
        "extracted": result.extracted,
    }
    rows.write({**_columns(row, number), **added})
