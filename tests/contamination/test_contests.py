"""Contests that are left out whole."""

from __future__ import annotations

import pytest

from curation.contamination.contests import ContestFilter, parse
from curation.errors import InputError

FILTER = ContestFilter(["aime-2025", "hmmt-feb-2025", "hmmt-nov-2025", "brumo-2025"])


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("(2025 AIME I, Problem 3) Find all n.", "aime-2025"),
        ("https://artofproblemsolving.com/wiki/index.php/2025_AIME_II_Problems/Problem_9", "aime-2025"),
        ("aime25", "aime-2025"),
        ("American Invitational Mathematics Examination 2025", "aime-2025"),
        ("HMMT February 2025, Guts Round", "hmmt-feb-2025"),
        ("HMMT 2025 team round", "hmmt-feb-2025"),
        ("https://hmmt-archive.s3.amazonaws.com/tournaments/2025/feb/guts/problems.pdf", "hmmt-feb-2025"),
        ("https://hmmt-archive.s3.amazonaws.com/tournaments/2025/nov/theme/problems.pdf", "hmmt-nov-2025"),
        ("HMMT Nov 2025", "hmmt-nov-2025"),
        ("BrUMO 2025 #4", "brumo-2025"),
    ],
)
def test_a_text_that_names_the_contest_is_a_hit(text: str, key: str) -> None:
    found = FILTER.by_text(text)
    assert found is not None
    assert (found.kind, found.benchmark) == ("excluded_contest", key)
    start, end = found.row_spans[0]
    assert "25" in text[start:end]


@pytest.mark.parametrize(
    "text",
    [
        "AIME 2024 I",
        "HMMT February 2024",
        "In 2025 we aim high; find the prime factors of 2025.",
        "Find the remainder when 2025 is divided by 7.",
        "A tournament of 2025 players in February",
        "",
    ],
)
def test_other_texts_are_none(text: str) -> None:
    assert FILTER.by_text(text) is None


def test_metadata_decides_without_text() -> None:
    assert FILTER.by_metadata("hmmt-feb", 2025, ()) is not None
    assert FILTER.by_metadata("HMMT_Feb guts", 2025, ()) is not None
    assert FILTER.by_metadata("aime", 2025, ()) is not None
    assert FILTER.by_metadata("aime", 2024, ()) is None
    assert FILTER.by_metadata(None, 2025, (None, "HMMT_2025_Feb")) is not None
    assert FILTER.by_metadata(None, None, ()) is None


def test_an_unknown_contest_is_recognised_by_its_own_name() -> None:
    assert ContestFilter(["north-cup-2031"]).by_text("From the North Cup, 2031") is not None


@pytest.mark.parametrize("key", ["aime", "2025", "aime-25", ""])
def test_a_key_without_contest_or_year_is_refused(key: str) -> None:
    with pytest.raises(InputError, match="exclude_contests"):
        parse(key)
