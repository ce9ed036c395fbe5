"""Who was dropped, where, by which rule, on what evidence; and the proof that nobody else is missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import polars as pl

from curation.errors import LedgerError
from curation.json_reader import dumps
from curation.records import LEDGER_SCHEMA


@dataclass(frozen=True, slots=True)
class Drop:
    """Why one row went no further.

    Attributes:
        problem_id: the row; for a row that never became a problem, ``source:location``.
        rule: the name of the rule that decided (``image``, ``duplicate``, ``excluded_contest``).
        reason: one sentence for a reader.
        evidence: what the rule saw: a span, the survivor's id, the votes. JSON kinds only.
        location: file and line or row where the source's text stands, for rows that could not be read.
    """

    problem_id: str
    source: str
    step: str
    rule: str
    reason: str
    evidence: dict[str, object] = field(default_factory=dict)
    location: str | None = None


def to_frame(drops: Iterable[Drop]) -> pl.DataFrame:
    """Return the drops as a frame of `LEDGER_SCHEMA`, evidence as JSON text."""
    rows = [{**asdict(drop), "evidence": dumps(drop.evidence)} for drop in drops]
    return pl.DataFrame(rows, schema=LEDGER_SCHEMA, orient="row")


def reconcile(
    step: str, incoming: Path | None, kept: Path, dropped: Path, added: frozenset[str] | None = None
) -> tuple[int, int, int]:
    """Prove that every row that came into a step was kept or has exactly one ledger entry.

    Args:
        step: the step's name, for the message.
        incoming: the problem table the step read; None where the step starts from outside.
        kept: the problem table the step wrote.
        dropped: the ledger the step wrote.
        added: identifiers of rows that the step made; None where it may not make any.

    Returns:
        the counts in, kept and dropped; ``in`` counts what the step made as well.

    Raises:
        LedgerError: a row is lost, invented, counted twice, or both kept and dropped; the message names some.
    """
    kept_ids = _identifiers(kept)
    dropped_ids = _identifiers(dropped)
    for name, ids in (("kept", kept_ids), ("dropped", dropped_ids)):
        twice = ids.filter(ids.is_duplicated()).unique().sort().head(3).to_list()
        if twice:
            raise LedgerError(f"step {step}: rows are {name} more than once: {', '.join(twice)}")
    out = pl.concat([kept_ids, dropped_ids])
    both = out.filter(out.is_duplicated()).unique().sort().head(3).to_list()
    if both:
        raise LedgerError(f"step {step}: rows are both kept and dropped: {', '.join(both)}")
    if incoming is None and added is None:
        return out.len(), kept_ids.len(), dropped_ids.len()
    before = _identifiers(incoming) if incoming else pl.Series("problem_id", [], dtype=pl.String)
    if added:
        before = pl.concat([before, pl.Series("problem_id", sorted(added), dtype=pl.String)])
    lost = before.filter(~before.is_in(out.implode())).sort()
    if lost.len():
        raise LedgerError(f"step {step}: {lost.len()} rows are lost: {', '.join(lost.head(3).to_list())}")
    invented = out.filter(~out.is_in(before.implode())).sort()
    if invented.len():
        raise LedgerError(
            f"step {step}: {invented.len()} rows came from nowhere: {', '.join(invented.head(3).to_list())}"
        )
    return before.len(), kept_ids.len(), dropped_ids.len()


def _identifiers(table: Path) -> pl.Series:
    return pl.scan_parquet(table, glob=False).select("problem_id").collect().to_series()
