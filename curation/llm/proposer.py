"""Two steps that let a model solve every problem: the proposer's accuracy, and the response pool.

Both ask the run's pool first, so that nothing is asked for twice, and grade what it holds. PaCoRe (arXiv 2601.05593)
keeps what its strong proposer solves sometimes but not always, and caches 24 responses a problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from curation import accuracy, storage
from curation.judging.store import JUDGE_VERSION
from curation.ledger import Drop
from curation.llm import engines, solving
from curation.llm.asking import ask
from curation.llm.grading import accuracies, grade_all
from curation.llm.pool import open_pool
from curation.progress import Reporter
from curation.recipe import PoolSection, ProposerSection, Recipe
from curation.records import ACCURACY_SCHEMA, GRADE_SCHEMA, LEDGER_SCHEMA, PROBLEM_SCHEMA, TEST_SCHEMA
from curation.steps import DROPPED, KEPT, StepContext, StepReport

_NEEDS = {KEPT: frozenset(PROBLEM_SCHEMA.names()), "tests": frozenset(TEST_SCHEMA.names())}
_WHO_SCHEMA = pl.Schema({name: PROBLEM_SCHEMA[name] for name in ("problem_id", "source", "domain")})


@dataclass(frozen=True)
class _Solved:
    """What `_solve` leaves: the model's name, its accuracy and the grades it comes from."""

    model: str
    accuracy: pl.DataFrame
    grades: Path


class Propose:
    """The step ``propose``: keep a problem whose proposer accuracy lies strictly inside the recipe's band."""

    name = "propose"
    logic_version = 1
    needs = _NEEDS
    writes = {
        KEPT: frozenset(PROBLEM_SCHEMA.names()),
        "proposer_grades": frozenset(GRADE_SCHEMA.names()),
        "proposer_accuracy": frozenset(ACCURACY_SCHEMA.names()),
    }
    keeps = KEPT

    def configuration(self, recipe: Recipe) -> object:
        """Return the section with its model's identity and its prompts' hashes."""
        return _configuration(recipe, recipe.proposer)

    def execute(self, context: StepContext) -> StepReport:
        """Write ``problems``, ``proposer_grades``, ``proposer_accuracy`` and a drop for each problem outside the band.

        Raises:
            InputError: the model or a prompt cannot be used.
            OutsideError: the server failed; what was answered is stored.
        """
        section = context.recipe.proposer
        if section is None:
            return _pass_through(context, "proposer", "The recipe has no [proposer] section: every problem goes on.")
        solved = _solve(context, section, "proposer", self.name)
        who = storage.read_table(context.tables[KEPT], _WHO_SCHEMA)
        judged = accuracy.judge(who, solved.accuracy, section.above, pl.lit(section.below))
        kept = frozenset(judged.filter(pl.col("rule").is_null())["problem_id"])
        return _write(context, solved, kept, accuracy.outside(judged, self.name, "the proposer"))


class FillPool:
    """The step ``pool``: store and grade the recipe's number of responses for every problem."""

    name = "pool"
    logic_version = 1
    needs = _NEEDS
    writes = {
        KEPT: frozenset(PROBLEM_SCHEMA.names()),
        "pool_grades": frozenset(GRADE_SCHEMA.names()),
        "pool_accuracy": frozenset(ACCURACY_SCHEMA.names()),
    }
    keeps = KEPT

    def configuration(self, recipe: Recipe) -> object:
        """Return the section with its model's identity and its prompts' hashes."""
        return _configuration(recipe, recipe.pool)

    def execute(self, context: StepContext) -> StepReport:
        """Write ``problems``, ``pool_grades``, ``pool_accuracy`` and a drop for each problem without graded responses.

        Raises:
            InputError: the model or a prompt cannot be used.
            OutsideError: the server failed; what was answered is stored.
        """
        section = context.recipe.pool
        if section is None:
            return _pass_through(context, "pool", "The recipe has no [pool] section: there are no responses.")
        solved = _solve(context, section, "pool", self.name)
        kept = frozenset(solved.accuracy.drop_nulls("accuracy")["problem_id"])
        return _write(context, solved, kept, _ungraded(context.tables[KEPT], solved, kept))


def _configuration(recipe: Recipe, section: ProposerSection | PoolSection | None) -> object:
    if section is None:
        return None
    return {
        "section": section.model_dump(mode="json", exclude={"model", "prompt", "code_prompt"}),
        "judge": [JUDGE_VERSION, recipe.judge.model_dump(mode="json")],
        "model": engines.fingerprint(recipe, section.model),
        "prompts": [prompt.sha256 for prompt in solving.load_prompts(recipe, section)],
    }


def _pass_through(context: StepContext, prefix: str, why: str) -> StepReport:
    for table, schema in ((f"{prefix}_grades", GRADE_SCHEMA), (f"{prefix}_accuracy", ACCURACY_SCHEMA)):
        storage.write_table(context.output / f"{table}.parquet", pl.DataFrame(schema=schema), schema)
    storage.write_table(context.output / f"{DROPPED}.parquet", pl.DataFrame(schema=LEDGER_SCHEMA), LEDGER_SCHEMA)
    return StepReport(findings={"Not done": why})


def _solve(context: StepContext, section: ProposerSection | PoolSection, prefix: str, step: str) -> _Solved:
    problems, tests = context.tables[KEPT], context.tables["tests"]
    grades, directory = context.output / f"{prefix}_grades.parquet", context.run_directory / "pool"
    task = solving.prepare(context.recipe, section, tests)
    with open_pool(directory) as pool, TemporaryDirectory(dir=context.output) as workspace:
        with engines.open_engine(context.recipe, section.model, context.reporter, directory) as engine:
            identity = engine.identity
            requests, total = task.all_requests(problems), task.count(problems)
            asked = ask(engine, pool, requests, context.reporter, description=step, total=total)
        frames = grade_all(task, context, problems, pool, identity, asked.failures, Path(workspace))
        storage.write_table(grades, _counted(frames, context.reporter, f"{step}: grading", total), GRADE_SCHEMA)
    of_problems = accuracies(grades)
    storage.write_table(context.output / f"{prefix}_accuracy.parquet", of_problems, ACCURACY_SCHEMA)
    return _Solved(identity.model, of_problems, grades)


def _counted(
    frames: Iterator[pl.DataFrame], reporter: Reporter, description: str, total: int
) -> Iterator[pl.DataFrame]:
    with reporter.task(description, total, "responses") as task:
        for frame in frames:
            task.advance(frame.height)
            yield frame


def _ungraded(problems: Path, solved: _Solved, kept: frozenset[str]) -> Iterator[Drop]:
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


def _write(context: StepContext, solved: _Solved, kept: frozenset[str], drops: Iterator[Drop]) -> StepReport:
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
            "Model": solved.model,
            "Responses right": counts["right"],
            "Responses wrong": counts["wrong"],
            "Responses unknown": counts["unknown"],
            "Problems solved sometimes, not always": between,
        }
    )
