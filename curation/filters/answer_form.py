"""Dropping rules for answers that hold no value: missing, empty, damaged, a rough value, one of many."""

from __future__ import annotations

import re

from curation.filters.answer_shape import bare, squeezed, unwrapped_text
from curation.filters.rule import BOTH, LONGEST_TEXT, Row, drops, one_of
from curation.filters.triggers import ANYTHING, SPACE, either
from curation.filters.units import UNITS

_PLACEHOLDER_TEXT = """
- -- — – _ ? ?? . .. ... … n/a na n.a. n.a none null nil nan unknown notfound not_found tbd todo missing empty blank
answer <answer> [answer] no_answer unanswered omitted 略 略。 无 暂无 见解析 答案略 无答案 暂无答案 未知
"""
_PLACEHOLDERS = frozenset(_PLACEHOLDER_TEXT.split()) | {
    "not found",
    "not available",
    "not given",
    "not applicable",
    "not provided",
    "no answer",
    "answer not found",
    "answer not available",
    "no answer provided",
    "your answer",
    "the answer",
    "final answer",
}
_REFERENCE = one_of(
    r"\A\(?(?:see|refer to|as (?:above|shown|in)|cf\.?|shown|given) (?:the )?"
    r"(?:solution|above|below|text|proof|figure|diagram|explanation|attachment|answer|work|graph)s?\b",
    r"\A(?:solution|proof|answer)s? (?:omitted|above|below|follows?)|\A见(?:解析|图|答案|详解)|\Aomitted",
    flags=re.IGNORECASE,
)
_PROOF_SENTINELS = frozenset(
    ["proof", "proved", "proven", "q.e.d.", "q.e.d", "qed", "证明略", "证明见解析", "\\blacksquare", "\\square"]
)
_NOTHING = (
    r"\\(?:boxed|text|mathrm|mathbf|left|right|quad|qquad|,|;|!|displaystyle)|[$(){}\[\].,;:!~]|\\\(|\\\)|" + SPACE
)
_HOLLOW = re.compile(rf"(?:{_NOTHING.replace(SPACE, chr(92) + 's')})*")
_REQUESTED = re.compile(
    r"(?:find|compute|evaluate|determine|calculate|what is|simplify|求|计算)\s*"
    r"(?:the (?:exact |numerical )?(?:value|sum|product|limit|integral) (?:of|for)\s*)?"
    r"\$*\s*(?P<wanted>[^?.。？]{1,200}?)\s*\$*\s*(?:[?.。？]|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_CUT_OFF = one_of(
    r"\\\Z|\\[dt]?frac\s*(?:\{\s*\}|\Z|\{[^{}]*\}\s*\Z)|\\sqrt\s*(?:\{\s*\}|\Z)",
    r"(?<![\\a-zA-Z])[dt]?frac\s*\{|(?<![\\a-zA-Z])sqrt\{",
)
_DANGLING = re.compile(r"(?<!\^)[=+\-/^_]\Z")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?")
_WORD = re.compile(r"[A-Za-z]{2,}")
_POWER = re.compile(r"\^\{?[23]\}?")
_CALCULATION = re.compile(r"\d|[=+*<>]|\\frac")

_APPROXIMATE = one_of(
    r"\d\.\d+\s*(?:\.\.\.|…|\\l?dots)|\\approx|\\simeq|\\sim(?![a-z])|≈|约|大约|左右|\A\s*~",
    r"\b(?:approximately|approx|roughly|nearly|almost|(?:about|around) (?=[\d\\$.]|half|a\b|one\b))",
    flags=re.IGNORECASE,
)
_ONE_OF_MANY = one_of(
    r"\b(?:answers? (?:may|will|can|could) vary|any (?:number|integer|value|real|answer|of|positive|other))\b",
    r"\bfor example\b",
    r"\b(?:e\.g\.|such as|possible answers?|one possible|sample answer)",
    r"\bmany (?:possible |correct )?(?:answers|solutions)\b",
    r"\bnot unique\b|\bvaries\b|答案不唯一|例如|如[:：]|等等",
    flags=re.IGNORECASE,
)
_LABELLED_BRACKET = re.compile(
    r"\A[a-zA-Z]\s*(?:\(\s*-?[\d.]+\s*,\s*-?[\d.]+\s*\]|\[\s*-?[\d.]+\s*,\s*-?[\d.]+\s*\))\Z"
)
_LONGEST = 600


@drops("empty", "It has no statement.", domains=BOTH, when="^[^A-Za-z]*[A-Za-z]*[^A-Za-z]*$")
def no_statement(row: Row) -> str | None:
    """Nothing, nothing but punctuation, or a lone word such as ``test``."""
    text = row.statement.strip()
    lone_word = text.isascii() and text.isalpha()
    return text if lone_word or not any(character.isalnum() for character in text) else None


@drops("broken_text", "Its statement is longer than a question can be.", alone=True)
def overlong_statement(row: Row) -> str | None:
    """A whole document in the place of a question."""
    return row.statement if len(row.statement) > LONGEST_TEXT else None


@drops(
    "non_checkable",
    "Its answer is longer than a text can be compared.",
    when_answer=ANYTHING,
    about_answer=True,
    alone=True,
)
def overlong_answer(row: Row) -> str | None:
    """A document in the answer column; a long integer is a value."""
    return row.target if len(row.target) > LONGEST_TEXT else None


@drops("empty", "It has no answer.", about_answer=True)
def no_answer(row: Row) -> str | None:
    """Null, blank, or a word that stands for a missing answer. ``proof`` belongs to `proof_sentinel`."""
    if not row.answer_expected:
        return None
    answer = row.target
    if not answer or answer.lower().strip("$ ") in _PLACEHOLDERS:
        return answer
    return answer if _REFERENCE.match(unwrapped_text(answer)) else None


@drops(
    "proof",
    "Its answer says that a proof was asked.",
    when_answer=r"(?i:pro(?:of|ved|ven)|q\.?e\.?d|square)|证明",
    about_answer=True,
)
def proof_sentinel(row: Row) -> str | None:
    """``proof`` in the answer column, as NuminaMath-1.5 marks such rows."""
    return row.target if unwrapped_text(row.target).lower() in _PROOF_SENTINELS else None


@drops("degenerate_answer", "Its answer holds nothing.", when_answer=rf"^(?:{_NOTHING})*$", about_answer=True)
def hollow_answer(row: Row) -> str | None:
    """``$$``, ``\\boxed{}``, brackets around nothing. The empty set ``\\{\\}`` is a value."""
    return row.target if row.target and _HOLLOW.fullmatch(row.target) else None


@drops("degenerate_answer", "Its answer repeats the question.", when_answer=ANYTHING, about_answer=True)
def echoed_answer(row: Row) -> str | None:
    """``Find $f(f(3))$`` answered by ``f(f(3))``; the whole statement as its own answer."""
    plain = bare(row.target)
    if not plain or plain not in row.statement or plain.replace(",", "").replace("/", "").isdigit():
        return None
    answer = squeezed(plain)
    if len(answer) > 20 and answer == squeezed(row.statement):
        return row.target
    wanted = (squeezed(found["wanted"]) for found in _REQUESTED.finditer(row.statement))
    return row.target if answer in wanted else None


@drops(
    "degenerate_answer",
    "Its answer is damaged.",
    when_answer=rf"[{{}}\\]|[=+/^_-](?:[$*.。]|{SPACE})*$",
    about_answer=True,
)
def damaged_answer(row: Row) -> str | None:
    """Braces that do not match, a LaTeX command cut off, a fraction without its parts, an operator at the end."""
    answer = row.target
    plain = answer.replace("\\{", "").replace("\\}", "").replace("\\\\", "")
    if plain.count("{") != plain.count("}") or _CUT_OFF.search(answer):
        return answer
    return answer if len(bare(answer)) > 1 and _DANGLING.search(bare(answer)) else None


@drops("non_checkable", "Its answer is longer than a value can be.", when_answer=ANYTHING, about_answer=True)
def long_answer(row: Row) -> str | None:
    """A worked solution or a program in the answer column; a long integer is a value."""
    return row.target if len(row.target) > _LONGEST and _WORD.search(_COMMAND.sub("", row.target)) else None


@drops(
    "non_checkable",
    "Its answer is a unit without a value.",
    when_answer=r"^(?:[^0-9=+<>]|\^\{?[23])*$",
    about_answer=True,
)
def unit_only(row: Row) -> str | None:
    """``hours``, ``cm^2``."""
    answer = unwrapped_text(row.target)
    words = _WORD.findall(_COMMAND.sub(" ", answer).lower())
    if not words or len(words) > 4 or not UNITS.issuperset(words):
        return None
    return None if _CALCULATION.search(_POWER.sub("", answer)) else row.target


@drops(
    "non_checkable",
    "Its answer is a rough value.",
    when_answer=either(
        rf"(?i:\p{{Nd}}\.\p{{Nd}}+{SPACE}*(?:\.\.\.|…|\\l?dots)|\\approx|\\simeq|\\sim|[≈约]|左右|^{SPACE}*~)",
        "(?i:approx|roughly|nearly|almost|about|around)",
    ),
    about_answer=True,
)
def approximate_answer(row: Row) -> re.Match[str] | None:
    """``\\approx 8.24``, ``about half a million``."""
    return _APPROXIMATE.search(row.target)


@drops(
    "non_checkable",
    "Its answer is one of many, or says so.",
    when_answer=either(
        r"(?i:vary|any|example|e\.g\.|such as|possible answers?|one possible|sample answer|many|not unique|varies)",
        "答案不唯一|例如|如[:：]|等等",
    ),
    about_answer=True,
)
def one_of_many(row: Row) -> re.Match[str] | None:
    """``Answers will vary``, ``any integer``, ``for example``."""
    return _ONE_OF_MANY.search(row.target)


@drops("non_checkable", "Its answer is garbled.", when_answer=rf"[A-Za-z]{SPACE}*[(\[]", about_answer=True)
def garbled_interval(row: Row) -> str | None:
    """``t(0,4]``: a variable glued to an interval."""
    return row.target if _LABELLED_BRACKET.match(bare(row.target)) else None
