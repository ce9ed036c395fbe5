"""Kill groups of the problems of a run: what their tests kill of the submissions that are said to be wrong."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import polars as pl

from curation import storage
from curation.json_reader import dumps
from curation.judging import isolation
from curation.judging.bench import Bench
from curation.judging.grading import test_cases
from curation.judging.judge import Program, judge_program, single_file
from curation.judging.kill_groups import Rewards, fraction, reward_groups
from curation.judging.limits import Limits, problem_limits
from curation.judging.named_checkers import NamedCheckers, read_checkers
from curation.judging.step import STORE
from curation.judging.submission_table import submissions_in_order
from curation.judging.trial import Checker
from curation.judging.trivial_programs import trivial_programs
from curation.problem_tests import tests_in_order
from curation.progress import tracked
from curation.recipe import JudgeSection
from curation.records import PROBLEM_SCHEMA, TestCase
from curation.steps import StepContext

REWARD_SCHEMA = pl.Schema({"problem_id": pl.String, "rewards": pl.String})
"""One row a problem; ``rewards``: the document that `curation.judging.kill_groups.read_rewards` reads."""

_SLOW_ENOUGH = 2
"""A program that is too slow for so many tests is run on no more of them."""


@dataclass(frozen=True, slots=True)
class _Case:
    problem: dict[str, object]
    tests: list[TestCase]
    wrong: list[tuple[str, str]]


def weigh(context: StepContext, problems: pl.DataFrame, most: int, table: Path) -> None:
    """Write the rewards of code problems whose programs read and write streams; others get none.

    Args:
        context: of the step: its tables of tests, submissions and checkers, and the run's stored results.
        problems: rows of `records.PROBLEM_SCHEMA`; those of other domains are left out.
        most: how many submissions that are said to be wrong are run on every test of a problem, at most.
        table: where to write; of `REWARD_SCHEMA`.

    Raises:
        OutsideError: the machine isolates no program, or testlib cannot be fetched.
    """
    code = problems.filter((pl.col("domain") == "code") & pl.col("tests").is_not_null())
    settings = context.recipe.judge
    rows: list[tuple[str, str]] = []
    with (
        tempfile.TemporaryDirectory(dir=context.output) as tests_there,
        tempfile.TemporaryDirectory(dir=context.output) as submissions_there,
        Bench(context.run_directory / STORE, isolation.choose(without_isolation=settings.without_isolation)) as bench,
    ):
        cases = _cases(context, code, most, Path(tests_there), Path(submissions_there))
        named = NamedCheckers(bench, read_checkers(context.tables.get("checkers")))
        found = bench.map(partial(_rewards, bench, named, settings), cases)
        for problem_id, rewards in tracked(found, context.reporter, "weighing tests", code.height, "problems"):
            if rewards is not None:
                document = {"groups": [asdict(group) for group in rewards.groups], "trivial": rewards.trivial}
                rows.append((problem_id, dumps(document)))
    storage.write_table(table, pl.DataFrame(rows, schema=REWARD_SCHEMA, orient="row"), REWARD_SCHEMA)


def read_rewards_table(table: Path | None) -> dict[str, str]:
    """Return the documents of a table of `REWARD_SCHEMA`, by problem; nothing for None."""
    if table is None:
        return {}
    return dict(storage.read_table(table, REWARD_SCHEMA).iter_rows())


def _cases(
    context: StepContext, code: pl.DataFrame, most: int, tests_there: Path, submissions_there: Path
) -> Iterator[_Case]:
    tests = tests_in_order(context.tables["tests"], code["tests"], tests_there)
    submissions = submissions_in_order(context.tables["submissions"], code["problem_id"], submissions_there)
    rows = code.select(PROBLEM_SCHEMA.names()).iter_rows(named=True)
    for problem, own_tests, own_submissions in zip(rows, tests, submissions, strict=True):
        wrong = own_submissions.filter(pl.col("expected") == "incorrect").head(most)
        yield _Case(problem, test_cases(own_tests), list(wrong.select("language", "code").iter_rows()))


def _rewards(bench: Bench, named: NamedCheckers, settings: JudgeSection, case: _Case) -> tuple[str, Rewards | None]:
    problem_id, name = str(case.problem["problem_id"]), case.problem["checker"]
    names = [test.name for test in case.tests]
    if not names or len(set(names)) < len(names) or any(test.kind != "stdio" for test in case.tests):
        return problem_id, None
    checker = named.find(name if isinstance(name, str) else None)
    if isinstance(checker, str):
        return problem_id, None
    kills: dict[str, set[str]] = {}
    for place, (language, code) in enumerate(case.wrong):
        program = single_file(f"wrong {place}", language, code)
        for test in _killing(bench, program, case.tests, _limits(settings, case, language), checker):
            kills.setdefault(test, set()).add(program.name)
    groups = reward_groups(names, {test: frozenset(killed) for test, killed in kills.items()})
    limits = _limits(settings, case, "python3")
    earned = [
        fraction(groups, {result.name: result.verdict == "AC" for result in judged.tests})
        for judged in (
            judge_program(bench, program, case.tests, limits, checker) for program in trivial_programs(case.tests)
        )
    ]
    return problem_id, Rewards(groups, round(max(earned), 6))


def _killing(
    bench: Bench, program: Program, tests: Sequence[TestCase], limits: Limits, checker: Checker
) -> Iterator[str]:
    slow = 0
    for test in tests:
        for result in judge_program(bench, program, [test], limits, checker).tests:
            if result.verdict not in ("AC", "JE"):
                yield test.name
            slow += result.verdict == "TLE"
        if slow == _SLOW_ENOUGH:
            return


def _limits(settings: JudgeSection, case: _Case, language: str) -> Limits:
    seconds, megabytes = case.problem["time_limit_s"], case.problem["memory_limit_mb"]
    return problem_limits(
        seconds if isinstance(seconds, float) else None,
        megabytes if isinstance(megabytes, int) else None,
        language,
        settings,
    )
