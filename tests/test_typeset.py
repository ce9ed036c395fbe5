"""Texts as HTML: formulas that browsers set, marks that survive, nothing from outside that runs."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from curation.typeset import mathml, typeset


@pytest.mark.parametrize(
    "text", [r"Add $\frac12$ and x.", r"Add \(\frac12\) and x.", r"Add \[\frac12\] and x.", r"Add $$\frac12$$ and x."]
)
def test_formulas_between_all_delimiters_are_set_and_keep_their_source(text: str) -> None:
    shown = str(typeset(text))
    assert "<mfrac><mn>1</mn><mn>2</mn></mfrac>" in shown
    assert re.sub(r"<math.*?</math>|<[^>]+>", "", shown) == text


def test_what_is_no_formula_stays_text() -> None:
    assert str(typeset("It costs $12 now and $15 then.")) == "It costs $12 now and $15 then."
    assert str(typeset(r"An open \( and a lone $")) == r"An open \( and a lone $"


@pytest.mark.parametrize("formula", [r"\frac", r"\nosuchcommand{x}", "{" * 50 + "}" * 50, r"\sqrt" * 300, "x_1_2", ""])
def test_a_formula_that_cannot_be_read_whole_is_shown_as_typed(formula: str) -> None:
    assert mathml(formula, display=False) is None
    assert "<math" not in typeset(f"See ${formula}$.")


def test_the_end_of_a_displayed_line_can_be_hidden_and_is_kept() -> None:
    for text in ("See\n$$x$$\nand", "See\n\\[x\\] \r\nand"):
        shown = str(typeset(text))
        assert re.search(r'</code></span><span class="end">[ \r]*\n</span>and$', shown)
        assert re.sub(r"<math.*?</math>|<[^>]+>", "", shown) == text
    assert 'class="end"' not in typeset("See $x$\nand $$y$$ and")


def test_marks_lie_inside_prose_and_around_formulas() -> None:
    text = "Let $x+y$ be odd."
    shown = str(typeset(text, [(0, 7), (13, 16)]))
    assert shown.startswith('<mark>Let </mark><mark class="formula"><math')
    assert "<code><mark>$x+</mark>y$</code></mark> be" in shown
    assert shown.endswith(" be <mark>odd</mark>.")
    assert '<span class="formula">' in typeset(text, [(0, 3)])


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        r"$\href{javascript:alert(1)}{x}$",
        r"$\text{<img src=x onerror=alert(1)>}$",
        r"$\class{x}{y}\style{position:fixed}{z}\color{red;}{w}$",
        r"$a < b & c$",
        r"$\mathrm{&lt;script&gt;}$",
    ],
)
def test_nothing_from_outside_becomes_markup(hostile: str) -> None:
    names: set[str] = set()
    attributes: set[str] = set()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            names.add(tag)
            attributes.update(name for name, _ in attrs)

    Reader().feed(str(typeset(f"{hostile} 'q' \"d\"", [(0, 4)])))
    assert names <= {"mark", "span", "code", "math", "mrow", "mi", "mn", "mo", "mtext", "mstyle", "mspace"}
    assert attributes <= {"class", "display", "stretchy"}


def test_nothing_of_a_formula_is_hidden() -> None:
    assert "<mphantom" not in str(mathml(r"x\phantom{secret}", display=False))
    assert "<mi>s</mi>" in str(mathml(r"x\phantom{secret}", display=False))


def test_letters_get_the_style_that_browsers_leave_to_characters() -> None:
    assert "ℝ" in str(mathml(r"x \in \mathbb{R}", display=False))
    assert "𝔸" in str(mathml(r"\mathbb{A}", display=False))
