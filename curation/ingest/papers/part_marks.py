"""How a paper's lines mark where a problem, its solution and its answer begin."""

from __future__ import annotations

import re

_POINTS = r"(?:[\[(]\s*\$?\d{1,2}\$?\s*(?:pts?|points?)?\.?\s*[\])])"
LABEL = re.compile(
    rf"""(?:{_POINTS}\s*)?
    (?:(?P<word>(?i:Problem|Question))\s*(?=[\s\#\\]))?\s?
    (?P<sign>\\?\#)?
    \$?(?:(?P<letter>[A-Z])-?(?=\d))?(?:(?P<set>\d{{1,2}})\s?[-–.]\s?(?=\d))?(?P<number>\d{{1,2}})(?!\d)\$?
    (?:\s*{_POINTS})?
    (?P<end>\s*[.):](?!\d)|(?=\s*\Z)|(?(word)(?=\s)|(?!)))
    (?:\s*{_POINTS})?\s*""",
    re.VERBOSE,
)
"""``7.``, ``Problem 7:``, ``T7.``, ``R-7)``, ``#7.``, in a second set ``2-7.``; with points before or behind it."""
INSTRUCTION = re.compile(
    r"\b(?:proctor|answer sheets?|answer forms?|(?:computational|calculating) (?:aids?|devices?)|calculators?|protests?"
    r"|scratch paper|team (?:name|ID)|short[- ]answer|do not (?:open|look|begin|turn)|minutes|(?:all|your) answers"
    r"|answers (?:must|should)|graded)\b",
    re.IGNORECASE,
)
SOLUTION = re.compile(
    r"(?:(?:Proposed|Written|Submitted|Authored?) by|Author\s*:|(?:Official |First |Alternate )?Solution\b"
    r"|Ans(?:wer)?\s*\$?\s*[:.]|Final answer\b)",
    re.IGNORECASE,
)
ANSWER = re.compile(r"(?:Final )?Ans(?:wer)?\s*[:.]\s*", re.IGNORECASE)
NOT_ANSWER = re.compile(
    r"(?:(?:Proposed|Written|Submitted|Authored?) by|Author\s*:|(?:Official |First |Alternate )?(?:Solution|Proof)\b)",
    re.IGNORECASE,
)


def is_label(label: re.Match[str]) -> bool:
    """Return whether what `LABEL` matched can open a problem: a number alone is one in a formula or of a page."""
    if label["word"] or label["end"].strip() in (".", ")"):
        return True
    return label["end"].strip() == ":" and bool(label["sign"] or label["letter"])


def series_of(label: re.Match[str]) -> str:
    """Return what stands before the number in a label: the round's letter, the set's number, or nothing."""
    return (label["letter"] or "") + (label["set"] or "")


def opens_a_part(line: str) -> bool:
    """Return whether a line opens a problem, a solution or an answer."""
    label = LABEL.match(line)
    return (label is not None and is_label(label)) or SOLUTION.match(line) is not None
