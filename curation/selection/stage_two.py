"""Stage 2: problems that a stage-1 checkpoint, given the messages, solves sometimes but not always (PaCoRe, 3.2).

A problem has the same message set in both stages, because the draw depends on the recipe's seed and the problem alone.
The checkpoint is asked the synthesis prompt: what the pool's model was asked, with the messages as references. Its
answers are graded as the pool's are.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import polars as pl

from curation import accuracy, storage
from curation.ledger import Drop
from curation.llm import engines, prompts, solving
from curation.llm.asking import ask
from curation.llm.engine import ModelIdentity, Request
from curation.llm.grading import Grader, accuracies
from curation.llm.key_grades import grade_keys
from curation.llm.pool import open_pool
from curation.problem_tests import tests_in_order
from curation.recipe import Recipe, StageTwoSection
from curation.records import ACCURACY_SCHEMA, GRADE_SCHEMA, PROBLEM_SCHEMA, TEST_SCHEMA
from curation.selection.messages import STAGE_SCHEMA
from curation.selection.stage_one import WHO_SCHEMA, draw_messages, stored_responses, write_stage
from curation.selection.synthesis import Synthesizing
from curation.selection.texts import message_texts
from curation.steps import KEPT, StepContext, StepReport

_GRADES, _ACCURACY = "synthesis_grades", "synthesis_accuracy"


class StageTwo:
    """The step ``stage2``."""

    name = "stage2"
    logic_version = 1
    needs = {
        KEPT: frozenset(PROBLEM_SCHEMA.names()),
        "tests": frozenset(TEST_SCHEMA.names()),
        "pool_grades": frozenset(GRADE_SCHEMA.names()),
        "stage1": frozenset(STAGE_SCHEMA.names()),
    }
    writes = {
        "stage2": frozenset(STAGE_SCHEMA.names()),
        _GRADES: frozenset(GRADE_SCHEMA.names()),
        _ACCURACY: frozenset(ACCURACY_SCHEMA.names()),
    }
    keeps = "stage2"

    def configuration(self, recipe: Recipe) -> object:
        """Return the section with its model's identity and its prompts' hashes, the message rules and the seed."""
        section = recipe.stage2
        if section is None or recipe.pool is None:
            return None
        return {
            "stage2": section.model_dump(mode="json", exclude={"model", "prompt"}),
            "model": engines.fingerprint(recipe, section.model),
            "prompts": [
                prompts.load(section.prompt, recipe.directory).sha256,
                *(prompt.sha256 for prompt in solving.load_prompts(recipe, recipe.pool)),
            ],
            "messages": recipe.stage1.model_dump(
                mode="json", include={"messages_low", "messages_high", "marker", "truncated"}
            ),
            "seed": str(recipe.seed),
        }

    def execute(self, context: StepContext) -> StepReport:
        """Write ``stage2``, ``synthesis_grades``, ``synthesis_accuracy`` and a ledger entry for every other problem.

        Raises:
            InputError: the model, a template or a table of an earlier step cannot be used.
            OutsideError: the server failed; what was answered is stored.
        """
        section = context.recipe.stage2
        if section is None:
            return _not_made(context, "no_stage2", "the recipe has no [stage2] section")
        if context.recipe.pool is None:
            return _not_made(context, "no_pool", "the recipe has no [pool] section, so there are no messages")
        fed, drops = _fed(context, section)
        solved = solving.prepare(context.recipe, context.recipe.pool, context.tables["tests"])
        _ask_and_grade(context, section, solved, fed)
        grades = context.output / f"{_GRADES}.parquet"
        of_problems = accuracies(grades)
        storage.write_table(context.output / f"{_ACCURACY}.parquet", of_problems, ACCURACY_SCHEMA)
        who = storage.read_table(context.tables[KEPT], WHO_SCHEMA).join(fed.select("problem_id"), on="problem_id")
        judged = accuracy.judge(who, of_problems, section.above, pl.lit(section.below))
        inside = judged.filter(pl.col("rule").is_null()).select("problem_id", "accuracy")
        chosen = fed.drop("accuracy").join(inside, on="problem_id").select(STAGE_SCHEMA.names()).sort("problem_id")
        outside = accuracy.outside(judged, self.name, "the synthesis")
        report = write_stage(context.output, self.name, chosen, chain(drops, outside))
        return StepReport(findings={"Problems tried": fed.height, **report.findings})


def _not_made(context: StepContext, rule: str, reason: str) -> StepReport:
    for table, schema in ((_GRADES, GRADE_SCHEMA), (_ACCURACY, ACCURACY_SCHEMA)):
        storage.write_table(context.output / f"{table}.parquet", pl.DataFrame(schema=schema), schema)
    who = storage.read_table(context.tables[KEPT], WHO_SCHEMA)
    drops = (Drop(row[0], row[1], "stage2", rule, reason) for row in who.iter_rows())
    write_stage(context.output, "stage2", pl.DataFrame(schema=STAGE_SCHEMA), drops)
    return StepReport(findings={"Not made": reason})


def _fed(context: StepContext, section: StageTwoSection) -> tuple[pl.DataFrame, list[Drop]]:
    """Return the problems that are tried, of `STAGE_SCHEMA`, and a drop for each of the others."""
    who = storage.read_table(context.tables[KEPT], WHO_SCHEMA)
    if section.feeds == "stage1":
        fed = storage.read_table(context.tables["stage1"], STAGE_SCHEMA)
        others = who.join(fed, on="problem_id", how="anti")
        reason = "stage 2 takes problems of stage 1 only, by the recipe"
        return fed, [Drop(row[0], row[1], "stage2", "not_in_stage1", reason) for row in others.iter_rows()]
    stage1, pool = context.recipe.stage1, context.responses
    stored = stored_responses(context.tables["pool_grades"], pool, stage1, frozenset(who["problem_id"]))
    everybody = who.with_columns(pl.lit(None, dtype=pl.Float64()).alias("accuracy"))
    return draw_messages(everybody, stored, stage1, context.recipe.seed, "stage2")


def _ask_and_grade(context: StepContext, section: StageTwoSection, solved: solving.Solving, fed: pl.DataFrame) -> None:
    problems = _problems(context.tables[KEPT], fed["problem_id"])
    template = prompts.load(section.prompt, context.recipe.directory)
    pool_directory = context.responses
    with tempfile.TemporaryDirectory(prefix=storage.TEMPORARY_MARK, dir=context.output) as place:
        workspace = Path(place)
        for name in ("messages", "tests"):
            (workspace / name).mkdir()
        with open_pool(pool_directory) as pool:
            with engines.open_engine(
                context.recipe, section.model, context.reporter, pool_directory, stored_only=context.stored_only
            ) as engine:
                texts = message_texts(pool_directory, fed, context.recipe.stage1.marker, workspace / "messages")
                synthesizing = Synthesizing(section, template, solved)
                requests = synthesizing.all_requests(problems.iter_rows(named=True), texts)
                keys: list[list[str]] = []
                asked = ask(
                    engine,
                    pool,
                    _noting(requests, keys, engine.identity),
                    context.reporter,
                    description="stage2",
                    total=fed.height * section.samples,
                )
            tests = tests_in_order(context.tables["tests"], problems["tests"], workspace / "tests")
            with Grader(
                context.recipe.judge,
                context.run_directory,
                checkers=context.tables.get("checkers"),
                cluster=context.cluster,
            ) as grader:
                graded = grade_keys(problems.iter_rows(named=True), tests, keys, pool, asked.failures, grader)
                storage.write_table(context.output / f"{_GRADES}.parquet", graded, GRADE_SCHEMA)


def _problems(table: Path, problem_ids: pl.Series) -> pl.DataFrame:
    """Return the rows of these problems, in their order."""
    rows = (
        pl.scan_parquet(table, glob=False)
        .filter(pl.col("problem_id").is_in(problem_ids.implode()))
        .select(PROBLEM_SCHEMA.names())
        .collect(engine="streaming")
    )
    return problem_ids.to_frame().join(rows, on="problem_id", how="inner", maintain_order="left")


def _noting(batches: Iterator[list[Request]], keys: list[list[str]], identity: ModelIdentity) -> Iterator[Request]:
    """Pass the requests on, one list of keys a problem into ``keys``: grading then needs no prompt again."""
    for batch in batches:
        keys.append([request.key(identity) for request in batch])
        yield from batch
