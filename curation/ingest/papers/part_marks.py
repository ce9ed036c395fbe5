"""How a paper's lines mark where a problem, its solution and its answer begin."""

from __future__ import annotations

import re

_POINTS = r"(?:[\[(]\s*\$?\d{1,2}\$?\s*(?:pts?|points?)?\.?\s*[\])])"
LABEL = re.compile(
    rf"""(?:{_POINTS}\s*)?
    (?:(?P<word>Problem|Question)\s+)?
    \$?(?P<letter>[A-Z](?=\d))?(?P<number>\d{{1,2}})\$?
    (?:\s*{_POINTS})?
    (?P<end>\s*[.):](?!\d)|(?=\s*\Z))
    (?:\s*{_POINTS})?\s*""",
    re.VERBOSE,
)
INSTRUCTION = re.compile(
    r"\b(?:proctor|answer sheets?|answer forms?|(?:computational|calculating) (?:aids?|devices?)|calculators?|protests?"
    r"|scratch paper|team (?:name|ID)|short[- ]answer|do not (?:open|look|begin|turn)|minutes|(?:all|your) answers"
    r"|answers (?:must|should)|graded)\b",
    re.IGNORECASE,
)
SOLUTION = re.compile(
    r"(?:(?:Proposed|Written|Submitted|Authored?) by|Author\s*:|(?:Official |First |Alternate )?Solution\b"
    r"|Answer\s*\$?\s*[:.]|Final answer\b)",
    re.IGNORECASE,
)
ANSWER = re.compile(r"(?:Final )?Answer\s*[:.]\s*", re.IGNORECASE)
NOT_ANSWER = re.compile(
    r"(?:(?:Proposed|Written|Submitted|Authored?) by|Author\s*:|(?:Official |First |Alternate )?(?:Solution|Proof)\b)",
    re.IGNORECASE,
)


def is_label(label: re.Match[str]) -> bool:
    """Return whether what `LABEL` matched can open a problem: a number alone is one in a formula or of a page."""
    return bool(label["word"]) or label["end"].strip() in (".", ")")


def opens_a_part(line: str) -> bool:
    """Return whether a line opens a problem, a solution or an answer."""
    label = LABEL.match(line)
    return (label is not None and is_label(label)) or SOLUTION.match(line) is not None
