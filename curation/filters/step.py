"""The step ``filter``: cleans statements, then drops rows; the first reason decides and the ledger names the others."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from curation import ledger, storage
from curation.filters import own_rules
from curation.filters.parallel import rules_of, screen_batches
from curation.filters.rule import Row
from curation.filters.screening import Screened
from curation.ledger import Drop
from curation.recipe import Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA
from curation.steps import DROPPED, KEPT, StepContext, StepReport

CLEANED_SCHEMA = pl.Schema({"problem_id": pl.String, "rule": pl.String, "before": pl.String, "after": pl.String})
"""What cleaning did: one row for each different change that a rule made to a problem's statement."""

_CLEANED = "cleaned"
_BATCH = 2_000


class Filter:
    """Applies the cleaning and dropping rules of `curation.filters.catalog` and the recipe's own."""

    name = "filter"
    logic_version = 2
    keeps = KEPT
    needs = {KEPT: frozenset(PROBLEM_SCHEMA.names())}
    writes = {KEPT: frozenset(PROBLEM_SCHEMA.names()), _CLEANED: frozenset(CLEANED_SCHEMA.names())}

    def configuration(self, recipe: Recipe) -> object:
        """Return the section with the hash of each own rule in place of its path.

        Raises:
            InputError: a rule to skip does not exist, or an own rule cannot be used.
        """
        rules_of(recipe.filter, recipe.directory)
        return {
            "skip_rules": sorted(recipe.filter.skip_rules),
            "languages": sorted(recipe.filter.languages),
            "check_answers": recipe.filter.check_answers,
            "own_rules": [own_rules.fingerprint(recipe.directory / path) for path in recipe.filter.own_rules],
        }

    def execute(self, context: StepContext) -> StepReport:
        """Write the kept problems with their cleaned statements, the ledger and what cleaning did."""
        section, directory = context.recipe.filter, context.recipe.directory
        frames: deque[pl.DataFrame] = deque()
        dropped_by, cleaned_by = Counter[str](), Counter[str]()
        with (
            storage.open_table(context.output / f"{KEPT}.parquet", PROBLEM_SCHEMA) as kept,
            storage.open_table(context.output / f"{DROPPED}.parquet", LEDGER_SCHEMA) as dropped,
            storage.open_table(context.output / f"{_CLEANED}.parquet", CLEANED_SCHEMA) as cleaned,
            context.reporter.task("filter", _rows_in(context.tables[KEPT]), "rows") as task,
        ):
            for screened in screen_batches(_batches(context.tables[KEPT], frames), section, directory, context.cluster):
                frame = frames.popleft()
                kept.write(_kept(frame, screened))
                dropped.write(ledger.to_frame(_drops(frame, screened)))
                cleaned.write(_changes(frame, screened))
                dropped_by.update(row.hits[0].rule for row in screened if row.hits)
                cleaned_by.update(rule for row in screened for rule in {change.rule for change in row.changes})
                task.advance(len(screened))
        return StepReport(
            findings={
                "rows dropped, by rule": dict(sorted(dropped_by.items())),
                "rows cleaned, by rule": dict(sorted(cleaned_by.items())),
            }
        )


def _rows_in(table: Path) -> int:
    return int(pl.scan_parquet(table, glob=False).select(pl.len()).collect().item())


def _batches(table: Path, frames: deque[pl.DataFrame]) -> Iterator[list[Row]]:
    """Yield the rows of each frame and leave the frame in the queue for when its rows come back."""
    for frame in storage.iterate_table(table, PROBLEM_SCHEMA, _BATCH):
        frames.append(frame)
        yield [
            Row(statement, answer, domain=domain)
            for statement, answer, domain in frame.select("statement", "answer", "domain").iter_rows()
        ]


def _kept(frame: pl.DataFrame, screened: list[Screened]) -> pl.DataFrame:
    statements = pl.Series("statement", [row.statement for row in screened], pl.String)
    return frame.with_columns(statements).filter(pl.Series([not row.hits for row in screened], dtype=pl.Boolean))


def _drops(frame: pl.DataFrame, screened: list[Screened]) -> Iterator[Drop]:
    """Yield a ledger entry for each dropped row.

    The ledger's rule is the kind of defect, which several rules share and ``skip_rules`` may name; the rule that saw it
    is part of the evidence.
    """
    for (problem_id, source), row in zip(frame.select("problem_id", "source").iter_rows(), screened, strict=True):
        if not row.hits:
            continue
        first = row.hits[0]
        evidence: dict[str, object] = {"rule": first.rule, "span": first.span}
        also = [{"reason": hit.reason, "rule": hit.rule, "span": hit.span} for hit in row.hits[1:]]
        yield Drop(
            problem_id, source, Filter.name, first.reason, first.sentence, evidence | ({"also": also} if also else {})
        )


def _changes(frame: pl.DataFrame, screened: list[Screened]) -> pl.DataFrame:
    rows = [
        (problem_id, change.rule, change.before, change.after)
        for (problem_id,), row in zip(frame.select("problem_id").iter_rows(), screened, strict=True)
        for change in row.changes
    ]
    return pl.DataFrame(rows, schema=CLEANED_SCHEMA, orient="row")
