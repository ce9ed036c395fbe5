"""The checker of a problem in the step ``judge``: the one that it brings, or the one that fits, with evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import polars as pl

from curation.errors import InputError
from curation.json_reader import dumps
from curation.judging.bench import Bench
from curation.judging.comparison import Tokens
from curation.judging.judge import Program
from curation.judging.limits import Limits
from curation.judging.matching import Evidence, KnownOutput, Match, check_own, match_checker, outputs_of
from curation.judging.matching.written import Case, WrittenChecker, write_checker
from curation.judging.named_checkers import NO_CHECKER, NamedCheckers
from curation.judging.trial import Checker
from curation.judging.writing import Workshop, Writer
from curation.recipe import JudgeSection
from curation.records import UNKNOWN_CHECKER, CheckerSource, TestCase

EVIDENCE_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String,
        "outcome": pl.String,
        "why": pl.String,
        "candidate": pl.String,
        "survives": pl.Boolean,
        "reason": pl.String,
        "tests": pl.Int32,
        "tests_accepted": pl.Int32,
        "outputs": pl.Int32,
        "outputs_accepted": pl.Int32,
        "programs": pl.Int32,
        "programs_accepted": pl.Int32,
        "rejected": pl.String,
        "accepted": pl.String,
        "claims": pl.String,
    }
)
"""One row a tested candidate, see `curation.judging.matching.Evidence`; ``outcome``, ``why`` and ``claims`` are the
problem's. ``rejected``, ``accepted`` and ``claims`` are JSON."""

SPECIAL_JUDGE = "special_judge"
"""The rule that drops a problem which needs a checker of its own."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What became of a problem's checker.

    Attributes:
        problem_id: the problem.
        checker: the checker; None where the problem has to be dropped.
        name: the name that was found for a problem which named none; None elsewhere.
        rows: its rows of `EVIDENCE_SCHEMA`.
        source: the text of a checker that was written for it.
        rule, reason, evidence: why it has to be dropped.
    """

    problem_id: str
    checker: Checker | None
    name: str | None = None
    rows: tuple[tuple[object, ...], ...] = ()
    rule: str = ""
    reason: str = ""
    evidence: dict[str, object] = field(default_factory=dict)
    source: CheckerSource | None = None


@dataclass(frozen=True, slots=True)
class Writing:
    """Who writes checkers for problems that need one of their own.

    Attributes:
        workshop: where they are compiled and run.
        writer_of: returns the writer of a problem.
        checkers: how many to write.
        repairs: how often refused ones are written again.
    """

    workshop: Workshop
    writer_of: Callable[[str], Writer]
    checkers: int
    repairs: int


def choose_checker(
    bench: Bench,
    named: NamedCheckers,
    settings: JudgeSection,
    problem: Mapping[str, object],
    tests: Sequence[TestCase],
    accepted: Sequence[tuple[Program, Limits]],
    wrong: Sequence[tuple[Program, Limits]] = (),
    writing: Writing | None = None,
) -> Chosen:
    """Choose a problem's checker; call it on a worker of the bench.

    Args:
        bench: where programs run.
        named: makes checkers from names.
        settings: the recipe's section.
        problem: its row, with ``problem_id``, ``statement`` and ``checker``.
        tests: its tests.
        accepted: submissions that are said to be right, each with its limits.
        wrong: those that are said to be wrong; a checker that is written has to reject them.
        writing: who writes a checker where the problem needs one of its own; None for nobody.

    Raises:
        OutsideError: testlib cannot be fetched, no sandbox can be started, or the writer cannot be reached.
    """
    problem_id = str(problem["problem_id"])
    given = None if problem["checker"] is None else str(problem["checker"])
    try:
        checker = named.find(given)
    except InputError as error:
        return _dropped(problem_id, "checker", "it needs a checker that cannot be run here", str(error))
    if isinstance(checker, str) and given != UNKNOWN_CHECKER:
        return _dropped(problem_id, "checker", "it needs a checker that cannot be run here", checker)
    streams = [test for test in tests if test.kind == "stdio"]
    is_tested = settings.match_checkers and bool(streams)
    if isinstance(checker, Tokens) and (given is not None or not is_tested):
        return Chosen(problem_id, checker)
    if isinstance(checker, str) and not is_tested:
        return _dropped(problem_id, SPECIAL_JUDGE, NO_CHECKER)
    if not is_tested:
        return Chosen(problem_id, None if isinstance(checker, str) else checker)
    outputs = [output for program, limits in accepted for output in outputs_of(bench, program, streams, limits)]
    if given is not None and not isinstance(checker, str):
        return _own(problem_id, check_own(bench, given, checker, streams, outputs), checker)
    statement = str(problem["statement"])
    match = match_checker(bench, named, streams, statement, outputs, is_special=given == UNKNOWN_CHECKER)
    if match.outcome != "special judge" or writing is None:
        return _matched(problem_id, match, named, given, outputs)
    by_wrong = {program.name: outputs_of(bench, program, streams, limits) for program, limits in wrong}
    case = Case(problem_id, statement, streams, outputs, by_wrong)
    writer = writing.writer_of(problem_id)
    made, found = write_checker(writing.workshop, writer, case, writing.checkers, writing.repairs)
    return _written(_matched(problem_id, match, named, given, outputs), match, made, found)


def _own(problem_id: str, evidence: Evidence, checker: Checker) -> Chosen:
    outcome = "own" if evidence.survives else "own, refused"
    rows = (_row(problem_id, outcome, evidence.reason, evidence, "[]"),)
    if evidence.survives:
        return Chosen(problem_id, checker, rows=rows)
    reason = f"its own checker cannot be trusted: {evidence.reason}"
    return Chosen(problem_id, None, rows=rows, rule="checker", reason=reason, evidence=_told(evidence))


def _matched(
    problem_id: str, match: Match, named: NamedCheckers, given: str | None, outputs: Sequence[KnownOutput]
) -> Chosen:
    claims = dumps([asdict(claim) for claim in match.claims])
    rows = tuple(_row(problem_id, match.outcome, match.reason, one, claims) for one in match.evidence)
    checker = None if match.checker is None else named.find(match.checker)
    if checker is not None and not isinstance(checker, str):
        return Chosen(problem_id, checker, match.checker, rows)
    fallback = named.find(None)
    if not match.is_promised and given is None and not isinstance(fallback, str):
        # Nobody says that several outputs are right: what its submissions are worth is for their verdicts to say.
        return Chosen(problem_id, fallback, rows=rows)
    told: dict[str, object] = {
        "claims": [asdict(claim) for claim in match.claims],
        "candidates": [_told(one) for one in match.evidence],
        "submissions": sorted({output.submission for output in outputs}),
    }
    return Chosen(problem_id, None, None, rows, SPECIAL_JUDGE, match.reason, told)


def _written(without: Chosen, match: Match, checker: Checker | None, found: WrittenChecker) -> Chosen:
    """Return the choice with a checker that was written; a problem without a sound one is dropped."""
    claims = dumps([asdict(claim) for claim in match.claims])
    tested = tuple(_row(without.problem_id, "written", found.reason, one, claims) for one in found.evidence)
    rows = (*without.rows, *tested)
    if checker is not None and found.source is not None:
        name = f"{found.source.kind}:{found.source.sha256}"
        return Chosen(without.problem_id, checker, name, rows, source=found.source)
    told = {**without.evidence, "written": [_told(one) for one in found.evidence], "writer": found.reason}
    return Chosen(without.problem_id, None, None, rows, SPECIAL_JUDGE, match.reason, told)


def _row(problem_id: str, outcome: str, why: str, one: Evidence, claims: str) -> tuple[object, ...]:
    counts = (one.tests, one.tests_accepted, one.outputs, one.outputs_accepted, one.programs, one.programs_accepted)
    head = (problem_id, outcome, why, one.candidate, one.survives, one.reason)
    return (*head, *counts, dumps(dict(one.rejected)), dumps(dict(one.accepted)), claims)


def _told(one: Evidence) -> dict[str, object]:
    return {"candidate": one.candidate, "reason": one.reason, "cannot see": sorted(one.accepted)}


def _dropped(problem_id: str, rule: str, reason: str, message: str = "") -> Chosen:
    return Chosen(problem_id, None, rule=rule, reason=reason, evidence={"message": message} if message else {})
