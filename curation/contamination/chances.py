"""How often a problem at large has a number, a word or an answer: orders of magnitude, from no one data set."""

from __future__ import annotations

from functools import lru_cache

from curation.contamination.signature import stem
from curation.contamination.vocabulary import EVERYDAY

_DIGIT = {"0": 0.2, "1": 0.45, "2": 0.5, "3": 0.35, "4": 0.3, "5": 0.25, "6": 0.2, "7": 0.12, "8": 0.15, "9": 0.12}
_COMMON_NUMBERS = {"10": 0.12, "100": 0.08, "1000": 0.08, "12": 0.08, "20": 0.06, "60": 0.04, "90": 0.04}
_BY_DIGITS = {2: 0.04, 3: 0.01, 4: 0.004}
_LONGER_NUMBER = 0.001
_DECIMAL = 0.005
_COMMON_DECIMALS = frozenset(("0.5", "0.25", "0.75", "0.1", "0.2", "1.5", "2.5"))
_COMMON_DECIMAL = 0.03
_YEAR = 0.03
_CONCEPT = 0.03
_FIRST_LETTERS = frozenset("abcd")
_USUAL_LABEL = 0.3
_EVERYDAY_WORD = 0.03
_OTHER_WORD = 0.004
_EVERYDAY_STEMS = frozenset(stem(word) for word in EVERYDAY)
_ANSWER_BY_SIZE = {0: 0.05, 1: 0.06, 2: 0.012, 3: 0.003}
_LONGER_ANSWER = 0.001
_ROUND_ANSWER = {2: 0.025, 3: 0.008}


def chance_of_number(number: str) -> float:
    """Return how often a problem has a number, given as its text."""
    if number in _DIGIT:
        return _DIGIT[number]
    if number in _COMMON_NUMBERS:
        return _COMMON_NUMBERS[number]
    if "." in number:
        return _COMMON_DECIMAL if number in _COMMON_DECIMALS else _DECIMAL
    if len(number) == 4 and number[:2] in {"19", "20"}:
        return _YEAR
    return _BY_DIGITS.get(len(number), _LONGER_NUMBER)


@lru_cache(maxsize=200_000)
def chance_at_large(feature: str) -> float:
    """Return how often a problem has a feature of `curation.contamination.signature`."""
    kind, _, value = feature.partition(":")
    if kind == "n":
        return chance_of_number(value)
    if kind == "f":
        numbers = [part for part in value.split(" ") if part[0].isdigit()]
        return min([0.08, *(0.4 * chance_of_number(number) for number in numbers)])
    if kind == "l":
        if _FIRST_LETTERS.issuperset(value):
            return _USUAL_LABEL
        return 0.08 if len(value) <= 3 else 0.04
    if kind == "c":
        return _CONCEPT
    return _EVERYDAY_WORD if value in _EVERYDAY_STEMS else _OTHER_WORD


def chance_of_answer(answer: str) -> float:
    """Return how often two different problems have one answer: by the digits, roots and pis it is made of."""
    if answer.isdecimal() and len(answer) in _ROUND_ANSWER and int(answer) % 10 == 0:
        return _ROUND_ANSWER[len(answer)]
    size = sum(1 for character in answer if character.isdigit()) + answer.count("sqrt") + answer.count("pi")
    return _ANSWER_BY_SIZE.get(size, _LONGER_ANSWER)
