"""What survives when a problem is reworded or translated: its numbers, formulas, labels, objects and names.

A signature is a set of features that do not depend on the language: ``n`` numbers by value (in digits or words, small
powers, factorials and decimal fractions worked out), ``f`` runs of three formula tokens with the variables masked,
``l`` labels of points and figures, ``c`` concepts of `curation.contamination.concepts`, ``w`` other telling words, cut
to their stems.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from curation.contamination.concepts import concept_of, concepts_in
from curation.contamination.prepared import Prepared
from curation.contamination.vocabulary import NUMBER_WORDS, STOCK
from curation.remembered import Remembered

Language = Literal["en", "han", "other"]

_FEW_WORDS = 6
_ENGLISH_SHARE = 0.2
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LABEL = re.compile(r"[A-Z](?<![A-Za-z\\][A-Z])(?:\s?[A-Z]){1,6}(?![A-Za-z])")
_HAN_NUMBER = re.compile("[二两兩三四五六七八九十百千]+")
_HAN_DIGITS = {"二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_OPERATORS = frozenset("+-=<>≤≥≠/%±≡≈∈")
_FUNCTION_NAMES = "sin cos tan cot log ln sqrt floor ceil gcd lcm max min binom mod sum prod int"
_FUNCTIONS = frozenset(_FUNCTION_NAMES.split())
_SIGNS = _OPERATORS | _FUNCTIONS
_NUMBERS_IN_WORDS = {
    "half": "2", "halves": "2", "twice": "2", "double": "2", "third": "3", "thirds": "3", "triple": "3",
    "quarter": "4", "quarters": "4", "fifth": "5", "sixth": "6", "seventh": "7", "eighth": "8", "ninth": "9",
    "tenth": "10", "hundredth": "100", "pentagon": "5", "hexagon": "6", "heptagon": "7", "octagon": "8",
    "nonagon": "9", "decagon": "10", "dodecagon": "12", "pentagons": "5", "hexagons": "6", "octagons": "8",
    "pentagonal": "5", "hexagonal": "6", "octagonal": "8",
}  # fmt: skip
_MOST_NUMBER = 10**12
_POWER = re.compile(r"(?<![\d.])(\d{1,3}) \^ (\d{1,2})(?![\d.])")
_FACTORIAL = re.compile(r"(?<![\d.])(1?\d) !")
_FRACTION = re.compile(r"(?<![\d.])(\d{1,3}) / (2|4|5|8|10|20|25|50|100)(?![\d.])")


@dataclass(frozen=True, slots=True)
class Signature:
    """The features of one text.

    Attributes:
        features: with their kind's letter and a colon before them.
        worked_out: values of powers, factorials and fractions, as number features; another text may give the value.
        language: ``en``; ``han`` where much of the text is Chinese, Japanese or Korean; ``other`` for the rest.
        length: how many tokens the text has.
    """

    features: frozenset[str]
    worked_out: frozenset[str]
    language: Language
    length: int


def sign(text: str, prepared: Prepared) -> Signature:
    """Return the signature of a text."""
    words = prepared.words if _JOINED_WORDS.isdisjoint(prepared.words) else _join_number_words(prepared.words)
    classes = bytes(map(_CLASSES.__getitem__, words))
    labels = {"".join(label.split()).lower() for label in _LABEL.findall(text)}
    if _COUNTED in classes:
        features = {f"n:{value}" for value in _numbers(words, classes)}
        features.update(filter(None, map(_FEATURES.__getitem__, {*words} - labels)))
    else:
        features = set(filter(None, map(_FEATURES_AND_NUMBERS.__getitem__, {*words} - labels if labels else {*words})))
    features.update(_formula_runs(words, classes))
    features.update("l:" + label for label in labels)
    worked_out = frozenset(f"n:{value}" for value in _worked_out(prepared.folded))
    han = not text.isascii() and bool(_HAN.search(text))
    if han:
        features.update("c:" + concept for concept in concepts_in(text))
        features.update("n:" + value for value in han_numbers(text))
    return Signature(frozenset(features), worked_out - features, _language(words, classes, han), len(words))


_NUMBER, _SIGN, _SIGN_WORD, _STOCK_SIGN_WORD, _LETTER, _TWO_LETTERS, _STOCK_WORD, _WORD, _ELSE = b"nsStvweox"
_COUNTED = b"nnn"
_NUMBER_RUN = re.compile(b"n+")
_FORMULA_RUN = re.compile(b"[nsStvw]{3,}")
_ANY_SIGN = re.compile(b"[sSt]")


def _word_class(word: str) -> int:
    """Return one letter for what a word is to a signature; runs of classes are found in the string of them."""
    if word[0].isdigit():
        return _NUMBER
    spoken = len(word) >= 2 and word.isalpha()
    if word in _SIGNS:
        return (_STOCK_SIGN_WORD if word in STOCK else _SIGN_WORD) if spoken else _SIGN
    if word.isalpha() and word.isascii() and len(word) <= 2 and (len(word) == 1 or word not in STOCK):
        return _TWO_LETTERS if spoken else _LETTER
    if spoken:
        return _STOCK_WORD if word in STOCK else _WORD
    return _ELSE


_CLASSES = Remembered(_word_class)


def _language(words: Sequence[str], classes: bytes, han: bool) -> Language:
    if han and sum(1 for word in words if _HAN.match(word)) * 4 > len(words):
        return "han"
    english = classes.count(_STOCK_WORD) + classes.count(_STOCK_SIGN_WORD)
    spoken = english + classes.count(_WORD) + classes.count(_SIGN_WORD) + classes.count(_TWO_LETTERS)
    return "en" if spoken < _FEW_WORDS or english >= _ENGLISH_SHARE * spoken else "other"


def stem(word: str) -> str:
    """Cut an English word to what its forms share: plurals, -ing, -ed, -ly, -er; others stay nearly as they are."""
    for ending in ("ingly", "edly", "ings", "ing", "ied", "ies", "ers", "ed", "es", "ly", "er", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] else word


def _join_number_words(words: Sequence[str]) -> list[str]:
    """Put "twenty five" together; say the number that words like "hexagon" and "third" hold after them."""
    joined: list[str] = []
    start = 0
    for place, word in enumerate(words):
        if word not in _JOINED_WORDS:
            continue
        if word in _NUMBERS_IN_WORDS:
            joined += words[start : place + 1]
            joined.append(_NUMBERS_IN_WORDS[word])
            start = place + 1
        elif (after := words[place + 1 : place + 2]) and len(after[0]) == 1 and after[0].isdigit() and after[0] != "0":
            joined += words[start:place]
            joined.append(word[0] + after[0])
            start = place + 2
    return [*joined, *words[start:]]


_TENS_WORDS = frozenset(str(10 * tens) for tens in range(2, 10))
_JOINED_WORDS = _TENS_WORDS | _NUMBERS_IN_WORDS.keys()


def _numbers(words: Sequence[str], classes: bytes) -> Iterator[str]:
    for run in _NUMBER_RUN.finditer(classes):
        start, end = run.span()
        for place in range(start, end):
            # Inside a counted list only the ends tell something: "1, 2, 3, 4" and "1 to 4" are one range.
            inside = start < place < end - 1
            if inside and _follows(words[place - 1], words[place]) and _follows(words[place], words[place + 1]):
                continue
            yield plain_number(words[place])


def plain_number(word: str) -> str:
    """Return a number's text without leading zeros."""
    return word.lstrip("0") or "0" if word.isdecimal() else word


def number_of(word: str) -> str | None:
    """Return the number that a token or an English number word means."""
    word = NUMBER_WORDS.get(word) or _NUMBERS_IN_WORDS.get(word) or word
    return plain_number(word) if word[0].isdigit() else None


def _follows(one: str, other: str) -> bool:
    return one.isdecimal() and other.isdecimal() and len(other) < 6 and int(other) - int(one) == 1


def _worked_out(folded: str) -> Iterator[str]:
    for base, exponent in _all_before(" ^ ", _POWER, folded):
        if int(base) > 1 and (value := int(base) ** int(exponent)) <= _MOST_NUMBER:
            yield str(value)
    for (number,) in _all_before(" !", _FACTORIAL, folded):
        yield str(math.factorial(int(number)))
    for number, divisor in _all_before(" / ", _FRACTION, folded):
        if int(number) % int(divisor):
            yield f"{int(number) / int(divisor):g}"


def _all_before(sign: str, pattern: re.Pattern[str], folded: str) -> Iterator[Sequence[str]]:
    """Yield the groups of what a pattern finds that starts with the token before a sign; tries it nowhere else."""
    end, place = 0, folded.find(sign)
    while place >= 0:
        start = folded.rfind(" ", 0, place) + 1
        found = pattern.match(folded, start) if start >= end else None
        if found is not None:
            yield found.groups()
            end = found.end()
        place = folded.find(sign, place + 1)


def han_numbers(text: str) -> Iterator[str]:
    """Yield the numbers above one that stand in a text in Chinese characters."""
    for match in _HAN_NUMBER.findall(text):
        value, digit = 0, 0
        for character in match:
            if character in _HAN_UNITS:
                value, digit = value + (digit or 1) * _HAN_UNITS[character], 0
            else:
                digit = _HAN_DIGITS[character]
        yield str(value + digit)


def _formula_runs(words: Sequence[str], classes: bytes) -> Iterator[str]:
    for found in _FORMULA_RUN.finditer(classes):
        if _ANY_SIGN.search(found.group()):
            start, end = found.span()
            run = list(map(_WITHOUT_VARIABLES.__getitem__, words[start:end]))
            for three in zip(run, run[1:], run[2:], strict=False):
                yield "f:" + " ".join(three)


_WITHOUT_VARIABLES: Remembered[str] = Remembered(
    lambda word: "v" if _CLASSES[word] in (_LETTER, _TWO_LETTERS) else word
)


def word_feature(word: str) -> str | None:
    """Return the feature of a word: its concept, or its stem where it has none and is no stock word."""
    if len(word) < 3 or not word.isalpha():
        return None
    concept = concept_of(word)
    if concept is not None:
        return f"c:{concept}"
    return None if word in STOCK else f"w:{stem(word)}"


_FEATURES = Remembered(word_feature)
_FEATURES_AND_NUMBERS: Remembered[str | None] = Remembered(
    lambda word: f"n:{plain_number(word)}" if word[0].isdigit() else word_feature(word)
)
