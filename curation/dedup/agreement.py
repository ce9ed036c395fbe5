"""Do the members of a cluster give one answer, and which one do most of them give?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curation.answers import compare
from curation.records import Equality
from curation.text import fold

Comparison = Callable[[str, str], Equality]
"""Says whether two answers are one value."""


def same_answer(one: str, other: str) -> Equality:
    """Compare two answers by value; texts that fold to one are one answer, also where they are no mathematics."""
    return "equal" if fold(one) == fold(other) else compare(one, other).verdict


@dataclass(frozen=True, slots=True)
class Agreement:
    """How the answers of one cluster stand to each other.

    Attributes:
        value: for each distinct answer text the number of its value, 0 for the first seen; None where no comparison
            could tell which value it is.
        values: how many different values there are.
    """

    value: dict[str, int | None]
    values: int


def agree(answers: Sequence[str], compare: Comparison) -> Agreement:
    """Sort distinct answer texts into values.

    Two texts differ only where the comparison says so: an answer that cannot be told equal to one value, and not told
    different from all of them, counts as no value of its own.
    """
    value: dict[str, int | None] = {}
    examples: list[str] = []
    for answer in dict.fromkeys(answers):
        verdicts = [compare(example, answer) for example in examples]
        if "equal" in verdicts:
            value[answer] = verdicts.index("equal")
        elif "unknown" in verdicts:
            value[answer] = None
        else:
            value[answer] = len(examples)
            examples.append(answer)
    return Agreement(value, len(examples))
