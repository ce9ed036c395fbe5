"""One validity vote as a model wrote it, read from the last line of its response and from nowhere else.

"INVALID" contains "VALID" and a model thinks aloud in both words, so a line counts only when it is a verdict from its
first character to its last. What cannot be read, was cut or is missing abstains: it is neither a yes nor a no.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from curation.llm.engine import COMPLETE
from curation.records import Response, Vote

_LAST_LINE = re.compile(
    r"(?:(?:final|my|the)\s+)*(?:(?:verdict|vote|answer|judge?ment)\s*(?:is)?\s*[:=-]?\s*)?"
    r"(?P<vote>valid|invalid)\s*(?:[(:,-]+\s*(?P<reason>[a-z][a-z_ -]*?)\s*\)?)?",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"[*`]")
_LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote that was cast.

    Attributes:
        vote: valid, invalid or abstain.
        why: for invalid the failure type where one was given; for an abstention why there is no vote.
    """

    vote: Vote
    why: str


def read_vote(response: Response | None, failure: str | None = None) -> Ballot:
    """Read the vote from a response's last line, after any reasoning.

    Args:
        response: the response; None where there is none.
        failure: why there is none.
    """
    if response is None or response.text is None:
        return Ballot("abstain", f"no response: {failure or 'it was never asked for'}")
    if response.finish_reason == "length":
        return Ballot("abstain", "the response was cut at its token limit")
    if response.finish_reason not in COMPLETE:
        return Ballot("abstain", f"the response ended with {response.finish_reason}")
    lines = response.text.rpartition("</think>")[2].strip().splitlines()
    if not lines:
        return Ballot("abstain", "the response is empty")
    line = _MARKUP.sub("", lines[-1]).strip("#>_.! \t")
    found = _LAST_LINE.fullmatch(line) if len(line) <= _LONGEST_LINE else None
    if found is None:
        return Ballot("abstain", "the last line is no verdict")
    if found["vote"].lower() == "valid":
        return Ballot("valid", "") if found["reason"] is None else Ballot("abstain", "a reason stands with VALID")
    return Ballot("invalid", re.sub(r"[ -]+", "_", (found["reason"] or "").strip().lower()))
