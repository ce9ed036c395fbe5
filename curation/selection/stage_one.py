"""Stage 1: problems that the pool's model solves sometimes but not often, with a message set for each (PaCoRe, 3.2).

"Mean message accuracy" is taken over all graded responses of the problem's pool, not over the drawn messages alone: the
pool is the larger sample, so the choice of problems depends neither on the draw nor on its seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from curation import accuracy, storage
from curation.ledger import Drop
from curation.llm.places import PoolPath
from curation.llm.pool import open_pool
from curation.recipe import Recipe, StageOneSection
from curation.records import ACCURACY_SCHEMA, GRADE_SCHEMA, LEDGER_SCHEMA, PROBLEM_SCHEMA
from curation.selection.messages import STAGE_SCHEMA, draw, seed_of
from curation.steps import DROPPED, KEPT, StepContext, StepReport

WHO_SCHEMA = pl.Schema({name: PROBLEM_SCHEMA[name] for name in ("problem_id", "source", "domain")})
_STORED_SCHEMA = pl.Schema({name: GRADE_SCHEMA[name] for name in ("problem_id", "response_id")})


class StageOne:
    """The step ``stage1``."""

    name = "stage1"
    logic_version = 1
    needs = {
        KEPT: frozenset(WHO_SCHEMA.names()),
        "pool_grades": frozenset(_STORED_SCHEMA.names()),
        "pool_accuracy": frozenset(ACCURACY_SCHEMA.names()),
    }
    writes = {"stage1": frozenset(STAGE_SCHEMA.names())}
    keeps = "stage1"

    def configuration(self, recipe: Recipe) -> object:
        """Return the section and the seed."""
        return {"stage1": recipe.stage1.model_dump(mode="json"), "seed": str(recipe.seed)}

    def execute(self, context: StepContext) -> StepReport:
        """Write ``stage1`` and a ledger entry for every other problem.

        Raises:
            InputError: a table of an earlier step, or the pool, is damaged.
        """
        selected = select(
            storage.read_table(context.tables[KEPT], WHO_SCHEMA),
            storage.read_table(context.tables["pool_accuracy"], ACCURACY_SCHEMA),
            context.tables["pool_grades"],
            context.responses,
            context.recipe.stage1,
            context.recipe.seed,
        )
        return write_stage(context.output, self.name, *selected)


def select(
    problems: pl.DataFrame,
    pool_accuracy: pl.DataFrame,
    grades: Path,
    pool: PoolPath,
    section: StageOneSection,
    seed: int,
) -> tuple[pl.DataFrame, Iterator[Drop]]:
    """Choose the problems of stage 1 and draw their messages.

    Args:
        problems: of `WHO_SCHEMA`.
        pool_accuracy: of `records.ACCURACY_SCHEMA`.
        grades: a table of `records.GRADE_SCHEMA`, whose responses messages are drawn from.
        pool: the response pool.
        section: thresholds and sizes.
        seed: the recipe's seed.

    Returns:
        the stage's table in order of ``problem_id``, and a drop for every other problem.
    """
    below = pl.when(pl.col("domain") == "code").then(pl.lit(section.code_below)).otherwise(pl.lit(section.math_below))
    judged = accuracy.judge(problems, pool_accuracy, section.above, below)
    inside = judged.filter(pl.col("rule").is_null())
    stored = stored_responses(grades, pool, section, frozenset(inside["problem_id"]))
    chosen, short = draw_messages(inside, stored, section, seed, "stage1")

    def drops() -> Iterator[Drop]:
        yield from accuracy.outside(judged, "stage1", "its pool")
        yield from short

    return chosen, drops()


def draw_messages(
    problems: pl.DataFrame, stored: dict[str, list[str]], section: StageOneSection, seed: int, step: str
) -> tuple[pl.DataFrame, list[Drop]]:
    """Draw a message set for each problem.

    Args:
        problems: with ``problem_id``, ``source`` and ``accuracy``.
        stored: the stored responses of each problem.
        section: the sizes.
        seed: the recipe's seed.
        step: the step's name, for the drops.

    Returns:
        a table of `messages.STAGE_SCHEMA` in order of ``problem_id``, and a drop where the responses are too few.
    """
    rows: list[dict[str, object]] = []
    short: list[Drop] = []
    for problem in problems.sort("problem_id").iter_rows(named=True):
        problem_id = problem["problem_id"]
        own_seed = seed_of(seed, problem_id)
        responses = stored.get(problem_id, [])
        drawn = draw(own_seed, responses, section.messages_low, section.messages_high)
        if drawn is None:
            evidence: dict[str, object] = {"stored": len(responses), "needed": section.messages_low}
            reason = "the pool holds fewer responses than the smallest message set"
            short.append(Drop(problem_id, problem["source"], step, "too_few_responses", reason, evidence))
        else:
            rows.append(
                {"problem_id": problem_id, "seed": own_seed, "accuracy": problem["accuracy"], "messages": drawn}
            )
    return pl.DataFrame(rows, schema=STAGE_SCHEMA, orient="row"), short


def stored_responses(
    grades: Path, pool: PoolPath, section: StageOneSection, problem_ids: frozenset[str]
) -> dict[str, list[str]]:
    """Return the responses that messages are drawn from, by problem: those graded for the pool step.

    Args:
        grades: a table of `records.GRADE_SCHEMA`.
        pool: the response pool; a graded failure is not in it and is left out.
        section: says what becomes of truncated responses.
        problem_ids: the problems that are asked about.
    """
    stored: dict[str, list[str]] = {}
    with open_pool(pool) as responses:
        truncated: set[str] = set()
        if section.truncated == "leave_out":
            cut = responses.keys().filter(pl.col("finish_reason") == "length")
            truncated = set(cut["response_id"])
        for frame in storage.iterate_table(grades, _STORED_SCHEMA):
            for problem_id, response_id in frame.iter_rows():
                if problem_id in problem_ids and response_id in responses and response_id not in truncated:
                    stored.setdefault(problem_id, []).append(response_id)
    return stored


def write_stage(output: Path, name: str, chosen: pl.DataFrame, drops: Iterator[Drop]) -> StepReport:
    """Write a stage's table and its ledger."""
    storage.write_table(output / f"{name}.parquet", chosen, STAGE_SCHEMA)
    storage.write_table(output / f"{DROPPED}.parquet", accuracy.ledger_frames(drops), LEDGER_SCHEMA)
    sizes, mean = chosen["messages"].list.len(), chosen["accuracy"].mean()
    return StepReport(
        findings={
            "Problems": chosen.height,
            "Messages": int(sizes.sum()),
            "Mean message accuracy": round(mean, 6) if isinstance(mean, float) else None,
        }
    )
