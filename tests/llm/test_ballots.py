from __future__ import annotations

import pytest
from requests_for_tests import MODEL, request

from curation.llm.ballots import read_vote
from curation.llm.engine import written


def ballot(text: str, finish: str = "stop") -> tuple[str, str]:
    read = read_vote(written(request(), MODEL, "http", text=text, finish_reason=finish))
    return read.vote, read.why


@pytest.mark.parametrize(
    "text",
    [
        "Verdict: VALID",
        "The condition looks INVALID at first.\nVerdict: INVALID?\n\nVerdict: VALID\n",
        "**Verdict: VALID**",
        "So all holds.\n\n**Verdict:** VALID.",
        "final verdict is valid",
        "VALID",
        "<think>Verdict: INVALID\n</think>\nVerdict: VALID",
    ],
)
def test_valid(text: str) -> None:
    assert ballot(text) == ("valid", "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Verdict: INVALID", ""),
        ("It is VALID in part.\nVerdict: INVALID (wrong_answer)", "wrong_answer"),
        ("Verdict: INVALID (Missing condition).", "missing_condition"),
        ("`Verdict: Invalid - multi-part`", "multi_part"),
    ],
)
def test_invalid_with_its_reason(text: str, why: str) -> None:
    assert ballot(text) == ("invalid", why)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n ",
        "Verdict: VALID\nVerdict: INVALID\nI am not sure.",
        "The entry is VALID because INVALID does not apply.",
        "Verdict: VALID or INVALID",
        "Verdict: VALID INVALID",
        "Verdict: VALID (wrong_answer)",
        "Verdict: INVALIDATED",
        "not valid",
        "Verdict: ...",
        "<think>Verdict: VALID</think>",
        "Verdict: VALID " + "x" * 100_000,
        "Verdict: INVALID (" + "a " * 100_000,
    ],
)
def test_anything_else_abstains(text: str) -> None:
    vote, why = ballot(text)
    assert vote == "abstain"
    assert why


def test_cut_broken_off_or_missing_abstains_with_the_reason() -> None:
    assert ballot("Verdict: VALID", "length") == ("abstain", "the response was cut at its token limit")
    assert ballot("Verdict: VALID", "content_filter") == ("abstain", "the response ended with content_filter")
    missing = read_vote(None, "HTTP 500")
    assert (missing.vote, missing.why) == ("abstain", "no response: HTTP 500")
