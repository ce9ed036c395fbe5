"""The step ``judge``: keeps code problems whose tests accept the programs that are said to be right."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl

from curation import ledger, storage
from curation.judging import isolation
from curation.judging.bench import Bench
from curation.judging.checker_choice import EVIDENCE_SCHEMA, Chosen, Writing, choose_checker
from curation.judging.grading import test_cases
from curation.judging.judge import Program, judge_program, single_file
from curation.judging.levels import Isolation
from curation.judging.limits import Limits, not_sane, problem_limits
from curation.judging.named_checkers import NamedCheckers, read_checkers
from curation.judging.store import JUDGE_VERSION
from curation.judging.submission_table import submissions_in_order
from curation.judging.trial import Checker
from curation.judging.verdicts import Judgement
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
    TestCase,
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
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class _Case:
    """A code problem with everything that is judged about it."""

    problem: dict[str, object]
    tests: list[TestCase]
    submissions: list[dict[str, str | None]]


@dataclass(frozen=True, slots=True)
class _Decision:
    """What became of a code problem: the rows of its judgements, and the drop or None."""

    problem_id: str
    rows: list[tuple[object, ...]]
    drop: Drop | None
    note: str
    chosen: Chosen | None = None


class Judge:
    """Judges the submissions that came with each code problem; math problems pass."""

    name = "judge"
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
        decisions = bench.map(partial(_decide, bench, named, context.recipe.judge, writing), cases)
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


def _cases(context: StepContext, code: pl.DataFrame, tests_there: Path, submissions_there: Path) -> Iterator[_Case]:
    tests = tests_in_order(context.tables["tests"], code["tests"], tests_there)
    submissions = submissions_in_order(context.tables["submissions"], code["problem_id"], submissions_there)
    for problem, own_tests, own_submissions in zip(code.iter_rows(named=True), tests, submissions, strict=True):
        yield _Case(problem, test_cases(own_tests), list(own_submissions.iter_rows(named=True)))


def _decide(
    bench: Bench, named: NamedCheckers, settings: JudgeSection, writing: Writing | None, case: _Case
) -> _Decision:
    problem_id = str(case.problem["problem_id"])
    refused = _refuse(settings, case)
    if refused is not None:
        return _Decision(problem_id, [], refused, f"dropped: {refused.rule}")
    choice = _choose_checker(bench, named, settings, writing, case)
    checker = choice.checker
    if checker is None:
        refused = _drop(case, choice.rule, choice.reason, choice.evidence)
        return _Decision(problem_id, [], refused, f"dropped: {choice.rule}", choice)
    wanted = choose(case.submissions, settings.max_submissions)
    judged = [(submission, _judge(bench, settings, case, submission, checker)) for submission in wanted]
    rows: list[tuple[object, ...]] = []
    for submission, judgement in judged:
        failed = next((test for test in judgement.tests if test.verdict == judgement.verdict != "AC"), None)
        message = judgement.message if failed is None else f"{failed.name}: {failed.message}"
        rows.append(
            (
                problem_id,
                submission["submission_id"],
                submission["language"],
                submission["expected"],
                judgement.verdict,
                judgement.score,
                judgement.isolation,
                message,
            )
        )
    drop, note = _look_at(case, settings, judged)
    return _Decision(problem_id, rows, drop, note, choice)


def _choose_checker(
    bench: Bench, named: NamedCheckers, settings: JudgeSection, writing: Writing | None, case: _Case
) -> Chosen:
    def labelled(expected: str) -> list[tuple[Program, Limits]]:
        found = [submission for submission in case.submissions if submission["expected"] == expected]
        wanted = found[: settings.matching_submissions]
        return [(_program(submission), _limits(settings, case, submission)) for submission in wanted]

    right, wrong = labelled("correct"), labelled("incorrect")
    return choose_checker(bench, named, settings, case.problem, case.tests, right, wrong, writing)


def _refuse(settings: JudgeSection, case: _Case) -> Drop | None:
    if len(case.tests) < settings.min_tests:
        found: dict[str, object] = {"tests": len(case.tests), "required": settings.min_tests}
        return _drop(case, "few_tests", f"it has {len(case.tests)} tests, {settings.min_tests} are required", found)
    seconds, megabytes = case.problem["time_limit_s"], case.problem["memory_limit_mb"]
    wrong = not_sane(seconds if isinstance(seconds, float) else None, megabytes if isinstance(megabytes, int) else None)
    if wrong is not None:
        return _drop(case, "limits", wrong, {"time_limit_s": seconds, "memory_limit_mb": megabytes})
    return None


def choose(submissions: list[dict[str, str | None]], most: int) -> list[dict[str, str | None]]:
    """Choose which submissions to judge: right and wrong ones by turns, then those without a label, in their order."""
    right = [submission for submission in submissions if submission["expected"] == "correct"]
    wrong = [submission for submission in submissions if submission["expected"] == "incorrect"]
    rest = [submission for submission in submissions if submission["expected"] is None]
    half = max(most - most // 2, most - len(wrong))
    taken = right[:half]
    taken += wrong[: most - len(taken)]
    return [*taken, *rest[: most - len(taken)]]


def _judge(
    bench: Bench, settings: JudgeSection, case: _Case, submission: dict[str, str | None], checker: Checker
) -> Judgement:
    limits = _limits(settings, case, submission)
    return judge_program(bench, _program(submission), case.tests, limits, checker, stop_at_failure=True)


def _program(submission: dict[str, str | None]) -> Program:
    return single_file(submission["submission_id"] or "", submission["language"] or "", submission["code"] or "")


def _limits(settings: JudgeSection, case: _Case, submission: dict[str, str | None]) -> Limits:
    seconds, megabytes = case.problem["time_limit_s"], case.problem["memory_limit_mb"]
    return problem_limits(
        seconds if isinstance(seconds, float) else None,
        megabytes if isinstance(megabytes, int) else None,
        submission["language"] or "",
        settings,
    )


def _look_at(
    case: _Case, settings: JudgeSection, judged: list[tuple[dict[str, str | None], Judgement]]
) -> tuple[Drop | None, str]:
    """Decide on a problem by the verdicts of the submissions that are said to be right."""
    right = [judgement for submission, judgement in judged if submission["expected"] == "correct"]
    evidence: dict[str, object] = {
        "verdicts": [
            {
                "submission": submission["submission_id"],
                "expected": submission["expected"],
                "verdict": judgement.verdict,
            }
            for submission, judgement in judged[:_SHOWN]
        ]
    }
    if not right:
        return None, "kept: no submission is labelled correct"
    decided = [judgement for judgement in right if judgement.verdict != "JE"]
    if not decided:
        return None, "kept: no submission labelled correct could be run here"
    accepted = sum(judgement.verdict == "AC" for judgement in decided)
    differing = sum(judgement.verdict in ("WA", "PE") for judgement in decided)
    if not accepted:
        if settings.require_accepted:
            return _drop(
                case, "no_accepted", "no submission labelled correct passes its tests", evidence
            ), "dropped: no_accepted"
        return None, "kept: no submission labelled correct is accepted"
    if differing >= accepted:
        reason = "submissions labelled correct disagree, so that more than one answer may be right"
        return _drop(case, "disagreement", reason, evidence), "dropped: disagreement"
    wrong = [judgement for submission, judgement in judged if submission["expected"] == "incorrect"]
    if wrong and all(judgement.verdict == "AC" for judgement in wrong):
        return None, "kept: its tests let every wrong submission pass"
    return None, "kept: accepted"


def _drop(case: _Case, rule: str, reason: str, evidence: dict[str, object]) -> Drop:
    return Drop(
        problem_id=str(case.problem["problem_id"]),
        source=str(case.problem["source"]),
        step=Judge.name,
        rule=rule,
        reason=reason,
        evidence=evidence,
    )


def _findings(problems: int, counts: Counter[str]) -> dict[str, object]:
    return {"code problems": problems, **{name: counts[name] for name in sorted(counts)}}
