from __future__ import annotations

import pytest
from requests_for_tests import MODEL, request

from curation.llm.ballots import Wording, read_vote
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


SAFE = Wording(yes="YES", no="NO")
OBJECT = Wording(structured=True, reasons=("ambiguous", "wrong_answer"))


def worded(text: str, wording: Wording, finish: str = "stop") -> tuple[str, str]:
    read = read_vote(written(request(), MODEL, "http", text=text, finish_reason=finish), wording=wording)
    return read.vote, read.why


@pytest.mark.parametrize(
    ("text", "vote"),
    [
        ("Answer: YES", "valid"),
        ("no", "invalid"),
        ("Verdict: NO (too long)", "invalid"),
        ("NOW", "abstain"),
        ("VALID", "abstain"),
        ("YES and NO", "abstain"),
        ("I say YES", "abstain"),
    ],
)
def test_other_words_for_other_questions(text: str, vote: str) -> None:
    assert worded(text, SAFE)[0] == vote


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"verdict": "VALID", "failure_type": "none"}', ("valid", "")),
        ('{"verdict": "VALID"}', ("valid", "")),
        ('<think>{"verdict": "INVALID"}</think>\n{"verdict": "VALID"}', ("valid", "")),
        ('{"verdict": "INVALID", "failure_type": "ambiguous"}', ("invalid", "ambiguous")),
        ('{"verdict": "INVALID", "failure_type": "none"}', ("invalid", "")),
        ('{"verdict": "VALID", "failure_type": "ambiguous"}', ("abstain", "a reason stands with VALID")),
        ('{"verdict": "valid-ish"}', ("abstain", "the JSON holds no verdict")),
        ('{"vote": "VALID"}', ("abstain", "the JSON holds no verdict")),
        ('["VALID"]', ("abstain", "the JSON holds no verdict")),
        ("Verdict: VALID", ("abstain", "the response is no JSON")),
        ('{"verdict": "VALID"', ("abstain", "the response is no JSON")),
    ],
)
def test_structured_votes_are_read_from_the_object_alone(text: str, expected: tuple[str, str]) -> None:
    assert worded(text, OBJECT) == expected


def test_truncated_objects_abstain_and_free_votes_have_no_schema() -> None:
    assert worded('{"verdict": "VALID"}', OBJECT, "length")[0] == "abstain"
    assert SAFE.schema() is None
    assert '"enum":["none","ambiguous","wrong_answer"]' in (OBJECT.schema() or "")
