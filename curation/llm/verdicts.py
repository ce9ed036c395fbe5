"""The pool's verdicts: a table beside the responses, keyed by response, grader with version, and what it compared with.

POOL/verdicts/part-000001.parquet   `VERDICT_SCHEMA`; appended, never changed

A changed answer, comparison, test or limit makes a new row and asks no model. Verdicts that came with an imported log
have the grader ``import:MODEL`` and neither version nor reference.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polars as pl

import curation.answers
from curation.json_reader import dumps
from curation.judging.named_checkers import bundled_content
from curation.judging.store import JUDGE_VERSION
from curation.llm import parts, places
from curation.llm.places import PoolPath
from curation.llm.solving import ProblemRow
from curation.recipe import JudgeSection
from curation.records import GRADE_SCHEMA, Grade, Response
from curation.storage import sha256_text

VERDICTS = "verdicts"
VERDICT_SCHEMA = pl.Schema({**GRADE_SCHEMA, "version": pl.String(), "reference": pl.String()})
"""``reference``: SHA-256 of the answer, or of tests, limits and checker: its name, and a bundled one's content."""

ANSWERS, JUDGING, NOBODY = "answers", "judging", "none"
FROM_LOG = "import:"
"""How the grader of a verdict begins that came with an imported log."""

_ROWS_A_PART = 50_000
_VERSION_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class Graded:
    """A verdict on one response.

    Attributes:
        grade: right, wrong or unknown.
        why: what decided.
        grader: ``answers``, ``judging``, or ``none`` where there was nothing to grade.
    """

    grade: Grade
    why: str
    grader: str


@cache
def answers_version() -> str:
    """Return the version of the comparison of answers: a hash over its source and the libraries it asks."""
    package = Path(curation.answers.__file__).parent
    digest = hashlib.sha256()
    for path in [*sorted(package.glob("*.py")), package.parent / "text.py", package.parent / "text_symbols.py"]:
        digest.update(path.read_bytes())
    for library in ("math-verify", "sympy"):
        digest.update(importlib.metadata.version(library).encode())
    return digest.hexdigest()[:_VERSION_CHARACTERS]


class Verdicts:
    """The verdicts of one pool. Made by `open_verdicts`."""

    def __init__(self, pool: PoolPath, settings: JudgeSection) -> None:
        self._pool = pool
        self._known: dict[bytes, Graded] = {}
        self._new: list[tuple[object, ...]] = []
        self._versions = {
            "math": (ANSWERS, answers_version()),
            "code": (JUDGING, f"{JUDGE_VERSION}:{sha256_text(settings.model_dump_json())[:_VERSION_CHARACTERS]}"),
        }
        self._reference: tuple[ProblemRow, str] | None = None
        self._checkers: dict[str, str] = {}
        for frame in parts.frames(pool / VERDICTS, VERDICT_SCHEMA):
            columns = ("response_id", "grader", "version", "reference", "grade", "why")
            for response_id, grader, version, reference, grade, why in frame.select(columns).iter_rows():
                self._known[verdict_key(response_id, grader, version, reference)] = Graded(grade, why, grader)

    def find(self, response_id: str, problem: ProblemRow, tests: pl.DataFrame) -> Graded | None:
        """Return the verdict of today's grader on a response; None where there is none."""
        return self._known.get(self._key(response_id, problem, tests))

    def add(self, response: Response | None, problem: ProblemRow, tests: pl.DataFrame, graded: Graded) -> None:
        """Keep a verdict that a grader came to; what another try may decide otherwise is not kept."""
        if response is None or graded.grader == NOBODY or (graded.grader, graded.grade) == (JUDGING, "unknown"):
            return
        key = self._key(response.response_id, problem, tests)
        if key in self._known:
            return
        self._known[key] = graded
        version, reference = self._versions[problem["domain"]][1], self._reference_of(problem, tests)
        row = (problem["problem_id"], response.response_id, response.sample_index)
        self._new.append((*row, graded.grade, graded.why, graded.grader, version, reference))
        if len(self._new) >= _ROWS_A_PART:
            self.flush()

    def flush(self) -> None:
        """Write what was added as a part; in a pool that may only be read, the work is done again another time."""
        if self._new and (not isinstance(self._pool, Path) or os.access(self._pool, os.W_OK)):
            frame = pl.DataFrame(self._new, schema=VERDICT_SCHEMA, orient="row")
            with places.locked(self._pool):
                parts.append(self._pool / VERDICTS, frame, VERDICT_SCHEMA)
        self._new = []

    def _key(self, response_id: str, problem: ProblemRow, tests: pl.DataFrame) -> bytes:
        grader, version = self._versions[problem["domain"]]
        return verdict_key(response_id, grader, version, self._reference_of(problem, tests))

    def _reference_of(self, problem: ProblemRow, tests: pl.DataFrame) -> str:
        if self._reference is None or self._reference[0] is not problem:
            parts_of_it: object = problem["answer"]
            if problem["domain"] == "code":
                limits = [str(problem[name]) for name in ("checker", "time_limit_s", "memory_limit_mb")]
                content = self._checker_content(problem["checker"])
                cases = (list(row) for row in tests.drop("problem_id").iter_rows())
                parts_of_it = [*limits, *([content] if content else []), *cases]
            self._reference = problem, sha256_text(dumps(parts_of_it))
        return self._reference[1]

    def _checker_content(self, name: str | None) -> str:
        key = name or ""
        if key not in self._checkers:
            self._checkers[key] = bundled_content(name)
        return self._checkers[key]


@contextmanager
def open_verdicts(pool: PoolPath, settings: JudgeSection) -> Iterator[Verdicts]:
    """Open the verdicts of a pool; on leaving, everything added is in a part.

    Raises:
        InputError: a part is damaged.
    """
    verdicts = Verdicts(pool, settings)
    try:
        yield verdicts
    finally:
        verdicts.flush()


def of_logs(pool: PoolPath) -> pl.DataFrame:
    """Return the verdicts that came with imported logs, one a response, of `VERDICT_SCHEMA`.

    Raises:
        InputError: a part is damaged.
    """
    imported = pl.col("grader").str.starts_with(FROM_LOG)
    frames = [frame.filter(imported) for frame in parts.frames(pool / VERDICTS, VERDICT_SCHEMA)]
    empty = pl.DataFrame(schema=VERDICT_SCHEMA)
    return pl.concat([empty, *frames]).unique("response_id", keep="last", maintain_order=True)


def verdict_key(*parts_of_it: str | None) -> bytes:
    """Return the key of a verdict: of its response, grader, version and reference."""
    return hashlib.sha256("\n".join(part or "" for part in parts_of_it).encode()).digest()[:16]
