"""The answer that a TeX solution states: its boxes, else its answer line, else a bold value, else its last words."""

from __future__ import annotations

import re
from itertools import pairwise

from curation.ingest.operations import MissingError, last_boxed
from curation.text import fold

_BOX = re.compile(r"\\(?:boxed|fbox|framebox)(?![A-Za-z])")
_ANSWER_MACRO = re.compile(r"\\(?:answer|ans|finalanswer)(?=\s*\{)")
_ANSWER_ENVIRONMENT = re.compile(r"\\begin\{answer\}(?P<value>.*?)\\end\{answer\}", re.DOTALL)
_ANSWER_LINE = re.compile(r"\bAnswer\s*(?:[.:]\s*\}|\}\s*[.:]|[.:])\s*(?P<value>\S[^\n]*)", re.IGNORECASE)
_BOLD_VALUE = re.compile(r"\\textbf\{\s*(\$[^$]+\$|[-+]?\d[\d,./]*)\s*\}")
_LAST_FORMULA = re.compile(
    r"(?P<before>[^$]*)(?:\$(?P<inline>[^$]+)\$|\\\[(?P<display>(?:(?!\\\[).)+)\\\])\s*\.?\s*\Z", re.DOTALL
)
_ANNOUNCED = re.compile(
    r"\banswer\s+(?:is|equals)(?:\s+(?:just|then|thus|therefore|simply))?\s*[:,]?\s*\Z", re.IGNORECASE
)
_PLAIN_BOX = re.compile(r"\\boxed\{(?P<value>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
_REMARK = re.compile(
    r"[\s,;]*(?:\(\s*(?:or\s+equivalent|(?:also\s+)?accept|equivalent(?:ly)?\b|or\s+any)[^()]*(?:\([^()]*\)[^()]*)*\)"
    r"|\bor\s+(?:any\s+)?equivalent(?:\s+(?:forms?|expressions?|answers?))?)\s*\.?\s*\Z",
    re.IGNORECASE,
)
_STEP = re.compile(r"\\(?:Rightarrow|Longrightarrow|implies|iff|quad|qquad|;|,)(?![A-Za-z])|\\\\|,\s")
_INLINE = re.compile(r"\$([^$]+)\$")
_ASKED = re.compile(r"\b(?:find|compute|determine|evaluate|calculate|what\s+is)\b", re.IGNORECASE)


def stated_answers(solution: str, statement: str = "") -> list[str]:
    """Return the different values that a solution gives as its answer; none where it gives none.

    A last formula counts where the words before it announce the answer, or where it is an equation for just what
    ``statement`` asks for.
    """
    solution = _ANSWER_ENVIRONMENT.sub(lambda found: f"\\boxed{{{found['value'].strip()}}}", solution)
    solution = _ANSWER_MACRO.sub(r"\\boxed", solution)
    starts = [box.start() for box in _BOX.finditer(solution)]
    boxes: dict[str, str] = {}
    for start, end in pairwise([*starts, len(solution)]):
        try:
            box = without_dollars(last_boxed(solution[start:end]))
        except MissingError:
            continue
        boxes.setdefault(fold(box), box)
    if boxes:
        return list(boxes.values())
    line = _ANSWER_LINE.search(solution)
    if line:
        return [without_dollars(line["value"].strip().rstrip(".").strip())]
    bold = _BOLD_VALUE.findall(solution)
    if bold:
        return [without_dollars(bold[-1])]
    last = _last_value(solution, statement)
    return [last] if last else []


def accepted(answer: str) -> list[str]:
    """Return the values that an answer names: without remarks on what else counts; several where it boxes several."""
    boxes = [found["value"].strip() for found in _PLAIN_BOX.finditer(answer)]
    if len(boxes) > 1:
        return list(dict.fromkeys(boxes))
    bare = _REMARK.sub("", answer).strip()
    return [without_dollars(bare or answer)]


def without_dollars(value: str) -> str:
    """Return a value without the one pair of dollar signs around it."""
    inner = value[1:-1]
    return inner.strip() if len(value) > 2 and value[0] == value[-1] == "$" and "$" not in inner else value


def _last_value(solution: str, statement: str) -> str | None:
    end = max(solution.rfind("\n\n"), 0)
    found = _LAST_FORMULA.search(solution, end)
    if found is None:
        return None
    formula = found["inline"] or found["display"]
    members = [member.strip() for member in _STEP.split(formula)[-1].split("=")]
    value = members[-1].rstrip(".").strip()
    if not value:
        return None
    if _ANNOUNCED.search(found["before"]):
        return value
    question = _ASKED.split(statement)[-1] if _ASKED.search(statement) else ""
    asked = _INLINE.findall(question)
    same = len(members) > 1 and bool(asked) and _bare(asked[-1]) == _bare(members[0])
    return value if same else None


def _bare(formula: str) -> str:
    return re.sub(r"\s+", "", formula).rstrip(".?")
