"""What a problem asks for, in several languages."""

from __future__ import annotations

import pytest

from curation.contamination.asked import ask_different_things, asked

SETTING = "Triangle $ABC$ has sides $17$, $39$ and $44$. "


@pytest.mark.parametrize(
    ("text", "quantities"),
    [
        (SETTING + "Find its area.", {"area"}),
        (SETTING + "How far is $A$ from the line $BC$?", {"length"}),
        ("The area of a rhombus is $30$. Determine the angle at $A$.", {"angle"}),
        ("In how many ways can seven books be put on two shelves?", {"count"}),
        ("Berechne den Umfang des Dreiecks mit den Seiten 5, 6 und 8.", {"perimeter"}),
        ("已知三角形的三边长为 $5$、$6$、$8$。求它的面积。", {"area"}),
        ("Solve $x^2 = 5x$.", set()),
    ],
)
def test_quantities_are_read_from_the_question(text: str, quantities: set[str]) -> None:
    assert set(asked(text)) >= quantities
    assert bool(asked(text)) is bool(quantities)


def test_questions_for_other_quantities_differ_and_unnamed_ones_do_not() -> None:
    area, other = SETTING + "Find its area.", SETTING + "Find the angle at $A$."
    assert ask_different_things(area, other)
    assert not ask_different_things(area, SETTING + "What is the area of $ABC$?")
    assert not ask_different_things(area, SETTING + "Solve it.")
