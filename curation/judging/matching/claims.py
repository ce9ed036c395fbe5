"""What a statement promises about outputs: a tolerance, letters in any case, any order, any of several answers.

A claim is a sentence in the statement, kept as evidence; whether it holds is for the outputs of accepted submissions to
say. Conventions are what users expect where the statement is silent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from curation.judging.matching.answers import Shape

ClaimKind = Literal["tolerance", "any_case", "any_order", "any_answer"]
Measure = Literal["absolute", "relative", "either"]

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_MARKUP = re.compile(r"\\(?:times|cdot|,|;|!| )|[${}\\]")
_SMALL = re.compile(
    r"(?<![\w.^])(?:(?:1\s*[×x*.]?\s*)?10\s*\^?\s*[-−–]\s*(?P<power>\d{1,2})(?!\d|\.\d)"
    r"|1(?:\.0+)?[eE]-(?P<exponent>\d{1,2})(?!\d)|0?\.(?P<zeros>0*)1(?!\d))"
)
_ABOUT_ERROR = re.compile(
    r"\b(?:error|errors|toleran\w+|precision|accura\w+|relative\w*|absolute\w*|differ\w*|deviat\w+|within|close)\b",
    re.IGNORECASE,
)
_ANY_CASE = re.compile(
    r"\b(?:in any (?:case|register|letter case)\b(?!,)|any (?:mix|combination) of (?:upper|lower)\w*"
    r"|case[- ]?insensitive\w*|upper (?:or|and) lower ?case (?:letters )?(?:are|is|will be) (?:both )?accepted"
    r"|each letter[^.]{0,40}any case)\b",
    re.IGNORECASE,
)
_ABOUT_OUTPUT = re.compile(r"\b(?:print|output|write|answer|accept|judg|letter|display|yes|no)\w*\b", re.IGNORECASE)
_ANY_ORDER = re.compile(
    r"\b(?:in (?:any|arbitrary) order|order (?:of [^.]{0,60})?(?:does not|doesn't) matter"
    r"|the order is (?:not important|arbitrary|irrelevant))\b",
    re.IGNORECASE,
)
_ANY_ANSWER = re.compile(
    # To print, or for you to find or to choose: a story may choose any of its own things.
    r"(?<!n't )(?<!not )(?<!never )\b(?:"
    r"(?:print|output|report|return|give|write|display|show|accept|find|(?:can|may|could) choose)\w*,? "
    r"(?:\w+ ){0,3}any (?:one )?(?:\w+ )?"
    r"(?:of|one|values?|pair|arrangement|valid|possible|such|correct|solution|answer)"
    r"|any (?:valid|correct|of them|of these|one of them|such) ?(?:\w+ )?(?:is|are|will be|would be|may be|can be)"
    r" (?:\w+ )?(?:accepted|acceptable|ok|okay|fine|correct|printed|output)"
    r"|(?:more than one|multiple|several|many) (?:\w+ ){0,3}(?:solutions?|answers?|ways?|possible)[^.]{0,80}\bany\b"
    # To find any of one's own things with a property; and a sample that is said to be one right output among others.
    r"|^(?:(?:you|we|please|to|must|should|can|now|then|task|is|your|and) )*(?:find|print|output|report|construct) any "
    r"(?:\w+ ){1,3}(?:\S+ ){0,6}(?:such that|so that|with|whose|that|which|for which)\b"
    r"|(?:just|only) one of (?:the )?(?:multiple|several|many) (?:\w+ )?(?:solutions?|answers?|outputs?)\b"
    r"|any (?:valid|correct) (?:solution|answer|output)s?)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|\n\s*\n")
_SHOWN = 240
_LOOSEST = 0.011


@dataclass(frozen=True, slots=True)
class Claim:
    """One promise.

    Attributes:
        kind: what is promised.
        sentence: the words that say so; for a convention what it is.
        tolerance: the promised error; None for the other kinds.
        measure: of what the error is.
        is_convention: nothing in the statement says so.
    """

    kind: ClaimKind
    sentence: str
    tolerance: float | None = None
    measure: Measure = "either"
    is_convention: bool = False


def claims_of(statement: str) -> list[Claim]:
    """Return what a statement promises, at most one claim of a kind, the loosest tolerance."""
    found: dict[ClaimKind, Claim] = {}
    patterns: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = (
        ("any_case", _ANY_CASE),
        ("any_order", _ANY_ORDER),
        ("any_answer", _ANY_ANSWER),
    )
    for raw in _SENTENCE_END.split(statement.translate(_SUPERSCRIPTS)):
        sentence = " ".join(_MARKUP.sub(lambda mark: "" if len(mark[0]) == 1 else "×", raw).split())
        for kind, pattern in patterns:
            hit = pattern.search(sentence)
            # The input, too, may stand in any order or case, and a story may give nobody anything.
            if kind not in found and hit and (kind == "any_answer" or _ABOUT_OUTPUT.search(sentence)):
                found[kind] = Claim(kind, _around(sentence, hit.start()))
        tolerance = _tolerance(sentence)
        known = found.get("tolerance")
        if tolerance is not None and (known is None or (known.tolerance or 0) < (tolerance.tolerance or 0)):
            found["tolerance"] = tolerance
    return list(found.values())


def with_conventions(claims: list[Claim], shape: Shape) -> list[Claim]:
    """Add what users expect where the statement is silent: a tolerance of 1e-6 for decimals, yes and no in any case."""
    kinds = {claim.kind for claim in claims}
    added = []
    if shape.has_decimals and "tolerance" not in kinds:
        added.append(Claim("tolerance", "numbers with decimals have a tolerance", 1e-6, is_convention=True))
    if shape.only_yes_no and "any_case" not in kinds:
        added.append(Claim("any_case", "yes and no may be written in any case", is_convention=True))
    return [*claims, *added]


def _tolerance(sentence: str) -> Claim | None:
    about = _ABOUT_ERROR.search(sentence)
    if about is None:
        return None
    values = [_value(hit) for hit in _SMALL.finditer(sentence)]
    usable = [value for value in values if 0 < value <= _LOOSEST]
    if not usable:
        return None
    low = sentence.lower()
    absolute, relative = "absolute" in low, "relative" in low
    measure: Measure = (
        "absolute" if absolute and not relative else "relative" if relative and not absolute else "either"
    )
    return Claim("tolerance", _around(sentence, about.start()), max(usable), measure)


def _value(hit: re.Match[str]) -> float:
    if hit["power"] or hit["exponent"]:
        return float(f"1e-{hit['power'] or hit['exponent']}")
    return float(f"0.{hit['zeros'] or ''}1")


def _around(sentence: str, place: int) -> str:
    start = max(0, place - _SHOWN // 2)
    return sentence[start : start + _SHOWN]
