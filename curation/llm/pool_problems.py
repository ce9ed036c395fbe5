"""The problems that a pool's responses answer, kept beside them, so that a pool can be graded and selected from alone.

POOL/problems/part-000001.parquet   `records.PROBLEM_SCHEMA`; appended, never changed; of a problem the last row counts
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from curation import storage
from curation.json_reader import dumps
from curation.llm import parts, places
from curation.llm.places import PoolPath
from curation.records import PROBLEM_SCHEMA

PROBLEMS = "problems"


def keep(pool: PoolPath, problems: Iterable[pl.DataFrame]) -> None:
    """Add the problems that the pool does not know, or knows otherwise.

    Args:
        pool: the pool's directory.
        problems: frames of `records.PROBLEM_SCHEMA`.

    Raises:
        InputError: a part is damaged.
    """
    with places.locked(pool):
        known: dict[str, str] = {}
        for frame in parts.frames(pool / PROBLEMS, PROBLEM_SCHEMA):
            known.update(_digests(frame))
        new = [
            frame.filter(
                pl.Series([known.get(problem_id) != digest for problem_id, digest in _digests(frame)], dtype=pl.Boolean)
            )
            for frame in problems
        ]
        added = pl.concat([pl.DataFrame(schema=PROBLEM_SCHEMA), *new])
        if added.height:
            parts.append(pool / PROBLEMS, added, PROBLEM_SCHEMA)


def problems_of(pool: PoolPath) -> pl.DataFrame:
    """Return the problems that the pool keeps, of `records.PROBLEM_SCHEMA`, by ``problem_id``.

    Raises:
        InputError: a part is damaged.
    """
    frames = [pl.DataFrame(schema=PROBLEM_SCHEMA), *parts.frames(pool / PROBLEMS, PROBLEM_SCHEMA)]
    return pl.concat(frames).unique("problem_id", keep="last", maintain_order=True).sort("problem_id")


def _digests(frame: pl.DataFrame) -> Iterator[tuple[str, str]]:
    for row in frame.iter_rows(named=True):
        told = {name: None if value is None else str(value) for name, value in row.items()}
        yield row["problem_id"], storage.sha256_text(dumps(told))
