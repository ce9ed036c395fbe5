"""Answers made to hang, to eat memory or to run code are decided without either, or left open."""

from __future__ import annotations

import sys

import pytest

from curation.answers import checkable, compare, grade
from curation.answers.types import answer_type

TOWERS = [
    "10^{10^{10}}",
    "9^{9^{9^{9^{9}}}}",
    r"((((30!)!)!)!)!",
    r"2^{2^{2^{2^{2^{2}}}}}",
    r"\frac{7^{7^{7^{7}}}-1}{6}",
    r"(1+x)^{10^9}",
    r"\binom{10^{12}}{10^{6}}",
    r"\lfloor 10^{10^{10}} \rfloor",
    r"\sin(10^{10^{10}})",
    "99999999999!!",
    r"\sin(" * 28 + "x" + ")" * 28,
]
NOISE = [
    r"\sum_{a=1}^{100}\sum_{b=1}^{100}\sum_{c=1}^{100} abc",
    r"\sum_{k=1}^{5000} k^{9999}",
    r"\prod_{k=1}^{5000} k^{100}",
    "{" * 100_000,
    "}" * 100_000,
    r"\frac{" * 20_000,
    "(" * 5_000 + ")" * 5_000,
    r"\sqrt{" * 3_000 + "2" + "}" * 3_000,
    r"\text{" * 5_000,
    "|" * 10_001,
    "-" * 19_000 + "1",
    "^" * 10_000,
    "1," * 9_000,
    "x" * 19_999,
    "+".join(f"x_{{{k}}}" for k in range(2_000)),
    "$" * 50_000,
    "\\" * 50_001,
    "1e999999999",
    "2" + "^9" * 1_000,
    "一" * 5_000,
    "亿" * 3_000,
    "答案是" * 3_000,
    "the answer is " * 3_000,
    r"\left\{\begin{array}" * 900,
    "x=1,y=2;" * 2_000,
    "(x>0)" * 3_000,
    r"\zeta(30)+" * 300 + "1",
    "_{5}C_" * 3_000,
    "a=b=" * 4_000 + "1",
    "①" * 3_000,
    "one hundred " * 1_500,
    "0.(" + "1" * 5_000 + ")",
    "0." + "12" * 90 + "...",
    "A," * 5_000 + "B",
    "\x00\x01\x02",
    "\ud800",
]
INJECTIONS = [
    "__import__('os').system('touch pwned')",
    "(lambda: exec('import os'))()",
    r"\text{__import__('os').system('touch pwned')}",
    "x.__class__.__mro__[1].__subclasses__()",
    "eval(compile('1','','eval'))",
    "'; DROP TABLE answers; --",
]


@pytest.mark.parametrize("text", TOWERS + NOISE + INJECTIONS, ids=lambda text: repr(text[:24]))
def test_hostile_answers_are_not_equal_to_a_number(text: str) -> None:
    for verdict in (compare("8", text).verdict, compare(text, "8").verdict, grade("8", text).verdict):
        assert verdict in ("different", "unknown")
    answer_type(text)
    checkable(text)


@pytest.mark.parametrize("text", TOWERS)
def test_towers_equal_themselves_and_not_their_neighbours(text: str) -> None:
    assert compare(text, f"{{{text}}}").verdict == "equal"
    assert compare(text, f"{text}+1").verdict != "equal"


@pytest.mark.parametrize("tower", ["9^{9^{9^{9}}}", "((20!)!)!", r"\frac{3^{3^{3^{3}}}-3}{8}"])
def test_a_tower_is_no_ordinary_number(tower: str) -> None:
    assert compare("14", tower).verdict == "different"
    assert compare(tower, r"\sqrt{2}").verdict == "different"


def test_thousands_of_digits() -> None:
    nines = "9" * 5_000
    assert compare(nines, nines[:-1] + "8").verdict == "different"
    assert compare("1" + "0" * 4_999, "10^{4999}").verdict == "equal"
    assert compare(f"{nines} + 1", "10^{5000}").verdict == "equal"
    assert compare(rf"\sqrt{{{nines}}}", rf"\sqrt{{{nines[:-1]}7}}").verdict != "equal"
    assert sys.get_int_max_str_digits() == 4_300
