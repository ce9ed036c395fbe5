"""Canaries: benchmark items changed by machine in ways that a leak changes them, to see which of them an audit finds.

Every kind is a small function from an item's text to a changed one, or to None where the text gives no occasion for it.
What a machine cannot do honestly, such as translating, is not here; `NOT_PLANTED` says so.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from curation.contamination.items import Kind

NOT_PLANTED: Mapping[str, str] = {
    "translated": "no machine step translates a problem faithfully; the kind is looked for and not measured here",
    "reworded freely": "only stock phrases and small numbers are reworded here; people and models reword more",
    "turned round": "the converse of a problem, a part of it or an answer made an integer is another text altogether",
}
"""Ways of leaking that no canary stands for, and why."""

_LONGEST_OWN = 600
_FEWEST_WORDS = 20
_CHANGED_SHARE = 0.1
_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[A-Za-z]{2,}")
_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")
_BLANK = re.compile(r"(?<=\S) (?=\S)")
_LETTERS = "abcdfghkmnpqrstuvwxyz"
_SYMBOLS = {
    r"\leq": "≤", r"\le": "≤", r"\geq": "≥", r"\ge": "≥", r"\neq": "≠", r"\cdot": "·", r"\times": "×", r"\ldots": "…",
    r"\dots": "…", r"\pi": "π", r"\alpha": "α", r"\beta": "β", r"\angle": "∠", r"\triangle": "△", r"\infty": "∞",
    r"\in": "∈", r"\frac": r"\dfrac", r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\mathbb": r"\Bbb",
}  # fmt: skip
_PHRASES = (
    ("Find all", "Determine all"), ("Find the", "Determine the"), ("Compute the", "Find the"),
    ("Determine the", "Find the"), ("What is the", "Find the"), ("How many", "Count how many"),
    ("Given that", "Suppose"),
    ("relatively prime", "coprime"), ("coprime", "relatively prime"), ("is divided by", "is reduced modulo"),
    ("such that", "so that"), ("positive integers", "integers greater than zero"),
    ("positive integer", "integer greater than zero"), ("real numbers", "reals"), ("probability that", "chance that"),
    ("respectively", "in this order"), ("distinct", "different"), ("Suppose that", "Assume that"), ("Let", "We let"),
    ("at least", "no fewer than"), ("at most", "no more than"), ("exactly", "precisely"), ("smallest", "least"),
    ("largest", "greatest"), ("maximum", "largest possible"), ("minimum", "smallest possible"), ("total", "overall"),
)  # fmt: skip
_SMALL_NUMBERS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
"""
_BEFORE = "Solve the following problem. Show your work."
_AFTER = "Think step by step and put your final answer within \\boxed{}."


@dataclass(frozen=True, slots=True)
class Material:
    """What canaries are made with.

    Attributes:
        chance: the source of every choice; seeded.
        own: texts of the user's rows, at least one.
    """

    chance: random.Random
    own: Sequence[str]

    def own_text(self) -> str:
        """Return one of the user's texts, cut at a blank."""
        text = self.chance.choice(self.own)
        return text if len(text) <= _LONGEST_OWN else text[:_LONGEST_OWN].rpartition(" ")[0] or text[:_LONGEST_OWN]


@dataclass(frozen=True, slots=True)
class CanaryKind:
    """One way in which an item leaks.

    Attributes:
        what: what is done to the item, for a reader.
        make: does it; None where the item gives no occasion.
        expected: the kinds of match that call it by its name.
        same_problem: the item's answer is still the answer.
    """

    name: str
    what: str
    make: Callable[[str, Material], str | None]
    expected: frozenset[Kind]
    same_problem: bool = True


def _exact(text: str, material: Material) -> str | None:
    return text


def _reformatted(text: str, material: Material) -> str | None:
    """Type it otherwise: other delimiters, symbols as Unicode, other blanks and line ends."""
    changed = re.sub(r"\\[A-Za-z]+", lambda command: _SYMBOLS.get(command.group(), command.group()), text)
    if "$$" not in changed and changed.count("$") % 2 == 0:
        changed = re.sub(r"\$([^$]+)\$", r"\\(\1\\)", changed)
    changed = changed.replace("{,}", ",")
    blanks = ("  ", "\n", "\u00a0", " ")
    changed = _BLANK.sub(lambda _: material.chance.choice(blanks), changed)
    return changed if changed != text else None


def _wrapped(text: str, material: Material) -> str | None:
    return f"{_BEFORE}\n\n{text}\n\n{_AFTER}"


def _embedded(text: str, material: Material) -> str | None:
    return f"{material.own_text()}\n\n{text}\n\n{material.own_text()}"


def _numbers_changed(text: str, material: Material) -> str | None:
    """Give every number another one of as many digits."""

    def other(number: re.Match[str]) -> str:
        digits = number.group()
        least = 10 ** (len(digits) - 1) if len(digits) > 1 else 1
        most = 10 ** len(digits) - 1
        found = material.chance.randint(least, most)
        return str(found if str(found) != digits else (found + 1 if found < most else least))

    return _NUMBER.sub(other, text) if _NUMBER.search(text) else None


def _letters_changed(text: str, material: Material) -> str | None:
    """Rename every letter of the formulas, the same everywhere."""
    letters: list[str] = sorted({letter for formula in _FORMULA.findall(text) for letter in _LETTER.findall(formula)})
    used = {letter.lower() for letter in letters}
    free = [letter for letter in _LETTERS if letter not in used]
    if not letters or len(free) < len(used):
        return None
    material.chance.shuffle(free)
    new = dict(zip(sorted(used), free, strict=False))

    def renamed(letter: re.Match[str]) -> str:
        found = new[letter.group().lower()]
        return found if letter.group().islower() else found.upper()

    def in_formula(formula: re.Match[str]) -> str:
        return _LETTER.sub(renamed, formula.group())

    return _FORMULA.sub(in_formula, text)


def _edited(text: str, material: Material) -> str | None:
    """Leave out a tenth of the words, or take other words for them; formulas and numbers stay."""
    places = [word.span() for piece in _prose(text) for word in _WORD.finditer(text, *piece)]
    if len(places) < _FEWEST_WORDS:
        return None
    own = _WORD.findall(material.own_text()) or ["thing"]
    changed = text
    for start, end in sorted(material.chance.sample(places, max(1, round(_CHANGED_SHARE * len(places)))), reverse=True):
        word = material.chance.choice(own) if material.chance.random() < 0.5 else ""
        changed = changed[:start] + word + changed[end:]
    return changed


def _partial(text: str, material: Material) -> str | None:
    """Put the larger half of it behind a text of the user's."""
    words = text.split()
    if len(words) < 2 * _FEWEST_WORDS:
        return None
    length = round(0.6 * len(words))
    start = material.chance.choice((0, len(words) - length))
    return f"{material.own_text()} {' '.join(words[start : start + length])}"


def _phrases_changed(text: str, material: Material) -> str | None:
    """Say stock phrases otherwise and spell small numbers out, outside formulas."""
    pieces, position = [], 0
    for start, end in _prose(text):
        pieces += [text[position:start], _rephrased(text[start:end])]
        position = end
    changed = "".join([*pieces, text[position:]])
    return changed if changed != text else None


def _rephrased(prose: str) -> str:
    # One pass, so that no phrase is changed twice.
    new = dict(_PHRASES)
    pattern = "|".join(rf"\b{re.escape(old)}\b" for old in sorted(new, key=len, reverse=True))
    said: str = re.sub(pattern, lambda phrase: new[phrase.group()], prose)
    words = _SMALL_NUMBERS.split()
    return re.sub(r"(?<![\w.,/-])(?:1?\d|20)(?![\w/%]|[.,]\d)", lambda number: words[int(number.group())], said)


def _prose(text: str) -> list[tuple[int, int]]:
    """Return the places outside formulas."""
    places, position = [], 0
    for formula in _FORMULA.finditer(text):
        places.append((position, formula.start()))
        position = formula.end()
    return [*places, (position, len(text))]


CANARY_KINDS = (
    CanaryKind("exact", "the item as it is", _exact, frozenset({"exact"})),
    CanaryKind(
        "reformatted",
        "other delimiters, symbols in Unicode, other blanks and line ends",
        _reformatted,
        frozenset({"folded", "exact"}),
    ),
    CanaryKind("wrapped", "an instruction before and behind it", _wrapped, frozenset({"embedded", "folded"})),
    CanaryKind("embedded", "between two texts of the user's rows", _embedded, frozenset({"embedded"})),
    CanaryKind(
        "numbers changed",
        "every number another one of as many digits",
        _numbers_changed,
        frozenset({"numbers_changed"}),
        same_problem=False,
    ),
    CanaryKind(
        "letters changed",
        "the letters of formulas renamed",
        _letters_changed,
        frozenset({"numbers_changed", "near"}),
    ),
    CanaryKind("edited", "a tenth of the words left out or replaced", _edited, frozenset({"near"})),
    CanaryKind(
        "partial",
        "three fifths of it behind a text of the user's rows",
        _partial,
        frozenset({"partial", "near"}),
        same_problem=False,
    ),
    CanaryKind(
        "phrases changed",
        "stock phrases said otherwise, small numbers spelled out",
        _phrases_changed,
        frozenset({"near", "reworded", "folded"}),
    ),
)
"""Every way that is planted, in the order of reporting."""


def named_contest(contest: str, material: Material) -> str:
    """Return a text of the user's that says to be from a contest, given as its key (``hmmt-feb-2025``)."""
    return f"From {contest.replace('-', ' ').upper()}: {material.own_text()}"
