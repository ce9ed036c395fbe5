"""One row's whole story: where it came from, what every step did with it, and on what evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from curation.errors import InputError
from curation.json_reader import JsonValue, loads
from curation.run import Run
from curation.steps import DROPPED, KEPT

_SIDE_TABLES_KEY = "problem_id"


@dataclass(frozen=True)
class Event:
    """What one step did with the row.

    Attributes:
        step: the step's name.
        outcome: ``kept``, ``changed``, ``dropped``, ``selected``, ``not selected`` or ``made``.
        rule: the rule that dropped it.
        reason: one sentence.
        evidence: what the rule saw.
        columns: columns that changed, as old and new text.
        rows: rows about it in the step's other tables, by table.
    """

    step: str
    outcome: str
    rule: str | None = None
    reason: str | None = None
    evidence: JsonValue = None
    columns: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)
    rows: dict[str, list[dict[str, object]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Story:
    """A row and its events in order of the steps; ``problem`` is the row as it stood last, None if none."""

    problem_id: str
    problem: dict[str, object] | None
    events: tuple[Event, ...]


def explain(run: Run, problem_id: str) -> Story:
    """Tell the story of one row.

    Raises:
        InputError: no step of the run knows the identifier; the message names near ones.
    """
    events: list[Event] = []
    last: dict[str, object] | None = None
    for record in run.records:
        drop = _one(run.table(record.name, DROPPED), problem_id)
        row = _one(run.table(record.name, KEPT), problem_id) if KEPT in record.outputs else None
        chosen = [name for name in record.outputs if name == record.name]
        selected = bool(chosen) and _one(run.table(record.name, chosen[0]), problem_id) is not None
        known = last is not None or row is not None
        if drop is None and not known:
            continue
        others = {
            name: found
            for name in sorted(record.outputs)
            if name not in (KEPT, DROPPED) and (found := _rows(run.table(record.name, name), problem_id))
        }
        if drop is not None:
            outcome = "not selected" if chosen else "dropped"
            evidence = loads(str(drop["evidence"])) if drop["evidence"] else None
            events.append(Event(record.name, outcome, str(drop["rule"]), str(drop["reason"]), evidence, rows=others))
            if not chosen:
                break
            continue
        changed = _changes(last, row) if last is not None and row is not None else {}
        outcome = "selected" if selected else "made" if last is None else "changed" if changed else "kept"
        events.append(Event(record.name, outcome, columns=changed, rows=others))
        last = row or last
    if not events:
        raise InputError(f"{run.directory} knows no row {problem_id!r}{_near(run, problem_id)}")
    return Story(problem_id, last, tuple(events))


def _changes(old: dict[str, object], new: dict[str, object]) -> dict[str, tuple[str | None, str | None]]:
    def text(value: object) -> str | None:
        return None if value is None else str(value)

    return {name: (text(old.get(name)), text(value)) for name, value in new.items() if old.get(name) != value}


def _one(table: Path, problem_id: str) -> dict[str, object] | None:
    found = _rows(table, problem_id, most=1)
    return found[0] if found else None


def _rows(table: Path, problem_id: str, most: int = 200) -> list[dict[str, object]]:
    if not table.is_file():
        return []
    frame = pl.scan_parquet(table, glob=False)
    if _SIDE_TABLES_KEY not in frame.collect_schema():
        return []
    return frame.filter(pl.col(_SIDE_TABLES_KEY) == problem_id).head(most).collect().to_dicts()


def _near(run: Run, problem_id: str) -> str:
    wanted = problem_id.rsplit(":", 1)[-1]
    tables = [run.table(record.name, DROPPED) for record in run.records]
    tables += [table for table in [run.newest(KEPT)] if table is not None]
    near: list[str] = []
    for table in tables:
        ids = pl.scan_parquet(table, glob=False).select("problem_id")
        near += (
            ids.filter(pl.col("problem_id").str.contains(wanted, literal=True)).head(3).collect().to_series().to_list()
        )
    if near and wanted:
        return f": did you mean {', '.join(sorted(set(near))[:3])}?"
    return ": identifiers are source:id, see the problem_id columns of its tables"
