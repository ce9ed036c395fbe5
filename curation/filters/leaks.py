"""Dropping rules for statements with too much: the answer or a solution."""

from __future__ import annotations

import re

from curation.filters.answer_shape import bare, squeezed
from curation.filters.rule import Row, drops, one_of

_LABEL = re.compile(
    r"(?:\b(?:final |correct |short |official |model |sample |worked )?(?:answers?(?: key)?|solutions?|sol|ans)\b"
    r"|参考答案|答案|解答|解析|详解|答)\s*"
    r"(?:(?:\}|\*\*|】|</b>|\[/b\])\s*(?:[:：.]\s*)?|[:：]\s*(?:\}|\*\*)?\s*|\.\s*(?:\}|\*\*)\s*|\.\s+(?=[A-Z\\$\d]))"
    r"(?=\S)",
    re.IGNORECASE,
)
_BEFORE_LABEL = re.compile(
    r"(?:\A|[\n.?!。？)\]}$:;>*(【]|\s{2,})\s*(?:\*\*|\\text(?:bf|it)\{|\[b\]|<b>|【|#+|\()?\s*\Z", re.IGNORECASE
)
_LONGEST_BEFORE = 24
_FORM = re.compile(
    r"[:：.]\s*(?:\*\*|\})?\s*(?:_{2,}|\\boxed\s*\{\s*\}|\$?\\?_|\[\s*\]|\.{3}|\\(?:ldots|dots|underline|q?quad)|\(\s*\)"
    r"|<|\$?Answer|your|the form|in the)",
    re.IGNORECASE,
)
"""What follows a label that is a form to fill in: ``Answer: ____``."""
_COMMAND = one_of(
    r"\\(?:solution|answer|ans|sol|begin\{(?:solution|proof|answer|soln)\})(?![A-Za-z])|\\begin\{comment\}",
    r"\[hide=\"?(?:solution|answer|sol\b|ans\b|proof)|\bspoiler\b\]",
    flags=re.IGNORECASE,
)
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})+)\}")
_CHINESE_SOLUTION = re.compile(
    r"(?:\n|[。？?.])\s*解\s*[:：]|【(?:解析|答案|解答|详解|分析|点评|解)】|(?:^|\n)\s*解析[:：]"
)
_SAID = re.compile(
    r"\b(?:the|final|correct) answer (?:is|must be|should be|will be|equals)\s*:?\s*\$?\s*(?P<value>[^\s.,;?!$]+)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.?!]\s")
_PREMISE = re.compile(r"\s*(?:if|when|whenever|suppose|after|he|she|they|then)\b", re.IGNORECASE)
_LAST_VALUE = re.compile(r"[?？.。]\s*(?:\(|\[)?\s*(?P<value>[^?？]{1,60}?)\s*(?:\)|\])?\s*\.?\s*\Z")
_TAIL = 90


@drops(
    "leaks_answer",
    "Its statement holds the answer or a solution.",
    words="answer answers solution solutions sol ans soln comment hide boxed fbox spoiler proof",
    signs=("答", "解"),
)
def solution_included(row: Row) -> re.Match[str] | None:
    """``**Solution.** ...``, ``Answer: 97``, ``【解析】``, a box that holds the answer."""
    text = row.statement
    for label in _LABEL.finditer(text):
        before = text[max(0, label.start() - _LONGEST_BEFORE) : label.start()]
        if _BEFORE_LABEL.search(before) and not _FORM.search(text[label.start() : label.end() + 60]):
            return label
    found = _COMMAND.search(text)
    if found is not None:
        return found
    answer = squeezed(bare(row.target))
    boxes = _BOX.finditer(text) if answer and "box" in text else iter(())
    filled = next((box for box in boxes if squeezed(box[1]) == answer), None)
    return filled or (None if text.isascii() else _CHINESE_SOLUTION.search(text))


@drops("leaks_answer", "Its statement says what the answer is.", words="answer")
def answer_said(row: Row) -> re.Match[str] | None:
    """``The answer is 12``, unless that is a premise: ``when x is cubed, the answer is 64``."""
    answer = squeezed(bare(row.target))
    for said in _SAID.finditer(row.statement):
        if squeezed(bare(said["value"])) == answer and not _is_premise(row.statement, said.start()):
            return said
    return None


@drops("leaks_answer", "Its statement ends with the answer.")
def answer_at_the_end(row: Row) -> str | None:
    """What follows the last sentence is the answer."""
    answer = bare(row.target)
    if not answer or answer[-1] not in row.statement[-8:] or answer[0] not in row.statement[-_TAIL:]:
        return None
    last = _LAST_VALUE.search(row.statement[-_TAIL:])
    return last.group() if last is not None and squeezed(bare(last["value"])) == squeezed(answer) else None


def _is_premise(text: str, start: int) -> bool:
    return _PREMISE.match(_SENTENCE_END.split(text[:start])[-1]) is not None
