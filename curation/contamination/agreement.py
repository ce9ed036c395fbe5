"""Do a row and a benchmark item have the same answer, and what does that say?

Every row's answer is compared with items' by its value where it is a number, else as folded text. Only where that
leaves a likely pair open are two formulas compared by exact arithmetic.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from curation.answers import compare
from curation.answers.extraction import final_answer
from curation.answers.numerals import read_numeral
from curation.contamination.chances import chance_of_answer
from curation.remembered import Remembered
from curation.text import fold

_SAME_PROBLEM_SAME_ANSWER = 0.95
OTHER_ANSWER = -4.0
"""What it says that the answers differ, in nats as in `likeness`."""

_BARE = 60
_LONGEST_ANSWER = 4_000
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer ready to be compared.

    Attributes:
        raw: as it is given, without the solution before it.
        text: the folded text.
        value: its value where it is a number.
        numbers: the numbers that it is made of.
    """

    raw: str
    text: str
    value: Fraction | None
    numbers: frozenset[str]

    @property
    def key(self) -> Fraction | str:
        """What two answers that agree have in common."""
        return self.text if self.value is None else self.value


def read_answer(answer: str | None) -> Answer | None:
    """Read an answer, or the solution that ends in it; None where there is none."""
    return None if answer is None else _ANSWERS[answer]


def _read(answer: str) -> Answer | None:
    if not answer.strip():
        return None
    if len(answer) > _BARE or "boxed" in answer or "####" in answer:
        answer = final_answer(answer[-_LONGEST_ANSWER:]).answer or answer[-_LONGEST_ANSWER:]
    numeral = read_numeral(answer)
    folded = fold(answer)
    if not folded:
        return None
    return Answer(answer, folded, numeral.value if numeral else None, frozenset(_NUMBER.findall(folded)))


_ANSWERS: Remembered[Answer | None] = Remembered(_read)


def answers_agree(one: Answer | None, other: Answer | None) -> bool | None:
    """Compare two answers without doing algebra.

    Returns:
        None where one of the two is not given, or where two formulas differ as text and share a number: they may have
        one value.
    """
    if one is None or other is None:
        return None
    if one.key == other.key:
        return True
    both_are_numbers = one.value is not None and other.value is not None
    return False if both_are_numbers or one.numbers.isdisjoint(other.numbers) else None


def may_be_rewritten(one: Answer | None, other: Answer | None) -> bool:
    """Say whether one answer is the sum of the other's numbers: who wants integers asks for m + n instead of m/n."""
    if one is None or other is None:
        return False
    return _is_sum_of_numbers(one, other) or _is_sum_of_numbers(other, one)


def _is_sum_of_numbers(whole: Answer, parts: Answer) -> bool:
    numbers = _NUMBER.findall(parts.text)
    return len(numbers) > 1 and whole.value is not None and whole.value == sum(map(int, numbers))


def answers_agree_exactly(one: Answer | None, other: Answer | None) -> bool | None:
    """Compare two answers, formulas by exact arithmetic; None where one is not given or nothing was proved."""
    agree = answers_agree(one, other)
    if agree is not None or one is None or other is None:
        return agree
    verdict = compare(one.raw, other.raw).verdict
    return None if verdict == "unknown" else verdict == "equal"


def agreement_evidence(item: Answer, share: float = 0.0) -> float:
    """Return what it says that a text has an item's answer, in nats as in `likeness`.

    Args:
        item: the answer.
        share: the part of the items that have it beside this one.
    """
    return math.log(_SAME_PROBLEM_SAME_ANSWER / max(share, chance_of_answer(item.text)))
