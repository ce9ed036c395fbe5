"""What a majority vote of a problem's responses would answer: the bar that a synthesis of them has to clear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from curation import storage
from curation.answers.extraction import final_answer
from curation.llm.grading import NOT_GRADED
from curation.llm.pool import Pool
from curation.llm.second_look import agreed
from curation.records import GRADE_SCHEMA, PROBLEM_SCHEMA

MAJORITY_SCHEMA = pl.Schema({"problem_id": pl.String(), "right": pl.Int32(), "rival": pl.Int32(), "vote": pl.String()})
"""``rival``: the most responses that agree on one wrong answer. ``vote``: see `Outcome`."""

Outcome = Literal["right", "wrong", "tied"]
"""Whether most responses, by value of their final answers, are right; ``tied`` with as many for a wrong answer."""

_PROBLEMS_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class _Responses:
    problem_id: str
    right: int
    wrong: list[str]


def outcome(right: int, rival: int) -> Outcome:
    """Return what a vote comes to with ``right`` right responses and ``rival`` that agree on one wrong answer."""
    if right == rival:
        return "tied"
    return "right" if right > rival else "wrong"


def rival_of(texts: list[str]) -> int:
    """Return the most wrong responses that agree on one answer."""
    answers = [answer for text in texts if (answer := final_answer(text).answer) is not None]
    return agreed(answers)[1]


def majorities(problems: Path, grades: Path, pool: Pool) -> Iterator[pl.DataFrame]:
    """Say of each math problem with graded responses what a majority vote of them answers.

    Texts are read only where the count of right ones leaves it open; programs have no majority.

    Args:
        problems: a table of `records.PROBLEM_SCHEMA`.
        grades: a table of `records.GRADE_SCHEMA`, a problem's rows side by side.
        pool: holds the responses.

    Yields:
        frames of `MAJORITY_SCHEMA`.
    """
    domains = storage.read_table(problems, pl.Schema({name: PROBLEM_SCHEMA[name] for name in ("problem_id", "domain")}))
    math = domains.filter(pl.col("domain") == "math")["problem_id"].implode()
    counted = (
        pl.scan_parquet(grades, glob=False)
        .select(GRADE_SCHEMA.names())
        .filter(pl.col("problem_id").is_in(math) & (pl.col("grade") != "unknown"))
        .group_by("problem_id", maintain_order=True)
        .agg(
            (pl.col("grade") == "right").sum().alias("right"),
            pl.col("response_id").filter(pl.col("grade") == "wrong").alias("wrong"),
        )
        .collect()
    )
    for start in range(0, counted.height, _PROBLEMS_AT_ONCE):
        batch = [_Responses(*row) for row in counted.slice(start, _PROBLEMS_AT_ONCE).iter_rows()]
        open_ones = [key for one in batch if 0 < one.right <= len(one.wrong) for key in one.wrong]
        found = pool.read(open_ones, without=NOT_GRADED)
        rows = []
        for one in batch:
            texts = [found[key].text or "" for key in one.wrong if key in found]
            # All right responses are of one value; where there are more of them than wrong ones, nothing is open.
            rival = rival_of(texts) if 0 < one.right <= len(one.wrong) else len(one.wrong)
            rows.append((one.problem_id, one.right, rival, outcome(one.right, rival)))
        yield pl.DataFrame(rows, schema=MAJORITY_SCHEMA, orient="row")
    yield pl.DataFrame(schema=MAJORITY_SCHEMA)
