"""The quantities that problems give: which numbers are given, and what they say against problems of one pattern."""

from __future__ import annotations

import pytest

from curation.contamination.prepared import prepare
from curation.contamination.quantities import Quantities, evidence_of_quantities, give_the_same, quantities

FERRY = "A ferry leaves every 25 minutes with 48 cars. When has the last of 630 cars left?"


def given(text: str) -> Quantities:
    return quantities(text, prepare(text))


def evidence(one: str, other: str) -> float:
    return evidence_of_quantities(given(one), given(other))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("twenty-five apples and 7 pears", {"25", "7"}),
        ("the integers $1, 2, 3, \\dots, 16$", {"1", "16"}),
        ("the terms $0, 5, 10, \\dots, 45$", {"0", "5", "10", "45"}),
        ("values 4, 3, 2 and 1", {"4", "1"}),
        ("the digits 3, 8 and 9", {"3", "8", "9"}),
        ("at most $3^6$", {"729"}),
        ("the divisors of $9!$", {"362880"}),
        ("$7^{2023}$", {"7^2023"}),
        ("九个人排成十六把椅子", {"9", "16"}),
    ],
)
def test_numbers_are_read_as_what_they_give(text: str, numbers: set[str]) -> None:
    assert given(text).given.keys() == numbers


def test_the_manner_of_a_number_is_told_from_its_place() -> None:
    assert given("the terms $0, 5, 10, \\dots, 45$").given["5"] == "loose"
    manners = given("two of $15$ discs weigh $x_4 = 1$ and $5$ hexagons have $y^3$").given
    assert manners["15"] == "long"
    assert manners["5"] == "digit"
    assert manners["6"] == "word"
    assert manners["1"] == "small"
    assert manners["2"] == manners["4"] == manners["3"] == "loose"


def test_a_number_that_one_text_lacks_speaks_against_it_and_agreement_for_it() -> None:
    whole = evidence(FERRY, "630 automobiles wait; a boat takes 48 of them once in 25 minutes. When are they gone?")
    lacking = evidence(FERRY, "630 automobiles wait; a boat takes 48 of them at once. When are they gone?")
    another = evidence(FERRY, "630 automobiles wait; a boat takes 36 of them once in 25 minutes. When are they gone?")
    assert whole > 1 > lacking > another


def test_what_is_worked_out_is_no_other_number() -> None:
    assert evidence("all $a \\le 3^6$ with $3^7 \\mid a$", "all $a \\le 729$ that 2187 divides") > 0
    assert evidence("a share of $0.5$ of $11$", "a share of $\\frac12$ of $11$") > 0
    assert evidence("$7^{2023} + 11^{2023}$ by $60$", "the 2023rd powers of 7 and 11 by 60") > 0
    assert evidence("divisors of $9!$ below 50", "multiples of 9 below 50") < 0


def test_more_than_the_item_says_less_in_a_long_text() -> None:
    further = FERRY + " It costs 35 coins."
    long = further + " Nothing else matters here at all." * 60
    assert evidence(FERRY, further) < evidence(FERRY, long)


def test_two_texts_give_the_same_but_for_what_wordings_add() -> None:
    assert give_the_same(given(FERRY), given("Two of 630 cars wait, 48 go in 25 minutes"))
    assert not give_the_same(given(FERRY), given("630 cars wait, 48 go in 20 minutes"))


@pytest.mark.parametrize("text", ["", "^", "1 / 0", "$9^{9999}$ and $9999!$", "3.1.4 and 5…", "… 1 , 2"])
def test_odd_texts_are_read(text: str) -> None:
    assert evidence(text, FERRY) <= 0
