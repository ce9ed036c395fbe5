"""What a statement says without its manner of speaking: the sequence of telling words, numbers and signs.

Two statements with one wording are one problem: they differ in articles, in the verb that asks ("Find", "What is"), in
number words, in requests for the form of the answer. Every number, sign, bracket, power, negation and quantity stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from curation.dedup.vocabulary import (
    ANSWER_FORM,
    HARMLESS,
    NAMES_IN_FORMULAS,
    NUMBER_WORDS,
    REQUEST_VERBS,
    SYNONYMS,
)
from curation.records import Domain
from curation.text import fold

WORDING_VERSION = 2
"""Raised whenever `wording` returns anything else for any text."""

_REPLACED = {**dict.fromkeys(HARMLESS, ""), **SYNONYMS, **NUMBER_WORDS}
BRACKETS = frozenset("()[]{}|")
"""Signs that copies of a problem set differently. They stay in a wording."""

_TENS = frozenset(str(10 * tens) for tens in range(2, 10))
_TRAILING = frozenset(("=", "equals", "equal", "to"))
_SHORTEST_PROSE = 3
_HYPHENED = frozenset(["base", "grade", "mod"])
"""Words that have a hyphen before a number as often as a space."""
_SHORTEST_REQUEST = 2
_VERB_TO_ANSWER = 3

# Line by line: a run of blank lines must not be looked at once for each of them.
_HEADING = re.compile(
    r"^[^\w\n]*(?:(?:sample|example)s?(?:[ \t]+(?:test|case|input|output)s?)*|demo|样例)[^\w\n]*\d*[^\w\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_LIMIT_LINE = re.compile(
    r"^[^\w\n]*(?:(?:time|memory) limit|(?:standard )?(?:input|output)[ \t]*:[ \t]*standard)\b.*$",
    re.IGNORECASE | re.MULTILINE,
)
# "a" is an article between words; beside a sign, a number or a single letter it is a variable.
_ARTICLE = re.compile(r"a (?=[^\W\d_]{2})(?:(?<=[^\W\d_]{2} a )|(?<=\Aa ))")
# Between numbers a product sign tells two factors from two numbers; elsewhere factors stand side by side as often.
_STRAY_PRODUCT = re.compile(r"\* (?:(?<!\d \* )|(?!\d))")
_RULE = re.compile(r"(?:- ){2,}-(?: |\Z)")
_DASH = re.compile(r"- ")
_LABEL = re.compile(r"(?<![A-Za-z\\])[A-Z](?:\s?[A-Z]){1,5}(?![A-Za-z])")
_TITLE = re.compile(r"\A\s*([^\n]{1,80})\n")
_SENTENCE_END = re.compile(r"[.?!:;,]\s*$")
_SHORTEST_BODY = 200


def wording(folded: str, labels: frozenset[str] = frozenset()) -> list[str]:
    """Return the wording of a folded text: lexemes in order, without what does not make another problem.

    Args:
        folded: the folded text.
        labels: names of points and figures as they fold ("BE" folds to "be"); they stay, in capitals.
    """
    folded = folded.replace("how many", "number").replace("at least", "atleast").replace("at most", "atmost")
    folded = _ARTICLE.sub("", folded)
    if "*" in folded:
        folded = _STRAY_PRODUCT.sub("", folded)
    if "-" in folded:
        folded = _DASH.sub(_minus, _RULE.sub("", folded))
    lexemes = folded.split(" ") if folded else []
    if "answer" in folded:
        lexemes = _without_answer_form(lexemes)
    if labels:
        words = [
            word
            for lexeme in lexemes
            if (word := lexeme.upper() if lexeme in labels else _REPLACED.get(lexeme, lexeme))
        ]
    else:
        words = [word for lexeme in lexemes if (word := _REPLACED.get(lexeme, lexeme))]
    if not _TENS.isdisjoint(words):
        words = _join_tens(words, lexemes)
    # "Then x + y =" asks as "Find x + y" does.
    while words and words[-1] in _TRAILING:
        words.pop()
    return words


def skeleton(words: Sequence[str]) -> list[str]:
    """Return the numbers and signs of a wording without brackets; problems with other ones are no duplicates."""
    return [word for word in words if not word[0].isalpha() and word not in BRACKETS]


def compared_text(domain: Domain | str, statement: str) -> str:
    """Return the part of a statement that is compared.

    That is all of a mathematical one. Sets of code problems differ in whether they give title, limits and examples, so
    these are left out where enough of the statement remains.
    """
    if domain != "code":
        return statement
    title = _TITLE.match(statement)
    start = title.end() if title is not None and not _SENTENCE_END.search(title.group(1)) else 0
    examples = _HEADING.search(statement, start)
    body = _LIMIT_LINE.sub(" ", statement[start : examples.start() if examples else len(statement)])
    return body if len(body) >= _SHORTEST_BODY else statement


def folded_wording(domain: Domain | str, statement: str, folded: str | None = None) -> list[str]:
    """Return the wording of a statement's compared part; ``folded`` is the statement's fold where it is known."""
    text = compared_text(domain, statement)
    labels = frozenset(map(_joined, _LABEL.findall(text)))
    return wording(folded if folded is not None and text is statement else fold(text), labels)


def _joined(label: str) -> str:
    return "".join(label.split()).lower()


def _without_answer_form(lexemes: list[str]) -> list[str]:
    kept: list[str] = []
    place = 0
    while place < len(lexemes):
        end = _request_end(lexemes, place) if lexemes[place] in REQUEST_VERBS else place
        if end > place:
            place = end
        else:
            kept.append(lexemes[place])
            place += 1
    return kept


def _request_end(lexemes: Sequence[str], start: int) -> int:
    """Return where a request for the answer's form ends that starts at ``start``; ``start`` where there is none."""
    ahead = lexemes[start + 1 : start + 1 + _VERB_TO_ANSWER]
    if "answer" not in ahead and "answers" not in ahead:
        return start
    end = start + 1
    while end < len(lexemes) and lexemes[end] in ANSWER_FORM:
        end += 1
    # What goes on after the known words may be a condition ("rounded to the nearest tenth"): then all of it stays.
    follows_at_once = end < len(lexemes) and lexemes[end] in ("rounded", "to", "modulo", "where", "for", "correct")
    return start if follows_at_once or end - start <= _SHORTEST_REQUEST else end


def _minus(dash: re.Match[str]) -> str:
    """Return a dash that is a minus sign, and nothing for one beside a word of prose."""
    text, start, end = dash.string, dash.start(), dash.end()
    before = text[text.rfind(" ", 0, max(0, start - 1)) + 1 : max(0, start - 1)]
    stop = text.find(" ", end)
    after = text[end : stop if stop >= 0 else len(text)]
    # What stands behind a word and before a number or a letter is its sign: "greater than -3".
    return "" if _is_prose(after) or before in _HYPHENED or not after else dash.group()


def _is_prose(word: str) -> bool:
    return len(word) >= _SHORTEST_PROSE and word.isalpha() and word not in NAMES_IN_FORMULAS


def _join_tens(words: Sequence[str], lexemes: Sequence[str]) -> list[str]:
    """Read "twenty five" as 25, but leave "20 5" in digits alone."""
    spoken = {NUMBER_WORDS[lexeme] for lexeme in lexemes if lexeme in NUMBER_WORDS}
    joined: list[str] = []
    for word in words:
        before = joined[-1] if joined else ""
        if before in _TENS and before in spoken and word in spoken and len(word) == 1 and word != "0":
            joined[-1] = before[0] + word
        else:
            joined.append(word)
    return joined
