"""Phrases that rewordings exchange or leave out."""

from __future__ import annotations

from curation.contamination.phrases import plainly


def test_examples_are_left_out() -> None:
    said = plainly("Call 12 round. For example, if n = 31.5, we get 4. Count the round ones.")
    assert " ".join(said.split()) == "Call 12 round. Count the round ones."
    assert "77" not in plainly("若 $n$ 是好数，例如 $n=77$ 不是。求个数。")


def test_how_small_asks_for_the_minimum() -> None:
    assert plainly("How small can $n$ be?") == "minimum can $n$ be?"


def test_other_texts_stay_as_they_are() -> None:
    text = "Show how $7$ instances of a problem are solved. Find $x$."
    assert plainly(text) == text
