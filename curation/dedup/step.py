"""The step ``dedup``: keeps one row of each cluster; its tables say what the rest were and what all of them tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from curation import ledger, storage
from curation.dedup.agreement import same_answer
from curation.dedup.decision import CLUSTER_SCHEMA, PROVENANCE_SCHEMA, decide, provenance
from curation.dedup.evidence import Evidence, explain_pairs
from curation.dedup.signatures import SIGNATURE_VERSION
from curation.dedup.verification import VERIFICATION_VERSION
from curation.dedup.wording import WORDING_VERSION
from curation.ledger import Drop
from curation.parallel import Workers
from curation.progress import Reporter
from curation.recipe import Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA
from curation.steps import DROPPED, KEPT, StepContext, StepReport
from curation.text import FOLD_VERSION

_BATCH = 20_000
_PAIRS = 1_000
_ANSWERS_SHOWN = 8
_CLUSTERS_SHOWN = 20


class Deduplicate:
    """Drops rows whose problem another row states."""

    name = "dedup"
    logic_version = 3
    keeps = KEPT
    needs = {KEPT: frozenset(PROBLEM_SCHEMA.names())}
    writes = {
        KEPT: frozenset(PROBLEM_SCHEMA.names()),
        "clusters": frozenset(CLUSTER_SCHEMA.names()),
        "provenance": frozenset(PROVENANCE_SCHEMA.names()),
    }

    def configuration(self, recipe: Recipe) -> object:
        """Return the section, the order of the sources and the versions of what decides."""
        return {
            **recipe.dedup.model_dump(mode="json"),
            "sources": _source_order(recipe),
            "fold": FOLD_VERSION,
            "decides": [WORDING_VERSION, SIGNATURE_VERSION, VERIFICATION_VERSION],
        }

    def execute(self, context: StepContext) -> StepReport:
        """Write the survivors, the ledger, the clusters and their provenance."""
        # SciPy and datasketch take most of a second to load, which commands that only read a run need not wait for.
        from curation.dedup import clusters

        problems, section = context.tables[KEPT], context.recipe.dedup
        similarity = section.similarity if section.near else None
        with Workers("compares rows", context.cluster) as workers:
            found = clusters.find(problems, _source_order(context.recipe), similarity, context.reporter, workers)
            members = decide(found, same_answer, section.disagreement)
            gone = members.filter((pl.col("problem_id") != pl.col("survivor_id")) | ~pl.col("kept"))
            evidence = _near_evidence(problems, gone, section.similarity, context.reporter, workers)
        told = provenance(members)
        storage.write_table(context.output / f"{KEPT}.parquet", _kept(context, gone, told), PROBLEM_SCHEMA)
        storage.write_table(context.output / f"{DROPPED}.parquet", _drops(gone, evidence), LEDGER_SCHEMA)
        storage.write_table(context.output / "clusters.parquet", members.select(CLUSTER_SCHEMA.names()), CLUSTER_SCHEMA)
        storage.write_table(context.output / "provenance.parquet", told, PROVENANCE_SCHEMA)
        return StepReport(findings=_findings(members, told))


def _source_order(recipe: Recipe) -> list[str]:
    return [use.name or use.use for use in recipe.sources]


def _kept(context: StepContext, gone: pl.DataFrame, told: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield the rows that stay; a survivor carries the strictest licence of its cluster."""
    licences = told.select("problem_id", strictest="strictest_licence")
    for frame in storage.iterate_table(context.tables[KEPT], PROBLEM_SCHEMA):
        left = frame.join(gone, on="problem_id", how="anti", maintain_order="left")
        bound = left.join(licences, on="problem_id", how="left", maintain_order="left")
        yield bound.with_columns(licence=pl.coalesce("strictest", "licence")).select(PROBLEM_SCHEMA.names())


def _near_evidence(
    problems: Path, gone: pl.DataFrame, threshold: float, reporter: Reporter, workers: Workers
) -> dict[tuple[str, str], Evidence]:
    """Return the evidence on each dropped text and survivor's text that fold to different ones, by their nodes."""
    from curation.dedup import clusters

    pairs = gone.filter(pl.col("kind") == "near").select("node", "survivor_node").unique(maintain_order=True)
    if not pairs.height:
        return {}
    wanted = pl.concat([pairs["node"], pairs["survivor_node"]]).unique().alias("problem_id").to_frame()
    texts = clusters.texts(problems, wanted)
    told = (
        pairs.join(texts, left_on="node", right_on="problem_id", how="left", maintain_order="left")
        .join(texts.drop("domain"), left_on="survivor_node", right_on="problem_id", how="left", maintain_order="left")
        .select("domain", "statement", "statement_right")
    )
    found: list[Evidence] = []
    with reporter.task("explaining near duplicates", pairs.height, "pairs") as task:
        batches = (part.rows() for part in told.iter_slices(_PAIRS))
        for batch, result in workers.map(partial(explain_pairs, threshold=threshold), batches):
            found += result
            task.advance(len(batch))
    return dict(zip(pairs.rows(), found, strict=True))


def _drops(gone: pl.DataFrame, evidence: Mapping[tuple[str, str], Evidence]) -> Iterator[pl.DataFrame]:
    for frame in gone.iter_slices(_BATCH):
        yield ledger.to_frame(_drop(row, evidence) for row in frame.iter_rows(named=True))


def _drop(row: dict[str, Any], evidence: Mapping[tuple[str, str], Evidence]) -> Drop:
    survivor = str(row["survivor_id"])
    if not row["kept"]:
        rule, reason = "disagreeing_answers", "Rows that state this problem give different answers."
        told: Evidence = {"cluster": survivor, "answer": row["answer"], "answers": row["answers"][:_ANSWERS_SHOWN]}
    else:
        rule, reason = "duplicate", "Another row states the same problem."
        told = {"survivor": survivor, "answer": row["answer"], "agrees": row["agrees"]}
    if row["kind"] == "near":
        if row["kept"]:
            rule, reason = "near_duplicate", "Another row states the same problem in nearly the same words."
        told |= evidence[row["node"], row["survivor_node"]]
    return Drop(str(row["problem_id"]), str(row["source"]), Deduplicate.name, rule, reason, told)


def _findings(members: pl.DataFrame, told: pl.DataFrame) -> dict[str, object]:
    disagreeing = told.filter("disagreeing").sort("problem_id")
    near = members.filter(pl.col("kind") == "near")
    return {
        "clusters": told.height,
        "rows in clusters": members.height,
        "rows in other words than their survivor": near.height,
        "clusters of several sources": told.filter(pl.col("sources").list.len() > 1).height,
        "clusters with different answers": disagreeing.height,
        "of these kept": disagreeing.filter("kept").height,
        "different answers": {
            row["problem_id"]: row["answers"][:_ANSWERS_SHOWN]
            for row in disagreeing.head(_CLUSTERS_SHOWN).iter_rows(named=True)
        },
        "largest cluster": told["members"].list.len().max() or 0,
    }
