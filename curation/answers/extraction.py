r"""The final answer of a whole response: where it stands, or why there is none.

In this order: the last ``\boxed``, with what is boxed beside it; the last clause that announces an answer; the text
itself where it is nothing but an answer; and as a last resort the last number, which is named so in the path.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from curation.answers.answer_parser import read_answer
from curation.answers.number_words import in_digits
from curation.answers.response_text import after_reasoning, before_next_question, is_cut_off
from curation.answers.tokens import UnreadableError

_BOX = re.compile(r"\\(?:boxed|fbox|framebox)(?![A-Za-z])\s*")
_BRACE = re.compile(r"[{}]")
_UNBRACED = re.compile(r"\\[dt]?frac\s*\{[^{}]*\}\s*\{[^{}]*\}|\\sqrt\s*\{[^{}]*\}|\\?(?:[A-Za-z]+|-?[\d.,]*\d|.)")
_BETWEEN_BOXES = re.compile(
    r"(?:[\s$,;.:、，；]|\\[\[\]()]|\\[,;!: ]|\\q?quad|\\text\s*\{[^{}]{0,12}\}|\b(?:and|or)\b|[和或及与]"
    r"|[A-Za-z](?:_\{?\w\}?)?\s*=)*"
)
_LETTER_AFTER_BOX = re.compile(
    r"[\s$.,;:]*(?:\\[\])]|\\q?quad|\\ |\\;)*[\s$]*(?:\\(?:text|textbf|mathrm|mathbf)\s*\{\s*)?"
    r"\(?\\?(?:textbf\s*\{)?\(([A-H])\)"
)
_ANNOUNCED = re.compile(
    r"(?:(?<![A-Za-z])(?:[Aa]nswer|ANSWER|A(?=:)|(?:correct|right) (?:option|choice))s?\s*[*_]*\s*"
    r"(?:(?:to|for|of)\s[^.:\n]{1,80}?\s)?(?:(?:choice|option)\s+)?"
    r"(?:(?:is|are|would be|will be|IS)\b(?:\s*[:：])?|[:：=]|\n)"
    r"(?:\s*(?:therefore|thus|then|hence|simply|just|indeed|equal to|choice|option|answer)\b)?"
    r"|#{4}|<answer>|(?<![A-Za-z])[Aa]ns\s*[.:]|答案\s*(?:是|为|：|:|等于)+)[*_\s]*"
)
_CLAUSE_END = re.compile(r"</answer>|[.。!?！？](?=\s|$|[*_\"'”)$])|\n|<\|")
_AFTERTHOUGHT = re.compile(
    r"\s+\((?=[A-Za-z]{2})|,?\s+(?:because|since|as|which|when|so|by|after|from|for|not|rather|instead)\s"
)
_LEAD_IN = re.compile(r"\A(?:So|Thus|Hence|Therefore|Then),?\s+(?=[A-Za-z$\\]\S{0,12}\s*=|[-\d$\\])")
_YES_OR_NO = re.compile(r"(?i)(yes|no|true|false)\s*[,.;:!-][^\d]*")
_MATH = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_UNIT = re.compile(r"[A-Za-z°%²³/ ]{1,20}|\\%")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_NO_ANSWER = re.compile(r"(?i)\b(?:i|we|you)\b[ ']|\b(?:idea|know|sorry|unsure|cannot|can't|unable)\b")
_COMMAND = re.compile(r"\\(?:text|mathrm|operatorname|mbox|begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+")
_NUMBER = re.compile(
    r"(?<![\w.])[-+−]?\s?\\?\$?(?:\\[dt]?frac\s*\{[^{}]{1,40}\}\s*\{[^{}]{1,40}\}|\d{1,3}(?:,\d{3})+(?:\.\d+)?"
    r"|\d*\.?\d+(?:\s*/\s*\d+)?)(?:\s*\\?%)?"
)

_TAIL = 4_000
_ANNOUNCEMENTS = 20
"""The last announcements of an answer that are looked at."""

_BARE_LENGTH = 400
_BARE_WORDS = 3


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

    A response that was cut at its token limit must be judged by its finish reason; what is seen here is an open
    reasoning section, an open box and an open formula at the end.
    """
    text = after_reasoning(response)
    if text is None:
        return Extraction(None, "the reasoning has not ended")
    if (box := _first_box(text)) >= 0:
        return _boxed(before_next_question(text, box))
    announced = _announced(text)
    if announced is not None:
        return announced
    bare = _LEAD_IN.sub("", text.strip().strip("*`").strip())
    yes_or_no = _YES_OR_NO.fullmatch(bare)
    if yes_or_no:
        return Extraction(yes_or_no.group(1), "the yes or no that the text starts with", "bare")
    if is_bare(bare):
        return Extraction(bare, "the text is nothing but an answer", "bare")
    return last_number(text)


def is_bare(text: str) -> bool:
    """Tell whether a text can be an answer by itself: in one piece, and without a sentence of prose."""
    if not text or ("\n" in text and "\\begin" not in text) or _NO_ANSWER.search(text[:_BARE_LENGTH]):
        return False
    if len(text) < _BARE_LENGTH and in_digits(text).strip(".").isdigit():
        return True
    prose = [word for word in _WORD.findall(_COMMAND.sub(" ", text[: 2 * _BARE_LENGTH])) if len(word) > 2]
    return len(prose) <= _BARE_WORDS


def last_number(text: str) -> Extraction:
    """Take the last number of a text, as a last resort; a text that ends inside a formula has none."""
    tail = text[-_TAIL:]
    if is_cut_off(tail):
        return Extraction(None, "the text ends inside a formula")
    numbers = _NUMBER.findall(tail)
    if not numbers:
        return Extraction(None, "no box, no announced answer and no number at the end")
    return Extraction(numbers[-1].strip(), "the last number, as nothing announces an answer", "last number")


def _first_box(text: str) -> int:
    at = text.find("\\boxed")
    if at < 0 and "box{" in text and (other := _BOX.search(text)):
        return other.start()
    return at


def _boxed(text: str) -> Extraction:
    last = text.rfind("\\boxed")
    if last < 0:
        last = max(text.rfind("\\fbox"), text.rfind("\\framebox"))
    end, content = _box_content(text, last)
    if end is None:
        return Extraction(None, "the text ends inside the last box")
    if not content.strip():
        return Extraction(None, "the last box is empty")
    letter = _LETTER_AFTER_BOX.match(text, end)
    found = letter.group(1) if letter else None
    distinct = list(dict.fromkeys(item.strip() for item in [*_boxes_before(text, last), content]))
    if len(distinct) > 1:
        return Extraction(", ".join(distinct), f"the {len(distinct)} boxes that stand together", "boxes", found)
    return Extraction(distinct[0], "the last box", "boxed", found)


def _boxes_before(text: str, start: int) -> list[str]:
    """Return the contents of the boxes that stand right before ``start``, only separators between them."""
    contents: list[str] = []
    while (earlier := text.rfind("\\boxed", 0, start)) >= 0:
        end, content = _box_content(text, earlier)
        if end is None or end > start or not content.strip():
            break
        between = text[end:start]
        if "\n\n" in between or not _BETWEEN_BOXES.fullmatch(between):
            break
        contents.insert(0, content)
        start = earlier
    return contents


def _box_content(text: str, start: int) -> tuple[int | None, str]:
    """Return where the box that starts at ``start`` ends, None if it does not, and what is in it."""
    head = _BOX.match(text, start)
    position = head.end() if head else start
    if position >= len(text):
        return None, ""
    if text[position] != "{":
        token = _UNBRACED.match(text, position)
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


def _announced(text: str) -> Extraction | None:
    matches = list(_ANNOUNCED.finditer(text, max(0, len(text) - _TAIL)))[-_ANNOUNCEMENTS:]
    if not matches:
        return None
    # What follows a question of the model's own answers that one.
    text = before_next_question(text, matches[0].end())
    clauses = [_clean_clause(text[match.end() :]) for match in reversed(matches) if match.end() <= len(text)]
    told = [clause for clause in clauses if clause]
    formula = next((clause for clause in told if _is_formula(clause)), None)
    phrase = next((clause for clause in told if is_bare(clause)), None)
    answer = formula or phrase or next(iter(told), None)
    return Extraction(answer, "the last announced answer", "announced") if answer else None


def _is_formula(clause: str) -> bool:
    try:
        read_answer(clause)
    except UnreadableError:
        return False
    return True


def _clean_clause(text: str) -> str:
    text = text.lstrip(" \t\n*_:：")
    math = _MATH.match(text)
    if math:
        rest = text[math.end() :]
        end = _CLAUSE_END.search(rest)
        rest = rest[: end.start()] if end else rest
        if not _MATH.search(rest):
            unit = rest.strip(" *_,.;:)\"'")
            return f"{_inside(math)} {unit}" if _UNIT.fullmatch(unit) else _inside(math)
    end = _CLAUSE_END.search(text)
    clause = (text[: end.start()] if end else text).strip(" *_`\"'“”,;")
    spans = [_inside(found) for found in _MATH.finditer(clause)]
    if len(spans) == 1 and _WORD.search(_MATH.sub(" ", clause)):
        return spans[0]
    clause = _MATH.sub(_inside, clause).strip()
    shorter = _AFTERTHOUGHT.split(clause, maxsplit=1)[0].rstrip(" ,;")
    return shorter if shorter != clause and _is_formula(shorter) and not _is_formula(clause) else clause


def _inside(math: re.Match[str]) -> str:
    return next(group for group in math.groups() if group is not None).strip()
