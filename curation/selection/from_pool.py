"""Stage 1 from a response pool alone: no model is asked, the pool's own verdicts decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from curation import storage
from curation.errors import InputError
from curation.llm import parts
from curation.llm.grading import accuracies
from curation.llm.verdicts import VERDICTS
from curation.recipe import StageOneSection
from curation.records import ACCURACY_SCHEMA, GRADE_SCHEMA, LEDGER_SCHEMA
from curation.selection.stage_one import WHO_SCHEMA, select, write_stage
from curation.steps import DROPPED


@dataclass(frozen=True)
class Selected:
    """What a selection wrote.

    Attributes:
        directory: holds ``stage1``, ``ledger``, ``grades`` and ``accuracy`` as Parquet files.
        problems: how many problems were looked at.
        stage1: how many of them were chosen.
        dropped: how many were not, by rule.
    """

    directory: Path
    problems: int
    stage1: int
    dropped: dict[str, int]


def select_from_pool(
    pool: Path,
    out: Path,
    *,
    problems: Path | None = None,
    section: StageOneSection | None = None,
    seed: int = 0,
) -> Selected:
    """Choose the problems of stage 1 and draw their messages.

    Args:
        pool: a response pool with verdicts, as `curation pool import` fills it.
        out: the directory to write.
        problems: a table of `records.PROBLEM_SCHEMA`; only its problems are looked at. Without it every problem of the
            pool is, and all count as math.
        section: thresholds and sizes; those of the paper by default.
        seed: the seed of the draws.

    Raises:
        InputError: there is no pool, or it holds no verdicts.
    """
    files = parts.paths(pool / VERDICTS)
    if not files:
        raise InputError(f"{pool} is no response pool with verdicts: fill one with `curation pool import`")
    with storage.atomic_directory(out) as directory:
        grades = directory / "grades.parquet"
        storage.write_table(grades, _rows(files), GRADE_SCHEMA)
        of_problems = accuracies(grades)
        storage.write_table(directory / "accuracy.parquet", of_problems, ACCURACY_SCHEMA)
        who = storage.read_table(problems, WHO_SCHEMA) if problems else _everybody(of_problems)
        chosen, drops = select(who, of_problems, grades, pool, section or StageOneSection(), seed)
        write_stage(directory, "stage1", chosen, drops)
        rules = storage.read_table(directory / f"{DROPPED}.parquet", LEDGER_SCHEMA)["rule"].value_counts(sort=True)
        return Selected(out, who.height, chosen.height, dict(rules.iter_rows()))


def _rows(files: list[Path]) -> Iterator[pl.DataFrame]:
    for path in files:
        yield from storage.iterate_table(path, GRADE_SCHEMA)


def _everybody(of_problems: pl.DataFrame) -> pl.DataFrame:
    return of_problems.select("problem_id", pl.lit("pool").alias("source"), pl.lit("math").alias("domain"))
