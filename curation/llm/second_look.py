"""A second look at problems that no response solves: where most responses agree, the answer on file may be wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from curation import storage
from curation.answers import compare
from curation.answers.extraction import final_answer
from curation.llm.pool import Pool
from curation.records import PROBLEM_SCHEMA

DOUBTFUL_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String(),
        "answer": pl.String(),
        "consensus": pl.String(),
        "agree": pl.Int32(),
        "graded": pl.Int32(),
        "share": pl.Float64(),
    }
)
"""``answer``: the one on file. ``consensus``: what ``agree`` of the ``graded`` responses, all wrong, say instead."""

_PROBLEMS_AT_ONCE = 64
_FEWEST = 2


def doubtful(
    problems: Path, grades: Path, accuracy: pl.DataFrame, pool: Pool, least_share: float
) -> Iterator[pl.DataFrame]:
    """Find math problems without a right response whose responses agree on another answer.

    Args:
        problems: a table of `records.PROBLEM_SCHEMA`.
        grades: a table of `records.GRADE_SCHEMA`.
        accuracy: of `records.ACCURACY_SCHEMA`.
        pool: holds the responses.
        least_share: of the graded responses that must agree; at least two of them.

    Yields:
        frames of `DOUBTFUL_SCHEMA`, in the order of ``accuracy``.
    """
    unsolved = accuracy.filter((pl.col("right") == 0) & (pl.col("wrong") >= _FEWEST))["problem_id"]
    golds = _golds(problems, unsolved)
    keys = _wrong_responses(grades, unsolved)
    rows: list[tuple[object, ...]] = []
    for start in range(0, len(unsolved), _PROBLEMS_AT_ONCE):
        batch = [problem_id for problem_id in unsolved.slice(start, _PROBLEMS_AT_ONCE) if problem_id in golds]
        found = pool.read([key for problem_id in batch for key in keys.get(problem_id, [])])
        for problem_id in batch:
            texts = [found[key].text or "" for key in keys.get(problem_id, []) if key in found]
            answers = [answer for text in texts if (answer := final_answer(text).answer) is not None]
            consensus, agree = agreed(answers)
            if texts and agree >= max(_FEWEST, least_share * len(texts)):
                rows.append((problem_id, golds[problem_id], consensus, agree, len(texts), agree / len(texts)))
    yield pl.DataFrame(rows, schema=DOUBTFUL_SCHEMA, orient="row")


def agreed(answers: list[str]) -> tuple[str, int]:
    """Return the answer that most of these have, by value, and how many that are."""
    clusters: list[tuple[str, int]] = []
    for answer, times in sorted(Counter(answers).items(), key=lambda item: (-item[1], item[0])):
        for place, (known, so_far) in enumerate(clusters):
            if compare(known, answer).verdict == "equal":
                clusters[place] = known, so_far + times
                break
        else:
            clusters.append((answer, times))
    return max(clusters, key=lambda cluster: cluster[1], default=("", 0))


def _golds(problems: Path, wanted: pl.Series) -> dict[str, str]:
    schema = pl.Schema({name: PROBLEM_SCHEMA[name] for name in ("problem_id", "domain", "answer")})
    rows = storage.read_table(problems, schema).filter(
        pl.col("problem_id").is_in(wanted.implode()) & (pl.col("domain") == "math") & pl.col("answer").is_not_null()
    )
    return dict(rows.select("problem_id", "answer").iter_rows())


def _wrong_responses(grades: Path, wanted: pl.Series) -> dict[str, list[str]]:
    rows = (
        pl.scan_parquet(grades, glob=False)
        .filter((pl.col("grade") == "wrong") & pl.col("problem_id").is_in(wanted.implode()))
        .select("problem_id", "response_id")
        .collect()
    )
    keys: dict[str, list[str]] = {}
    for problem_id, response_id in rows.iter_rows():
        keys.setdefault(problem_id, []).append(response_id)
    return keys
