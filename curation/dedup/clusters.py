"""Which problems of a table are one problem: by their folded statements, then by their wordings.

Statements stream past. Held in memory are, a row, its keys and identifier (about 230 bytes), and the statements of
those rows alone whose keys propose another row.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import polars as pl

from curation import storage
from curation.dedup.proposals import banding, groups
from curation.dedup.signatures import Banding, Signatures, Words64, sign
from curation.dedup.stars import Node, cluster
from curation.parallel import Workers
from curation.progress import Reporter

FOUND_SCHEMA = pl.Schema(
    {
        "cluster": pl.String,
        "place": pl.UInt32,
        "node": pl.String,
        "problem_id": pl.String,
        "source": pl.String,
        "source_id": pl.String,
        "licence": pl.String,
        "answer": pl.String,
        "tests": pl.String,
    }
)
"""One row a member of a cluster. ``cluster`` is the identifier of the cluster's first row, ``place`` the row's place in
it, ``node`` the first row with the same folded statement."""

_READ = pl.Schema(dict.fromkeys(("problem_id", "domain", "source", "statement", "tests"), pl.String))
_KEYED = pl.Schema({"key_high": pl.UInt64, "key_low": pl.UInt64, "rank": pl.UInt32, "problem_id": pl.String})
_DETAIL = pl.Schema(
    {name: FOUND_SCHEMA[name] for name in ("problem_id", "source", "source_id", "licence", "answer", "tests")}
)
TEXT_SCHEMA = pl.Schema({"problem_id": pl.String, "domain": pl.String, "statement": pl.String})
_BATCH = 2_000


def find(
    problems: Path,
    source_order: Sequence[str],
    similarity: float | None,
    reporter: Reporter,
    workers: Workers,
) -> pl.DataFrame:
    """Return the rows that state one problem with another row.

    Args:
        problems: a problem table.
        source_order: names of the sources, preferred first; a source that is not named comes last.
        similarity: least similarity of wordings that are not equal; None for equal folded statements alone.
        reporter: where progress goes.
        workers: the processes to use; the result does not depend on their number.

    Returns:
        a frame of `FOUND_SCHEMA`, ordered by cluster and place. Within a cluster rows stand in the order of their
        sources, then of their identifiers.
    """
    bands = None if similarity is None else banding(similarity)
    keyed, keys = _keys(problems, source_order, bands, reporter, workers)
    # From here on the order of the rows in the table plays no part.
    ordered = keyed.with_row_index("row").sort("rank", "problem_id")
    ordered = ordered.with_columns(node=pl.col("problem_id").first().over("key_high", "key_low"))
    ordered = ordered.drop("key_high", "key_low", "rank").with_columns(cluster=pl.col("node"))
    if similarity is not None and ordered.height:
        ordered = _join_near(problems, ordered, keys, similarity, reporter, workers)
    shared = ordered.filter(pl.col("cluster").is_duplicated()).with_columns(
        place=pl.int_range(pl.len(), dtype=pl.UInt32).over("cluster")
    )
    return (
        shared.join(_rows(problems, _DETAIL, shared), on="problem_id", how="left", validate="1:1")
        .select(pl.col(name).cast(kind) for name, kind in FOUND_SCHEMA.items())
        .sort("cluster", "place")
    )


def texts(problems: Path, identifiers: pl.DataFrame) -> pl.DataFrame:
    """Return the statements of the rows that ``identifiers`` names in ``problem_id``, as `TEXT_SCHEMA`."""
    return _rows(problems, TEXT_SCHEMA, identifiers)


def _rows(problems: Path, schema: pl.Schema, wanted: pl.DataFrame) -> pl.DataFrame:
    frames = [frame.join(wanted, on="problem_id", how="semi") for frame in storage.iterate_table(problems, schema)]
    return pl.concat(frames or [pl.DataFrame(schema=schema)])


def _keys(
    problems: Path, source_order: Sequence[str], bands: Banding | None, reporter: Reporter, workers: Workers
) -> tuple[pl.DataFrame, Words64]:
    rank = {name: position for position, name in enumerate(source_order)}
    about: list[pl.DataFrame] = []
    signed: list[Signatures] = []

    def batches() -> Iterator[list[tuple[str, str]]]:
        for frame in storage.iterate_table(problems, _READ):
            # A code problem that nothing can be run on comes after every one that has tests, whatever its source.
            last = (pl.col("domain") == "code") & pl.col("tests").is_null()
            place = pl.col("source").replace_strict(rank, default=len(rank)) + last * (len(rank) + 1)
            about.append(frame.select("problem_id", rank=place.cast(pl.UInt32)))
            for part in frame.iter_slices(_BATCH):
                yield list(zip(part["domain"].to_list(), part["statement"].to_list(), strict=True))

    # Without a search for near duplicates nothing but the keys of the folds is needed: no bands.
    used = bands or Banding(0, 0, sys.maxsize)
    with reporter.task("signing statements", None, "problems") as task:
        for batch, result in workers.map(partial(sign, banding=used), batches()):
            signed.append(result)
            task.advance(len(batch))
    if not signed:
        return pl.DataFrame(schema=_KEYED), np.empty((0, 1 + used.bands), dtype=np.uint64)
    exact = np.concatenate([part.exact for part in signed])
    keyed = pl.concat(about).select(
        "problem_id", "rank", key_high=pl.Series(exact[:, 0]), key_low=pl.Series(exact[:, 1])
    )
    return keyed, np.concatenate([part.bands for part in signed])


def _join_near(
    problems: Path, ordered: pl.DataFrame, keys: Words64, similarity: float, reporter: Reporter, workers: Workers
) -> pl.DataFrame:
    """Return the rows with the clusters of their wordings instead of those of their folds."""
    nodes = ordered.filter(pl.col("problem_id") == pl.col("node")).select("node", "row")
    nodes = nodes.with_columns(group=pl.Series(groups(keys[nodes["row"].to_numpy()])))
    nodes = nodes.with_row_index("order").filter(pl.col("group").is_duplicated()).sort("group", "order")
    if not nodes.height:
        return ordered
    proposed = ordered.join(nodes.select("node"), on="node", how="semi").select("problem_id", "node")
    answers = (
        _rows(problems, pl.Schema({"problem_id": pl.String, "answer": pl.String}), proposed)
        .join(proposed, on="problem_id", how="left")
        .drop_nulls("answer")
        .group_by("node")
        .agg(pl.col("answer").unique().sort())
    )
    statements = texts(problems, nodes.select(problem_id="node"))
    nodes = nodes.join(statements, left_on="node", right_on="problem_id", how="left", maintain_order="left")
    nodes = nodes.join(answers, on="node", how="left", maintain_order="left")
    first: list[str] = []
    with reporter.task("comparing near duplicates", nodes.height, "problems") as task:
        for batch, result in workers.map(partial(_cluster_batch, threshold=similarity), _node_batches(nodes, keys)):
            first += [batch[number][0] for number in result]
            task.advance(len(batch))
    near = nodes.select("node", near=pl.Series(first, dtype=pl.String))
    joined = ordered.join(near, on="node", how="left", maintain_order="left")
    return joined.with_columns(cluster=pl.coalesce("near", "cluster")).drop("near")


def _node_batches(nodes: pl.DataFrame, keys: Words64) -> Iterator[list[tuple[str, Node]]]:
    """Yield the nodes in batches of whole groups; how they are cut depends on the nodes alone."""
    columns = nodes.select("group", "node", "row", "domain", "statement", "answer")
    batch: list[tuple[str, Node]] = []
    for _, members in groupby(columns.iter_rows(), key=itemgetter(0)):
        for _, identifier, row, domain, statement, answers in members:
            bands = tuple(keys[row].tolist())
            batch.append((identifier, Node(domain, statement, tuple(answers or ()), bands)))
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _cluster_batch(batch: Sequence[tuple[str, Node]], threshold: float) -> list[int]:
    return cluster([node for _, node in batch], threshold)
