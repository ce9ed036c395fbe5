"""The curriculum of a run: how hard its problems are by group, what a majority vote answers, and who was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import polars as pl

from curation.funnel import SELECTIONS
from curation.intervals import wilson
from curation.llm.majority import MAJORITY_SCHEMA
from curation.recipe import PublishedCounts, Recipe
from curation.records import ACCURACY_SCHEMA
from curation.run import Run
from curation.steps import KEPT

TOTAL = "total"
BINS = 24
"""Of a histogram, between the exact 0 and the exact 1: as many as a problem has responses in PaCoRe's pool."""

_SCREENED = "propose"
_TITLES = {
    "proposer_accuracy": "Proposer accuracy",
    "pool_accuracy": "Message accuracy over the pool",
    "synthesis_accuracy": "Synthesis accuracy",
}


@dataclass(frozen=True)
class Share:
    """A share with Wilson's 95 % interval; all None where there is nothing to share."""

    part: int
    whole: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class GroupCurriculum:
    """One group, or all together, by the response pool.

    Attributes:
        group: its name.
        problems: problems with a graded response.
        mean: their mean accuracy.
        never, always: how many no response, or every one, solves.
        majority: of the problems that have a majority vote, those where it is right.
        stage1_majority: the same among the problems of stage 1: where a synthesis has to do no more than count.
        selected: how many problems each stage has.
    """

    group: str
    problems: int
    mean: float | None
    never: int
    always: int
    majority: Share
    stage1_majority: Share
    selected: dict[str, int]


@dataclass(frozen=True)
class Histogram:
    """Accuracies of one group.

    Attributes:
        title: what the accuracy is of.
        group: the group.
        zero, one: problems at exactly 0 and exactly 1.
        counts: problems in `BINS` equal bins between, each without its lower end.
        above, below: the band that keeps a problem.
        problems: all of them.
    """

    title: str
    group: str
    zero: int
    one: int
    counts: tuple[int, ...]
    above: float
    below: float
    problems: int


@dataclass(frozen=True)
class Published:
    """One group beside what a paper reports of it: before the accuracy filters, and in each stage."""

    group: str
    here: dict[str, int]
    published: dict[str, int | None]


@dataclass(frozen=True)
class Curriculum:
    """All of it: `by_group`, `histograms` and `beside_published`."""

    groups: list[GroupCurriculum]
    histograms: list[Histogram]
    published: list[Published]


def curriculum_of(run: Run) -> Curriculum:
    """Return the curriculum of a run's finished steps."""
    return Curriculum(by_group(run), histograms(run), beside_published(run))


def by_group(run: Run) -> list[GroupCurriculum]:
    """Return a row a group with graded responses, then their total; nothing before the pool is filled."""
    path, groups = run.newest("pool_accuracy"), _groups(run, "pool")
    if path is None or groups is None:
        return []
    accuracy = pl.read_parquet(path, glob=False).select(ACCURACY_SCHEMA.names()).drop_nulls("accuracy")
    majority = run.newest("pool_majority")
    votes = pl.read_parquet(majority, glob=False) if majority is not None else pl.DataFrame(schema=MAJORITY_SCHEMA)
    chosen = {name: _ids(run, name) for name in SELECTIONS}
    table = accuracy.join(groups, on="problem_id").join(votes.select("problem_id", "vote"), on="problem_id", how="left")
    parts = [(str(key[0]), part) for key, part in table.sort("group").group_by("group", maintain_order=True)]
    every = [*parts, (TOTAL, table)] if len(parts) > 1 else parts
    return [_of_group(name, part, chosen) for name, part in every]


def histograms(run: Run) -> list[Histogram]:
    """Return the accuracies of each group in each table that the run has."""
    found = []
    for table, title in _TITLES.items():
        path = run.newest(table)
        step = next((record.name for record in run.records if table in record.outputs), "")
        groups = _groups(run, step)
        if path is None or groups is None:
            continue
        accuracies = pl.read_parquet(path, columns=["problem_id", "accuracy"], glob=False).drop_nulls()
        joined = accuracies.join(groups, on="problem_id").sort("group")
        for key, members in joined.group_by("group", maintain_order=True):
            above, below = _band(run.recipe, table, str(key[0]))
            found.append(_histogram(title, str(key[0]), members["accuracy"], above, below))
    return found


def beside_published(run: Run) -> list[Published]:
    """Return our counts beside those that the recipe says a paper reports, and their total."""
    groups = _groups(run, _SCREENED)
    if groups is None or not run.recipe.published:
        return []
    chosen = {name: _ids(run, name) for name in SELECTIONS if run.newest(name) is not None}
    rows = []
    for group, counts in run.recipe.published.items():
        members = groups.filter(pl.col("group") == group)
        here = {name: members.filter(pl.col("problem_id").is_in(ids.implode())).height for name, ids in chosen.items()}
        rows.append(Published(group, {"before": members.height, **here}, _told(counts)))
    if len(rows) > 1:
        names = ("before", *SELECTIONS)
        here = {name: sum(row.here[name] for row in rows) for name in names if name in rows[0].here}
        known = {name: [value for row in rows if (value := row.published[name]) is not None] for name in names}
        rows.append(Published(TOTAL, here, {name: sum(values) if values else None for name, values in known.items()}))
    return rows


def _told(counts: PublishedCounts) -> dict[str, int | None]:
    return {"before": counts.before, "stage1": counts.stage1, "stage2": counts.stage2}


def _of_group(name: str, table: pl.DataFrame, chosen: dict[str, pl.Series]) -> GroupCurriculum:
    inside = {stage: table.filter(pl.col("problem_id").is_in(ids.implode())) for stage, ids in chosen.items()}
    mean = table["accuracy"].mean()
    return GroupCurriculum(
        name,
        table.height,
        round(mean, 4) if isinstance(mean, float) else None,
        int((table["accuracy"] <= 0).sum()),
        int((table["accuracy"] >= 1).sum()),
        _majority(table),
        _majority(inside["stage1"]),
        {stage: part.height for stage, part in inside.items()},
    )


def _majority(table: pl.DataFrame) -> Share:
    votes = table["vote"].drop_nulls()
    part, whole = int((votes == "right").sum()), len(votes)
    if not whole:
        return Share(part, whole, None, None, None)
    low, high = wilson(float(part), float(whole))
    return Share(part, whole, round(part / whole, 4), round(low, 4), round(high, 4))


def _histogram(title: str, group: str, values: pl.Series, above: float, below: float) -> Histogram:
    inner = values.filter((values > 0) & (values < 1))
    # 3/24 belongs to the third bin, whatever the float makes of it.
    places = (inner * BINS - 1e-9).ceil().cast(pl.Int64)
    counts = tuple(int((places == place + 1).sum()) for place in range(BINS))
    return Histogram(
        title, group, int((values <= 0).sum()), int((values >= 1).sum()), counts, above, below, len(values)
    )


def _band(recipe: Recipe, table: str, group: str) -> tuple[float, float]:
    if table == "pool_accuracy":
        stage1 = recipe.stage1
        return stage1.above, stage1.code_below if group == "code" else stage1.math_below
    section = recipe.proposer if table == "proposer_accuracy" else recipe.stage2
    return (section.above, section.below) if section is not None else (0.0, 1.0)


def _ids(run: Run, table: str) -> pl.Series:
    path = run.newest(table)
    if path is None:
        return pl.Series("problem_id", [], dtype=pl.String)
    return pl.read_parquet(path, columns=["problem_id"], glob=False)["problem_id"]


def _groups(run: Run, step: str) -> pl.DataFrame | None:
    """Return problem_id and group of the problems that a step read; of the newest ones where it has not run."""
    path = _read_by(run, step)
    return None if path is None else pl.read_parquet(path, columns=["problem_id", "group"], glob=False)


def _read_by(run: Run, step: str) -> Path | None:
    before: Sequence[str] = [record.name for record in takewhile(lambda record: record.name != step, run.records)]
    writers = [record.name for record in run.records if KEPT in record.outputs and record.name in before]
    return run.table(writers[-1], KEPT) if writers else None
