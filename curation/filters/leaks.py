"""Dropping rules for statements with too much: the answer or a solution."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.filters.answer_shape import bare, squeezed
from curation.filters.rule import Row, drops, has_any, one_of
from curation.filters.triggers import SPACE, either

_SHORT_WORD = re.compile(r"\b(?:[Ss]ol|SOL|[Aa]ns|ANS)\b")
_WORD_ENDS = re.compile(r"(?:s|S)?(?: [Kk]ey)?")
_WORDS = ("nswer", "olution", "NSWER", "OLUTION")
_CHINESE_WORDS = ("参考答案", "答案", "解答", "解析", "详解", "答")
_AFTER_LABEL = re.compile(
    r"\s*(?:(?:\}|\*\*|】|\]|</b>|\[/b\])\s*(?:[:：.]\s*)?|[:：]\s*(?:\}|\*\*)?\s*|\.\s*(?:\}|\*\*)\s*|\.\s+(?=[A-Z\\$\d]))(?=\S)"
)
_BEFORE_LABEL = re.compile(
    r"(?:\A|[\n.?!。？)\]}$:;>*(【\[]|\s{2,})\s*(?:\*\*|\\text(?:bf|it)\{|\[b\]|<b>|【|#+|\()?\s*"
    r"(?:(?:final|correct|short|official|model|sample|worked) )?\Z",
    re.IGNORECASE,
)
_LONGEST_BEFORE = 32
_FORM = re.compile(
    r"[:：.]\s*(?:\*\*|\})?\s*(?:_{2,}|\\boxed\s*\{\s*\}|\$?\\?_|\[\s*\]|\.{3}|\\(?:ldots|dots|underline|q?quad)|\(\s*\)"
    r"|<|\$?Answer|your|the form|in the)",
    re.IGNORECASE,
)
"""What follows a label that is a form to fill in: ``Answer: ____``."""
_COMMAND = one_of(
    r"\\(?:solution|answer|ans|sol|begin\{(?:solution|proof|answer|soln)\})(?![A-Za-z])|\\begin\{comment\}",
    r"\[hide=\"?(?:solution|answer|sol\b|ans\b|proof)|\bspoiler\b\]|####\s*\S|</?(?:answer|think|solution)>",
    flags=re.IGNORECASE,
)
_COMMAND_START = re.compile(r"[\\\[<#]|[sS][pP]")
_COMMAND_SIGNS = (
    "\\sol",
    "\\ans",
    "\\Sol",
    "\\Ans",
    "\\begin{",
    "[hide",
    "spoiler]",
    "####",
    "<answer>",
    "<think>",
    "</think>",
    "<solution>",
)
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})+)\}")
_CHINESE_SOLUTION = re.compile(
    r"(?:\n|[。？?.])\s*解\s*[:：]|【(?:解析|答案|解答|详解|分析|点评|解)】|(?:^|\n)\s*解析[:：]"
)
_SAYS = re.compile(r" (?:is|must be|should be|will be|equals)\s*:?\s*\$?\s*(?P<value>[^\s.,;?!$]+)")
_SAYING = ("he answer", "nal answer", "ect answer")
_SENTENCE_END = re.compile(r"[.?!]\s")
_PREMISE = re.compile(r"\s*(?:if|when|whenever|suppose|after|he|she|they|then)\b", re.IGNORECASE)
_LAST_VALUE = re.compile(
    r"[?？.。]\s*(?:\(|\[)?\s*(?:(?i:answer|ans)\.?\s+)?(?P<value>[^?？]{1,60}?)\s*(?:\)|\])?\s*\.?\s*\Z"
)
_TAIL = 90


@drops(
    "leaks_answer",
    "Its statement holds the answer or a solution.",
    when=either(
        rf"(?:(?:nswer|NSWER|olution|OLUTION)[sS]?(?: [Kk]ey)?|[Ss]ol|SOL|[Aa]ns|ANS){SPACE}*[}}*】\]<\[:：.]",
        r"(?i:\\(?:solution|answer|ans|sol|begin\{(?:solution|proof|answer|soln|comment)\})|\[hide|spoiler\])",
        r"####|(?i:</?(?:answer|think|solution)>)|\\(?:boxed|fbox)|[答解]|【",
    ),
)
def solution_included(row: Row) -> str | None:
    """``**Solution.** ...``, ``Answer: 97``, ``【解析】``, a box that holds the answer."""
    text = row.statement
    for start, end in _label_words(row):
        label = _AFTER_LABEL.match(text, end)
        if label is None or _FORM.search(text[start : label.end() + 60]):
            continue
        if _BEFORE_LABEL.search(text[max(0, start - _LONGEST_BEFORE) : start]):
            return text[start : label.end() + 40]
    if has_any(text, _COMMAND_SIGNS):
        for place in _COMMAND_START.finditer(text):
            command = _COMMAND.match(text, place.start())
            if command is not None:
                return command.group()
    answer = squeezed(bare(row.target))
    boxes = _BOX.finditer(text) if answer and "box" in text else iter(())
    filled = next((box.group() for box in boxes if squeezed(box[1]) == answer), None)
    if filled is not None or text.isascii():
        return filled
    chinese = _CHINESE_SOLUTION.search(text)
    return None if chinese is None else chinese.group()


@drops(
    "leaks_answer",
    "Its statement says what the answer is.",
    when="(?:he|nal|ect) answer (?:is|must be|should be|will be|equals)",
)
def answer_said(row: Row) -> str | None:
    """``The answer is 12``, unless that is a premise: ``when x is cubed, the answer is 64``."""
    text, answer = row.statement, ""
    place = text.find("answer ")
    while place >= 0:
        said = _SAYS.match(text, place + len("answer"))
        if said is not None and text[: place + len("answer")].endswith(_SAYING):
            answer = answer or squeezed(bare(row.target))
            if squeezed(bare(said["value"])) == answer and not _is_premise(text, place):
                return text[place : said.end()]
        place = text.find("answer ", place + 1)
    return None


@drops("leaks_answer", "Its statement ends with the answer.", when="[^?？]$")
def answer_at_the_end(row: Row) -> str | None:
    """What follows the last sentence is the answer."""
    if set(row.target).isdisjoint(row.statement[-8:]):
        return None
    answer = bare(row.target)
    if not answer or answer[-1] not in row.statement[-8:] or answer[0] not in row.statement[-_TAIL:]:
        return None
    last = _LAST_VALUE.search(row.statement[-_TAIL:])
    return last.group() if last is not None and squeezed(bare(last["value"])) == squeezed(answer) else None


def _label_words(row: Row) -> Iterator[tuple[int, int]]:
    """Yield the places of words that may label an answer or a solution."""
    text = row.statement
    for word in _WORDS if text.isascii() else _WORDS + _CHINESE_WORDS:
        place = text.find(word)
        while place >= 0:
            ends = _WORD_ENDS.match(text, place + len(word))
            end = place + len(word) if ends is None else ends.end()
            yield (place if word[0] > "z" else max(0, place - 1)), end
            place = text.find(word, end)
    if "sol" in row.words or "ans" in row.words:
        yield from (short.span() for short in _SHORT_WORD.finditer(text))


def _is_premise(text: str, start: int) -> bool:
    return _PREMISE.match(_SENTENCE_END.split(text[:start])[-1]) is not None
