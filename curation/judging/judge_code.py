"""Judging the text of one program: ``from curation import judge``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from curation.judging.bench import Bench
from curation.judging.judge import Checkers, judge_program, judge_side_by_side, single_file
from curation.judging.levels import Isolation
from curation.judging.limits import Limits
from curation.judging.named_checkers import NamedCheckers
from curation.judging.trial import Checker
from curation.judging.verdicts import Judgement
from curation.records import TestCase


def judge(
    tests: Sequence[TestCase],
    code: str,
    language: str,
    limits: Limits,
    checker: str | Checker | None = None,
    *,
    submission: str = "submission",
    store: Path | None = None,
    isolation: Isolation | None = None,
    stop_at_failure: bool = False,
) -> Judgement:
    """Run one submission on tests.

    Args:
        tests: what to run it on.
        code: the program's text.
        language: its label (``python3``, ``cpp17``, ...).
        limits: what it may use on each test.
        checker: a checker's name as in `curation.judging.named_checkers`, or the checker itself; None for the default.
        submission: its name in the result.
        store: a directory that keeps results, so that nothing runs twice.
        isolation: what holds it; None for the strongest that the machine offers.
        stop_at_failure: leave the tests out that follow the first one that went wrong.

    Raises:
        InputError: no checker is named like that.
        OutsideError: the machine isolates no program, or testlib cannot be fetched.
    """
    program = single_file(submission, language, code)
    with Bench(store, isolation) as bench:
        chosen: Checkers
        if checker is None or isinstance(checker, str):
            chosen = next(bench.map(NamedCheckers(bench, directory=Path.cwd()).find, [checker]))
        else:
            chosen = checker
        if not stop_at_failure:
            return next(judge_side_by_side(bench, [program], tests, limits, chosen))
        work = partial(judge_program, bench, tests=tests, limits=limits, checker=chosen, stop_at_failure=True)
        return next(bench.map(work, [program]))
