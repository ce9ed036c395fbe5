"""What kind of value an answer is: settled once, when its row is made."""

from __future__ import annotations

from curation.answers.numerals import read_numeral


def answer_type(text: str) -> str:
    """Return the kind of value that an answer is.

    One of: integer, rational, decimal, exact real, tuple, set, list, interval, inequality, equation, expression,
    matrix, base-n numeral, ratio, percent, unit, angle, complex, text label, choice letter.
    """
    numeral = read_numeral(text)
    return numeral.kind if numeral else "text label"
