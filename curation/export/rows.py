"""What an exported row holds: the training triple as PaCoRe released it, and the companion that says where it is from.

A triple has three columns and nothing else. Its companion stands in the config ``rows`` under the same stage and row
number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from curation.json_reader import dumps, loads
from curation.records import CheckerSource

STAGES = ("stage1", "stage2")

TRIPLE_SCHEMA = pl.Schema(
    {
        "conversation": pl.List(pl.Struct({"role": pl.String(), "content": pl.String()})),
        "responses": pl.List(pl.String()),
        "ground_truth": pl.String(),
    }
)
"""``conversation``: the problem as one user message. ``responses``: the messages. ``ground_truth``: always text."""

COMPANION_SCHEMA = pl.Schema(
    {
        "stage": pl.String(),
        "row": pl.Int64(),
        "problem_id": pl.String(),
        "group": pl.String(),
        "source": pl.String(),
        "url": pl.String(),
        "licence": pl.String(),
        "attribution": pl.String(),
        "accuracy": pl.Float64(),
        "message_seed": pl.Int64(),
        "responses": pl.Int32(),
        "correctness": pl.List(pl.String()),
    }
)
"""``row``: 0-based place in the stage. ``accuracy``: what the stage's rule saw. ``correctness``: ``right``, ``wrong``
or ``unknown`` of each response, in the triple's order."""


def ground_truth(
    problem: Mapping[str, Any],
    tests: Sequence[Mapping[str, Any]],
    checkers: Mapping[str, CheckerSource] | None = None,
    rewards: str | None = None,
) -> str | None:
    """Return what an answer is checked against, as text.

    Args:
        problem: a row of the problem table.
        tests: the problem's rows of the test table, in order; empty for math.
        checkers: the checkers that came with the problems, by SHA-256.
        rewards: the document of the tests' kill groups, see `curation.judging.kill_groups`; None where nobody knows
            them.

    Returns:
        the answer's text for math. For code one JSON object: ``tests`` (a list of objects with ``name``, ``kind``,
        ``input``, ``output``, ``function``), ``checker`` (null for the default), ``time_limit_s`` (CPU seconds) and
        ``memory_limit_mb`` (MiB); test data are JSON strings, never numbers. Where the checker is a program that came
        with the problem, ``checker_source`` is an object of its ``kind`` and ``source``; ``rewards`` holds the kill
        groups where they are known.
    """
    if problem["domain"] != "code":
        answer: str | None = problem["answer"]
        return answer
    columns = ("name", "kind", "input", "output", "function")
    document = {
        "tests": [{column: test[column] for column in columns} for test in tests],
        "checker": problem["checker"],
        "time_limit_s": problem["time_limit_s"],
        "memory_limit_mb": problem["memory_limit_mb"],
    }
    source = (checkers or {}).get(_which(problem["checker"]))
    if source is not None:
        document["checker_source"] = {"kind": source.kind, "source": source.source}
    if rewards is not None:
        document["rewards"] = loads(rewards)
    return dumps(document)


def _which(checker: str | None) -> str:
    """Return the hash in a checker's name (``testlib:SHA256``), or nothing."""
    return checker.partition(":")[2].split(" ")[0] if checker else ""


def triple(
    problem: Mapping[str, Any],
    tests: Sequence[Mapping[str, Any]],
    messages: Sequence[str],
    checkers: Mapping[str, CheckerSource] | None = None,
    rewards: str | None = None,
) -> dict[str, object]:
    """Return one row of `TRIPLE_SCHEMA`."""
    return {
        "conversation": [{"role": "user", "content": problem["statement"]}],
        "responses": list(messages),
        "ground_truth": ground_truth(problem, tests, checkers, rewards),
    }


def companion(
    stage: str, row: int, problem: Mapping[str, Any], chosen: Mapping[str, Any], correctness: Sequence[str]
) -> dict[str, object]:
    """Return one row of `COMPANION_SCHEMA`.

    Args:
        stage: ``stage1`` or ``stage2``.
        row: the triple's 0-based place in the stage.
        problem: a row of the problem table.
        chosen: the problem's row of the stage's table.
        correctness: the grade of each response.
    """
    return {
        "stage": stage,
        "row": row,
        **{name: problem[name] for name in ("problem_id", "group", "source", "url", "licence", "attribution")},
        "accuracy": chosen["accuracy"],
        "message_seed": chosen["seed"],
        "responses": len(correctness),
        "correctness": list(correctness),
    }
