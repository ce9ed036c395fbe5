"""Phrases that a text kept of an item speak against its being a rewording."""

from __future__ import annotations

from curation.contamination.wording import evidence_of_kept_wording

ITEM = "a bag holds red and white balls and three balls are drawn without replacement"


def evidence(one: str, other: str) -> float:
    return evidence_of_kept_wording(one.split(), other.split())


def test_kept_phrases_speak_against_a_rewording_and_own_words_say_nothing() -> None:
    own = "from an urn of discs in two colours one takes some at once"
    some = "a bag holds red and white balls of which one is lost"
    most = "a bag holds red and white balls and three balls are put back"
    said = [evidence(ITEM, text) for text in (own, some, most, ITEM)]
    assert said == sorted(said, reverse=True)
    assert said[0] == 0.0
    assert said[1] < -1.0
    assert said[-1] == -3.0


def test_formulas_and_single_words_are_no_phrases() -> None:
    formula = "x 3 - 7 x 2 + 12 x = 5"
    assert evidence(f"the roots of {formula}", f"{formula} has zeros") == 0.0
    assert evidence("", "") == 0.0
