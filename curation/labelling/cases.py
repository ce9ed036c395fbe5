"""The cases that people label: a statement, the answer it is filed under, and the solution where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curation.errors import InputError
from curation.ingest.user_rows import Field, read_rows
from curation.json_reader import JsonValue, as_text, dumps
from curation.storage import sha256_text

SOLUTION_COLUMNS = ("solution", "official_solution", "rationale")
"""Where a solution is looked for, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    Attributes:
        id: the row's ``id``, or its number.
        statement: the problem.
        answer: the answer on file; None where there is none.
        solution: the solution on file; None where there is none.
        raw: the row as it came.
        digest: SHA-256 of all that an annotator judges, so that a label never passes to another text.
    """

    id: str
    statement: str
    answer: str | None
    solution: str | None
    raw: Mapping[str, JsonValue]
    digest: str


def read_cases(
    source: str,
    *,
    columns: Mapping[Field, str] | None = None,
    solution: str | None = None,
    limit: int | None = None,
) -> list[Case]:
    """Read the cases of a file, a folder, ``hub://owner/name`` or another address.

    Args:
        source: where they are.
        columns: what stands in other columns than the usual ones.
        solution: the column of the solution; one of `SOLUTION_COLUMNS` by default.
        limit: rows to read at most.

    Raises:
        InputError: a row is no case, two have the same identifier, or no row has a column that was named.
        OutsideError: the network failed.
    """
    names = (solution,) if solution is not None else SOLUTION_COLUMNS
    cases: dict[str, Case] = {}
    for row in read_rows(source, columns, limit=limit):
        if row.id in cases:
            raise InputError(f"{source}: {row.location}: the identifier {row.id!r} stands twice: give each row its own")
        text = next((found for name in names if (found := as_text(row.raw.get(name)))), None)
        digest = sha256_text(dumps([row.statement, row.answer, text]))
        cases[row.id] = Case(row.id, row.statement, row.answer, text, row.raw, digest)
    if solution is not None and not any(case.solution for case in cases.values()):
        raise InputError(f"--solution {solution}: no row of {source} has anything there: name another column")
    return list(cases.values())
