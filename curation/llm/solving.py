"""Requests to solve problems: the prompt of each and its samples, in the order of the problem table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from curation import storage
from curation.llm import prompts
from curation.llm.engine import Message, Request
from curation.llm.prompts import Prompt
from curation.recipe import Recipe, Sampler
from curation.records import PROBLEM_SCHEMA

PURPOSE = "solve"
_REQUESTS_AT_ONCE = 256
_PROBLEMS_AT_ONCE = 256

ProblemRow = dict[str, Any]
"""One row of a table of `records.PROBLEM_SCHEMA`."""


class Prompting(Protocol):
    """A recipe's section that says with which prompts and samplers problems are solved."""

    @property
    def prompt(self) -> str:
        """The template of math problems."""

    @property
    def code_prompt(self) -> str:
        """The template of code problems."""

    @property
    def sampler(self) -> Sampler:
        """The sampler of math problems."""

    @property
    def code_sampler(self) -> Sampler | None:
        """The sampler of code problems; None where it is the other one."""


@dataclass(frozen=True)
class Solving:
    """How a step lets a model solve problems.

    Attributes:
        math: the prompt of math problems.
        code: the prompt of code problems.
        sampler: how to sample answers to math problems.
        code_sampler: how to sample programs.
        functions: the function a code problem asks for, by ``problem_id``, where its tests call one.
    """

    math: Prompt
    code: Prompt
    sampler: Sampler
    code_sampler: Sampler
    functions: dict[str, str]

    def requests(self, problem: ProblemRow, samples: range) -> list[Request]:
        """Return the requests for these sample indexes of one problem.

        Raises:
            InputError: the template uses a name that is not given.
        """
        if not samples:
            return []
        code = problem["domain"] == "code"
        messages = self.conversation(problem)
        sampler = self.code_sampler if code else self.sampler
        return [
            Request(problem["problem_id"], PURPOSE, messages, sampler, index, problem["statement"]) for index in samples
        ]

    def conversation(self, problem: ProblemRow) -> tuple[Message, ...]:
        """Return the prompt of one problem.

        Raises:
            InputError: the template uses a name that is not given.
        """
        if problem["domain"] == "code":
            text = self.code.render(
                statement=problem["statement"],
                function=self.functions.get(problem["tests"]),
                time_limit_s=problem["time_limit_s"],
                memory_limit_mb=problem["memory_limit_mb"],
            )
        else:
            text = self.math.render(statement=problem["statement"])
        return (Message("user", text),)

    def batches(
        self, problems: Path, samples: Callable[[int], range]
    ) -> Iterator[list[tuple[int, ProblemRow, list[Request]]]]:
        """Yield places, rows and requests of the problems of a table that want samples, a few hundred requests at once.

        Args:
            problems: a table of `records.PROBLEM_SCHEMA`.
            samples: which samples the problem at a 0-based place wants.
        """
        batch: list[tuple[int, ProblemRow, list[Request]]] = []
        place = requests = 0
        for frame in storage.iterate_table(problems, PROBLEM_SCHEMA, _PROBLEMS_AT_ONCE):
            for problem in frame.iter_rows(named=True):
                asked = self.requests(problem, samples(place))
                if asked:
                    batch.append((place, problem, asked))
                    requests += len(asked)
                if requests >= _REQUESTS_AT_ONCE:
                    yield batch
                    batch, requests = [], 0
                place += 1
        if batch:
            yield batch


def prepare(recipe: Recipe, section: Prompting, tests: Path) -> Solving:
    """Read the prompts of a section and the functions that tests call.

    Args:
        recipe: the recipe, whose directory relative template paths start from.
        section: the section.
        tests: a table of `records.TEST_SCHEMA`.

    Raises:
        InputError: there is no such template.
    """
    called = (
        pl.scan_parquet(tests, glob=False)
        .filter(pl.col("function").is_not_null())
        .group_by("problem_id")
        .agg(pl.col("function").min())
        .collect()
    )
    math, code = load_prompts(recipe, section)
    code_sampler = section.code_sampler or section.sampler
    return Solving(math, code, section.sampler, code_sampler, dict(called.iter_rows()))


def load_prompts(recipe: Recipe, section: Prompting) -> tuple[Prompt, Prompt]:
    """Return the prompts of math and of code problems.

    Raises:
        InputError: there is no such template.
    """
    return prompts.load(section.prompt, recipe.directory), prompts.load(section.code_prompt, recipe.directory)
