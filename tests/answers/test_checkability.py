from __future__ import annotations

import pytest

from curation.answers import checkable


@pytest.mark.parametrize(
    "answer",
    [
        "0",
        "-17",
        r"\frac{3}{4}",
        r"2\sqrt{3}-1",
        "(0,3)",
        "[0,3)",
        r"(-\infty,2)\cup(5,\infty)",
        r"(-\infty,\infty)",
        r"\{1,2,5\}",
        "1, 2, 5",
        r"3\pm\sqrt2",
        "y = 2x+1",
        "x > 3",
        r"\{x \mid 0<x<1\}",
        "n^2-n",
        "v(0)e^{-t}",
        "2+3i",
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
        "2:3",
        r"15\%",
        r"20^\circ C",
        r"12\text{ cm}",
        "101_2",
        r"\text{Monday}",
        "C",
        r"(B)\ 12",
        r"\infty",
    ],
)
def test_answers_that_can_be_checked(answer: str) -> None:
    result = checkable(answer)
    assert result.verdict == "equal", result.why


@pytest.mark.parametrize(
    "answer",
    [
        "",
        r"\text{Ann wins if she starts, and otherwise Bert can always win}",
        r"\sum_{k=1}^{n} a_k",
        "a/bc",
        "10^{10^{10}}",
        "{{{",
        "0x",
    ],
)
def test_answers_that_cannot_be_checked(answer: str) -> None:
    result = checkable(answer)
    assert result.verdict != "equal"
    assert result.why
