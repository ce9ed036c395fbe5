"""The HTML report of a run: one file that works offline and escapes what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import jinja2
import polars as pl

from curation import bundled, storage
from curation.funnel import SELECTIONS, build
from curation.json_reader import JsonValue, dumps, loads
from curation.run import Run, StepRecord
from curation.steps import DROPPED, KEPT

REPORT = "report.html"
_EXAMPLES_PER_RULE = 3
_SHOWN_CHARACTERS = 400
_BARS = 12
_ACCURACY_TABLES = {
    "proposer_accuracy": "Proposer accuracy",
    "pool_accuracy": "Message accuracy over the pool",
    "synthesis_accuracy": "Synthesis accuracy",
}


@dataclass(frozen=True)
class Example:
    """One dropped row as the report shows it."""

    problem_id: str
    rule: str
    reason: str
    statement: str | None
    evidence: str


@dataclass(frozen=True)
class Histogram:
    """Accuracies of one group in equal bins over 0 to 1, the exact 0 and the exact 1 apart."""

    title: str
    group: str
    bars: tuple[tuple[str, int], ...]


def write_report(run: Run) -> Path:
    """Render a run's report into its directory and return the file's path."""
    path = run.directory / REPORT
    storage.write_text(path, render(run))
    return path


def render(run: Run) -> str:
    """Return the report of the finished steps as HTML."""
    tables = {name: path for name in (KEPT, *SELECTIONS) if (path := run.newest(name)) is not None}
    funnel = build(run.earlier(), tables)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(bundled.folder("templates")), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template("run_report.html.j2").render(
        name=run.directory.resolve().name,
        notes=run.recipe.notes,
        published=_published(run, tables),
        steps=funnel.steps.to_dicts(),
        reasons=funnel.reasons.to_dicts(),
        source_columns=funnel.sources.columns,
        sources=funnel.sources.rows(),
        findings=[(record.name, _findings(record)) for record in run.records if record.findings],
        examples=[(record.name, _examples(run, place)) for place, record in enumerate(run.records) if record.dropped],
        histograms=_histograms(run, tables),
        unfinished=run.names[len(run.records) :],
        widest=max([row["rows_in"] for row in funnel.steps.to_dicts()], default=1) or 1,
    )


def _published(run: Run, tables: dict[str, Path]) -> list[dict[str, object]]:
    if KEPT not in tables:
        return []
    groups = pl.scan_parquet(tables[KEPT], glob=False).select("problem_id", "group")
    rows: list[dict[str, object]] = []
    for group, counts in run.recipe.published.items():
        members = groups.filter(pl.col("group") == group)
        row: dict[str, object] = {"group": group, "published": counts.model_dump()}
        row["before"] = members.select(pl.len()).collect().item()
        for name in SELECTIONS:
            if name in tables:
                chosen = pl.scan_parquet(tables[name], glob=False).select("problem_id")
                row[name] = members.join(chosen, on="problem_id").select(pl.len()).collect().item()
        rows.append(row)
    return rows


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


def _histograms(run: Run, tables: dict[str, Path]) -> list[Histogram]:
    if KEPT not in tables:
        return []
    found: list[Histogram] = []
    for table, title in _ACCURACY_TABLES.items():
        path = run.newest(table)
        if path is None:
            continue
        accuracies = pl.scan_parquet(path, glob=False).select("problem_id", "accuracy").drop_nulls()
        groups = pl.scan_parquet(_table_with_groups(run, table), glob=False).select("problem_id", "group")
        joined = accuracies.join(groups, on="problem_id").collect()
        for (group,), members in joined.sort("group").group_by("group", maintain_order=True):
            found.append(Histogram(title, str(group), _bars(members["accuracy"].to_list())))
    return found


def _table_with_groups(run: Run, table: str) -> Path:
    # Rows that the writing step itself dropped have an accuracy too, so the table it read tells their groups.
    place = next(place for place, record in enumerate(run.records) if table in record.outputs)
    return _table_before(run, place) or run.table(run.records[place].name, KEPT)


def _bars(values: list[float]) -> tuple[tuple[str, int], ...]:
    inner = [value for value in values if 0 < value < 1]
    bars = [("0", sum(value <= 0 for value in values))]
    for place in range(_BARS):
        low, high = place / _BARS, (place + 1) / _BARS
        count = sum(low < value <= high if place else 0 < value <= high for value in inner)
        bars.append((f"to {high:.2f}", count))
    bars.append(("1", sum(value >= 1 for value in values)))
    return tuple(bars)
