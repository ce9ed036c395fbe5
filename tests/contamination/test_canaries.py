"""Canaries: each change does what its name says, the same for one seed, and nothing else."""

from __future__ import annotations

import random
import re

import pytest

from curation.contamination.canaries import CANARY_KINDS, Material, named_contest
from curation.text import fold

ITEM = (
    r"Let $n$ be a positive integer such that $n^2 + 7n \leq 1350$. A baker packs 12 rolls into each of 35 baskets and "
    r"sells at least 3 baskets a day in the market beside the old river. Find the number of rolls that are left after "
    r"exactly $\frac{n}{2}$ days, where the remaining rolls go to the village school of the miller and his daughter."
)
OWN = ["A farmer counts geese and ducks near the pond.", "Two painters share a ladder and a bucket of blue paint."]
BY_NAME = {kind.name: kind for kind in CANARY_KINDS}


def make(name: str, text: str = ITEM, seed: int = 1) -> str:
    made = BY_NAME[name].make(text, Material(random.Random(seed), OWN))
    assert made is not None
    return made


@pytest.mark.parametrize("name", BY_NAME)
def test_one_seed_gives_one_text(name: str) -> None:
    assert make(name, seed=4) == make(name, seed=4)


def test_another_typing_folds_to_the_same_text() -> None:
    changed = make("reformatted")
    assert changed != ITEM
    assert r"\(n\)" in changed
    assert "≤" in changed
    assert fold(changed) == fold(ITEM)


def test_the_whole_item_stands_inside_a_longer_text() -> None:
    for name in ("wrapped", "embedded"):
        assert ITEM in make(name)
        assert len(make(name)) > len(ITEM)


def test_numbers_change_and_words_stay() -> None:
    changed = make("numbers changed")
    old, new = re.findall(r"\d+", ITEM), re.findall(r"\d+", changed)
    assert [len(number) for number in new] == [len(number) for number in old]
    assert all(one != other for one, other in zip(old, new, strict=True))
    assert re.sub(r"\d+", "", changed) == re.sub(r"\d+", "", ITEM)


def test_letters_of_formulas_change_alike_everywhere() -> None:
    changed = make("letters changed", r"Given $a+b=7$ and $ab=\sin a$, find a and $A$.")
    found = re.fullmatch(
        r"Given \$(\w)\+(\w)=7\$ and \$\1\2=\\sin \1\$, find a and \$(\w)\$\.", changed
    ) or re.fullmatch(r"Given \$(\w)\+(\w)=7\$ and \$ab=\\sin \1\$, find a and \$(\w)\$\.", changed)
    assert found is not None
    assert found[1] not in "ab"
    assert found[3] == found[1].upper()


def test_an_edit_leaves_formulas_and_numbers() -> None:
    changed = make("edited")
    assert changed != ITEM
    for piece in (r"$n^2 + 7n \leq 1350$", r"$\frac{n}{2}$", "12", "35"):
        assert piece in changed
    shared = set(changed.split()) & set(ITEM.split())
    assert 0.8 * len(set(ITEM.split())) < len(shared) < len(set(ITEM.split()))


def test_a_part_is_most_of_the_item_behind_a_text_of_the_users() -> None:
    changed = make("partial")
    assert any(changed.startswith(text) for text in OWN)
    assert ITEM not in changed
    assert sum(word in changed for word in ITEM.split()) > 0.5 * len(ITEM.split())


def test_stock_phrases_change_outside_formulas() -> None:
    changed = make("phrases changed")
    assert "Determine the number" in changed
    assert "no fewer than three" in changed
    assert "twelve rolls" in changed
    assert "35" in changed
    assert r"$n^2 + 7n \leq 1350$" in changed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("numbers changed", "Name an even prime."),
        ("letters changed", "Name an even prime."),
        ("edited", "Name $x$."),
        ("partial", "Name $x$."),
        ("phrases changed", "Why?"),
        ("reformatted", "Why?"),
    ],
)
def test_a_text_that_gives_no_occasion_has_no_canary(name: str, text: str) -> None:
    assert BY_NAME[name].make(text, Material(random.Random(0), OWN)) is None


def test_a_contest_is_named_in_words() -> None:
    assert named_contest("hmmt-feb-2025", Material(random.Random(0), OWN)).startswith("From HMMT FEB 2025: ")
