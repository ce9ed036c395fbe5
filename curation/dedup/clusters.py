"""Which problems have one statement: a hash of each folded statement, grouped.

Only hashes and identifiers are held in memory, about 120 bytes a row; statements stream past.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from curation import storage
from curation.progress import Reporter
from curation.text import fold

_READ = pl.Schema({"problem_id": pl.String, "domain": pl.String, "source": pl.String, "statement": pl.String})
_KEYED = pl.Schema(
    {
        "key_high": pl.UInt64,
        "key_low": pl.UInt64,
        "rank": pl.UInt32,
        "problem_id": pl.String,
    }
)

_DETAIL = pl.Schema({"problem_id": pl.String, "source": pl.String, "licence": pl.String, "answer": pl.String})


def statement_key(domain: str, statement: str) -> tuple[int, int]:
    """Return a 128-bit key that two statements share when they fold to one text, BLAKE2b over domain and fold.

    A statement that folds to nothing is keyed by its own bytes, so that blank rows are no duplicates of each other
    unless they are equal.
    """
    folded = fold(statement)
    kind, text = ("fold", folded) if folded else ("raw", statement)
    digest = hashlib.blake2b(f"{domain}\0{kind}\0{text}".encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:], "big")


def find(problems: Path, source_order: Sequence[str], reporter: Reporter) -> pl.DataFrame:
    """Return the rows that share their statement with another row, best row of each cluster first.

    Args:
        problems: a problem table.
        source_order: names of the sources, preferred first; a source that is not named comes last.
        reporter: where progress goes.

    Returns:
        a frame ``cluster`` (the identifier of the cluster's first row), ``place`` (0 for the first), ``problem_id``,
        ``source``, ``licence``, ``answer``; ordered by cluster and place. Within a cluster rows stand in the order of
        their sources, then of their identifiers.
    """
    rank = {name: position for position, name in enumerate(source_order)}
    keyed: list[pl.DataFrame] = []
    with reporter.task("finding duplicates", None, "problems") as task:
        for frame in storage.iterate_table(problems, _READ):
            keys = [
                statement_key(domain, statement)
                for domain, statement in zip(frame["domain"].to_list(), frame["statement"].to_list(), strict=True)
            ]
            keyed.append(
                pl.DataFrame(
                    {
                        "key_high": [key[0] for key in keys],
                        "key_low": [key[1] for key in keys],
                        "rank": [rank.get(source, len(rank)) for source in frame["source"].to_list()],
                        "problem_id": frame["problem_id"],
                    },
                    schema=_KEYED,
                )
            )
            task.advance(frame.height)
    everything = pl.concat(keyed) if keyed else pl.DataFrame(schema=_KEYED)
    shared = everything.filter(pl.struct("key_high", "key_low").is_duplicated())
    ordered = shared.sort("rank", "problem_id").with_columns(
        cluster=pl.col("problem_id").first().over("key_high", "key_low"),
        place=pl.int_range(pl.len(), dtype=pl.UInt32).over("key_high", "key_low"),
    )
    details = pl.concat(
        [frame.join(ordered, on="problem_id", how="semi") for frame in storage.iterate_table(problems, _DETAIL)]
        or [pl.DataFrame(schema=_DETAIL)]
    )
    return (
        ordered.join(details, on="problem_id", how="left", validate="1:1")
        .select("cluster", "place", "problem_id", "source", "licence", "answer")
        .sort("cluster", "place")
    )
