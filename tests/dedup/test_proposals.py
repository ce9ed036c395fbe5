"""Which wordings are proposed to each other: signatures, groups, the index."""

from __future__ import annotations

import random

import numpy as np
import pytest

from curation.dedup.proposals import Index, banding, groups
from curation.dedup.signatures import Signatures, sign

WORDS = [
    first + second for first in ("bar", "cor", "dul", "fen", "gam", "hol") for second in ("ta", "ne", "mi", "so", "ku")
]


def text(chooser: random.Random, length: int = 40) -> list[str]:
    return chooser.choices(WORDS, k=length)


def signed(*statements: str) -> Signatures:
    return sign([("math", statement) for statement in statements], banding(0.9))


def shared(one: str, other: str) -> int:
    bands = signed(one, other).bands
    return int(np.count_nonzero(bands[0] == bands[1]))


def test_a_signature_does_not_depend_on_the_batch() -> None:
    chooser = random.Random(2)
    statements = [" ".join(text(chooser, length)) for length in (0, 1, 2, 5, 9, 10, 11, 60)] + ["", "$x$", "4 = 4"]
    together = signed(*statements)
    for place, statement in enumerate(statements):
        alone = signed(statement)
        assert (alone.exact[0] == together.exact[place]).all()
        assert (alone.bands[0] == together.bands[place]).all()


def test_most_wordings_with_one_other_word_in_ten_are_proposed() -> None:
    chooser = random.Random(4)
    found = 0
    for _ in range(100):
        words = text(chooser)
        other = list(words)
        for place in chooser.sample(range(len(words)), 4):
            other[place] = "zzz" + other[place]
        found += shared(" ".join(words), " ".join(other)) > 0
    assert found >= 75


@pytest.mark.parametrize(
    ("one", "other"), [("3 = x", "4 = x"), ("3 < x", "3 > x"), ("x + 3", "x - 3"), ("3 4", "4 3"), ("x ^ 3", "x _ 3")]
)
def test_other_numbers_or_signs_are_never_proposed(one: str, other: str) -> None:
    words = " ".join(text(random.Random(1)))
    assert shared(f"{words} {one}", f"{words} {other}") == 0


def test_short_and_other_domains_are_proposed_by_nothing_alike() -> None:
    assert shared("Compute seven times nine apples", "Compute seven times nine apples now") == 0
    assert shared("Compute seven green apples", "Find seven green apples") > 0
    bands = sign([("math", "Sort the list of names"), ("code", "Sort the list of names")], banding(0.9)).bands
    assert not (bands[0] == bands[1]).any()


def test_groups_are_connected_by_shared_keys() -> None:
    bands = np.array([[1, 10], [2, 20], [3, 20], [3, 30], [5, 50]], dtype=np.uint64)
    assert groups(bands).tolist() == [0, 1, 1, 1, 4]


def test_a_key_proposes_only_in_its_own_column() -> None:
    assert groups(np.array([[1, 2], [2, 1]], dtype=np.uint64)).tolist() == [0, 1]


def test_the_index_gives_those_with_most_keys_in_common_first() -> None:
    index = Index(3)
    for row in ([1, 2, 3], [1, 2, 9], [7, 8, 3], [0, 0, 0]):
        index.add(np.array(row, dtype=np.uint64))
    assert index.proposed(np.array([1, 2, 3], dtype=np.uint64)) == [0, 1, 2]
    assert index.proposed(np.array([3, 3, 4], dtype=np.uint64)) == []


def test_a_crowded_key_takes_no_more_wordings_but_their_other_keys_do() -> None:
    index = Index(3)
    for number in range(1_000):
        index.add(np.array([number, 77, number], dtype=np.uint64))
    assert len(index.proposed(np.array([5_000, 77, 5_000], dtype=np.uint64))) <= 32
    assert index.proposed(np.array([999, 78, 5_000], dtype=np.uint64)) == [999]
    assert 999 not in index.proposed(np.array([5_000, 77, 5_000], dtype=np.uint64))


def test_a_wording_too_short_for_another_word_has_only_its_own_keys() -> None:
    assert banding(0.9).shortest == 10
    assert banding(0.8).shortest == 5
    assert banding(1.0).shortest > 1_000


@pytest.mark.parametrize("similarity", [0.7, 0.8, 0.9, 0.95, 0.99, 1.0])
def test_every_similarity_that_a_recipe_may_ask_for_has_bands(similarity: float) -> None:
    bands = banding(similarity)
    assert bands.bands >= 2
    assert bands.bands * bands.rows <= 64
