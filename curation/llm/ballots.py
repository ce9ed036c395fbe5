"""One vote as a model wrote it: from the last line of its response, or from a JSON object, and from nowhere else.

"INVALID" contains "VALID" and a model thinks aloud in both words, so a line counts only when it is a verdict from its
first character to its last. What cannot be read, was cut or is missing abstains: it is neither a yes nor a no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from curation.json_reader import JsonTextError, JsonValue, dumps, loads
from curation.llm.engine import COMPLETE
from curation.records import Response, Vote

_MARKUP = re.compile(r"[*`]")
_LONGEST_LINE = 200
_NO_REASON = "none"


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote that was cast.

    Attributes:
        vote: valid, invalid or abstain.
        why: for invalid the failure type where one was given; for an abstention why there is no vote.
    """

    vote: Vote
    why: str


@dataclass(frozen=True, slots=True)
class Wording:
    """How a vote is worded.

    Attributes:
        yes: the word of a vote that keeps the row; its ballot is ``valid``.
        no: the word of a vote against it; its ballot is ``invalid``.
        structured: whether the model writes a JSON object instead of a last line.
        reasons: the failure types that a structured vote against a row chooses from.
    """

    yes: str = "VALID"
    no: str = "INVALID"
    structured: bool = False
    reasons: tuple[str, ...] = ()

    def schema(self) -> str | None:
        """Return the JSON schema of a structured vote, as canonical JSON; None for the others."""
        if not self.structured:
            return None
        properties: dict[str, object] = {"verdict": {"type": "string", "enum": [self.yes, self.no]}}
        if self.reasons:
            properties["failure_type"] = {"type": "string", "enum": [_NO_REASON, *self.reasons]}
        required = list(properties)
        return dumps({"type": "object", "properties": properties, "required": required, "additionalProperties": False})


VALIDITY = Wording()


def read_vote(response: Response | None, failure: str | None = None, wording: Wording = VALIDITY) -> Ballot:
    """Read the vote from a response, after any reasoning.

    Args:
        response: the response; None where there is none.
        failure: why there is none.
        wording: the words that count.
    """
    if response is None or response.text is None:
        return Ballot("abstain", f"no response: {failure or 'it was never asked for'}")
    if response.finish_reason == "length":
        return Ballot("abstain", "the response was cut at its token limit")
    if response.finish_reason not in COMPLETE:
        return Ballot("abstain", f"the response ended with {response.finish_reason}")
    text = response.text.rpartition("</think>")[2].strip()
    if not text:
        return Ballot("abstain", "the response is empty")
    return _from_object(text, wording) if wording.structured else _from_last_line(text.splitlines()[-1], wording)


def _from_last_line(last: str, wording: Wording) -> Ballot:
    line = _MARKUP.sub("", last).strip("#>_.! \t")
    found = _pattern(wording.yes, wording.no).fullmatch(line) if len(line) <= _LONGEST_LINE else None
    if found is None:
        return Ballot("abstain", "the last line is no verdict")
    if found["vote"].lower() == wording.yes.lower():
        return (
            Ballot("valid", "") if found["reason"] is None else Ballot("abstain", f"a reason stands with {wording.yes}")
        )
    return Ballot("invalid", _as_type(found["reason"] or ""))


def _from_object(text: str, wording: Wording) -> Ballot:
    try:
        value: JsonValue = loads(text)
    except JsonTextError:
        return Ballot("abstain", "the response is no JSON")
    verdict = value.get("verdict") if isinstance(value, dict) else None
    if not isinstance(value, dict) or verdict not in (wording.yes, wording.no):
        return Ballot("abstain", "the JSON holds no verdict")
    reason = value.get("failure_type")
    told = _as_type(reason) if isinstance(reason, str) and reason != _NO_REASON else ""
    if verdict == wording.yes:
        return Ballot("abstain", f"a reason stands with {wording.yes}") if told else Ballot("valid", "")
    return Ballot("invalid", told)


def failure_type(ballots: Sequence[Ballot]) -> str:
    """Return the failure type that most votes against a row name; the first of them where several are as frequent."""
    named = [ballot.why for ballot in ballots if ballot.vote == "invalid" and ballot.why]
    return max(named, key=named.count, default="")


@lru_cache
def _pattern(yes: str, no: str) -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:final|my|the)\s+)*(?:(?:verdict|vote|answer|judge?ment)\s*(?:is)?\s*[:=-]?\s*)?"
        rf"(?P<vote>{re.escape(yes)}|{re.escape(no)})\s*(?:[(:,-]+\s*(?P<reason>[a-z][a-z_ -]*?)\s*\)?)?",
        re.IGNORECASE,
    )


def _as_type(reason: str) -> str:
    return re.sub(r"[ -]+", "_", reason.strip().lower())
