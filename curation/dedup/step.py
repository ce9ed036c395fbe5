"""The step ``dedup``: keeps one row of each cluster; the ledger and the ``clusters`` table say what the rest were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

import polars as pl

from curation import ledger, storage
from curation.dedup import clusters
from curation.dedup.agreement import Comparison, agree, same_answer, strictest_licence
from curation.ledger import Drop
from curation.recipe import Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA
from curation.steps import DROPPED, KEPT, StepContext, StepReport
from curation.text import FOLD_VERSION

CLUSTER_SCHEMA = pl.Schema(
    {
        "survivor_id": pl.String,
        "problem_id": pl.String,
        "source": pl.String,
        "licence": pl.String,
        "strictest_licence": pl.String,
        "answer": pl.String,
        "agrees": pl.Boolean,
    }
)
"""One row a member, the survivor among them. ``survivor_id`` names the cluster also where it was dropped whole;
``agrees`` with the survivor's answer is null where one of the two has none or no comparison could tell."""

_DECIDED = pl.Schema([*CLUSTER_SCHEMA.items(), ("disagreeing", pl.Boolean()), ("answers", pl.List(pl.String))])
_BATCH = 20_000
_ANSWERS_SHOWN = 8


class Deduplicate:
    """Drops rows whose folded statement another row has."""

    name = "dedup"
    logic_version = 1
    keeps = KEPT
    needs = {KEPT: frozenset(PROBLEM_SCHEMA.names())}
    writes = {KEPT: frozenset(PROBLEM_SCHEMA.names()), "clusters": frozenset(CLUSTER_SCHEMA.names())}

    def configuration(self, recipe: Recipe) -> object:
        """Return the section, the order of the sources and the version of the fold."""
        return {
            **recipe.dedup.model_dump(mode="json"),
            "sources": _source_order(recipe),
            "fold": FOLD_VERSION,
        }

    def execute(self, context: StepContext) -> StepReport:
        """Write the survivors, the ledger and the clusters."""
        problems = context.tables[KEPT]
        found = clusters.find(problems, _source_order(context.recipe), context.reporter)
        members = decide(found, same_answer)
        drop_whole = context.recipe.dedup.disagreeing_answers == "drop"
        gone = members.filter(
            (pl.col("problem_id") != pl.col("survivor_id")) | (pl.col("disagreeing") if drop_whole else pl.lit(False))
        )
        kept = (
            frame.join(gone, on="problem_id", how="anti", maintain_order="left")
            for frame in storage.iterate_table(problems, PROBLEM_SCHEMA)
        )
        storage.write_table(context.output / f"{KEPT}.parquet", kept, PROBLEM_SCHEMA)
        storage.write_table(context.output / f"{DROPPED}.parquet", _drops(gone, drop_whole), LEDGER_SCHEMA)
        storage.write_table(context.output / "clusters.parquet", members.select(CLUSTER_SCHEMA.names()), CLUSTER_SCHEMA)
        return StepReport(findings=_findings(members))


def _source_order(recipe: Recipe) -> list[str]:
    return [use.name or use.use for use in recipe.sources]


def decide(found: pl.DataFrame, compare: Comparison) -> pl.DataFrame:
    """Choose each cluster's survivor and say who agrees with it.

    The survivor is the first row of the value that most rows give (of the first row's value in a tie); rows without an
    answer give none. Where all agree that is the cluster's first row, unless that has no answer and another has.

    Args:
        found: what `clusters.find` returns.
        compare: says whether two answers are one value.

    Returns:
        the columns of `CLUSTER_SCHEMA` and ``disagreeing`` (whether the cluster holds more than one value) and
        ``answers`` (its distinct answer texts).
    """
    frames, rows = [], []
    columns = found.select("cluster", "problem_id", "source", "licence", "answer")
    for _, cluster in groupby(columns.iter_rows(), key=itemgetter(0)):
        rows += _decide_one(list(cluster), compare)
        if len(rows) >= _BATCH:
            frames.append(pl.DataFrame(rows, schema=_DECIDED, orient="row"))
            rows = []
    frames.append(pl.DataFrame(rows, schema=_DECIDED, orient="row"))
    return pl.concat(frames)


def _decide_one(cluster: list[tuple[str, ...]], compare: Comparison) -> list[tuple[object, ...]]:
    answers: list[str | None] = [row[4] for row in cluster]
    agreement = agree([answer for answer in answers if answer is not None], compare)
    values = [None if answer is None else agreement.value[answer] for answer in answers]
    counts = Counter(value for value in values if value is not None)
    # The first row's value comes first in the counter, and `max` keeps the first of equals.
    chosen = values.index(max(counts, key=counts.__getitem__)) if counts else 0
    licence = strictest_licence([row[3] for row in cluster])
    disagreeing = agreement.values > 1
    shown = list(agreement.value) if disagreeing else []
    return [
        (
            cluster[chosen][1],
            *(identifier, source, own, licence, answer),
            None if value is None or values[chosen] is None else value == values[chosen],
            disagreeing,
            shown,
        )
        for (_, identifier, source, own, answer), value in zip(cluster, values, strict=True)
    ]


def _drops(gone: pl.DataFrame, drop_whole: bool) -> Iterator[pl.DataFrame]:
    for frame in gone.iter_slices(_BATCH):
        yield ledger.to_frame(_drop(row, drop_whole) for row in frame.iter_rows(named=True))


def _drop(row: dict[str, object], drop_whole: bool) -> Drop:
    survivor, answers = str(row["survivor_id"]), row["answers"]
    if drop_whole and row["disagreeing"]:
        shown = answers[:_ANSWERS_SHOWN] if isinstance(answers, list) else []
        rule, reason = "disagreeing_answers", "Rows with this statement give different answers."
        evidence: dict[str, object] = {"cluster": survivor, "answer": row["answer"], "answers": shown}
    else:
        rule, reason = "duplicate", "Another row states the same problem."
        evidence = {"survivor": survivor, "answer": row["answer"], "agrees": row["agrees"]}
    return Drop(str(row["problem_id"]), str(row["source"]), Deduplicate.name, rule, reason, evidence)


def _findings(members: pl.DataFrame) -> dict[str, object]:
    survivors = members.filter(pl.col("problem_id") == pl.col("survivor_id"))
    disagreeing = survivors.filter("disagreeing")
    return {
        "clusters": survivors.height,
        "rows in clusters": members.height,
        "clusters with different answers": disagreeing.height,
        "different answers": {
            str(row["survivor_id"]): row["answers"][:_ANSWERS_SHOWN]
            for row in disagreeing.head(20).iter_rows(named=True)
        },
        "largest cluster": members.group_by("survivor_id").len()["len"].max() or 0,
    }
