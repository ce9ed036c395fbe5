"""Dropping rules for statements that ask for more than one thing."""

from __future__ import annotations

import re

from curation.filters.answer_shape import bare, components, unwrapped_text
from curation.filters.prose_answers import prose_answer
from curation.filters.questions import (
    ENUMERATED,
    Parts,
    asks,
    asks_for_value,
    enumerations,
    question_sentences,
)
from curation.filters.rule import Row, at_word, drops, one_of
from curation.filters.triggers import SPACE, either, in_prose, signs, words

_PREMISES = re.compile(
    r"\b(?:conditions?|propert(?:y|ies)|such that|satisf\w+|if|so that|where|holds?|rules?|statements?|axioms?"
    r"|constraints?|operations?|moves?|steps?|types?|cases?|ways|facts|following is|equations?|inequalities|how many"
    r"|number of|either|defined|definition|assum\w+|options?|which of)\b[^.?!]*$"
)
_EACH = re.compile(
    r"(?:\b(?:find|evaluate|compute|calculate|simplify|factor|determine|differentiate|integrate|express|write|convert"
    r"|expand|solve|prove|show|state|give|answer|sketch)\b[^.?!]*|\b(?:values?|each|following)\b[^.?!]*|[:：]\s*)$"
)
_LAST_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_ANSWER_PARTS = one_of(
    r"[(（]\s*(?:a|1|i)\s*[)）].*[(（]\s*(?:b|2|ii)\s*[)）]",
    r"(?:\A|\s)(?:a|1)[).]\s.*\s(?:b|2)[).]\s",
    r"①.*②|Part A.*Part B",
    flags=re.DOTALL | re.IGNORECASE,
)

_BLANK = one_of(
    r"_{2,}|(?:\\_\s*){2,}",
    r"\\underline\{\s*(?:\\(?:h?space\*?\{[^{}]*\}|q?quad|hskip[\d.\s]*\w*|[,;! ])\s*|~|\s)*\}",
    r"\\(?:rule|hrulefill|blank)\b(?:\{[^{}]*\}){0,2}",
    r"[(（](?:\s|\\q?quad|　)*[)）]|【\s*】|\[\s+\]",
)
_QUAD_BLANK = re.compile(r"\\qquad(?![A-Za-z])")
_FORMULA_BLANK = re.compile(r"\$\s*(?:\\q?quad\s*)+\$|\\\(\s*(?:\\q?quad\s*)+\\\)")
_CJK = re.compile("[\u4e00-\u9fff]")

_REQUEST = r"(?:find|determine|compute|calculate|evaluate|state|give|write down|what (?:is|are|were|was)|identify)"
_BOTH = re.compile(
    rf"\b{_REQUEST}\b (?:the values? of )?both (?!sides|cases|times|ways)(?:the |its |of )?[^.?!]{{1,60}}? and\b"
)
_SYMBOL = r"(?:\ufffc+|[a-zA-Z](?![a-zA-Z])|[a-zA-Z]\([^()]{1,6}\))"
_SYMBOLS = rf"{_SYMBOL}(?:\s*,\s*{_SYMBOL})*,?\s*(?:and|&)\s*{_SYMBOL}"
_LISTED = at_word(
    rf"{_REQUEST}\b[^.?!]{{0,60}}?\b(?:values?|lengths?|coordinates?|measures?|ages?|sizes?|areas?|numbers?|integers?"
    r"|digits?|constants?|coefficients?|probabilities|angles?)\b (?:of |for )?(?:the )?(?:[a-z]+ )?" + _SYMBOLS,
    rf"{_REQUEST} {_SYMBOLS}",
    rf"{_REQUEST}\b[^.?!]{{0,40}}\b(?:the )?(?:[a-z]+ ){{1,3}}and (?:the )?(?:[a-z]+ ){{1,3}}of\b",
    flags=re.IGNORECASE,
)
_SEVERAL_WANTED = one_of(
    r"\bwhat are they\b|\brespectively\b|\bdimensions\b|\beach of\b",
    r"\b(?:find|determine|what are|compute|calculate|name|list|give)\b[^.?!]{0,40}\b(?:their|these (?:two|three|four)?"
    r"|those|each|the (?:two|three|four|five|other two)|two|three|four|both)\b"
    r"(?! (?:real |complex |distinct |integer |possible |positive |negative )*"
    r"(?:roots?|solutions?|zeros?|zeroes|values? (?:of|for)|possib|x-intercepts))",
    r"\b(?:find|determine|what are) the "
    r"(?:numbers|ages|prices|costs|values|lengths|dimensions|measures|angles|sides)\b",
)
_WHOLE_SET = re.compile(r"\ball\b|\bpossible\b")
_SOLUTION_SET = one_of(
    r"\b(?:all|solutions?|roots?|zeros?|zeroes|possible|possibilities|every|solve|intercepts?|set of|factors?|divisors"
    r"|eigenvalues|critical|list|points?|any|coordinates?|asymptotes?|sequence|could be|can be|value or values)\b",
    r"\bsatisf|\bwhich (?:integers|numbers|values|primes|positive)\b|\bfor (?:which|what)\b",
    r"\bordered (?:pair|triple|tuple|quadruple)|\bseparated by commas?\b",
    r"\bvalues? (?:of|for|can|could|does|do|that)\b|\bin (?:increasing|ascending|descending) order\b",
    r"所有|解(?:集|为|是)|的解|求解|有解|通解|[的实两]根|根[为是]|零点|取值|可能|集合|方程",
)
_NAMED_VALUE = re.compile(
    r"\s*(?:\\text\s*\{)?\s*(?P<name>[A-Za-z][A-Za-z_{}\\0-9' ]{0,24}?)\}?\s*(?:=|:|\bis\b|≈|\\approx)\s*\S"
)
_WORD_THEN_NUMBER = re.compile(
    r"(?!\s*(?:all|every|any|each|excluding|except|multiples)\b)"
    r"\s*(?:\\text\s*\{)?\s*[A-Za-z]{3,}[A-Za-z ]*\}?\s*[:=]?\s*\$?-?\\?[\d.]"
)
_COMMAND = re.compile(r"\\[A-Za-z]+")
_LONG_WORD = re.compile(r"[A-Za-z]{2,}")
_VERB = re.compile(r"\b(?:is|are|was|will|wins?|has|have|if|when|because|does|can|cannot|must|by|for)\b", re.IGNORECASE)
_WORDS_OF_A_SENTENCE = 5
_NAME = re.compile(r"[A-Z][a-z]{2,}")
_MEASURE = re.compile(
    r"\d+(?:\.\d+)?\s*(?:\\text\{)?\s*(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|feet|foot|ft|inch(?:es)?|in|pounds?|lbs?"
    r"|ounces?|oz|dollars?|cents?|yards?|years?|months?|weeks?|m|cm|km|kg|g)\.?\}?"
)
"""A part of a measure of mixed units: ``3 hours and 20 minutes`` is one value."""
_SEVERAL = rf"[;；、,，和\n]|and|\\q?quad|\{{{SPACE}*['\"]"
"""The trigger of rules about answers of several pieces."""
_DICTIONARY = re.compile(r"\A\s*\{\s*['\"][^'\"]+['\"]\s*:")


_ASKS_VALUE = re.compile(
    r"\b(?:what|how (?:many|much|long|far|old|fast)|find|determine|compute)\b|多少|几", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“”]|``|''|\A\s*\(")
_REWRITES = one_of(
    r"\A\s*(?:what is|find|compute|determine) (?:the value of )?\ufffc+\s*[?.]?\s*\Z",
    r"\A\s*(?:that is|in other words|i\.e\.|namely|if the answer is|the (?:original )?answer)\b",
    r"\A\s*(?:express|enter|give|note)\b",
    r"\bin other words\b|\boriginal answer\b|\bif (?:the|your) answer\b|\bas (?:a|an) (?:fraction|integer|decimal)\b",
    flags=re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"(?:[^\n]|\n(?!\s*\n))+")
_REQUESTS_VALUE = re.compile(
    r"(?:\A|[.?!\ufffc]\s+|,\s*|\n)(?:then |also )?"
    r"(?:find|determine|compute|calculate|evaluate|what is|what are|how many)\b",
    re.IGNORECASE,
)


@drops(
    "multi_part",
    "It has several parts that each ask something.",
    when=ENUMERATED,
)
def several_parts(row: Row) -> str | None:
    """``(a) Find ... (b) Find ...``; enumerated conditions, cases and rules are no parts."""
    for parts in enumerations(row.prose):
        asking = [item for item in parts.items if asks_for_value(item)]
        if len(asking) >= 2 or (_asks_for_each(parts) and not asks(parts.items[-1])):
            return row.statement[parts.start :]
    return None


@drops(
    "multi_part",
    "Its answer comes in labelled parts.",
    when_answer=rf"(?i:[(（]{SPACE}*(?:a|1|i){SPACE}*[)）]|(?:^|{SPACE})[a1][).]{SPACE}|①|Part A)",
    about_answer=True,
)
def answer_in_parts(row: Row) -> re.Match[str] | None:
    """``(a) 3; (b) 5``."""
    return _ANSWER_PARTS.search(row.target)


@drops("multi_part", "It asks several questions.", when="[?？](?s:.*)[?？]")
def several_questions(row: Row) -> str | None:
    """Two question sentences, unless the last rewrites the first (``What is $m+n$?``, ``In other words, ...``)."""
    questions = question_sentences(row.prose)
    if len(questions) < 2:
        return None
    last = row.statement[questions[-1].start() : questions[-1].end()].strip()
    if len(components(row.target)) >= 2 or _DICTIONARY.match(row.target):
        return last
    sentences = [question.group() for question in questions]
    asking = [text for text in sentences if _ASKS_VALUE.search(text) and not _QUOTED.search(text)]
    return last if len(asking) >= 2 and not _REWRITES.search(asking[-1]) else None


@drops(
    "multi_part",
    "It asks one thing after another.",
    when=signs("\n\n", "\n \n"),
)
def several_paragraphs(row: Row) -> str | None:
    """Paragraphs that each end a request of their own; one that tells how to write the answer is none."""
    requests = [
        paragraph
        for paragraph in _PARAGRAPH.finditer(row.prose)
        if _REQUESTS_VALUE.search(paragraph.group()) and paragraph.group().rstrip().endswith((".", "?", "\ufffc"))
    ]
    if len(requests) < 2 or _REWRITES.search(requests[-1].group()):
        return None
    return row.statement[requests[-1].start() : requests[-1].end()].strip()


@drops(
    "multi_answer",
    "It has several blanks to fill in.",
    when=either(
        words("quad qquad underline rule hrulefill blank blanks"),
        signs("__", "\\_", "( )", "()", "[ ]", "（", "【", "　"),
    ),
)
def several_blanks(row: Row) -> str | None:
    """Two blanks as lines, empty brackets or, in Chinese, ``\\qquad``."""
    text = row.statement
    blanks = [found.span() for found in _BLANK.finditer(row.prose)]
    blanks += [found.span() for found in _FORMULA_BLANK.finditer(text)]
    if _CJK.search(text) or "blank" in row.lower:
        blanks += [found.span() for found in _QUAD_BLANK.finditer(row.prose)]
    blanks.sort()
    apart = [
        span
        for index, span in enumerate(blanks)
        if index == 0 or text[blanks[index - 1][1] : span[0]].strip(" .．。,，$\n")
    ]
    return text[apart[0][0] : apart[-1][1]] if len(apart) >= 2 else None


@drops("multi_answer", "It asks for two things at once.", when=words("both"), when_prose=in_prose(_BOTH))
def both_wanted(row: Row) -> re.Match[str] | None:
    """``Find both the area and the perimeter``."""
    return _BOTH.search(row.prose_lower)


@drops("multi_answer", "Its answer gives names to several values.", when_answer=_SEVERAL, about_answer=True)
def named_values(row: Row) -> str | None:
    """``area 36, perimeter 24``, ``a = 1, b = 2``, a dictionary."""
    answer = row.target
    if _DICTIONARY.match(answer):
        return answer
    pieces = components(answer)
    if len(pieces) < 2 or _is_prose(row):
        return None
    names = [found["name"].strip() for piece in pieces if (found := _NAMED_VALUE.match(piece)) is not None]
    if len(names) == len(pieces) == len(set(names)) and "solve" not in row.words and "all" not in row.words:
        return answer
    return answer if all(_WORD_THEN_NUMBER.match(piece) for piece in pieces) else None


@drops(
    "multi_answer", "It asks for several values, and the answer lists them.", when_answer=_SEVERAL, about_answer=True
)
def several_values(row: Row) -> str | None:
    """A bare list as the answer where no solution set was asked: ``What are $a$ and $b$?``, ``Find their ages.``"""
    pieces = components(row.target)
    if _is_prose(row):
        return None
    if len(pieces) >= 2 and all(_MEASURE.fullmatch(piece) for piece in pieces):
        return None
    if len(pieces) < 2 or "\\begin" in row.target or ".." in row.target or "dots" in row.target:
        return None
    listed = _LISTED.search(row.prose)
    if listed is not None and "\\cup" not in bare(row.target):
        return row.statement[listed.start() : listed.end()]
    wanted = _SEVERAL_WANTED.search(row.prose_lower)
    if wanted is not None and not _WHOLE_SET.search(row.prose_lower):
        return row.statement[wanted.start() : wanted.end()]
    return None if _SOLUTION_SET.search(row.prose_lower) else row.target


def _is_prose(row: Row) -> bool:
    """Tell prose from a list: names, or clauses with commas between them; another rule drops it for what it is."""
    if prose_answer.find(row) is None:
        return False
    spoken = _COMMAND.sub(" ", unwrapped_text(row.target))
    if _VERB.search(spoken) is not None and len(_LONG_WORD.findall(spoken)) >= _WORDS_OF_A_SENTENCE:
        return True
    return all(_NAME.fullmatch(unwrapped_text(piece)) for piece in components(row.target))


def _asks_for_each(parts: Parts) -> bool:
    """Tell whether the lead asks for every item, as ``Evaluate the following: (a) ... (b) ...``."""
    last = _LAST_SENTENCE.split(parts.lead.strip())[-1].lower()
    return bool(last) and _EACH.search(last) is not None and asks(last) and _PREMISES.search(last) is None
