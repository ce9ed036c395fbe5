"""`curation.text`: what folds together, what stays apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.text import NUMBER_MASK, fold, locate, mask_digits, shingles, tokens

SAME = [
    (r"Let $n \leq 5$.", "let n ≤ 5"),
    (r"Let $n\le5$.", "Let n <= 5"),
    (r"\(x^{2}\)", "$x²$"),
    (r"$x^{n+1}$", "x^(n+1)"),
    (r"$a_{n+1}$", "aₙ₊₁"),
    (r"$\dfrac{1}{2}$", "½"),
    (r"$\frac12$", "1/2"),
    (r"$\tfrac{a+b}{c}$", "(a+b)/c"),
    (r"$\frac{\frac{1}{2}}{x_{1}}$", r"$\dfrac{ \tfrac12 }{ x_1 }$"),
    (r"$60^\circ$", "60°"),
    (r"$60^{\circ}$", "60 degrees"),
    (r"$\sqrt{n}$", "√n"),
    (r"$\sqrt{n+1}$", "√(n+1)"),
    ("$10{,}000$ ways", "10,000 ways"),
    (r"$10\,000$ ways", "10000 ways"),
    (r"triangle $A B C$", "triangle $ABC$"),
    (r"$\angle ABC$", "∠ABC"),
    (r"$5\times 3$", "5 × 3"),
    (r"$5 \cdot 3$", "5*3"),
    (r"$x - y$", "x − y"),
    (r"$12\text{ cm}$", "12 cm"),
    (r"$\text{\textbf{prime}}$", "prime"),
    (r"$\operatorname{lcm}(a,b)$", r"$\mathrm{lcm}(a, b)$"),
    (r"$\left( \frac{a}{b} \right)^{2}$", r"$(\frac ab)^2$"),
    (r"f\colon\mathbb R^n\to\mathcal S", r"f\colon\mathbb{R}^n\to\mathcal{S}"),
    (r"$\mathrm d x + \boldsymbol\alpha$", r"$\mathrm{d}x + \boldsymbol{\alpha}$"),
    (r"$\mathbb Rxy$", r"$\mathbb{R}xy$"),
    (r"${a+1 \over 2}$", r"$\frac{a+1}{2}$"),
    (r"${x_{1} \over {2 \over y}}$", r"$\frac{x_1}{\frac 2y}$"),
    (r"${n \choose k+1}$", r"$\binom{n}{k+1}$"),
    (r"$f^{\prime\prime}(x^\prime)$", "$f''(x')$"),
    (r"\\(x\\_1\\)", "$x_1$"),
    (r"$\{1,2\}$", r"\( \lbrace 1, 2 \rbrace \)"),
    ("``odd'' numbers", "“odd” numbers"),
    ("relatively-prime", "relatively prime"),
    ("a &lt; b<sup>2</sup><br>", "$a<b^2$"),
    ("ｎ＝３", "n=3"),
    ("re\u00adgu\u200blar", "regular"),
    ("a\u00a0b\r\n\r\nsquare", "a b square"),
    (r"$\lfloor x \rfloor$", "⌊x⌋"),
    (r"$\pi r^2$", "πr²"),
    ("3½", r"$3 \frac{1}{2}$"),
    ("所有整数，求和。", "所有整数,求和"),
    (r"\begin{align*} x &= 1 \\ y &= 2 \end{align*}", "x &= 1 \n y &= 2"),
]

APART = [
    ("x^2", "x^3"),
    ("x^2", "x_2"),
    ("$x^{2}$", "$x2$"),
    ("a-b", "a+b"),
    ("-3", "3"),
    ("1.5", "15"),
    (".5", "5"),
    ("(a+b)c", "a+bc"),
    ("n!", "n"),
    ("f'(x)", "f(x)"),
    (r"0.\overline{12}", "0.12"),
    ("$(1,2)$", "$(12)$"),
    ("points (100,200)", "points (100200)"),
    ("a<b", "a≤b"),
    (r"\frac{a+b}{c}", r"a+\frac{b}{c}"),
    (r"{a+b \over c}", r"a+{b \over c}"),
    (r"{n \choose k}", r"{n \over k}"),
    (r"f^\prime(x)", r"f^{\prime\prime}(x)"),
    ("007", "7"),
    ("是", "不是"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_typings_fold_to_one_text(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_carries_meaning_stays_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize("blank", ["", " \n\t", "$$", "\u200b", r"\quad"])
def test_a_blank_text_folds_to_nothing(blank: str) -> None:
    assert fold(blank) == ""
    assert tokens(fold(blank)) == []
    assert shingles(tokens(fold(blank)), 3) == []


def test_tokens_survive_the_loss_of_grouping() -> None:
    assert tokens(fold("$x^{2}+a_{n+1}$")) == tokens(fold("x2 + an+1")) or tokens(fold("x^2+a_{n+1}")) == [
        "x", "2", "+", "a", "n", "+", "1",
    ]  # fmt: skip
    assert tokens(fold(r"2\cdot 3")) == tokens(fold("2 3"))


def test_masking_touches_numbers_only() -> None:
    words = tokens(fold("Find 12 primes p2 below 3.5"))
    assert mask_digits(words) == ["find", NUMBER_MASK, "primes", "p", NUMBER_MASK, "below", NUMBER_MASK]


def test_shingles_of_short_and_long_texts() -> None:
    assert shingles(["a", "b"], 3) == ["a b"]
    assert shingles(["a", "b", "c", "d"], 3) == ["a b c", "b c d"]


def test_a_token_is_found_where_it_stands() -> None:
    text = r"Let $\alpha = 12$, 求和"
    found = locate(text)
    assert [token.text for token in found] == ["let", "alpha", "=", "12", "求", "和"]
    assert text[found[3].start : found[3].end] == "12"


def test_a_huge_number_is_one_token() -> None:
    digits = "7" * 5000
    assert tokens(fold(f"What is {digits} + 1?")) == ["what", "is", digits, "+", "1"]


def test_hostile_nesting_ends() -> None:
    assert fold("{" * 100_000 + "x" + "}" * 100_000)
    assert fold(r"\frac" * 100_000)
    assert fold(r"\frac{" * 100_000 + "1")
    assert fold(r"\text{" * 100_000 + "x")
    assert fold("<sup>" * 10_000 + "x")


@given(st.text(max_size=60))
def test_any_text_folds_and_folding_is_stable(text: str) -> None:
    folded = fold(text)
    assert folded == folded.strip()
    assert NUMBER_MASK not in folded
    assert "  " not in folded
