"""What a rebuild would read, ask and need, before anything starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from curation.doctor import Check, examine
from curation.ingest.catalog import FoundSource, find_source
from curation.llm.pilot import Prediction, find_accuracy, predict
from curation.llm.stopping import Band, Sampling
from curation.recipe import ModelSection, Recipe, Sampler
from curation.records import Group

_COMMIT = re.compile(r"[0-9a-f]{40}")
_BYTES_PER_TOKEN = 4.0
_BYTES_PER_ROW = 2_500.0
_TABLES_PER_ROW = 6
"""How many steps write the whole problem table again."""

_BASE_MEMORY_GIB = 0.6
_MEMORY_BYTES_PER_ROW = 1_410.0
"""What ``benchmarks/cpu_steps_memory.py`` measures: 1.31 GiB for a million rows more."""


@dataclass(frozen=True)
class PlannedSource:
    """One source: where it comes from and whether it can be read now."""

    name: str
    title: str
    group: Group
    address: str
    revision: str
    licence: str
    expected_rows: int | None
    ready: str


@dataclass(frozen=True)
class PlannedGroup:
    """One group: rows in its sources beside the published counts."""

    group: str
    expected_rows: int
    before: int | None
    stage1: int | None
    stage2: int | None


@dataclass(frozen=True)
class ModelWork:
    """What one step asks of a model, at most.

    Attributes:
        tokens: written tokens.
        gpu_hours: None where the recipe gives the model no rate.
    """

    step: str
    model: str
    problems: int
    requests: int
    tokens: int
    gpu_hours: float | None


@dataclass(frozen=True)
class Plan:
    """A rebuild before it starts; see the parts."""

    recipe: str
    sources: tuple[PlannedSource, ...]
    groups: tuple[PlannedGroup, ...]
    model_work: tuple[ModelWork, ...]
    space_gib: dict[str, float]
    missing: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def make_plan(recipe: Recipe, limit: int | None = None) -> Plan:
    """Estimate a rebuild.

    Args:
        recipe: what would be done.
        limit: rows read of each source at most.

    Raises:
        InputError: a source file cannot be used.
    """
    sources = tuple(_sources(recipe, limit))
    groups = tuple(_groups(recipe, sources))
    pilot = _pilot(recipe)
    work = tuple(_model_work(recipe, groups, pilot, limited=limit is not None))
    return Plan(
        recipe=recipe.name,
        sources=sources,
        groups=groups,
        model_work=work,
        space_gib=_space(groups, work),
        missing=tuple(_missing(recipe, sources)),
        notes=(*recipe.notes, *_unknown_rows(sources), *_of_pilot(pilot)),
    )


def _sources(recipe: Recipe, limit: int | None) -> Iterator[PlannedSource]:
    for use in recipe.sources:
        found = find_source(use, recipe.directory, recipe.archives)
        source = found.source
        caps = [cap for cap in (limit, use.limit, source.expected_rows) if cap is not None]
        yield PlannedSource(
            name=source.name,
            title=source.title,
            group=source.group,
            address=_address(found),
            revision=_revision(found),
            licence=source.licence,
            expected_rows=min(caps) if source.expected_rows is not None else None,
            ready=found.obstacle() or "ready",
        )


def _revision(found: FoundSource) -> str:
    named = found.source.location.revision
    if found.path is not None or named is None:
        return "–"
    return named if _COMMIT.fullmatch(named) else f"{named}, pinned when read"


def _address(found: FoundSource) -> str:
    location = found.source.location
    if found.path is not None:
        return str(found.path)
    if location.hub is not None:
        return f"hub://{location.hub}"
    return location.url or "a folder that the recipe gives"


def _groups(recipe: Recipe, sources: tuple[PlannedSource, ...]) -> Iterator[PlannedGroup]:
    names = list(dict.fromkeys([*(source.group for source in sources), *recipe.published]))
    if recipe.arithmetic.count and "synthetic_math" not in names:
        names.append("synthetic_math")
    for name in names:
        rows = sum(source.expected_rows or 0 for source in sources if source.group == name)
        if name == "synthetic_math":
            rows += recipe.arithmetic.count
        counts = recipe.published.get(name)
        known = (counts.before, counts.stage1, counts.stage2) if counts else (None, None, None)
        yield PlannedGroup(name, rows, *known)


def _pilot(recipe: Recipe) -> Prediction | None:
    section = recipe.proposer
    if section is None or section.pilot is None:
        return None
    sampling = Sampling(section.samples, section.extra_samples, section.wave, section.stop)
    accuracy = find_accuracy(recipe.directory / Path(section.pilot).expanduser())
    return predict(accuracy, sampling, Band(section.above, section.below))


def _of_pilot(pilot: Prediction | None) -> Iterator[str]:
    if pilot is not None:
        yield (
            f"By a pilot of {pilot.problems:,} problems the proposer is asked for {pilot.asked:.0%} of its samples, "
            f"because the others could not change what is kept, and keeps {pilot.kept:.0%} of the problems."
        )


def _model_work(
    recipe: Recipe, groups: tuple[PlannedGroup, ...], pilot: Prediction | None, *, limited: bool
) -> Iterator[ModelWork]:
    # Filters and deduplication take out most rows; where a paper tells how many remain, that is the better estimate.
    remaining = {
        group.group: group.before if group.before is not None and not limited else group.expected_rows
        for group in groups
    }
    if recipe.vote is not None:
        voted = sum(count for group, count in remaining.items() if group in recipe.vote.groups)
        yield _work(recipe, "vote", recipe.vote.model, recipe.vote.sampler, voted, recipe.vote.votes)
        for group in recipe.vote.groups:
            remaining[group] = round(remaining.get(group, 0) * recipe.vote.expected_share)
    for name, question in recipe.questions.items():
        voted = sum(count for group, count in remaining.items() if group in question.groups)
        yield _work(recipe, f"vote {name}", question.model, question.sampler, voted, question.votes)
        for group in question.groups:
            remaining[group] = round(remaining.get(group, 0) * question.expected_share)
    if recipe.writer is not None:
        writer, code = recipe.writer, remaining.get("code", 0)
        yield _work(recipe, "judge", writer.model, writer.sampler, code, writer.checkers, writer.expected_share)
    problems = sum(remaining.values())
    if recipe.proposer is not None and recipe.proposer.screen is not None:
        screen = recipe.proposer.screen
        yield _work(recipe, "screen", screen.model, screen.sampler, problems, screen.samples)
    if recipe.proposer is not None:
        section = recipe.proposer
        asked, kept = (1.0, section.expected_share) if pilot is None else (pilot.asked, pilot.kept)
        yield _work(recipe, "propose", section.model, section.sampler, problems, section.samples, asked)
        problems = round(problems * kept)
    if recipe.pool is not None:
        yield _work(recipe, "pool", recipe.pool.model, recipe.pool.sampler, problems, recipe.pool.samples)
    if recipe.stage2 is not None:
        yield _work(recipe, "stage2", recipe.stage2.model, recipe.stage2.sampler, problems, recipe.stage2.samples)


def _work(
    recipe: Recipe, step: str, model: str, sampler: Sampler, problems: int, samples: int, asked: float = 1.0
) -> ModelWork:
    section: ModelSection = recipe.models[model]
    length = min(section.response_tokens or sampler.max_tokens, sampler.max_tokens)
    requests = round(problems * samples * asked)
    tokens = requests * length
    rate = section.tokens_per_second
    hours = round(tokens / rate / 3600, 1) if rate else None
    return ModelWork(step, section.model, problems, requests, tokens, hours)


def _space(groups: tuple[PlannedGroup, ...], work: tuple[ModelWork, ...]) -> dict[str, float]:
    rows = sum(group.expected_rows for group in groups)
    pool = sum(step.tokens for step in work) * _BYTES_PER_TOKEN
    memory = _BASE_MEMORY_GIB + rows * _MEMORY_BYTES_PER_ROW / 2**30
    return {
        "disk: tables of the steps": round(rows * _BYTES_PER_ROW * _TABLES_PER_ROW / 2**30, 2),
        "disk: response pool, before compression": round(pool / 2**30, 2),
        "memory of the CPU steps": round(memory, 2),
    }


def _missing(recipe: Recipe, sources: tuple[PlannedSource, ...]) -> Iterator[tuple[str, str]]:
    for source in sources:
        if source.ready != "ready":
            yield f"source {source.name}", source.ready
    wanted = {"vllm": "extra vllm", "llama.cpp": "extra demo", "ray": "extra ray"}
    engines = {wanted[section.engine] for section in recipe.models.values() if section.engine in wanted}
    code = any(source.group == "code" for source in sources)
    for check in examine(Path()):
        if check.status != "ok" and _matters(check, engines, code):
            yield f"{check.name} ({check.detail})", check.remedy


def _matters(check: Check, engines: set[str], code: bool) -> bool:
    if check.name.startswith("extra "):
        return check.name in engines
    if check.name == "GPU":
        return "extra vllm" in engines
    if check.name in {"C++ compiler", "sandbox"}:
        return code
    return check.name not in {"pypy3", "java"}


def _unknown_rows(sources: tuple[PlannedSource, ...]) -> Iterator[str]:
    unknown = [source.name for source in sources if source.expected_rows is None]
    if unknown:
        yield f"No row count is known for {', '.join(unknown)}; the estimates leave them out."
