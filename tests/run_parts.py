"""Builds the parts of a run that come before selection: problems, tests, a response pool with its grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from curation import records, storage
from curation.intervals import wilson
from curation.llm.pool import open_pool
from curation.progress import Silent
from curation.recipe import Recipe
from curation.records import Problem, Response
from curation.steps import StepContext

MINIMAL = {"name": "small", "sources": [{"use": "own"}]}


def recipe(**sections: object) -> Recipe:
    """Return a recipe with these sections."""
    return Recipe.model_validate({**MINIMAL, **sections})


def problem(problem_id: str, answer: str | None = "7", **fields: object) -> Problem:
    """Return a problem of source ``own``, math unless told otherwise."""
    return Problem(
        problem_id=f"own:{problem_id}",
        source="own",
        source_id=problem_id,
        **{
            "domain": "math",
            "group": "opensource_math",
            "statement": f"What is {problem_id}?",
            "licence": "CC0-1.0",
            "answer": answer,
            **fields,
        },
    )


def response(problem_id: str, index: int, text: str | None, finish_reason: str = "stop") -> Response:
    """Return a response of the pool's model."""
    return Response(
        response_id=storage.sha256_text(f"{problem_id}/{index}"),
        problem_id=problem_id,
        purpose="solve",
        prompt_sha256="0" * 64,
        model="m",
        model_revision="r",
        sampler="{}",
        sample_index=index,
        text=text,
        reasoning=None,
        finish_reason=finish_reason,
        failure=None,
        prompt_tokens=1,
        completion_tokens=1,
        latency_s=0.0,
        engine="http",
    )


@dataclass
class Parts:
    """A run directory before selection, with its tables."""

    directory: Path
    tables: dict[str, Path]

    def context(self, wanted: Recipe, output: str, **more: object) -> StepContext:
        """Return what a step is given, with an empty output directory of this name."""
        place = self.directory / output
        place.mkdir()
        return StepContext(wanted, self.tables, place, self.directory, None, Silent(), **more)


def build(
    directory: Path,
    problems: Sequence[Problem],
    grades: Mapping[str, str],
    texts: Mapping[tuple[str, int], str] | None = None,
    tests: Sequence[records.TestCase] = (),
    truncated: Sequence[tuple[str, int]] = (),
) -> Parts:
    """Write the tables and the pool.

    Args:
        directory: the run directory.
        problems: the problem table.
        grades: by problem_id, one letter a response: r(ight), w(rong), u(nknown), or f for a failure that is graded
            unknown and not stored.
        texts: the text of a response, where it matters.
        tests: the test table.
        truncated: responses that were cut at the token limit.
    """
    names = {"r": "right", "w": "wrong", "u": "unknown", "f": "unknown"}
    rows = [
        {
            "problem_id": problem_id,
            "response_id": response(problem_id, index, None).response_id,
            "sample_index": index,
            "grade": names[letter],
            "why": "",
            "grader": "exact",
        }
        for problem_id, letters in grades.items()
        for index, letter in enumerate(letters)
    ]
    with open_pool(directory / "pool") as pool:
        for problem_id, letters in reversed(grades.items()):
            for index, letter in enumerate(letters):
                if letter != "f":
                    text = (texts or {}).get((problem_id, index), f"<think>hm</think>{problem_id} says {index}")
                    reason = "length" if (problem_id, index) in truncated else "stop"
                    pool.add(response(problem_id, index, text, reason))
    accuracy = []
    for problem_id, letters in grades.items():
        right, wrong = letters.count("r"), letters.count("w")
        graded = right + wrong
        low, high = wilson(float(right), float(graded)) if graded else (None, None)
        accuracy.append(
            {
                "problem_id": problem_id,
                "right": right,
                "wrong": wrong,
                "unknown": len(letters) - graded,
                "accuracy": right / graded if graded else None,
                "low": low if low is None else round(low, 6),
                "high": high if high is None else round(high, 6),
            }
        )
    frames = {
        "problems": (records.to_frame(list(problems), records.PROBLEM_SCHEMA), records.PROBLEM_SCHEMA),
        "tests": (records.to_frame(list(tests), records.TEST_SCHEMA), records.TEST_SCHEMA),
        "pool_grades": (pl.DataFrame(rows, schema=records.GRADE_SCHEMA), records.GRADE_SCHEMA),
        "pool_accuracy": (pl.DataFrame(accuracy, schema=records.ACCURACY_SCHEMA), records.ACCURACY_SCHEMA),
    }
    tables = {}
    for name, (frame, schema) in frames.items():
        tables[name] = directory / f"{name}.parquet"
        storage.write_table(tables[name], frame, schema)
    return Parts(directory, tables)
