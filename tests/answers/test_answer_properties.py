"""Verdicts on random answers whose truth is known otherwise."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from curation.answers import checkable, compare
from curation.answers.types import answer_type

Expression = tuple[str, Fraction]

_NUMBERS = st.one_of(
    st.integers(-99, 99).map(lambda n: (str(n) if n >= 0 else f"({n})", Fraction(n))),
    st.builds(lambda n, d: (rf"\frac{{{n}}}{{{d}}}", Fraction(n, d)), st.integers(0, 99), st.integers(1, 99)),
    st.integers(0, 9999).map(lambda n: (f"{n // 100}.{n % 100:02d}", Fraction(n, 100))),
)


def _combined(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(lambda a, b: (f"{a[0]} + {b[0]}", a[1] + b[1]), parts, parts),
        st.builds(lambda a, b: (f"{a[0]}-({b[0]})", a[1] - b[1]), parts, parts),
        st.builds(lambda a, b: (rf"\left({a[0]}\right)\cdot({b[0]})", a[1] * b[1]), parts, parts),
        st.builds(lambda a, n: (f"({a[0]})^{{{n}}}", a[1] ** n), parts, st.integers(1, 4)),
        st.builds(lambda a: (rf"\sqrt{{({a[0]})^2}}", abs(a[1])), parts),
    )


EXPRESSIONS = st.recursive(_NUMBERS, _combined, max_leaves=6)
_SOUP = st.lists(
    st.sampled_from(
        [*"0123456789+-*/^_(){}[],.;:|!<>=%$ abxei", r"\frac", r"\sqrt", r"\text{", r"\pi", r"\cup", r"\pm", "π", "−"]
    ),
    max_size=20,
).map("".join)


@settings(max_examples=150, deadline=None)
@given(EXPRESSIONS)
def test_arithmetic_has_its_value_and_no_other(expression: Expression) -> None:
    text, value = expression
    assert compare(str(value), text).verdict == "equal"
    assert compare(text, str(value + 1)).verdict == "different"
    assert compare(rf"\frac{{{value.numerator * 3}}}{{{value.denominator * 3}}}", text).verdict == "equal"


@settings(max_examples=150, deadline=None)
@given(EXPRESSIONS, EXPRESSIONS)
def test_two_expressions_are_equal_just_where_their_values_are(first: Expression, second: Expression) -> None:
    wanted = "equal" if first[1] == second[1] else "different"
    assert compare(first[0], second[0]).verdict == wanted
    assert compare(rf"x^2+({first[0]})x", rf"({second[0]})x+x^2").verdict == wanted


@settings(max_examples=300, deadline=None)
@given(_SOUP, _SOUP)
def test_any_text_gets_a_verdict_that_does_not_depend_on_the_side(first: str, second: str) -> None:
    assert compare(first, second).verdict == compare(second, first).verdict
    answer_type(first)
    checkable(first)
