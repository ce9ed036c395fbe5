"""The HTML report of a run: one file that works offline and escapes what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import jinja2
import polars as pl

from curation import bundled, storage
from curation.funnel import SELECTIONS, build
from curation.json_reader import JsonValue, dumps, loads
from curation.report.curriculum import BINS, curriculum_of
from curation.run import Run, StepRecord
from curation.steps import DROPPED, KEPT

REPORT = "report.html"
_EXAMPLES_PER_RULE = 3
_SHOWN_CHARACTERS = 400


@dataclass(frozen=True)
class Example:
    """One dropped row as the report shows it."""

    problem_id: str
    rule: str
    reason: str
    statement: str | None
    evidence: str


def write_report(run: Run) -> Path:
    """Render a run's report into its directory and return the file's path."""
    path = run.directory / REPORT
    storage.write_text(path, render(run))
    return path


def render(run: Run) -> str:
    """Return the report of the finished steps as HTML."""
    tables = {name: path for name in (KEPT, *SELECTIONS) if (path := run.newest(name)) is not None}
    funnel, curriculum = build(run.earlier(), tables), curriculum_of(run)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(bundled.folder("templates")), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template("run_report.html.j2").render(
        name=run.directory.resolve().name,
        notes=run.recipe.notes,
        published=curriculum.published,
        curriculum=curriculum.groups,
        steps=funnel.steps.to_dicts(),
        reasons=funnel.reasons.to_dicts(),
        source_columns=funnel.sources.columns,
        sources=funnel.sources.rows(),
        findings=[(record.name, _findings(record)) for record in run.records if record.findings],
        examples=[(record.name, _examples(run, place)) for place, record in enumerate(run.records) if record.dropped],
        histograms=curriculum.histograms,
        bins=BINS,
        unfinished=run.names[len(run.records) :],
        widest=max([row["rows_in"] for row in funnel.steps.to_dicts()], default=1) or 1,
    )


def _findings(record: StepRecord) -> list[tuple[str, str]]:
    return [(title, _told(value)) for title, value in record.findings.items()]


def _told(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return (
            "\n".join(f"{key}: {item if isinstance(item, str) else dumps(item)}" for key, item in value.items()) or "–"
        )
    if isinstance(value, list):
        return "\n".join(item if isinstance(item, str) else dumps(item) for item in value) or "–"
    return dumps(value)


def _examples(run: Run, place: int) -> list[Example]:
    record = run.records[place]
    drops = (
        pl.scan_parquet(run.table(record.name, DROPPED), glob=False)
        .with_columns(pl.int_range(pl.len()).over("rule").alias("place"))
        .filter(pl.col("place") < _EXAMPLES_PER_RULE)
        .sort("rule", "place")
        .collect()
    )
    before = _table_before(run, place)
    statements: dict[str, str] = {}
    if before is not None:
        wanted = drops["problem_id"].implode()
        found = pl.scan_parquet(before, glob=False).filter(pl.col("problem_id").is_in(wanted))
        statements = dict(found.select("problem_id", "statement").collect().iter_rows())
    return [
        Example(
            problem_id=row["problem_id"],
            rule=row["rule"],
            reason=row["reason"],
            statement=_short(statements.get(row["problem_id"])),
            evidence=_short(_readable(loads(row["evidence"]))) or "",
        )
        for row in drops.iter_rows(named=True)
    ]


def _table_before(run: Run, place: int) -> Path | None:
    for record in reversed(run.records[:place]):
        if KEPT in record.outputs:
            return run.table(record.name, KEPT)
    return None


def _short(text: str | None) -> str | None:
    if text is None or len(text) <= _SHOWN_CHARACTERS:
        return text
    return text[:_SHOWN_CHARACTERS] + " ..."


def _readable(value: JsonValue) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {item if isinstance(item, str) else dumps(item)}" for key, item in value.items())
    return dumps(value)
