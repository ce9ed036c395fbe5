"""Cleaning: what goes, what stays, and that formulas are never touched."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.filters import catalog, mathematics
from curation.filters.cleaning import Cleaner
from curation.filters.rule import LONGEST_TEXT, Edit, cleans

CLEANER = Cleaner(catalog.CLEANING)
CLEANED = {
    # numbers
    "1. Mira walks $3$ km. How far is that in metres?": "Mira walks $3$ km. How far is that in metres?",
    "12) Find the remainder of $5^7$ by $3$.": "Find the remainder of $5^7$ by $3$.",
    "4.17 A deck holds forty cards. How many pairs are there?": "A deck holds forty cards. How many pairs are there?",
    "$7 \\cdot 12$ Let $n$ be the largest such number. Find $n$.": "Let $n$ be the largest such number. Find $n$.",
    "Problem 8. Find $x$ if $2x=6$.": "Find $x$ if $2x=6$.",
    "**Problem 3**\nFind $x$ if $2x=6$.": "Find $x$ if $2x=6$.",
    "Example 2 Given $x=1$, find $x+1$.": "Given $x=1$, find $x+1$.",
    "Six, in a square with side 2, pick five points. How many?": (
        "in a square with side 2, pick five points. How many?"
    ),
    "IV. (30 points) Find the sum.": "Find the sum.",
    "B3. Let $x=2$. Find $x^2$.": "Let $x=2$. Find $x^2$.",
    "例5 求 $x$ 的值": "求 $x$ 的值",
    "【例1】求 $x$ 的值": "求 $x$ 的值",
    "No. 5: Find $n$.": "Find $n$.",
    "Question 12 (3 marks) Find $n$.": "Find $n$.",
    "3、求 $x$ 的值": "求 $x$ 的值",
    "## Task 4 - 120533\n\nCalculate the sum of $1$ and $2$.": "Calculate the sum of $1$ and $2$.",
    # points
    "[7 points] Compute $1+1$.": "Compute $1+1$.",
    "[3] Compute $1+1$.": "Compute $1+1$.",
    "{[}\\textbf{5}{]} Compute $1+1$.": "Compute $1+1$.",
    "Compute $1+1$. (10 pts)": "Compute $1+1$.",
    "(本题满分12分) 求 $x$ 的值": "求 $x$ 的值",
    # sources
    "(2011 City Olympiad, Round 1) Find $n$.": "Find $n$.",
    "Find $n$.\n(Regional Team Contest, 1994)": "Find $n$.",
    "Find $n$.\n\n(Ana Horvat)": "Find $n$.",
    "Kravec P.\n\nFind $n$ with $n^2=4$, $n>0$.": "Find $n$ with $n^2=4$, $n>0$.",
    "Find $n$. *Proposed by Ana Horvat*": "Find $n$.",
    "Find $n$.\n\n\\proposed{Ana Horvat}": "Find $n$.",
    "N4 (HUN) Find $n$.": "Find $n$.",
    "AMC 10A 2015 Problem 3: Find $n$.": "Find $n$.",
    "Find $n$. — AIME 1985": "Find $n$.",
    "Find $n$. [IMO 1988]": "Find $n$.",
    "Find $n$.\nNote: the diagram was not given in the actual contest.": "Find $n$.",
    "【2014年全国高中联赛】求 $x$ 的值": "求 $x$ 的值",
    # instructions
    "Solve the following math problem step by step.\n\nWhat is $2+3$?": "What is $2+3$?",
    "You are a careful mathematician.\nWhat is $2+3$?": "What is $2+3$?",
    "What is $2+3$? Please reason step by step, and put your final answer within \\boxed{}.": "What is $2+3$?",
    "What is $2+3$?\n\nPut the result in $\\boxed{}$.": "What is $2+3$?",
    "What is $2+3$?\n\nAnswer:": "What is $2+3$?",
    "<|im_start|>user\nWhat is $2+3$?<|im_end|>\n<|im_start|>assistant\n": "What is $2+3$?",
    "求 $x$。请逐步推理，并将最终答案放在 \\boxed{} 中。": "求 $x$。",
    # markup
    "Which is <b>not</b> a prime: the $4$<sup>th</sup> or the $5$<sup>th</sup>?": (
        "Which is not a prime: the $4$th or the $5$th?"
    ),
    "Let x<sup>2</sup> + y<sub>1</sub> = 3.": "Let x^{2} + y_{1} = 3.",
    "<p>Let $x&lt;3$.&nbsp;Find $x$.<br/></p>": "Let $x<3$. Find $x$.",
    "'''Note''': find [[Prime number|the primes]] below 5.": "Note: find the primes below 5.",
    "[b]Find[/b] the [i]largest[/i] $n$.": "Find the largest $n$.",
    # characters and blanks
    "The cafÃ© sold â€œtwoâ€\x9d cakes.": "The café sold “two” cakes.",
    "Find\u00a0$n$.\u200b \r\n\r\n\r\n\r\nUse $m$.  ": "Find $n$.\n\nUse $m$.",
    "Which holds?\\n(A) one\\n(B) two": "Which holds?\n(A) one\n(B) two",
    "$\\quad$ Let $T=40$. Find $T$.": "Let $T=40$. Find $T$.",
    "\\noindent Find $n$. \\\\": "Find $n$.",
}

UNTOUCHED = [
    "If a<b and c>d, which is larger?",
    "The chain a<b>c is no tag.",
    "2.5 litres of milk cost 3 euros. What do 5 litres cost?",
    "2.5 Millionen",
    "12 boys and 3 girls sit in a row. How many seats are there?",
    "1. Find $x$.\n2. Find $y$.",
    "(1) Compute $a$. (2) Compute $b$.",
    "Problem 3 is harder than problem 2. By how many points?",
    "Five, six and seven are added. What is the sum?",
    "Let f''(x) = 2 and f'''(x) = 0. Find f''(1).",
    "Let $f''(x)=2$ for all $x$.",
    "Two arrangements are equal. (Rotations count as the same arrangement.)",
    "Find $n$. (You may use a calculator.)",
    "函数的最大值为 $\\qquad$ ．",
    "At 5 dollars & 3 cents each, find the price.",
    "Find $a\\neq 0$ and $\\nu$ with a \\neq b.",
    "Note: $1$ foot is $12$ inches. How many inches are $3$ feet?",
    "R&D; costs rise.",
]


@pytest.mark.parametrize(("text", "expected"), CLEANED.items())
def test_noise_goes_and_the_question_stays(text: str, expected: str) -> None:
    result = CLEANER.clean(text)
    assert result.text == expected
    assert result.changes


@pytest.mark.parametrize("text", UNTOUCHED)
def test_what_only_looks_like_noise_stays(text: str) -> None:
    assert CLEANER.clean(text).text == text


def test_mojibake_of_mathematics_is_left_for_the_rule_that_drops_it() -> None:
    assert CLEANER.clean("Find x with 3 â‰¤ x and the cafÃ©.").text == "Find x with 3 â‰¤ x and the café."


def test_the_changes_tell_what_each_rule_took_out() -> None:
    changes = CLEANER.clean("Problem 7. [5 points] Find $n$.").changes
    assert [(change.rule, change.before) for change in changes] == [
        ("problem_number", "Problem 7. "),
        ("points", "[5 points] "),
    ]


def test_an_edit_that_reaches_into_a_formula_is_refused() -> None:
    @cleans("Takes out blanks.")
    def blanks(text: str) -> list[Edit]:
        return [Edit(place, place + 1) for place, character in enumerate(text) if character == " "]

    assert Cleaner([blanks]).clean("a b $c d$ e").text == "ab$c d$e"


def test_a_text_that_never_settles_stays_as_it_is() -> None:
    @cleans("Turns letters round.")
    def flip(text: str) -> list[Edit]:
        return [Edit(0, 1, "b" if text[0] == "a" else "a")]

    assert Cleaner([flip]).clean("abc").text == "abc"


def test_a_document_is_not_cleaned() -> None:
    text = "1. " + "x" * LONGEST_TEXT
    assert CLEANER.clean(text).text == text


def test_money_is_no_formula() -> None:
    assert mathematics.segments("Two $5 bills and three $2 bills make how much? $17?") == []
    assert mathematics.segments("A pen is $3 and a pad is $4, so $x=7$.") == [(32, 37)]
    text = "If $x$ is \\$5 and $ y $ is \\(2\\), then \\[x+y\\] and \\begin{cases}a\\\\b\\end{cases} and $$z$$."
    assert [text[start:end] for start, end in mathematics.segments(text)] == [
        "$x$", "$ y $", "\\(2\\)", "\\[x+y\\]", "\\begin{cases}a\\\\b\\end{cases}", "$$z$$",
    ]  # fmt: skip
    assert len(mathematics.blank(text)) == len(text)


_FORMULA = st.text("xyn0129+-=<>^_(){}|,. \\fracsqt", min_size=1, max_size=12).filter(
    lambda inner: (
        not inner[0].isspace()
        and not inner[-1].isspace()
        and not inner.endswith("\\")
        and any(sign in inner for sign in "xyn=")
    )
)
_WRAPPED = st.one_of(
    _FORMULA.map(lambda inner: f"$x^2+{inner}$"),
    _FORMULA.map(lambda inner: f"\\({inner}\\)").filter(lambda text: text.count("\\(") == text.count("\\)") == 1),
)
_HEADS = (
    "1. |Problem 4. |[5 points] |(2009 Cup, Round 2) |Solve the following problem.|Sala T.\n\n|[4] |例3 |\\noindent "
)
_MARKS = "<b>not</b> |<p>|</p>|&nbsp;|&lt;|'''|[i]a[/i] |\u00a0|\u200b|  \n\n\n|\\n|\n|â€œ|Ã©|{x} "
_TAILS = (
    "Answer:|Proposed by A. B.|(1994, Spring)|(Ana Horvat)|\nNote: this page|Find |the value of |and |7 "
    "|Please reason step by step, and put your final answer within \\boxed{}."
)
_NOISE = st.sampled_from([*_HEADS.split("|"), *_MARKS.split("|"), *_TAILS.split("|")])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(_NOISE, _WRAPPED, st.text(max_size=8)), max_size=9))
def test_cleaning_twice_is_cleaning_once(pieces: list[str]) -> None:
    once = CLEANER.clean("".join(pieces)).text
    assert CLEANER.clean(once).text == once


@settings(max_examples=200, deadline=None)
@given(st.lists(_NOISE, max_size=4), st.lists(st.tuples(_WRAPPED, st.lists(_NOISE, max_size=2)), max_size=4))
def test_formulas_come_out_as_they_went_in(start: list[str], parts: list[tuple[str, list[str]]]) -> None:
    text = "".join(start) + "".join(f"Let {formula} hold. {''.join(noise)}" for formula, noise in parts) + " Find it."
    cleaned = CLEANER.clean(text).text
    position = 0
    for formula, _ in parts:
        position = cleaned.index(formula, position) + len(formula)
