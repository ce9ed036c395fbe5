"""A step's context with problems and tests, for the tests of the model steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from curation import records, storage
from curation.ledger import reconcile
from curation.progress import Silent
from curation.recipe import Recipe
from curation.records import PROBLEM_SCHEMA, TEST_SCHEMA, Problem
from curation.steps import KEPT, Step, StepContext, StepReport


def math(name: str, statement: str, answer: str | None, group: str = "opensource_math") -> Problem:
    """Return a math problem."""
    return Problem(
        problem_id=f"own:{name}",
        domain="math",
        group=group,  # type: ignore[arg-type]
        source="own",
        source_id=name,
        statement=statement,
        licence="CC0-1.0",
        answer=answer,
    )


def code(name: str, statement: str) -> Problem:
    """Return a code problem."""
    return Problem(
        problem_id=f"own:{name}",
        domain="code",
        group="code",
        source="own",
        source_id=name,
        statement=statement,
        licence="CC0-1.0",
        tests=f"own:{name}",
        time_limit_s=2.0,
        memory_limit_mb=256,
    )


def context(
    home: Path, recipe: Recipe, problems: Sequence[Problem], tests: Sequence[records.TestCase] = (), attempt: int = 1
) -> StepContext:
    """Write the tables and return the context; ``attempt`` names the output, the run directory stays."""
    for name in (f"in-{attempt}", f"out-{attempt}", "run"):
        (home / name).mkdir(parents=True, exist_ok=True)
    tables = {KEPT: home / f"in-{attempt}" / "problems.parquet", "tests": home / f"in-{attempt}" / "tests.parquet"}
    storage.write_table(tables[KEPT], records.to_frame(list(problems), PROBLEM_SCHEMA), PROBLEM_SCHEMA)
    storage.write_table(tables["tests"], records.to_frame(list(tests), TEST_SCHEMA), TEST_SCHEMA)
    return StepContext(recipe, tables, home / f"out-{attempt}", home / "run", None, Silent())


def execute(step: Step, given: StepContext) -> StepReport:
    """Execute a step; check the ledger's sums, the tables it promises, and that nothing else stays."""
    report = step.execute(given)
    kept = given.output / "problems.parquet"
    reconcile(
        step.name, given.tables[KEPT], kept if kept.is_file() else given.tables[KEPT], given.output / "ledger.parquet"
    )
    written = {path.stem for path in given.output.iterdir()}
    assert written <= {*step.writes, "ledger"}
    assert {*step.writes, "ledger"} - written <= {KEPT}
    return report


def table(given: StepContext, name: str) -> pl.DataFrame:
    """Return a table that the step wrote."""
    return pl.read_parquet(given.output / f"{name}.parquet")
