r"""The final answer of a whole response: where it stands, or why there is none.

In this order: what follows the reasoning; up to where the model goes on with a question of its own; the last
``\boxed``, with what is boxed beside it; the last line or clause that announces an answer; the text itself where it is
nothing but an answer; and as a last resort the last number, which is named so in the path.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_END_OF_REASONING = (
    "</think>",
    "</thinking>",
    "</thought>",
    "</reasoning>",
    "<|end_of_thought|>",
    "<|begin_of_solution|>",
    "<|channel|>final<|message|>",
    "[/THINK]",
    "◁/think▷",
)
_START_OF_REASONING = (
    "<think>",
    "<thinking>",
    "<thought>",
    "<reasoning>",
    "<|begin_of_thought|>",
    "[THINK]",
    "◁think▷",
)
_END_OF_TEXT = (
    "<|end_of_solution|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "</s>",
    "<|return|>",
    "<end_of_turn>",
)

_NEXT_QUESTION = re.compile(
    r"^[\s#*>_-]*(?:(?:next|new|another|follow[- ]?up)\s+(?:question|problem)|(?:question|problem|exercise|q|example)"
    r"(?:\s*(?:no\.?|number)?\s*\d+)?\s*[:.)]|(?:human|user|student|instruction|input)\s*:|<\|im_start\|>|<\|user\|>"
    r"|<start_of_turn>|\[INST\]|(?:问题|题目|用户)\s*\d*\s*[:：])",
    re.IGNORECASE | re.MULTILINE,
)
_BOX = re.compile(r"\\(?:boxed|fbox|framebox)(?![A-Za-z])\s*")
_BRACE = re.compile(r"[{}]")
_BETWEEN_BOXES = re.compile(
    r"(?:[\s$,;.:、，；]|\\[\[\]()]|\\[,;!: ]|\\q?quad|\\text\s*\{[^{}]{0,12}\}|\b(?:and|or)\b|[和或及与]"
    r"|[A-Za-z](?:_\{?\w\}?)?\s*=)*"
)
_LETTER_AFTER_BOX = re.compile(
    r"[\s$.,;:]*(?:\\[\])]|\\q?quad|\\ |\\;)*[\s$]*(?:\\(?:text|textbf|mathrm|mathbf)\s*\{\s*)?"
    r"\(?\\?(?:textbf\s*\{)?\(([A-J])\)"
)
_ANNOUNCED = re.compile(
    r"(?:^|(?<=[\s*_#>(“\"'.,:：。，]))(?:"
    r"#{4}\s*"
    r"|[*_#\s]*(?:the\s+)?(?:final|correct|right|required|desired|resulting)?\s*answers?[*_]*\s*"
    r"(?:(?:to|for|of)\s+[^.:\n]{1,80}?\s+)?(?:choice\s+|option\s+)?(?:(?:is|are|would\s+be|will\s+be|must\s+be)\b(?:\s*:)?|[:：=]|\n)"
    r"(?:\s*(?:therefore|thus|then|hence|simply|just|indeed|equal\s+to|choice|option|answer)\b)?"
    r")[*_\s]*|答案\s*(?:是|为|：|:|等于)+[*_\s]*",
    re.IGNORECASE | re.MULTILINE,
)
_CLAUSE_END = re.compile(r"[.。!?！？](?=\s|$|[*_\"'”)$])|\n|<\|")
_MATH = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_NUMBER = re.compile(
    r"(?<![\w.])[-+−]?\s?\\?\$?(?:\\[dt]?frac\s*\{[^{}]{1,40}\}\s*\{[^{}]{1,40}\}|\d{1,3}(?:,\d{3})+(?:\.\d+)?"
    r"|\d*\.?\d+(?:\s*/\s*\d+)?)(?:\s*\\?%)?"
)

_TAIL = 4_000
_BARE_LENGTH = 400
_NO_ANSWER = "no box, no announced answer and no number at the end"


@dataclass(frozen=True, slots=True)
class Extraction:
    """The final answer of a response.

    Attributes:
        answer: the answer's text; None where there is none.
        why: where it was found, or why there is none.
        path: ``boxed``, ``boxes``, ``announced``, ``bare``, ``last number`` or ``none``.
        letter: the choice letter that stands right after a box, else None.
    """

    answer: str | None
    why: str
    path: str = "none"
    letter: str | None = None


def final_answer(response: str) -> Extraction:
    """Find the final answer of a whole response, or of a text that is nothing but an answer.

    A response that was cut at its token limit must be judged by its finish reason; here only an open reasoning section
    and an open box are seen.
    """
    text, complete = _after_reasoning(response)
    if not complete:
        return Extraction(None, "the reasoning has not ended")
    text = _before_next_question(text)
    boxed = _boxed(text)
    if boxed is not None:
        return boxed
    announced = _announced(text[-_TAIL:])
    if announced is not None:
        return announced
    bare = text.strip()
    if is_bare(bare):
        return Extraction(bare, "the text is nothing but an answer", "bare")
    return last_number(text[-_TAIL:])


def is_bare(text: str) -> bool:
    """Tell whether a text can be an answer by itself: short, in one piece, and without a sentence of prose."""
    if not text or (len(text) > _BARE_LENGTH and re.search(r"\s[a-z]{2,}\s", text)):
        return False
    if "\n" in text and "\\begin" not in text:
        return False
    prose = _WORD.findall(re.sub(r"\\(?:text|mathrm|operatorname|mbox|begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+", " ", text))
    return len([word for word in prose if len(word) > 2]) <= _BARE_WORDS


_BARE_WORDS = 3


def _after_reasoning(response: str) -> tuple[str, bool]:
    end = max((at + len(mark) for mark in _END_OF_REASONING if (at := response.rfind(mark)) >= 0), default=0)
    text = response[end:]
    if any(mark in text for mark in _START_OF_REASONING):
        return text, False
    stop = min((at for mark in _END_OF_TEXT if (at := text.find(mark)) > 0), default=len(text))
    return text[:stop], True


def _before_next_question(text: str) -> str:
    for match in _NEXT_QUESTION.finditer(text):
        before = text[: match.start()]
        if _BOX.search(before) or _ANNOUNCED.search(before[-_TAIL:]):
            return before
    return text


def _boxed(text: str) -> Extraction | None:
    last = text.rfind("\\boxed")
    if last < 0:
        last = max(text.rfind("\\fbox"), text.rfind("\\framebox"))
    if last < 0:
        return None
    end, content = _box_content(text, last)
    if end is None:
        return Extraction(None, "the text ends inside the last box")
    if not content.strip():
        return Extraction(None, "the last box is empty")
    letter = _LETTER_AFTER_BOX.match(text, end)
    contents, start = [content], last
    while (earlier := text.rfind("\\boxed", 0, start)) >= 0:
        before, content = _box_content(text, earlier)
        if before is None or before > start or not content.strip():
            break
        between = text[before:start]
        if "\n\n" in between or not _BETWEEN_BOXES.fullmatch(between):
            break
        contents.insert(0, content)
        start = earlier
    distinct = list(dict.fromkeys(item.strip() for item in contents))
    found = letter.group(1) if letter else None
    if len(distinct) > 1:
        return Extraction(", ".join(distinct), f"the {len(distinct)} boxes that stand together", "boxes", found)
    return Extraction(distinct[0], "the last box", "boxed", found)


def _box_content(text: str, start: int) -> tuple[int | None, str]:
    """Return where the box that starts at ``start`` ends, None if it does not, and what is in it."""
    head = _BOX.match(text, start)
    position = head.end() if head else start
    if position >= len(text):
        return None, ""
    if text[position] != "{":
        token = re.compile(r"\\?(?:[A-Za-z]+|-?[\d.,]*\d|.)").match(text, position)
        return (token.end(), token.group()) if token else (None, "")
    depth = 0
    for brace in _BRACE.finditer(text, position):
        at = brace.start()
        # An escaped brace is a printed one; an even number of backslashes before it is a line break.
        backslash = at
        while text[backslash - 1] == "\\":
            backslash -= 1
        if (at - backslash) % 2:
            continue
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.end(), text[position + 1 : at]
    return None, ""


def _announced(tail: str) -> Extraction | None:
    for match in reversed(list(_ANNOUNCED.finditer(tail))):
        answer = _clean_clause(tail[match.end() :])
        if answer:
            return Extraction(answer, "the last announced answer", "announced")
    return None


def _clean_clause(text: str) -> str:
    text = text.lstrip(" \t\n*_:：")
    math = _MATH.match(text)
    if math:
        inside = next(group for group in math.groups() if group is not None)
        rest = text[math.end() :]
        end = _CLAUSE_END.search(rest)
        rest = rest[: end.start()] if end else rest
        if not _MATH.search(rest):
            unit = rest.strip(" *_,.;:)\"'")
            return f"{inside.strip()} {unit}" if re.fullmatch(r"[A-Za-z°%²³/ ]{1,20}|\\%", unit) else inside.strip()
    end = _CLAUSE_END.search(text)
    clause = text[: end.start()] if end else text
    clause = clause.strip(" *_`\"'“”,;")
    spans = [next(group for group in found.groups() if group is not None) for found in _MATH.finditer(clause)]
    if len(spans) == 1 and _WORD.search(_MATH.sub(" ", clause)):
        return spans[0].strip()
    return _MATH.sub(lambda found: next(group for group in found.groups() if group is not None), clause).strip()


def last_number(text: str) -> Extraction:
    """Take the last number of a text, as a last resort."""
    numbers = _NUMBER.findall(text[-_TAIL:])
    if not numbers:
        return Extraction(None, _NO_ANSWER)
    return Extraction(numbers[-1].strip(), "the last number, as nothing announces an answer", "last number")
