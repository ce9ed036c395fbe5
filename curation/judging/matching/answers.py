"""What the answers of all tests look like together: that decides which checkers can be meant at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

INTEGER = re.compile(r"[+-]?[0-9]+")
DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?")
_YES_NO = frozenset({"yes", "no"})
_LABEL = re.compile(r"[ \t]*case[ \t]+#?[0-9]+:", re.IGNORECASE)
_TELLING = 3
"""Two integers are 1 and 2 too often to say anything."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What is true of all answers together.

    Attributes:
        has_decimals: a token is a number with a point or an exponent.
        has_integers: a token is an integer.
        has_words: a token that belongs to no label is no number.
        only_yes_no: every token is yes or no, in any case, and there is one.
        has_labels: every line that holds something starts with ``Case 1:`` or ``Case #1:``, or follows one that does.
        single_token: every answer is exactly one token.
        several_lines: an answer has several lines that hold something.
        lines_of_several: a line has several tokens that belong to no label.
        only_permutations: every line of several tokens, or every whole answer of several, holds the integers from 0 or
            1 on, each once, and one of them holds three or more.
    """

    has_decimals: bool
    has_integers: bool
    has_words: bool
    only_yes_no: bool
    has_labels: bool
    single_token: bool
    several_lines: bool
    lines_of_several: bool
    only_permutations: bool


def shape_of(answers: Sequence[str]) -> Shape:
    """Look at the answers of all tests."""
    has_labels = bool(answers) and all(_LABEL.match(answer) for answer in answers)
    lines = [_lines(answer) for answer in answers]
    # Only what stands after the label says what kind of answer it is.
    bare = [[_LABEL.sub("", line, count=1).split() if has_labels else line.split() for line in one] for one in lines]
    tokens = [token for one in bare for line in one for token in line]
    return Shape(
        has_decimals=any(DECIMAL.fullmatch(token) for token in tokens),
        has_integers=any(INTEGER.fullmatch(token) for token in tokens),
        has_words=any(not INTEGER.fullmatch(token) and not DECIMAL.fullmatch(token) for token in tokens),
        only_yes_no=bool(tokens) and all(token.lower() in _YES_NO for token in tokens),
        has_labels=has_labels,
        single_token=bool(answers) and all(len(answer.split()) == 1 for answer in answers),
        several_lines=any(sum(bool(line) for line in one) > 1 for one in bare),
        lines_of_several=any(len(line) > 1 for one in bare for line in one),
        only_permutations=_are_permutations([line for one in bare for line in one])
        or _are_permutations([[token for line in one for token in line] for one in bare]),
    )


def _are_permutations(lists: Sequence[Sequence[str]]) -> bool:
    several = [one for one in lists if len(one) > 1]
    return any(len(one) >= _TELLING for one in several) and all(map(_is_permutation, several))


def _is_permutation(tokens: Sequence[str]) -> bool:
    found = set(tokens)
    first = 0 if "0" in found else 1
    return len(found) == len(tokens) and found == {str(number) for number in range(first, first + len(tokens))}


def _lines(answer: str) -> list[str]:
    """Return the lines between the first and the last that hold something."""
    return answer.strip().splitlines()
