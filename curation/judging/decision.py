"""What becomes of one code problem: its checker is chosen, its submissions are judged, and it is kept or dropped."""

from __future__ import annotations

from dataclasses import dataclass

from curation.judging.bench import Bench
from curation.judging.checker_choice import Chosen, Writing, choose_checker
from curation.judging.judge import Program, judge_program, single_file
from curation.judging.limits import Limits, not_sane, problem_limits
from curation.judging.named_checkers import NamedCheckers
from curation.judging.trial import Checker
from curation.judging.verdicts import Judgement
from curation.ledger import Drop
from curation.recipe import JudgeSection
from curation.records import TestCase

STEP = "judge"
"""The name of the step, for its ledger."""

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Case:
    """A code problem with everything that is judged about it."""

    problem: dict[str, object]
    tests: list[TestCase]
    submissions: list[dict[str, str | None]]


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a code problem: the rows of its judgements, and the drop or None."""

    problem_id: str
    rows: list[tuple[object, ...]]
    drop: Drop | None
    note: str
    chosen: Chosen | None = None


def decide(bench: Bench, named: NamedCheckers, settings: JudgeSection, writing: Writing | None, case: Case) -> Decision:
    problem_id = str(case.problem["problem_id"])
    refused = _refuse(settings, case)
    if refused is not None:
        return Decision(problem_id, [], refused, f"dropped: {refused.rule}")
    choice = _choose_checker(bench, named, settings, writing, case)
    checker = choice.checker
    if checker is None:
        refused = _drop(case, choice.rule, choice.reason, choice.evidence)
        return Decision(problem_id, [], refused, f"dropped: {choice.rule}", choice)
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
    return Decision(problem_id, rows, drop, note, choice)


def _choose_checker(
    bench: Bench, named: NamedCheckers, settings: JudgeSection, writing: Writing | None, case: Case
) -> Chosen:
    def labelled(expected: str) -> list[tuple[Program, Limits]]:
        found = [submission for submission in case.submissions if submission["expected"] == expected]
        wanted = found[: settings.matching_submissions]
        return [(_program(submission), _limits(settings, case, submission)) for submission in wanted]

    right, wrong = labelled("correct"), labelled("incorrect")
    return choose_checker(bench, named, settings, case.problem, case.tests, right, wrong, writing)


def _refuse(settings: JudgeSection, case: Case) -> Drop | None:
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
    bench: Bench, settings: JudgeSection, case: Case, submission: dict[str, str | None], checker: Checker
) -> Judgement:
    limits = _limits(settings, case, submission)
    return judge_program(bench, _program(submission), case.tests, limits, checker, stop_at_failure=True)


def _program(submission: dict[str, str | None]) -> Program:
    return single_file(submission["submission_id"] or "", submission["language"] or "", submission["code"] or "")


def _limits(settings: JudgeSection, case: Case, submission: dict[str, str | None]) -> Limits:
    seconds, megabytes = case.problem["time_limit_s"], case.problem["memory_limit_mb"]
    return problem_limits(
        seconds if isinstance(seconds, float) else None,
        megabytes if isinstance(megabytes, int) else None,
        submission["language"] or "",
        settings,
    )


def _look_at(
    case: Case, settings: JudgeSection, judged: list[tuple[dict[str, str | None], Judgement]]
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


def _drop(case: Case, rule: str, reason: str, evidence: dict[str, object]) -> Drop:
    return Drop(
        problem_id=str(case.problem["problem_id"]),
        source=str(case.problem["source"]),
        step=STEP,
        rule=rule,
        reason=reason,
        evidence=evidence,
    )
