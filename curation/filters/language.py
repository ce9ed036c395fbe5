"""The language of a statement, and the rule that keeps the wanted ones.

Scripts decide for Chinese, Japanese, Korean, Russian and the like. For the Latin script English function words decide
nearly every row at the cost of a set look-up; the rest goes to py3langid (BSD-3, pure Python, 4.6 MB with its model),
and only a clear verdict on enough words drops a row: a short text between formulas says too little.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from curation.filters.rule import BOTH, DropRule, Row

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_ENGLISH_WORDS = """
the of is and what find if that with for how many are in to be at from by let which each such as on value has have all
number given compute evaluate determine simplify solve express when then where not than this an it one two a he she they
was were there his her more much will would we you both
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_PLAIN_ENGLISH = (
    "^[[:ascii:]]*(?: the (?:[[:ascii:]]* )?(?:of|is|and)| (?:of|is|and) (?:[[:ascii:]]* )?the) [[:ascii:]]*$"
)
"""The trigger that spares most rows the look at their words."""
_ENOUGH_ENGLISH = 4
_ENGLISH_SHARE = 6
"""A text with one English function word in so many words is English."""

_WORD = re.compile(r"[^\W\d_]+")
_COMMAND = re.compile(r"\\[A-Za-z]+|\{[^{}]*\}")
_SCRIPTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("el", re.compile("[\u0370-\u03ff]")),
)
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_FEWEST_GREEK = 12
_KANA_SHARE = 8
_FEWEST_LETTERS, _FEWEST_WORDS = 24, 4
_MOST_DOUBT = 0.1


def language_rule(wanted: tuple[str, ...]) -> DropRule:
    """Return the rule that drops statements in other languages than ``wanted`` (ISO 639-1 codes)."""
    english = "en" in wanted

    def other_language(row: Row) -> str | None:
        text = row.statement
        if english and " the " in text and (" of " in text or " is " in text or " and " in text) and text.isascii():
            return None
        if english and text.isascii() and len(_ENGLISH.intersection(row.words)) >= _ENOUGH_ENGLISH:
            return None
        return foreign_text(row.prose, wanted)

    sentence = f"It is not in one of the languages {', '.join(wanted)}."
    return DropRule(
        "other_language", "language", sentence, other_language, BOTH, unless=_PLAIN_ENGLISH if english else None
    )


def foreign_text(prose: str, wanted: tuple[str, ...]) -> str | None:
    """Return a piece of the text where it is certainly in none of the wanted languages, else None.

    Args:
        prose: a statement with its formulas blanked.
        wanted: ISO 639-1 codes.
    """
    script = "" if prose.isascii() else _script(prose)
    if script:
        return None if script in wanted else _sample(prose)
    words = [word.lower() for word in _WORD.findall(_COMMAND.sub(" ", prose)) if len(word) > 1]
    english = sum(word in _ENGLISH for word in words)
    if "en" in wanted and english * _ENGLISH_SHARE >= len(words):
        return None
    text = " ".join(words)
    if len(text) < _FEWEST_LETTERS or len(words) < _FEWEST_WORDS:
        return None
    certain = sum(share for code, share in _identifier().rank(text) if code in wanted)
    return _sample(prose) if certain < _MOST_DOUBT else None


def _script(prose: str) -> str:
    """Return the language that the script stands for; "" where the letters are Latin or there are none."""
    counts = {name: len(pattern.findall(prose)) for name, pattern in _SCRIPTS}
    if counts["ja"] * _KANA_SHARE > counts["zh"]:
        counts["ja"] += counts["zh"]
        counts["zh"] = 0
    if counts["el"] < _FEWEST_GREEK:
        counts["el"] = 0
    name = max(counts, key=lambda key: counts[key])
    latin = len(_LATIN.findall(_COMMAND.sub(" ", prose)))
    # A Chinese character carries about as much as three letters.
    weight = 3 if name in ("zh", "ja", "ko") else 1
    return name if counts[name] and counts[name] * weight >= latin else ""


def _sample(prose: str) -> str:
    return " ".join(prose.replace("\ufffc", " ").split())[:80]


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    # It loads NumPy, in every process that filters, and most sets have no row that needs it.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
