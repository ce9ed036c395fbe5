"""Two steps that let a model solve every problem: the proposer's accuracy, and the response pool.

Both ask the run's pool first, so that nothing is asked for twice, and grade what it holds. PaCoRe (arXiv 2601.05593)
keeps what its strong proposer solves sometimes but not always, and caches 24 responses a problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from curation import accuracy, storage
from curation.judging.store import JUDGE_VERSION
from curation.ledger import Drop
from curation.llm import engines, solving
from curation.llm.majority import MAJORITY_SCHEMA, majorities
from curation.llm.pool import open_pool
from curation.llm.second_look import DOUBTFUL_SCHEMA, doubtful
from curation.llm.stopping import Band
from curation.llm.verdicts import answers_version
from curation.llm.waves import Solved, Task, solve
from curation.recipe import ProposerSection, Recipe, ScreenSection, SolveSection
from curation.records import ACCURACY_SCHEMA, GRADE_SCHEMA, LEDGER_SCHEMA, PROBLEM_SCHEMA, TEST_SCHEMA
from curation.steps import DROPPED, KEPT, StepContext, StepReport

_MAJORITY = "pool_majority"
_NEEDS = {KEPT: frozenset(PROBLEM_SCHEMA.names()), "tests": frozenset(TEST_SCHEMA.names())}
_WHO_SCHEMA = pl.Schema({name: PROBLEM_SCHEMA[name] for name in ("problem_id", "source", "domain")})


class Propose:
    """The step ``propose``: keep a problem whose proposer accuracy lies strictly inside the recipe's band."""

    name = "propose"
    logic_version = 2
    needs = _NEEDS
    writes = {
        KEPT: frozenset(PROBLEM_SCHEMA.names()),
        "proposer_grades": frozenset(GRADE_SCHEMA.names()),
        "proposer_accuracy": frozenset(ACCURACY_SCHEMA.names()),
        "doubtful_answers": frozenset(DOUBTFUL_SCHEMA.names()),
    }
    keeps = KEPT

    def configuration(self, recipe: Recipe) -> object:
        """Return the sections with their models' identities and their prompts' hashes."""
        screen = recipe.proposer.screen if recipe.proposer is not None else None
        return [_configuration(recipe, recipe.proposer), _configuration(recipe, screen)]

    def execute(self, context: StepContext) -> StepReport:
        """Write ``problems``, the proposer's grades, accuracies and doubtful answers, and a drop for the others.

        Raises:
            InputError: the model or a prompt cannot be used.
            OutsideError: the server failed; what was answered is stored.
        """
        section = context.recipe.proposer
        if section is None:
            _write_doubtful(context, iter(()))
            return _pass_through(context, "proposer", "The recipe has no [proposer] section: every problem goes on.")
        screened = _screen(context, section)
        band = Band(section.above, section.below)
        solved = _solve(context, section, "proposer", self.name, {"math": band, "code": band}, screened.problems)
        who = storage.read_table(screened.problems, _WHO_SCHEMA)
        judged = accuracy.judge(who, solved.accuracy, section.above, pl.lit(section.below))
        kept = frozenset(judged.filter(pl.col("rule").is_null())["problem_id"])
        with open_pool(context.responses) as pool:
            found = doubtful(screened.problems, solved.grades, solved.accuracy, pool, section.doubtful_share)
            doubts = _write_doubtful(context, found)
        if screened.problems != context.tables[KEPT]:
            screened.problems.unlink()
        drops = [*screened.drops, *accuracy.outside(judged, self.name, "the proposer")]
        findings = {**screened.findings, "Unsolved problems whose responses agree on another answer": doubts}
        return _write(context, solved, kept, iter(drops), findings)


class FillPool:
    """The step ``pool``: store and grade the recipe's number of responses for every problem."""

    name = "pool"
    logic_version = 3
    needs = _NEEDS
    writes = {
        KEPT: frozenset(PROBLEM_SCHEMA.names()),
        "pool_grades": frozenset(GRADE_SCHEMA.names()),
        "pool_accuracy": frozenset(ACCURACY_SCHEMA.names()),
        _MAJORITY: frozenset(MAJORITY_SCHEMA.names()),
    }
    keeps = KEPT

    def configuration(self, recipe: Recipe) -> object:
        """Return the section with its model's identity and its prompts' hashes, and stage 1's band where it counts."""
        stops = recipe.pool is not None and recipe.pool.stop != "never"
        band = recipe.stage1.model_dump(mode="json", include={"above", "math_below", "code_below"}) if stops else None
        return [_configuration(recipe, recipe.pool), band]

    def execute(self, context: StepContext) -> StepReport:
        """Write ``problems``, ``pool_grades``, ``pool_accuracy``, ``pool_majority``, and a drop for what has no grade.

        Raises:
            InputError: the model or a prompt cannot be used.
            OutsideError: the server failed; what was answered is stored.
        """
        section = context.recipe.pool
        if section is None:
            _write_majority(context, iter((pl.DataFrame(schema=MAJORITY_SCHEMA),)))
            return _pass_through(context, "pool", "The recipe has no [pool] section: there are no responses.")
        stage1 = context.recipe.stage1
        bands = {"math": Band(stage1.above, stage1.math_below), "code": Band(stage1.above, stage1.code_below)}
        solved = _solve(context, section, "pool", self.name, bands, context.tables[KEPT])
        kept = frozenset(solved.accuracy.drop_nulls("accuracy")["problem_id"])
        with open_pool(context.responses) as pool:
            _write_majority(context, majorities(context.tables[KEPT], solved.grades, pool))
        return _write(context, solved, kept, _ungraded(context.tables[KEPT], solved, kept))


def _configuration(recipe: Recipe, section: SolveSection | None) -> object:
    if section is None:
        return None
    return {
        "section": section.model_dump(mode="json", exclude={"model", "prompt", "code_prompt", "screen", "pilot"}),
        "answers": answers_version(),
        "judge": [JUDGE_VERSION, recipe.judge.model_dump(mode="json")],
        "model": engines.fingerprint(recipe, section.model),
        "prompts": [prompt.sha256 for prompt in solving.load_prompts(recipe, section)],
    }


def _pass_through(context: StepContext, prefix: str, why: str) -> StepReport:
    for table, schema in ((f"{prefix}_grades", GRADE_SCHEMA), (f"{prefix}_accuracy", ACCURACY_SCHEMA)):
        storage.write_table(context.output / f"{table}.parquet", pl.DataFrame(schema=schema), schema)
    storage.write_table(context.output / f"{DROPPED}.parquet", pl.DataFrame(schema=LEDGER_SCHEMA), LEDGER_SCHEMA)
    return StepReport(findings={"Not done": why})


def _solve(
    context: StepContext, section: SolveSection, prefix: str, step: str, bands: dict[str, Band], problems: Path
) -> Solved:
    task = Task(
        context.recipe,
        section,
        bands,
        problems,
        context.tables["tests"],
        context.responses,
        context.run_directory,
        keep_verdicts=context.stored_only,
        checkers=context.tables.get("checkers"),
        stored_only=context.stored_only,
    )
    solved = solve(task, context.output / f"{prefix}_grades.parquet", context.reporter, step)
    storage.write_table(context.output / f"{prefix}_accuracy.parquet", solved.accuracy, ACCURACY_SCHEMA)
    return solved


@dataclass(frozen=True)
class _Screened:
    """What a screening model leaves for the proposer: the table of problems, and a drop for each of the others."""

    problems: Path
    drops: list[Drop]
    findings: dict[str, object]


def _screen(context: StepContext, section: ProposerSection) -> _Screened:
    screen: ScreenSection | None = section.screen
    if screen is None:
        return _Screened(context.tables[KEPT], [], {})
    # Below 0 nothing lies, so only what is sure to be too easy, or sure not to be, ends early.
    band = Band(-1.0, screen.below)
    solved = _solve(context, screen, "screen", "screen", {"math": band, "code": band}, context.tables[KEPT])
    for table in ("grades", "accuracy"):
        (context.output / f"screen_{table}.parquet").unlink()
    easy = solved.accuracy.filter(pl.col("accuracy") >= screen.below)
    sources = dict(storage.read_table(context.tables[KEPT], _WHO_SCHEMA).select("problem_id", "source").iter_rows())
    drops = []
    for row in easy.iter_rows(named=True):
        evidence = {"model": solved.identity.model, **{name: row[name] for name in row if name != "problem_id"}}
        reason = "a cheaper model solves it too often"
        drops.append(
            Drop(row["problem_id"], sources[row["problem_id"]], Propose.name, "screened_too_easy", reason, evidence)
        )
    left = context.output / "screened.parquet"
    dropped = easy["problem_id"].implode()
    frames = (
        frame.filter(~pl.col("problem_id").is_in(dropped))
        for frame in storage.iterate_table(context.tables[KEPT], PROBLEM_SCHEMA)
    )
    storage.write_table(left, frames, PROBLEM_SCHEMA)
    findings: dict[str, object] = {"Screened by": solved.identity.model, "Screened out as too easy": len(drops)}
    return _Screened(left, drops, findings)


def _write_doubtful(context: StepContext, found: Iterator[pl.DataFrame]) -> int:
    return storage.write_table(context.output / "doubtful_answers.parquet", found, DOUBTFUL_SCHEMA)


def _write_majority(context: StepContext, found: Iterator[pl.DataFrame]) -> None:
    storage.write_table(context.output / f"{_MAJORITY}.parquet", found, MAJORITY_SCHEMA)


def _ungraded(problems: Path, solved: Solved, kept: frozenset[str]) -> Iterator[Drop]:
    reasons = (
        pl.scan_parquet(solved.grades, glob=False)
        .filter(~pl.col("problem_id").is_in(kept))
        .group_by("problem_id", "why")
        .len()
        .sort("problem_id", "len", "why", descending=[False, True, False])
        .collect()
    )
    why: dict[str, dict[str, object]] = {}
    for problem_id, reason, count in reasons.iter_rows():
        why.setdefault(problem_id, {})[reason] = count
    for problem_id, source, _ in storage.read_table(problems, _WHO_SCHEMA).iter_rows():
        if problem_id not in kept:
            reason = "none of its responses could be graded"
            yield Drop(problem_id, source, FillPool.name, "no_graded_response", reason, {"unknown": why[problem_id]})


def _write(
    context: StepContext,
    solved: Solved,
    kept: frozenset[str],
    drops: Iterator[Drop],
    findings: dict[str, object] | None = None,
) -> StepReport:
    def going_on() -> Iterator[pl.DataFrame]:
        for frame in storage.iterate_table(context.tables[KEPT], PROBLEM_SCHEMA):
            yield frame.filter(pl.col("problem_id").is_in(kept))

    storage.write_table(context.output / f"{KEPT}.parquet", going_on(), PROBLEM_SCHEMA)
    storage.write_table(context.output / f"{DROPPED}.parquet", accuracy.ledger_frames(drops), LEDGER_SCHEMA)
    counts = {name: int(solved.accuracy[name].sum()) for name in ("right", "wrong", "unknown")}
    value = pl.col("accuracy")
    between = solved.accuracy.filter((value > 0) & (value < 1)).height
    return StepReport(
        findings={
            "Model": solved.identity.model,
            "Responses right": counts["right"],
            "Responses wrong": counts["wrong"],
            "Responses unknown": counts["unknown"],
            "Problems solved sometimes, not always": between,
            "Samples asked for, of those without stopping early": [solved.samples, solved.most],
            **(findings or {}),
        }
    )
