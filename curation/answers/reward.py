"""Grades as rewards, in the calling conventions of TRL and verl.

TRL: ``GRPOTrainer(..., reward_funcs=reward_func)``. verl: ``custom_reward_function.path`` is this file's path and its
``name`` is ``compute_score``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from curation.answers.grading import grade

Completion: TypeAlias = "str | Sequence[Mapping[str, object]]"

GOLD_COLUMNS = ("answer", "gold", "ground_truth", "solution")
"""Where the right answer is looked for among the columns that TRL passes on."""


def reward_func(
    prompts: Sequence[object], completions: Sequence[Completion], no_answer: float | None = None, **columns: object
) -> list[float | None]:
    """Reward completions as TRL asks for it: 1 right, 0 wrong, None unknown, which TRL leaves out.

    Args:
        prompts: the prompts; not looked at.
        completions: texts, or conversations whose last message is the response.
        no_answer: the reward of a completion without final answer; unknown by default. With 0 a policy earns nothing
            by not answering.
        columns: the data set's other columns, each as long as ``completions``; the first of `GOLD_COLUMNS` has the
            right answers.

    Raises:
        ValueError: no column has the right answers, or it has another length.
    """
    golds = next((columns[name] for name in GOLD_COLUMNS if columns.get(name) is not None), None)
    if not isinstance(golds, Sequence) or isinstance(golds, str) or len(golds) != len(completions):
        raise ValueError(f"give one right answer a completion in a column called {', '.join(GOLD_COLUMNS)}")
    return [
        _reward(str(gold), _text(completion), no_answer) for gold, completion in zip(golds, completions, strict=True)
    ]


def compute_score(
    data_source: str, solution_str: str, ground_truth: object, extra_info: object = None, **options: object
) -> dict[str, float | str]:
    """Score a response as verl asks for it.

    Args:
        data_source: the data set's name; not looked at.
        solution_str: the response.
        ground_truth: the right answer.
        extra_info: verl's further columns; not looked at.
        options: what else the caller passes; not looked at.

    Returns:
        ``score`` (1 right, else 0: verl takes no missing scores), ``unknown`` (1 where neither right nor wrong was
        proved, so that such samples can be masked), ``verdict`` and ``pred``.
    """
    result = grade(str(ground_truth), solution_str)
    return {
        "score": float(result.verdict == "equal"),
        "unknown": float(result.verdict == "unknown"),
        "verdict": result.verdict,
        "pred": result.extracted or "",
    }


def _reward(gold: str, response: str, no_answer: float | None) -> float | None:
    result = grade(gold, response)
    if result.verdict == "unknown":
        return no_answer if result.extracted is None else None
    return float(result.verdict == "equal")


def _text(completion: Completion) -> str:
    if isinstance(completion, str):
        return completion
    content = completion[-1].get("content") if completion else ""
    return content if isinstance(content, str) else ""
