"""Rewards for code rows, in the calling conventions of TRL and verl.

TRL: ``GRPOTrainer(..., reward_funcs=CodeReward())``. verl: ``custom_reward_function.path`` is this file's path and
its ``name`` is ``compute_score``. The column ``ground_truth`` is the export's; programs run in the sandbox. A reward
is None, never 0, where nothing was proved: the judge failed, there is no test, or the response was cut.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal, TypeAlias

from curation.errors import InputError
from curation.judging import kill_groups
from curation.judging.bench import Bench
from curation.judging.grading import last_code_block, program_of
from curation.judging.ground_truth import GroundTruth, read_ground_truth
from curation.judging.isolation import choose
from curation.judging.judge import judge_program
from curation.judging.kill_groups import Rewards
from curation.judging.limits import problem_limits
from curation.judging.named_checkers import NamedCheckers
from curation.judging.verdicts import Judgement
from curation.recipe import JudgeSection
from curation.records import CheckerSource

Completion: TypeAlias = "str | Sequence[Mapping[str, object]]"
Mode = Literal["binary", "fraction", "weighted"]

CUT = frozenset({"length", "max_tokens"})
"""Finish reasons of a response that was cut: what it would have become nobody knows."""

_SOURCES_HELD = 512


@dataclass(frozen=True, slots=True)
class Asked:
    """A response to be rewarded.

    Attributes:
        ground_truth: the row's document.
        response: what the model wrote.
        finish_reason: how it ended, where that is known.
        mode: the mode of this one; None for the scorer's.
    """

    ground_truth: str
    response: str
    finish_reason: str | None = None
    mode: Mode | None = None


@dataclass(frozen=True, slots=True)
class Reward:
    """A reward.

    Attributes:
        reward: 0 to 1; None for unknown.
        verdict: the judge's, ``JE`` where there is none.
        passed: tests passed.
        tests: tests there are.
        why: the reason.
        isolation: what held the program.
    """

    reward: float | None
    verdict: str
    passed: int
    tests: int
    why: str
    isolation: str


class CodeReward:
    """Rewards code responses with one bench of workers. Callable as TRL calls; use it as a context manager elsewhere.

    Args:
        mode: ``binary``: 1 where all tests pass; ``fraction``: the share of tests that pass;
            ``weighted``: that share weighted by the kill groups of the row, less what a trivial program earns (see
            `curation.judging.kill_groups`), and as ``fraction`` where the row has none.
        store: the directory of results, so that nothing runs twice; None for a temporary one.
        settings: limits where a row states none, and the factor of interpreted languages.
        workers: programs that run at a time; None for one a core.

    Raises:
        OutsideError: the machine isolates no program, and the settings do not allow doing without.
    """

    def __init__(
        self,
        mode: Mode = "binary",
        store: Path | None = None,
        settings: JudgeSection | None = None,
        workers: int | None = None,
    ) -> None:
        self._mode = mode
        self._settings = settings or JudgeSection()
        self._sources: dict[str, CheckerSource] = {}
        isolation = choose(without_isolation=self._settings.without_isolation)
        self.bench = Bench(store, isolation, workers)
        self._checkers = NamedCheckers(self.bench, self._sources)
        self.__name__ = f"code_{mode}"

    def __enter__(self) -> CodeReward:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bench.__exit__(kind, error, trace)

    def __call__(
        self, prompts: Sequence[object], completions: Sequence[Completion], **columns: object
    ) -> list[float | None]:
        """Reward completions as TRL asks for it.

        Args:
            prompts: the prompts; not looked at.
            completions: texts, or conversations whose last message is the response.
            columns: the data set's other columns: ``ground_truth``, and ``finish_reason`` where there is one.

        Raises:
            ValueError: there is no column ``ground_truth``, or it has another length.
        """
        truths, ends = columns.get("ground_truth"), columns.get("finish_reason")
        if not isinstance(truths, Sequence) or isinstance(truths, str) or len(truths) != len(completions):
            raise ValueError("give one document a completion in a column called ground_truth")
        known = isinstance(ends, Sequence) and not isinstance(ends, str) and len(ends) == len(completions)
        finished = [str(end) for end in ends] if known and isinstance(ends, Sequence) else [None] * len(completions)
        asked = (
            Asked(str(truth), _text(completion), end)
            for truth, completion, end in zip(truths, completions, finished, strict=True)
        )
        return [found.reward for found in self.score_each(asked)]

    def score(self, asked: Asked) -> Reward:
        """Reward one response."""
        return next(self.score_each([asked]))

    def score_each(self, asked: Iterable[Asked]) -> Iterator[Reward]:
        """Reward many responses side by side, in order.

        Raises:
            OutsideError: no sandbox can be started, or testlib cannot be fetched.
        """
        return self.bench.map(self._score, asked)

    def _score(self, asked: Asked) -> Reward:
        try:
            truth = read_ground_truth(asked.ground_truth)
        except InputError as error:
            return self._unknown(str(error), 0)
        if asked.finish_reason in CUT:
            return self._unknown("the response was cut at its token limit", len(truth.tests))
        if not truth.tests:
            return self._unknown("there are no tests", 0)
        block = last_code_block(asked.response)
        if block is None:
            level = self.bench.isolation.level
            return Reward(0.0, "CE", 0, len(truth.tests), "the response holds no code block", level)
        mode = asked.mode or self._mode
        program = program_of(*block)
        limits = problem_limits(truth.time_limit_s, truth.memory_limit_mb, program.language, self._settings)
        try:
            checker = self._checkers.find(self._known(truth))
        except InputError as error:
            return self._unknown(str(error), len(truth.tests))
        stop = mode == "binary"
        judged = judge_program(self.bench, program, truth.tests, limits, checker, stop_at_failure=stop)
        return _rewarded(judged, len(truth.tests), mode, truth.rewards)

    def _known(self, truth: GroundTruth) -> str | None:
        source = truth.source
        if source is not None:
            while len(self._sources) >= _SOURCES_HELD:
                self._sources.pop(next(iter(self._sources)), None)
            self._sources[source.sha256] = source
        return truth.checker

    def _unknown(self, why: str, tests: int) -> Reward:
        return Reward(None, "JE", 0, tests, why, self.bench.isolation.level)


def compute_score(
    data_source: str, solution_str: str, ground_truth: object, extra_info: object = None, **options: object
) -> dict[str, float | str]:
    """Score a response as verl asks for it: all tests or nothing.

    Args:
        data_source: the data set's name; not looked at.
        solution_str: the response.
        ground_truth: the row's document.
        extra_info: verl's further columns; its ``finish_reason`` counts.
        options: what else the caller passes; not looked at.

    Returns:
        ``score`` (verl takes no missing scores, so 0 where it is unknown), ``unknown`` (1 where nothing was proved, so
        that such samples can be masked), ``fraction`` (share of tests passed), ``verdict`` and ``why``.
    """
    end = extra_info.get("finish_reason") if isinstance(extra_info, Mapping) else None
    found = _of_this_process().score(Asked(str(ground_truth), solution_str, None if end is None else str(end)))
    unknown = found.reward is None
    fraction = 0.0 if unknown or not found.tests else found.passed / found.tests
    return {
        "score": found.reward or 0.0,
        "unknown": float(unknown),
        "fraction": fraction,
        "verdict": found.verdict,
        "why": found.why,
    }


@functools.cache
def _of_this_process() -> CodeReward:
    # verl names a function and a file, so nobody hands a bench to it.
    return CodeReward()


def _rewarded(judged: Judgement, tests: int, mode: Mode, rewards: Rewards | None) -> Reward:
    passed = sum(test.verdict == "AC" for test in judged.tests)
    failed = next((test for test in judged.tests if test.verdict == judged.verdict != "AC"), None)
    why = judged.message if failed is None else f"test {failed.name}: {failed.message}"
    unsure = judged.verdict == "JE" or (mode != "binary" and any(test.verdict == "JE" for test in judged.tests))
    if unsure:
        reward = None
    elif mode == "binary":
        reward = float(judged.verdict == "AC")
    elif mode == "weighted" and rewards is not None:
        reward = kill_groups.reward(rewards, {test.name: test.verdict == "AC" for test in judged.tests})[0]
    else:
        reward = judged.score if judged.tests else 0.0
    return Reward(reward, judged.verdict, passed, tests, why, judged.isolation)


def _text(completion: Completion) -> str:
    if isinstance(completion, str):
        return completion
    content = completion[-1].get("content") if completion else ""
    return content if isinstance(content, str) else ""
