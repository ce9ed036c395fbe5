from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.llm.stopping import Band, Sampling, outlook

PAPER = Band(0.0, 9 / 24)
GRADES = st.lists(st.sampled_from("rwu"), min_size=40, max_size=40)
BANDS = st.tuples(st.integers(0, 24), st.integers(0, 24)).filter(lambda ends: ends[0] < ends[1])


def sampled(grades: list[str], sampling: Sampling, band: Band) -> list[str]:
    """Return the grades of the samples that one problem gets."""
    asked: list[str] = []
    while more := sampling.wanted(asked.count("r"), asked.count("w"), len(asked), band):
        asked += grades[len(asked) : len(asked) + more]
    return asked


def inside(grades: list[str], band: Band) -> bool:
    return band.holds(grades.count("r"), grades.count("r") + grades.count("w"))


@settings(max_examples=400, deadline=None)
@given(GRADES, BANDS, st.integers(1, 24), st.integers(0, 12), st.integers(1, 9))
def test_stopping_early_never_changes_who_is_kept(
    grades: list[str], ends: tuple[int, int], samples: int, extra: int, wave: int
) -> None:
    band = Band(ends[0] / 24, ends[1] / 24)
    full = sampled(grades, Sampling(samples, extra), band)
    for stop in ("outside", "decided"):
        part = sampled(grades, Sampling(samples, extra, wave, stop), band)
        assert part == grades[: len(part)]
        assert len(part) <= len(full)
        assert inside(part, band) == inside(full, band)
        if stop == "outside" and inside(full, band):
            assert part == full


@settings(max_examples=200, deadline=None)
@given(GRADES, BANDS, st.integers(1, 12))
def test_an_outlook_once_settled_stays_and_is_settled_at_the_end(
    grades: list[str], ends: tuple[int, int], samples: int
) -> None:
    band = Band(ends[0] / 24, ends[1] / 24)
    seen = [
        outlook(grades[:asked].count("r"), grades[:asked].count("w"), samples - asked, band)
        for asked in range(samples + 1)
    ]
    assert seen[-1] == ("inside" if inside(grades[:samples], band) else "outside")
    assert all(before in ("open", after) for before, after in pairwise(seen))


@pytest.mark.parametrize(
    ("right", "wrong", "left", "expected"),
    [
        (9, 0, 15, "outside"),
        (8, 0, 16, "open"),
        (0, 23, 1, "open"),
        (0, 24, 0, "outside"),
        (1, 15, 8, "open"),
        (1, 16, 7, "inside"),
        (0, 0, 0, "outside"),
    ],
)
def test_the_paper_band_at_its_edges(right: int, wrong: int, left: int, expected: str) -> None:
    assert outlook(right, wrong, left, PAPER) == expected


def test_a_problem_without_a_right_answer_goes_on_to_its_last_sample() -> None:
    assert len(sampled(["w"] * 40, Sampling(24, 0, 4, "decided"), PAPER)) == 24
    assert len(sampled(["r"] * 40, Sampling(24, 0, 1, "decided"), PAPER)) == 9
    # One right answer lies below 9/24 with two wrong ones beside it, so two samples are of no use.
    assert len(sampled(["u"] * 40, Sampling(24, 6, 4, "decided"), PAPER)) == 28
