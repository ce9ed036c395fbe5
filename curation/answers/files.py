"""Grades a file of cases: each row of gold and pred comes back with its verdict, path and reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from curation.answers.grading import grade
from curation.errors import InputError
from curation.filters.output import RowFile, open_rows
from curation.ingest.files import read_place
from curation.ingest.place import find_place
from curation.ingest.readers import BadRow, RawRow
from curation.json_reader import JsonValue
from curation.progress import Reporter, Silent

GOLD_COLUMNS = ("gold", "answer", "ground_truth", "expected_answer")
"""Where the right answer is looked for, in this order; names count whatever the case of their letters."""

PRED_COLUMNS = ("pred", "prediction", "response", "generation", "completion")
"""Where the answer or the whole response is looked for."""

_ADDED = ("verdict", "path", "why", "extracted")


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


def grade_file(source: str, out: Path, *, limit: int | None = None, reporter: Reporter | None = None) -> GradeSummary:
    """Grade the cases of a data set.

    Every row comes back with all its columns and, besides, ``verdict`` (``equal``, ``different`` or ``unknown``),
    ``path``, ``why`` and ``extracted``, and an ``id`` (its number where it had none); a column of the input with one of
    these names becomes ``input_verdict`` and so on.

    Args:
        source: a file, a folder, ``hub://owner/name`` or another address. Rows have the right answer in one of
            `GOLD_COLUMNS` and an answer or a whole response in one of `PRED_COLUMNS`.
        out: the file to write: .jsonl, .parquet or .csv.
        limit: rows to read at most.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the source or the suffix of ``out`` cannot be used, or no row has the columns.
        OutsideError: the network failed.
    """
    verdicts: Counter[str] = Counter()
    paths: Counter[str] = Counter()
    bad: list[tuple[str, str]] = []
    graded = 0
    with open_rows(out) as rows, (reporter or Silent()).task("grade", None, "cases") as task:
        for number, row in enumerate(_rows(source, limit), start=1):
            case = _case(row)
            if isinstance(case, str):
                bad.append((row.location, case))
                verdict, path = "unknown", "bad row"
                _write_bad(row, number, case, rows)
            else:
                graded += 1
                verdict, path = _write_graded(row, number, case, rows)
            verdicts[verdict] += 1
            paths[path] += 1
            task.advance()
        if not verdicts:
            raise InputError(f"{source} holds no rows: give cases with gold and pred")
        if bad and not graded:
            raise InputError(f"{source}: {bad[0][0]}: {bad[0][1]}, and no other row can be graded either")
    return GradeSummary(verdicts.total(), dict(verdicts.most_common()), dict(paths.most_common()), tuple(bad))


def _rows(source: str, limit: int | None) -> Iterator[RawRow | BadRow]:
    return islice(read_place(find_place(source, streaming=limit is not None)), limit)


def _case(row: RawRow | BadRow) -> tuple[str, str] | str:
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


def _write_graded(row: RawRow | BadRow, number: int, case: tuple[str, str], rows: RowFile) -> tuple[str, str]:
    result = grade(*case)
    added: dict[str, JsonValue] = {
        "verdict": result.verdict,
        "path": result.path,
        "why": result.why,
        "extracted": result.extracted,
    }
    rows.write({**_columns(row, number), **added})
    return result.verdict, result.path


def _write_bad(row: RawRow | BadRow, number: int, why: str, rows: RowFile) -> None:
    added: dict[str, JsonValue] = {"verdict": "unknown", "path": "bad row", "why": f"{row.location}: {why}"}
    rows.write({**_columns(row, number), **added, "extracted": None})
