"""The step ``judge``: keeps code problems whose tests accept the programs that are said to be right."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import polars as pl

from curation import ledger, storage
from curation.judging import isolation
from curation.judging.bench import Bench
from curation.judging.checker_choice import EVIDENCE_SCHEMA, Chosen, Writing
from curation.judging.decision import STEP, Case, decide
from curation.judging.grading import test_cases
from curation.judging.levels import Isolation
from curation.judging.named_checkers import NamedCheckers, read_checkers
from curation.judging.store import JUDGE_VERSION
from curation.judging.submission_table import submissions_in_order
from curation.judging.writing import Workshop, WriterService
from curation.ledger import Drop
from curation.problem_tests import tests_in_order
from curation.progress import tracked
from curation.recipe import JudgeSection, Recipe
from curation.records import (
    CHECKER_SCHEMA,
    LEDGER_SCHEMA,
    PROBLEM_SCHEMA,
    SUBMISSION_SCHEMA,
    TEST_SCHEMA,
    to_frame,
)
from curation.steps import DROPPED, KEPT, StepContext, StepReport

JUDGEMENT_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String,
        "submission_id": pl.String,
        "language": pl.String,
        "expected": pl.String,
        "verdict": pl.String,
        "score": pl.Float64,
        "isolation": pl.String,
        "message": pl.String,
    }
)
"""One row a judged submission. ``score`` is the share of tests passed before the first failure."""

STORE = "judgements"
"""The directory of results in the run directory."""

_CODE_COLUMNS = ("problem_id", "domain", "source", "statement", "tests", "time_limit_s", "memory_limit_mb", "checker")
_CODE_SCHEMA = pl.Schema({name: PROBLEM_SCHEMA[name] for name in _CODE_COLUMNS})
_BATCH = 20_000


class Judge:
    """Judges the submissions that came with each code problem; math problems pass."""

    name = STEP
    logic_version = 3
    keeps = KEPT
    needs = {
        KEPT: frozenset(PROBLEM_SCHEMA.names()),
        "tests": frozenset(TEST_SCHEMA.names()),
        "submissions": frozenset(SUBMISSION_SCHEMA.names()),
        "checkers": frozenset(CHECKER_SCHEMA.names()),
    }
    writes = {
        KEPT: frozenset(PROBLEM_SCHEMA.names()),
        "judgements": frozenset(JUDGEMENT_SCHEMA.names()),
        "checker_evidence": frozenset(EVIDENCE_SCHEMA.names()),
        "checkers": frozenset(CHECKER_SCHEMA.names()),
    }

    def __init__(self, service: WriterService | None = None) -> None:
        """Make the step; ``service`` is where writers of checkers come from, None for nobody."""
        self._service = service

    def configuration(self, recipe: Recipe) -> object:
        """Return the section and the version of the judge."""
        writer = self._service.fingerprint(recipe) if self._service is not None else None
        section = recipe.judge.model_dump(mode="json")
        return {**section, "judge_version": JUDGE_VERSION, **({"writer": writer} if writer is not None else {})}

    def execute(self, context: StepContext) -> StepReport:
        """Write the judgements, the ledger and the problems that are left."""
        problems = context.tables[KEPT]
        code = storage.read_table(problems, _CODE_SCHEMA).filter(pl.col("domain") == "code")
        drops: list[Drop] = []
        counts: Counter[str] = Counter()
        chosen: list[Chosen] = []
        service = self._service if context.recipe.writer is not None else None
        rows = _judgements(context, service, code, drops, counts, chosen)
        storage.write_table(context.output / "judgements.parquet", rows, JUDGEMENT_SCHEMA)
        evidence = pl.DataFrame([row for one in chosen for row in one.rows], schema=EVIDENCE_SCHEMA, orient="row")
        storage.write_table(context.output / "checker_evidence.parquet", evidence, EVIDENCE_SCHEMA)
        written = [one.source for one in chosen if one.source is not None]
        checkers = read_checkers(context.tables["checkers"]) | {source.sha256: source for source in written}
        frame = to_frame([checkers[key] for key in sorted(checkers)], CHECKER_SCHEMA)
        storage.write_table(context.output / "checkers.parquet", frame, CHECKER_SCHEMA)
        gone = pl.DataFrame({"problem_id": [drop.problem_id for drop in drops]}, schema={"problem_id": pl.String})
        named = {one.problem_id: one.name for one in chosen if one.name is not None}
        matched = pl.DataFrame(
            {"problem_id": list(named), "matched": list(named.values())},
            schema={"problem_id": pl.String, "matched": pl.String},
        )
        kept = (
            _with_checkers(frame.join(gone, on="problem_id", how="anti", maintain_order="left"), matched)
            for frame in storage.iterate_table(problems, PROBLEM_SCHEMA, _BATCH)
        )
        storage.write_table(context.output / f"{KEPT}.parquet", kept, PROBLEM_SCHEMA)
        storage.write_table(context.output / f"{DROPPED}.parquet", ledger.to_frame(drops), LEDGER_SCHEMA)
        return StepReport(findings=_findings(code.height, counts))


def _with_checkers(frame: pl.DataFrame, matched: pl.DataFrame) -> pl.DataFrame:
    found = frame.join(matched, on="problem_id", how="left", maintain_order="left")
    return found.with_columns(pl.coalesce("matched", "checker").alias("checker")).select(PROBLEM_SCHEMA.names())


def _judgements(
    context: StepContext,
    service: WriterService | None,
    code: pl.DataFrame,
    drops: list[Drop],
    counts: Counter[str],
    chosen: list[Chosen],
) -> Iterator[pl.DataFrame]:
    """Judge every code problem, in order; fill ``drops``, ``counts`` and ``chosen`` on the way."""
    if code.is_empty():
        return
    with (
        tempfile.TemporaryDirectory(dir=context.output) as tests_there,
        tempfile.TemporaryDirectory(dir=context.output) as submissions_there,
        Bench(context.run_directory / STORE, _isolation(context.recipe.judge)) as bench,
        _writing(context, service, bench) as writing,
    ):
        cases = _cases(context, code, Path(tests_there), Path(submissions_there))
        named = NamedCheckers(bench, read_checkers(context.tables["checkers"]))
        decisions = bench.map(partial(decide, bench, named, context.recipe.judge, writing), cases)
        for decision in tracked(decisions, context.reporter, "judging", code.height, "problems"):
            counts[decision.note] += 1
            counts["submissions judged"] += len(decision.rows)
            if decision.chosen is not None:
                chosen.append(decision.chosen)
            if decision.drop is not None:
                drops.append(decision.drop)
            if decision.rows:
                yield pl.DataFrame(decision.rows, schema=JUDGEMENT_SCHEMA, orient="row")


@contextmanager
def _writing(context: StepContext, service: WriterService | None, bench: Bench) -> Iterator[Writing | None]:
    """Open whoever writes checkers; the pool is that of the run, so that nothing is asked twice."""
    section = context.recipe.writer
    if service is None or section is None:
        yield None
        return
    with service.open(context.recipe, context.run_directory / "pool", context.reporter) as writers:
        yield Writing(Workshop(bench, section.cpu_s), writers.of, section.checkers, section.repairs)


def _isolation(settings: JudgeSection) -> Isolation:
    return isolation.choose(without_isolation=settings.without_isolation)


def _cases(context: StepContext, code: pl.DataFrame, tests_there: Path, submissions_there: Path) -> Iterator[Case]:
    tests = tests_in_order(context.tables["tests"], code["tests"], tests_there)
    submissions = submissions_in_order(context.tables["submissions"], code["problem_id"], submissions_there)
    for problem, own_tests, own_submissions in zip(code.iter_rows(named=True), tests, submissions, strict=True):
        yield Case(problem, test_cases(own_tests), list(own_submissions.iter_rows(named=True)))


def _findings(problems: int, counts: Counter[str]) -> dict[str, object]:
    return {"code problems": problems, **{name: counts[name] for name in sorted(counts)}}
