"""What a message is, and how a message set is drawn."""

from __future__ import annotations

from collections import Counter

import pytest

from curation.selection.messages import draw, message, seed_of

IDS = [f"r{index}" for index in range(24)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>a</think>\n\nb", "\n\nb"),
        ("<think>a</think>b</think>c", "c"),
        ("no marker", "no marker"),
        ("cut <think> here", "cut <think> here"),
        ("all thought</think>", ""),
        ("", ""),
    ],
)
def test_message_is_what_follows_the_last_marker(text: str, expected: str) -> None:
    assert message(text, "</think>") == expected


def test_draw_is_a_subset_of_the_right_size_and_the_same_in_any_order() -> None:
    drawn = draw(5, IDS, 16, 24)
    assert drawn is not None
    assert 16 <= len(drawn) <= 24
    assert len(set(drawn)) == len(drawn)
    assert set(drawn) <= set(IDS)
    assert draw(5, IDS[::-1], 16, 24) == drawn
    assert draw(6, IDS, 16, 24) != drawn


def test_every_size_and_every_member_is_equally_likely() -> None:
    sets = [draw(seed_of(0, f"p{index}"), IDS, 16, 24) or [] for index in range(4_500)]
    sizes = Counter(map(len, sets))
    assert set(sizes) == set(range(16, 25))
    assert all(400 < count < 600 for count in sizes.values())
    members = Counter(member for drawn in sets for member in drawn)
    assert all(0.80 < count / len(sets) < 0.87 for count in members.values())
    first = Counter(drawn[0] for drawn in sets)
    assert all(130 < count < 250 for count in first.values())


def test_fewer_responses_than_drawn_give_all_and_too_few_give_none() -> None:
    drawn = draw(1, IDS[:17], 17, 10_000)
    assert drawn is not None
    assert sorted(drawn) == sorted(IDS[:17])
    assert draw(1, IDS[:15], 16, 24) is None


def test_seeds_differ_by_problem_and_recipe_and_never_change() -> None:
    seeds = {seed_of(recipe, problem) for recipe in range(20) for problem in ("a:1", "a:2", "b:1")}
    assert len(seeds) == 60
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert seed_of(0, "own:1") == 2_783_562_556_256_007_005
    assert draw(7, ["a", "b", "c", "d", "e"], 2, 4) == ["c", "e", "a"]
