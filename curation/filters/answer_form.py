"""Dropping rules for answers that no checker can compare: missing, empty, words, a rough value."""

from __future__ import annotations

import re

from curation.filters.answer_shape import bare, unwrapped_text
from curation.filters.rule import BOTH, Row, drops
from curation.filters.units import ABBREVIATIONS, CHINESE_UNITS, UNITS

_PLACEHOLDERS = frozenset(
    "- -- — – _ ? ?? . .. ... … n/a na n.a. n.a none null nil nan undefined_answer unknown notfound not_found tbd todo missing empty blank answer <answer> [answer] no_answer unanswered omitted 略 无 暂无 见解析 略。 答案略 无答案 暂无答案 未知".split()
) | frozenset(
    [
        "not found",
        "not available",
        "not given",
        "no answer",
        "your answer",
        "the answer",
        "final answer",
        "not applicable",
        "not provided",
        "no answer provided",
    ]
)
_REFERENCE = re.compile(
    r"\A\(?(?:see|refer to|as (?:above|shown|in)|cf\.?|shown|given) (?:the )?(?:solution|above|below|text|proof|figure|diagram|explanation|attachment|answer|work|figures?|graph)s?\b|\A(?:solution|proof|answer)s? (?:omitted|above|below|follows?)|\A见(?:解析|图|答案|详解)|\Aomitted",
    re.IGNORECASE,
)
_PROOF_SENTINEL = frozenset(
    ["proof", "proved", "proven", "q.e.d.", "qed", "证明略", "证明见解析", "\\blacksquare", "\\square"]
)
_EMPTY_SHAPE = re.compile(
    r"(?:\\(?:boxed|text|mathrm|mathbf|left|right|quad|qquad|,|;|!|\{|\}|displaystyle)|[\s$(){}\[\].,;:!\\~]|\\\(|\\\))*"
)
_REQUESTED = re.compile(
    r"(?:find|compute|evaluate|determine|calculate|what is|simplify|求|计算)\s*(?:the (?:exact |numerical )?(?:value|sum|product|limit|integral) (?:of|for)\s*)?\$*\s*(?P<wanted>[^?.。？]{1,200}?)\s*\$*\s*(?:[?.。？]|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_HAS_DIGIT = re.compile(r"\d")

_FUNCTION_WORDS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh ln log lg exp max min sup inf gcd lcm mod det lim deg dim ker arg re im pi sqrt frac cdot times infty alpha beta gamma theta phi omega delta lambda mu sigma tau rho epsilon "
    "and or if for where when with in is are be the of to a an all any real integer integers number numbers not only such that than positive negative nonnegative base from at each per odd even".split()
)
_CONNECTORS = frozenset(
    "and or if for where when with in is are be the of to a an all any real integer integers number numbers not such that than positive negative nonnegative natural from at each per odd even some every".split()
)
_COMMAND = re.compile(r"\\[A-Za-z]+\*?")
_WORD = re.compile(r"[A-Za-z]{2,}")
_NUMBER_WORD = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half third thirds quarter quarters dozen".split()
)
_SPOKEN_START = re.compile(
    r"(?:(?:a|an|the|only|no)\s+(?=[A-Za-z]{2})|(?:at|on|between|by|after|before|when|in|more|less|fewer|greater|exactly|about|around)\s+(?=\S))",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u4e00-\u9fff]")
_MATHEMATICS = re.compile(
    r"\d|[=<>^_+]|\\(?:frac|dfrac|tfrac|sqrt|pi|infty|emptyset|varnothing|mathbb|cup|cap|begin|log|sin|cos|ln)|∅|∞|π|√"
)

_APPROXIMATE = re.compile(
    r"\\approx|\\simeq|\\sim(?![a-z])|≈|\b(?:approximately|approx|roughly|nearly|almost|(?:about|around) (?=[\d\\$.]|half|a\b|one\b))|约|大约|左右|\A\s*~",
    re.IGNORECASE,
)
_ANY_OF_MANY = re.compile(
    r"\b(?:answers? (?:may|will|can|could) vary|any (?:number|integer|value|real|answer|of|positive|other)|for example|e\.g\.|such as|possible answers?|one possible|sample answer|many (?:possible )?(?:answers|solutions)|not unique|varies)\b|答案不唯一|例如|如[:：]|等等",
    re.IGNORECASE,
)
_LABELLED_BRACKET = re.compile(
    r"\A([a-zA-Z])\s*\(\s*-?[\d.]+\s*,\s*-?[\d.]+\s*\]\Z|\A([a-zA-Z])\s*\[\s*-?[\d.]+\s*,\s*-?[\d.]+\s*\)\Z"
)
_LONGEST = 600


@drops("empty", "It has no statement.", domains=BOTH)
def no_statement(row: Row) -> str | None:
    """Nothing, or nothing but punctuation."""
    return None if any(character.isalnum() for character in row.statement) else row.statement.strip()


@drops("empty", "It has no answer.")
def no_answer(row: Row) -> str | None:
    """Null, blank, or a word that stands for a missing answer. ``proof`` belongs to `proof_sentinel`."""
    if not row.answer_expected:
        return None
    answer = row.target
    if not answer:
        return ""
    shown = unwrapped_text(answer).strip().lower()
    return answer if answer.lower().strip("$ ") in _PLACEHOLDERS or (shown and _REFERENCE.match(shown)) else None


@drops("proof", "Its answer says that a proof was asked.", about_answer=True)
def proof_sentinel(row: Row) -> str | None:
    """``proof`` in the answer column, as NuminaMath-1.5 marks such rows."""
    return row.target if unwrapped_text(row.target).strip().lower() in _PROOF_SENTINEL else None


@drops("degenerate_answer", "Its answer holds nothing.", about_answer=True)
def hollow_answer(row: Row) -> str | None:
    """``$$``, ``\\boxed{}``, brackets around nothing."""
    answer = row.target
    return (
        answer
        if answer
        and (_EMPTY_SHAPE.fullmatch(answer) or not bare(answer))
        and answer not in ("\\{\\}", "$\\{\\}$", "{}", "[]", "()")
        or answer in ("{}", "[]", "()")
        else None
    )


@drops("degenerate_answer", "Its answer repeats the question.", about_answer=True)
def echoed_answer(row: Row) -> str | None:
    """``Find $f(f(3))$`` answered by ``f(f(3))``; the whole statement as its own answer."""
    plain = bare(row.target)
    if not plain or plain[:2] not in row.statement or _is_number(plain):
        return None
    answer = _squeezed(plain)
    if len(answer) > 20 and answer == _squeezed(row.statement):
        return row.target
    if any(_squeezed(found["wanted"]) == answer for found in _REQUESTED.finditer(row.statement)):
        return row.target
    return None


@drops("degenerate_answer", "Its answer is damaged.", about_answer=True)
def damaged_answer(row: Row) -> str | None:
    """Brackets or braces that do not match, a LaTeX command cut off, a fraction without its parts."""
    answer = row.target
    if not answer or answer.isalnum():
        return None
    plain = answer.replace("\\{", "").replace("\\}", "").replace("\\\\", "")
    if (
        plain.count("{") != plain.count("}")
        or answer.endswith("\\")
        or re.search(
            r"\\[dt]?frac\s*(?:\{\s*\}|\Z|\{[^{}]*\}\s*\Z)|\\sqrt\s*(?:\{\s*\}|\Z)|(?<![\\a-zA-Z])[dt]?frac\s*\{|(?<!\\)\bsqrt\{",
            answer,
        )
    ):
        return answer
    return (
        answer
        if bare(answer).endswith(("=", "+", "^", "_", "/", "-"))
        and len(bare(answer)) > 1
        and not bare(answer).endswith(("^+", "^-"))
        else None
    )


@drops("non_checkable", "Its answer is longer than a value can be.", about_answer=True)
def long_answer(row: Row) -> str | None:
    """A worked solution or a program in the answer column; a long integer is a value."""
    answer = row.target
    return (
        answer
        if len(answer) > _LONGEST
        and not answer.replace(",", "").lstrip("-+").isdigit()
        and _WORD.search(_COMMAND.sub("", answer))
        else None
    )


@drops("non_checkable", "Its answer is a unit without a value.", about_answer=True)
def unit_only(row: Row) -> str | None:
    """``hours``, ``cm^2``."""
    answer = unwrapped_text(row.target)
    words = [word.lower() for word in _WORD.findall(_COMMAND.sub(" ", answer))]
    if not words or len(words) > 4 or _HAS_DIGIT.search(re.sub(r"\^\{?[23]\}?", "", answer)):
        return None
    return (
        row.target
        if all(word in UNITS or word in ("per", "square", "cubic") for word in words)
        and not re.search(r"[=+*/<>]|\\frac", answer)
        else None
    )


@drops("non_checkable", "Its answer is a rough value.", about_answer=True)
def approximate_answer(row: Row) -> re.Match[str] | None:
    """``\\approx 8.24``, ``about half a million``."""
    return _APPROXIMATE.search(row.target) if row.target else None


@drops("non_checkable", "Its answer is one of many, or says so.", about_answer=True)
def one_of_many(row: Row) -> re.Match[str] | None:
    """``Answers will vary``, ``any integer``, ``for example``."""
    return _ANY_OF_MANY.search(row.target) if row.target else None


@drops("non_checkable", "Its answer is garbled.", about_answer=True)
def garbled_interval(row: Row) -> str | None:
    """``t(0,4]``: a variable glued to an interval."""
    return row.target if _LABELLED_BRACKET.match(bare(row.target)) else None


@drops("prose_answer", "Its answer is words.", about_answer=True)
def prose_answer(row: Row) -> str | None:
    """``Wednesday``, ``a rhombus``, ``丙``; a number with a unit, an interval or a function is a value."""
    answer = unwrapped_text(row.target)
    if not answer or answer.isdigit():
        return None
    if _CJK.search(answer):
        return row.target if _is_chinese_prose(answer) else None
    if _SPOKEN_START.match(answer):
        return row.target
    words = [word.lower() for word in _WORD.findall(_COMMAND.sub(" ", answer))]
    strange = [
        word
        for word in words
        if word not in _FUNCTION_WORDS and word not in UNITS and word not in ABBREVIATIONS and word not in _NUMBER_WORD
    ]
    if not strange:
        return (
            row.target
            if len(words) >= 3
            and not _MATHEMATICS.search(answer)
            and not any(word in _NUMBER_WORD for word in words)
            and not _is_symbolic(words)
            else None
        )
    if not _MATHEMATICS.search(answer):
        return row.target if any(word.isalpha() and _is_word(word, row) for word in strange) else None
    return row.target if len([word for word in strange if len(word) >= 3]) >= 3 else None


def _is_symbolic(words: list[str]) -> bool:
    return all(word not in _CONNECTORS for word in words)


def _is_word(word: str, row: Row) -> bool:
    """Tell a word from a product of variables such as ``abc``."""
    if len(word) >= 5:
        return True
    return (
        len(word) >= 3
        and re.search(r"[aeiouy]", word) is not None
        and not _is_product(word, row)
        or (len(word) == 2 and word in ("no", "it", "he", "up", "jo", "bo", "my", "we", "we"))
    )


def _is_product(word: str, row: Row) -> bool:
    return all(re.search(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", row.statement) for letter in set(word))


def _is_chinese_prose(answer: str) -> bool:
    rest = _CJK.sub("", answer)
    characters = _CJK.findall(answer)
    if not _MATHEMATICS.search(rest):
        return True
    return (
        len(characters) > 4
        and "".join(characters) not in CHINESE_UNITS
        and not all(character in "".join(CHINESE_UNITS) for character in characters)
    )


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-+]?[\d.,/]+", text) is not None


def _squeezed(text: str) -> str:
    return re.sub(r"[\s$]|\\left|\\right|\\[,;!]|\\displaystyle", "", text)
