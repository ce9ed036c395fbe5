"""The dropping rule for answers in words."""

from __future__ import annotations

import re

from curation.filters.answer_shape import unwrapped_text
from curation.filters.rule import Row, drops
from curation.filters.units import CHINESE_UNITS, CONNECTORS, FUNCTIONS, NUMBER_WORDS, UNITS

_COMMAND = re.compile(r"\\[A-Za-z]+\*?")
_WORD = re.compile(r"[A-Za-z]{2,}")
_CJK = re.compile(r"[\u4e00-\u9fff]")
_VALUE = re.compile(
    r"\d|[=<>^_+]|\\(?:frac|dfrac|tfrac|sqrt|pi|infty|emptyset|varnothing|mathbb|cup|cap|begin|log|sin|cos|ln)|[∅∞π√]"
)
_SPOKEN_START = re.compile(
    r"(?:(?:a|an|the|only|no)\s+(?=[A-Za-z]{2})"
    r"|(?:all|every|any|those|numbers|integers)\s+(?!(?:real|positive|negative|integers?|complex|rational)\b[^,]*\Z)[A-Za-z]{3}"
    r"|(?:at|on|between|by|after|before|when|in|more|less|fewer|greater|exactly|about|around)\s+(?=\S))",
    re.IGNORECASE,
)
_VOWEL = re.compile("[aeiouy]")
_SHORT_WORDS = frozenset(["no", "it", "he", "up", "my", "we", "jo", "bo"])
_FEW_CHARACTERS = 4
_SOLUTION_SETS = frozenset(
    ["no solution", "no solutions", "no real solution", "no real solutions", "all real numbers", "all reals"]
)
"""Phrases that are the empty set or the real line, which a grader compares as such."""
_PLAIN_WORDS = UNITS | FUNCTIONS | CONNECTORS | NUMBER_WORDS


@drops(
    "prose_answer",
    "Its answer is words.",
    when_answer=r"(?:^|[^\\A-Za-z])[A-Za-z]{2}|[\x{4e00}-\x{9fff}]",
    about_answer=True,
)
def prose_answer(row: Row) -> str | None:
    """``Wednesday``, ``a rhombus``, ``丙``; a number with a unit, an interval, a function or a condition is a value."""
    answer = unwrapped_text(row.target)
    if not answer or answer.lower().strip(" .") in _SOLUTION_SETS:
        return None
    if _CJK.search(answer):
        return row.target if _is_chinese_prose(answer) else None
    if _SPOKEN_START.match(answer):
        return row.target
    words = _WORD.findall(_COMMAND.sub(" ", answer).lower())
    strange = [word for word in words if word not in _PLAIN_WORDS]
    if _VALUE.search(answer):
        return row.target if len([word for word in strange if len(word) >= 3]) >= 3 else None
    if strange:
        return row.target if any(_is_word(word, row) for word in strange) else None
    spoken = len(words) >= 3 and NUMBER_WORDS.isdisjoint(words) and not CONNECTORS.isdisjoint(words)
    return row.target if spoken else None


def _is_word(word: str, row: Row) -> bool:
    """Tell a word from a product of variables such as ``abc``."""
    if len(word) >= 5 or word in _SHORT_WORDS:
        return True
    return len(word) >= 3 and _VOWEL.search(word) is not None and not _is_product(word, row.statement)


def _is_product(word: str, statement: str) -> bool:
    return all(re.search(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", statement) for letter in set(word))


def _is_chinese_prose(answer: str) -> bool:
    characters = _CJK.findall(answer)
    if not _VALUE.search(_CJK.sub("", answer)):
        return True
    return len(characters) > _FEW_CHARACTERS and not CHINESE_UNITS.issuperset(characters)
