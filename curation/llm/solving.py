"""Requests to solve problems: the prompt of each and its samples, in the order of the problem table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq

from curation import storage
from curation.llm import prompts
from curation.llm.engine import Message, Request
from curation.llm.prompts import Prompt
from curation.recipe import PoolSection, ProposerSection, Recipe, Sampler
from curation.records import PROBLEM_SCHEMA

PURPOSE = "solve"
_REQUESTS_AT_ONCE = 256

ProblemRow = dict[str, Any]
"""One row of a table of `records.PROBLEM_SCHEMA`."""


@dataclass(frozen=True)
class Solving:
    """How a step lets a model solve problems.

    Attributes:
        math: the prompt of math problems.
        code: the prompt of code problems.
        samples: responses wanted for each problem.
        sampler: how to sample answers to math problems.
        code_sampler: how to sample programs.
        functions: the function a code problem asks for, by ``problem_id``, where its tests call one.
    """

    math: Prompt
    code: Prompt
    samples: int
    sampler: Sampler
    code_sampler: Sampler
    functions: dict[str, str]

    def requests(self, problem: ProblemRow) -> list[Request]:
        """Return the requests for one problem.

        Raises:
            InputError: the template uses a name that is not given.
        """
        code = problem["domain"] == "code"
        if code:
            text = self.code.render(
                statement=problem["statement"],
                function=self.functions.get(problem["tests"]),
                time_limit_s=problem["time_limit_s"],
                memory_limit_mb=problem["memory_limit_mb"],
            )
        else:
            text = self.math.render(statement=problem["statement"])
        messages = (Message("user", text),)
        sampler = self.code_sampler if code else self.sampler
        return [
            Request(problem["problem_id"], PURPOSE, messages, sampler, index, problem["statement"])
            for index in range(self.samples)
        ]

    def batches(self, problems: Path) -> Iterator[list[tuple[ProblemRow, list[Request]]]]:
        """Yield the problems of a table with their requests, a few hundred requests at once."""
        for frame in storage.iterate_table(problems, PROBLEM_SCHEMA, max(1, _REQUESTS_AT_ONCE // self.samples)):
            yield [(problem, self.requests(problem)) for problem in frame.iter_rows(named=True)]

    def all_requests(self, problems: Path) -> Iterator[Request]:
        """Yield the requests for every problem of a table."""
        for batch in self.batches(problems):
            for _, requests in batch:
                yield from requests

    def count(self, problems: Path) -> int:
        """Return how many requests `all_requests` yields."""
        return int(pq.read_metadata(problems).num_rows) * self.samples


def prepare(recipe: Recipe, section: ProposerSection | PoolSection, tests: Path) -> Solving:
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
    return Solving(math, code, section.samples, section.sampler, code_sampler, dict(called.iter_rows()))


def load_prompts(recipe: Recipe, section: ProposerSection | PoolSection) -> tuple[Prompt, Prompt]:
    """Return the prompts of math and of code problems.

    Raises:
        InputError: there is no such template.
    """
    return prompts.load(section.prompt, recipe.directory), prompts.load(section.code_prompt, recipe.directory)
