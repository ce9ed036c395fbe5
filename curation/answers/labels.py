"""Answers in words: names, phrases, choice letters."""

from __future__ import annotations

import re

from curation.answers.chinese import in_plain_signs
from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.vocabulary import NUMBER_WORDS
from curation.text import fold

_WRAPPER = re.compile(r"\\(?:text(?:bf|it|rm|sf|tt)?|mathrm|mathbf|mbox|hbox|operatorname|emph)\s*\{([^{}]*)\}")
_ARTICLES = re.compile(r"\b(?:the|a|an|only|answer|is|are)\b")
_LETTER_CASE = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")
_CHOICE = re.compile(
    r"^\s*(?:\\(?:text|textbf|mathrm|mathbf|textrm)\s*\{\s*)?(?:(?:[Oo]ption|[Cc]hoice|[Aa]nswer|[故所以应]*选项?\s*[:：]?)\s*)?"
    r"[(（]?\s*([A-H])\s*[)）]?\s*[.。]?\s*\}?\s*$",
    re.DOTALL,
)
_CHOICE_AND_VALUE = re.compile(
    r"^\s*(?:\\(?:text|textbf|mathrm|mathbf|textrm)\s*\{\s*(?:\(([A-H])\)|([A-H])[.)])\s*\}|\(([A-H])\)|([A-H])[.):](?=\s))"
    r"(?:\s|\\ |~|\\[,;:!]|\\q?quad|[:.])*(\S*\w.*)$",
    re.DOTALL,
)

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_IN_FULL = {day[:length]: day for day in _DAYS for length in (3, 4, 5)}
_STEM = 4
_ENDINGS = frozenset({"", "s", "es", "d", "ed", "ing", "ent", "nt", "e"})
_LETTERS = frozenset("ABCDEFGH")
_LETTER_RUN = re.compile(r"[A-H]{2,}")
_LETTER_LIST = re.compile(r"[A-H](?:\s*(?:[,，、;；]|\band\b)\s*[A-H])+")
_GOES_ON = re.compile(r"[,;&^*/+=<>_]|(?:\\text\s*\{)?\s*(?:and|or)\b")

_EMPTY = frozenset(
    {"no solution", "no solutions", "no real solution", "no real solutions", "emptyset", "∅", "empty set", "empty"}
)
_ABSENT = frozenset({"dne", "does not exist", "doesn t exist", "undefined"})
_YES = frozenset({"yes", "true", "correct"})
_NO = frozenset({"no", "false", "incorrect"})
_MEANINGS = (_EMPTY, _ABSENT, _YES, _NO)
_NUMBER_LIKE = frozenset(
    {"none", "zero", "nothing", "infinite", "infinitely many", "infinity", "single", "unique", "both"}
)

_BLANK = re.compile(r" (?![A-Za-z0-9])|(?<![A-Za-z0-9.,]) |(?<=[.,]) (?!\d)")
_IN_BETWEEN = re.compile(r"[\s$~]+|\\[,;:! ()\[\]]")
_JOINTS = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_ALL_REALS = frozenset({"all real numbers", "all reals", "real numbers", "all real x", "all x", "every real number"})
_MAY_BE_NUMBER = re.compile(r"[\d=<>≤≥+*/^]|\b(?:" + "|".join([*NUMBER_WORDS, "none", "no", "half", "twice"]) + r")\b")


def split_choice(text: str) -> tuple[str, str] | None:
    """Split ``(B) 3/4`` into letter and value; None where the text is no letter with a value."""
    match = _CHOICE_AND_VALUE.match(text)
    if match is None or _GOES_ON.match(match.group(5)):
        return None
    letter = next(group for group in match.groups()[:4] if group)
    return letter, match.group(5)


def choice_letter(text: str) -> str | None:
    """Return the letter where the text is nothing but a choice letter, with or without parentheses."""
    match = _CHOICE.match(text.strip().strip("$"))
    return match.group(1) if match else None


def compare_letters(first: str, second: str) -> Comparison | None:
    """Compare several choice letters in one word with letters in a list: ``ACD`` with ``A, C, D``; None for others."""
    if first[:1] not in _LETTERS or second[:1] not in _LETTERS:
        return None
    runs = [bool(_LETTER_RUN.fullmatch(text)) for text in (first, second)]
    if runs[0] == runs[1] or not _LETTER_LIST.fullmatch(second if runs[0] else first):
        return None
    letters = [[letter for letter in text if letter in "ABCDEFGH"] for text in (first, second)]
    if letters[0] == letters[1]:
        return equal("choice", "the same letters")
    if sorted(letters[0]) == sorted(letters[1]):
        return unknown("choice", "the same letters in another order")
    return different("choice", "different letters")


def normal(text: str) -> str:
    """Return the words of an answer without wrappers, articles and case; single letters keep their case."""
    if not text.isascii():
        text = in_plain_signs(text)
    while (unwrapped := _WRAPPER.sub(r" \1 ", text)) != text:
        text = unwrapped
    letters = [letter for letter in _LETTER_CASE.findall(text) if letter not in "aA"]
    folded = " ".join(_ARTICLES.sub(" ", fold(text)).replace(".", " ").split())
    return folded + "\x00" + "".join(letters) if letters else folded


def same_text(first: str, second: str) -> bool:
    """Tell whether two texts are the same but for dollar signs and spaces that separate nothing."""
    one, other = (_BLANK.sub("", _IN_BETWEEN.sub(" ", text)) for text in (first, second))
    return one == other


def compare_words(first: str, second: str) -> Comparison:
    """Compare two answers of which at least one is words."""
    one, other = (_IN_FULL.get(words, words) for words in (normal(first), normal(second)))
    if not one or not other:
        return unknown("text", "nothing is left without articles and marks")
    if one == other:
        return equal("text", "the same words")
    for meaning in _MEANINGS:
        if one in meaning and other in meaning:
            return equal("text", "words of the same meaning")
    if one in _NUMBER_LIKE or other in _NUMBER_LIKE:
        return unknown("text", "a word that can stand for a number")
    if " and " in one + other and _in_any_order(first) == _in_any_order(second):
        return equal("text", "the same words joined in another order")
    if {one, other} <= _YES | _NO:
        return different("text", "different words")
    if one.isalpha() and other.isalpha():
        if _is_form_of(one, other):
            return unknown("text", "forms of one word")
        return different("text", "different words")
    return unknown("text", "phrases that may mean the same")


def _is_form_of(one: str, other: str) -> bool:
    """Tell whether two words differ in nothing but endings of inflection: ``converges`` and ``convergent``."""
    shared = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    shared = min(len(one), len(other)) if shared is None else shared
    return shared >= _STEM and one[shared:] in _ENDINGS and other[shared:] in _ENDINGS


def _in_any_order(text: str) -> list[str]:
    return sorted(normal(part) for part in _JOINTS.split(text))


def means_all_reals(words: str) -> bool:
    """Tell whether words say that every real number is an answer."""
    return normal(words).partition("\x00")[0] in _ALL_REALS


def compare_word_with_formula(words: str, formula_text: str) -> Comparison:
    """Compare an answer in words with one that is a formula."""
    letters = choice_letter(words), choice_letter(formula_text)
    if letters[0] and letters[1]:
        same = letters[0] == letters[1]
        return equal("choice", "the same letter") if same else different("choice", "different letters")
    said, written = (_IN_FULL.get(text, text) for text in (normal(words), normal(formula_text)))
    if said == written and said in _DAYS:
        return equal("text", "the same day")
    if any(said in meaning and written in meaning for meaning in _MEANINGS):
        return equal("text", "words of the same meaning")
    if said not in _EMPTY and (said in _NUMBER_LIKE | _ALL_REALS or _MAY_BE_NUMBER.search(said)):
        return unknown("text", "words that may stand for a formula")
    return different("text", "words against a formula")
