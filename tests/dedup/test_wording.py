"""What a wording leaves out, and what it never leaves out."""

from __future__ import annotations

import pytest

from curation.dedup.wording import compared_text, folded_wording, skeleton


def same(one: str, other: str) -> bool:
    return folded_wording("math", one) == folded_wording("math", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Find the number of odd divisors of $90$.", "How many odd divisors are there of 90?"),
        ("Compute $3x+4$ for $x=2$.", "What is the value of $3x+4$ for $x=2$?"),
        ("What is the greatest prime factor of 91?", "Determine the largest prime factor of $91$."),
        ("Three coins are tossed.", "3 coins are tossed."),
        ("A bus carries twenty-five pupils.", "A bus carries 25 pupils."),
        ("What is 40 percent of 60?", "What is $40\\%$ of $60$?"),
        ("Find $x$ if $2x=3$. Express your answer as a common fraction.", "Find $x$ if $2x=3$."),
        ("Write 5 in base-3.", "Write 5 in base 3."),
        ("How many may win?", "How many could win?"),
        ("Each of them should be even.", "Each of them must be even."),
        ("A well-known number on the $x$-axis", "A well known number on the $x$ axis"),
        ("A 5-digit number ends in 7.", "A 5 digit number ends in 7."),
        ("Then $x+y=$", "Find $x+y$."),
        ("Multiply $a\\cdot(b+1)$ out.", "Multiply $a(b+1)$ out."),
        ("The colour of a bead at the centre", "The color of the bead at the center"),
    ],
)
def test_the_manner_of_asking_is_left_out(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Find $x^2$ for $x=3$.", "Find $x^3$ for $x=3$."),
        ("Find $x^2$.", "Find $x_2$."),
        ("Find $x+2$.", "Find $x-2$."),
        ("Find $2+3i$.", "Find $2+3$."),
        ("Find $2a+3$.", "Find $2+3$."),
        ("Solve $x<4$.", "Solve $x\\le 4$."),
        ("Evaluate $(2+3)\\cdot 4$.", "Evaluate $2+3\\cdot 4$."),
        ("Evaluate $2\\cdot 3$.", "Evaluate $2\\, 3$."),
        ("the sum of the divisors", "the number of the divisors"),
        ("The price is increased by 5.", "The price is increased to 5."),
        ("drawn with replacement", "drawn without replacement"),
        ("Find the length of $BE$.", "Find the length of $AE$."),
        ("Find the length of $BE$.", "Find the length of $DO$."),
        ("at least 3 heads", "at most 3 heads"),
        ("Find $x$. Express your answer as a decimal rounded to the nearest tenth.", "Find $x$."),
        ("Find $x-\\theta$.", "Find $x\\theta$."),
        ("Find $9-4-2-1$.", "Find $9\\,4\\,2\\,1$."),
        ("Find $9--4$.", "Find $9-4$."),
        ("求最大值", "求最小值"),
        ("integers greater than -3", "integers greater than 3"),
        ("Integrate $x^2$ from $-3$ to $5$.", "Integrate $x^2$ from $3$ to $5$."),
        ("If $x$ equals $-5$, find $x^2+x$.", "If $x$ equals $5$, find $x^2+x$."),
        ("all integers between -5 and 9", "all integers between 5 and 9"),
        ("the line with slope $-k$", "the line with slope $k$"),
        ("lattice points on the circle", "lattice points in the circle"),
        ("the largest number that must divide it", "the largest number that could divide it"),
        ("He gives her 2. How many does she have?", "He gives her 2. How many does he have?"),
        ("In 5 years Ann will be 20. How old is Ben?", "In 5 years Ann will be 20. How old will Ben be?"),
        ("He gave 3 away. How many did he have?", "He gave 3 away. How many does he have?"),
        ("He buys 3 pens at 2 dollars.", "He buys 3 pens for 2 dollars."),
    ],
)
def test_what_makes_another_problem_stays(one: str, other: str) -> None:
    assert not same(one, other)


def test_the_skeleton_holds_numbers_and_signs_in_order() -> None:
    words = folded_wording("math", "If $a=3$ and twenty apples cost $x+(5)$, find $x$.")
    assert skeleton(words) == ["=", "3", "20", "+", "5"]


STATEMENT = (
    "You are given an array of n integers. In one move you may choose two neighbouring elements and swap them.\n"
    "Print the smallest number of moves after which the array is sorted, or -1 if that is impossible. The array may "
    "hold equal elements, which may stand in any order.\n"
)


def test_code_statements_are_compared_without_title_limits_and_examples() -> None:
    dressed = (
        "C. Sorting by swaps\ntime limit per test: 2 seconds\nmemory limit per test: 256 megabytes\n"
        f"{STATEMENT}\n-----Examples-----\nInput\n3\n3 1 2\nOutput\n2\n"
    )
    assert folded_wording("code", dressed) == folded_wording("code", STATEMENT)
    assert folded_wording("math", dressed) != folded_wording("math", STATEMENT)


def test_a_short_code_statement_is_compared_whole() -> None:
    short = "Print the sum.\nExample\n1 2\n"
    assert compared_text("code", short) == short
