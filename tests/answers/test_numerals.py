from __future__ import annotations

from fractions import Fraction

import pytest

from curation.answers import compare
from curation.answers.numerals import integer_of, read_numeral


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("-7", Fraction(-7), "integer"),
        ("007", Fraction(7), "integer"),
        ("+2", Fraction(2), "integer"),
        ("−41", Fraction(-41), "integer"),
        ("$18$", Fraction(18), "integer"),
        ("2,450.", Fraction(2450), "integer"),
        ("3.50", Fraction(7, 2), "decimal"),
        (".125", Fraction(1, 8), "decimal"),
        ("-.5", Fraction(-1, 2), "decimal"),
        ("6/8", Fraction(3, 4), "rational"),
        (r"-\dfrac{6}{8}", Fraction(-3, 4), "rational"),
        (r"\frac{-6}{8}", Fraction(-3, 4), "rational"),
        (r"\frac35", Fraction(3, 5), "rational"),
        (r"\frac 35", Fraction(3, 5), "rational"),
        (r"\frac3{50}", Fraction(3, 50), "rational"),
    ],
)
def test_reads_numbers(text: str, value: Fraction, kind: str) -> None:
    numeral = read_numeral(text)
    assert numeral is not None
    assert (numeral.value, numeral.kind) == (value, kind)


@pytest.mark.parametrize(
    "text", ["", "x", "1,23", "12,3456", "3/0", r"\frac{1}{0}", "1e5", "٣", r"\frac123", "--3", "5 6"]
)
def test_leaves_everything_else(text: str) -> None:
    assert read_numeral(text) is None


def test_integers_beyond_the_digit_limit_of_python() -> None:
    digits = "9" * 12_345
    assert integer_of(digits) == 10**12_345 - 1
    assert compare(digits, "0" + digits).verdict == "equal"
    assert compare(digits, digits[:-1] + "8").verdict == "different"


def test_grouped_numbers_say_so() -> None:
    grouped = read_numeral("100,200,300")
    assert grouped is not None
    assert grouped.grouped
    assert grouped.value == 100_200_300
