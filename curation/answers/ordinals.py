r"""Ordinal numbers as answers: ``1st``, ``3^{\text{rd}}``, ``fifth``."""

from __future__ import annotations

import re

from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.numerals import read_numeral

_ENDS = ("st", "nd", "rd", "th")
_MARKUP = re.compile(r"\\(?:text|mathrm|textsuperscript)(?![A-Za-z])|[\^{}\s$]")
_DIGITS = re.compile(r"(\d{1,9})(?:st|nd|rd|th)")
_WORDS = {
    word: number
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), start=1
    )
}
_LONGEST = 40


def compare_ordinals(first: str, second: str) -> Comparison | None:
    """Compare answers of which one is an ordinal in digits; the ending may be left out of the other.

    None where neither is one, or the other is something else than a number.
    """
    if max(len(first), len(second)) > _LONGEST:
        return None
    numbers = _number(first), _number(second)
    if numbers == (None, None):
        return None
    values = [_value(text) if number is None else number for number, text in zip(numbers, (first, second), strict=True)]
    if values[0] is None or values[1] is None:
        return unknown("ordinal", "an ordinal number against something else") if _holds_digit(first, second) else None
    return equal("ordinal", "the same place") if values[0] == values[1] else different("ordinal", "different places")


def _number(text: str) -> int | None:
    if not text.rstrip("}. $").endswith(_ENDS):
        return None
    found = _DIGITS.fullmatch(_MARKUP.sub("", text.rstrip(".")).lower())
    return int(found[1]) if found else None


def _value(text: str) -> int | None:
    numeral = read_numeral(text)
    if numeral is not None:
        return numeral.value.numerator if numeral.value.denominator == 1 else -1
    return _WORDS.get(_MARKUP.sub("", text).lower())


def _holds_digit(first: str, second: str) -> bool:
    return any(map(str.isdigit, first)) and any(map(str.isdigit, second))
