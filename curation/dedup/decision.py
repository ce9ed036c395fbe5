"""What the members of a cluster say together: who survives, who agrees with it, which licence binds."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import polars as pl

from curation.dedup.agreement import Comparison, agree
from curation.dedup.licences import strictest_licence
from curation.recipe import Disagreement

CLUSTER_SCHEMA = pl.Schema(
    {
        "survivor_id": pl.String(),
        "problem_id": pl.String(),
        "kind": pl.String(),
        "source": pl.String(),
        "source_id": pl.String(),
        "licence": pl.String(),
        "strictest_licence": pl.String(),
        "answer": pl.String(),
        "agrees": pl.Boolean(),
    }
)
"""One row a member, the survivor among them. ``survivor_id`` names the cluster also where it was dropped whole;
``kind`` is ``survivor``, ``folded`` (the same folded statement) or ``near`` (another wording); ``agrees`` with the
survivor's answer is null where one of the two has none or no comparison could tell."""

PROVENANCE_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String(),
        "members": pl.List(pl.String()),
        "sources": pl.List(pl.String()),
        "licences": pl.List(pl.String()),
        "strictest_licence": pl.String(),
        "majority_answer": pl.String(),
        "votes": pl.UInt32(),
        "answers": pl.List(pl.String()),
        "disagreeing": pl.Boolean(),
        "kept": pl.Boolean(),
        "other_tests": pl.List(pl.String()),
    }
)
"""One row a cluster of two or more. ``problem_id`` is the survivor's, or that of the survivor which a cluster dropped
whole would have had; ``votes`` rows give the majority answer; ``answers`` are the different answer texts;
``other_tests`` are the keys in the test table of members that went, whose tests the survivor does not have."""

_DECIDED = pl.Schema(
    {
        **dict(CLUSTER_SCHEMA),
        "node": pl.String(),
        "survivor_node": pl.String(),
        "tests": pl.String(),
        "answers": pl.List(pl.String()),
        "votes": pl.UInt32(),
        "disagreeing": pl.Boolean(),
        "kept": pl.Boolean(),
    }
)
_BATCH = 20_000


class _Member(NamedTuple):
    cluster: str
    problem_id: str
    node: str
    source: str
    source_id: str
    licence: str
    answer: str | None
    tests: str | None


def decide(found: pl.DataFrame, compare: Comparison, disagreement: Disagreement) -> pl.DataFrame:
    """Choose each cluster's survivor and say who agrees with it.

    The survivor is the first row of the value that most rows give (of the first row's value in a tie); rows without an
    answer give none. Where all agree that is the cluster's first row, unless that has no answer and another has.

    Args:
        found: what `clusters.find` returns.
        compare: says whether two answers are one value.
        disagreement: what becomes of a cluster whose rows give different values.

    Returns:
        the columns of `CLUSTER_SCHEMA`, and ``node`` and ``survivor_node`` (the first rows with the same folded
        statements), ``tests``, and for the cluster ``answers`` (its distinct texts, where there is more than one
        value), ``votes``, ``disagreeing``, ``kept``.
    """
    frames, rows = [], []
    columns = found.select(_Member._fields)
    for _, cluster in groupby(map(_Member._make, columns.iter_rows()), key=itemgetter(0)):
        rows += _decide_one(list(cluster), compare, disagreement)
        if len(rows) >= _BATCH:
            frames.append(pl.DataFrame(rows, schema=_DECIDED, orient="row"))
            rows = []
    frames.append(pl.DataFrame(rows, schema=_DECIDED, orient="row"))
    return pl.concat(frames)


def _decide_one(cluster: list[_Member], compare: Comparison, disagreement: Disagreement) -> list[tuple[object, ...]]:
    agreement = agree([member.answer for member in cluster if member.answer is not None], compare)
    values = [None if member.answer is None else agreement.value[member.answer] for member in cluster]
    counts = Counter(value for value in values if value is not None)
    # The first row's value comes first in the counter, and `max` keeps the first of equals.
    chosen = values.index(max(counts, key=counts.__getitem__)) if counts else 0
    survivor, value = cluster[chosen], values[chosen]
    votes = 0 if value is None else counts[value]
    disagreeing = agreement.values > 1
    wins = disagreement == "vote" or (disagreement == "keep_majority" and 2 * votes > counts.total())
    licence = strictest_licence([member.licence for member in cluster])
    return [
        (
            survivor.problem_id,
            member.problem_id,
            "survivor" if member is survivor else "folded" if member.node == survivor.node else "near",
            *(member.source, member.source_id, member.licence, licence, member.answer),
            None if own is None or value is None else own == value,
            *(member.node, survivor.node, member.tests),
            list(agreement.value) if disagreeing else [],
            *(votes, disagreeing, wins or not disagreeing),
        )
        for member, own in zip(cluster, values, strict=True)
    ]


def provenance(members: pl.DataFrame) -> pl.DataFrame:
    """Return a row of `PROVENANCE_SCHEMA` for each cluster that `decide` returned."""
    is_survivor = pl.col("problem_id") == pl.col("survivor_id")
    return (
        members.group_by("survivor_id", maintain_order=True)
        .agg(
            members=pl.col("problem_id"),
            sources=pl.col("source").unique(maintain_order=True),
            licences=pl.col("licence").unique(maintain_order=True),
            strictest_licence=pl.col("strictest_licence").first(),
            majority_answer=pl.col("answer").filter(is_survivor).first(),
            votes=pl.col("votes").first(),
            answers=pl.col("answers").first(),
            disagreeing=pl.col("disagreeing").first(),
            kept=pl.col("kept").first(),
            other_tests=pl.col("tests").filter(~is_survivor).drop_nulls(),
        )
        .rename({"survivor_id": "problem_id"})
        .select(pl.col(name).cast(kind) for name, kind in PROVENANCE_SCHEMA.items())
    )
