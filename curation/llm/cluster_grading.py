"""Grades responses on the nodes of a cluster: answers are compared, and programs run, where a batch arrives.

Each node runs programs in a sandbox of its own, the strongest that it offers, one program a processor. What a node
judged is kept by who asked, in the pool's verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from contextvars import ContextVar
from itertools import islice

import polars as pl

from curation.answers import grade as grade_answer
from curation.cluster import Cluster
from curation.judging import ResponseJudge
from curation.llm.solving import ProblemRow
from curation.llm.verdicts import ANSWERS, JUDGING, Graded
from curation.parallel import Preparation, Workers
from curation.recipe import JudgeSection
from curation.records import CheckerSource, Grade

Item = tuple[ProblemRow, pl.DataFrame, str]
"""A problem, its tests (empty for math), and the text of a whole response."""

_GRADES: dict[str, Grade] = {"equal": "right", "different": "wrong", "unknown": "unknown"}
_BATCH = 16

_JUDGE: ContextVar[tuple[JudgeSection, Mapping[str, CheckerSource]]] = ContextVar("judge")
"""How a worker judges; set once, before its first batch."""


def workers_of(cluster: Cluster, settings: JudgeSection, checkers: Mapping[str, CheckerSource]) -> Workers:
    """Return workers for `grade_there`, which know how to judge."""
    return Workers("grades responses", cluster, preparation=Preparation(_prepare, (settings, checkers)))


def grade_there(workers: Workers, items: Iterable[Item]) -> Iterator[Graded]:
    """Grade whole responses on a cluster, in their order.

    Raises:
        OutsideError: there is no cluster, or a node isolates no program.
    """
    source = iter(items)
    for _, graded in workers.map(_grade, iter(lambda: list(islice(source, _BATCH)), [])):
        yield from graded


def compared(problem: ProblemRow, text: str) -> Graded:
    """Grade a whole response to a math problem that has an answer."""
    result = grade_answer(problem["answer"], text)
    return Graded(_GRADES[result.verdict], f"{result.path}: {result.why}", ANSWERS)


def _prepare(settings: JudgeSection, checkers: Mapping[str, CheckerSource]) -> None:
    _JUDGE.set((settings, checkers))


def _grade(items: list[Item]) -> list[Graded]:
    programs = [item for item in items if item[0]["domain"] == "code"]
    with ExitStack() as resources:
        judged: Iterator[tuple[Grade, str]] = iter(())
        if programs:
            settings, checkers = _JUDGE.get()
            judge = resources.enter_context(ResponseJudge(None, settings, checkers, workers=1))
            judged = judge.grade_each(programs)
        return [
            Graded(*next(judged), JUDGING) if problem["domain"] == "code" else compared(problem, text)
            for problem, _, text in items
        ]
