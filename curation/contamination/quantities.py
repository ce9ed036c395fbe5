"""The quantities a problem gives, and whether those of two texts tell one problem from two of one pattern.

Contests pose problems of one pattern again and again: the same objects, the same question, some of the same numbers.
Against such a sibling it says little that words and some numbers are shared, and much that every quantity of one text
is in the other and none is beyond it: who rewords a problem keeps what is given. How surely a number is a given
quantity shows in how it is written: numbers of several digits are; "two" in words, exponents and indices often are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from curation.contamination.prepared import Prepared
from curation.contamination.signature import han_numbers, number_of
from curation.contamination.vocabulary import NUMBER_WORDS

Manner = Literal["long", "digit", "small", "word", "loose"]
"""How a number is written: several digits; a digit; 1 or 2; a digit in words or held in a word like "hexagon"; in a
place where wordings differ, as an exponent, an index, the start of a range or a small number in words."""

_MANNERS: tuple[Manner, ...] = ("long", "digit", "small", "word", "loose")
_KEPT: Mapping[Manner, float] = {"long": 0.95, "digit": 0.93, "small": 0.85, "word": 0.83, "loose": 0.6}
_SHARED_BY_SIBLINGS: Mapping[Manner, float] = {"long": 0.35, "digit": 0.42, "small": 0.5, "word": 0.48, "loose": 0.55}
_WORKED_OUT_SHARE = 0.7
_SAID_BY_MORE = 0.75
"""Who rewords works something out now and then, as how many there are, more often than leaves something out."""

_LEAST = -8.0
_USUAL_LENGTH = 60
_TENS = frozenset("23456789")
_MOST_POWER = 10**13
_MOST_FACTORIAL = 15
_LONGEST_DECIMAL = 12
_FACTORIAL_SIGNS = frozenset(("!", "factorial", "fakultät", "factorielle", "факториал"))
_RAISED_SIGNS = frozenset(("^",))
_FRACTION_SIGNS = frozenset(("/",))
_RELATIONS = frozenset("<>≤≥")
_SMALL = frozenset("012")
_IN_A_LIST = frozenset(("…", ",", "and"))
_BARE_RANGE = frozenset(("to", "through", "bis", "до", "à", "hasta"))


@dataclass(frozen=True, slots=True)
class Quantities:
    """The quantities of one text.

    Attributes:
        given: each number with the manner that speaks most for its being given.
        parts: what can be worked out, as powers, factorials and fractions, with the numbers it is made of.
        length: how many tokens the text has.
    """

    given: Mapping[str, Manner]
    parts: Mapping[str, frozenset[str]]
    length: int


def quantities(text: str, prepared: Prepared) -> Quantities:
    """Return the quantities of a text."""
    words = prepared.folded.split(" ")
    values = _values(words)
    given: dict[str, Manner] = {}
    parts: dict[str, frozenset[str]] = {}
    inside = _inside_lists(words, values)
    for place, value in enumerate(values):
        if value is None or _is_base(words, values, place):
            continue
        if (counted := inside.get(place)) is not None:
            if not counted:
                _note(given, value, "loose")
            continue
        if _follows(words, place, _FACTORIAL_SIGNS) and value.isdecimal() and len(value) < 4:
            _note(given, _factorial(value), "long")
        elif (power := _power(words, values, place)) is not None:
            _note(given, _worked_out(*power), "long")
            parts[_worked_out(*power)] = frozenset(power)
        else:
            parts.update(_as_decimal(words, values, place))
            _note(given, value, _manner(words, values, place))
    for value in han_numbers(text):
        _note(given, value, "long" if len(value) > 1 else "loose" if value in _SMALL else "word")
    return Quantities(given, parts, len(prepared.words))


def evidence_of_quantities(item: Quantities, text: Quantities) -> float:
    """Return what the quantities say for one problem against two of one pattern, in nats as in `likeness`.

    What a text gives beyond the item says the less the longer the text is: it may go on with something else.
    """
    longer = max(1.0, text.length / max(_USUAL_LENGTH, item.length))
    explained = _explained(item, text) | _explained(text, item)
    own = extra = 0.0
    for value in sorted(item.given.keys() | text.given.keys()):
        mine, other = item.given.get(value), text.given.get(value)
        if mine and other:
            own += _shared("loose" if "loose" in (mine, other) else min(mine, other, key=_MANNERS.index))
        elif value in explained:
            own += _WORKED_OUT_SHARE * _shared("digit") if mine else 0.0
        elif mine:
            own += _missing(mine)
        elif other:
            extra += _SAID_BY_MORE * _missing(other)
    return max(_LEAST, own) + max(_LEAST, extra / longer**2)


def give_the_same(item: Quantities, text: Quantities) -> bool:
    """Say whether all that either of two texts surely gives is in the other too."""
    explained = _explained(item, text) | _explained(text, item)
    different = (item.given.keys() ^ text.given.keys()) - explained
    return all((item.given.get(value) or text.given[value]) == "loose" for value in different)


def _shared(manner: Manner) -> float:
    return math.log(_KEPT[manner] / _SHARED_BY_SIBLINGS[manner])


def _missing(manner: Manner) -> float:
    return math.log((1 - _KEPT[manner]) / (1 - _SHARED_BY_SIBLINGS[manner]))


def _explained(one: Quantities, other: Quantities) -> set[str]:
    """Return the numbers that one text gives worked out and the other as a power or fraction, or in words."""
    found: set[str] = set()
    for value, numbers in one.parts.items():
        if value in other.given or value in other.parts or numbers <= other.given.keys():
            found.add(value)
            found |= numbers
    return found


def _note(given: dict[str, Manner], value: str, manner: Manner) -> None:
    known = given.get(value)
    if known is None or _MANNERS.index(manner) < _MANNERS.index(known):
        given[value] = manner


def _values(words: Sequence[str]) -> list[str | None]:
    """Return the number that each token means; "twenty five" is one number at its first word."""
    values: list[str | None] = [number_of(word) if word else None for word in words]
    for place, word in enumerate(words):
        value = values[place]
        if value is None or word[0].isdigit() or len(value) != 2 or value[1] != "0" or value[0] not in _TENS:
            continue
        after = place + 2 if words[place + 1 : place + 2] == ["-"] else place + 1
        if (
            after < len(words)
            and words[after] in NUMBER_WORDS
            and len(digit := values[after] or "") == 1
            and digit != "0"
        ):
            values[place], values[after] = value[0] + digit, None
    return values


def _manner(words: Sequence[str], values: Sequence[str | None], place: int) -> Manner:
    value = values[place] or ""
    before = words[place - 1] if place else ""
    if before == "_" or (len(value) == 1 and _raised(words, place) is not None):
        return "loose"
    if len(value) > 1:
        return "long"
    in_words = not words[place][0].isdigit()
    if value not in _SMALL:
        return "word" if in_words else "digit"
    after = words[place + 1] if place + 1 < len(words) else ""
    starts = after in _RELATIONS or after in _BARE_RANGE or after in {"…", "/"} or before == "/"
    return "loose" if in_words or starts or value == "0" else "small"


def _raised(words: Sequence[str], place: int) -> int | None:
    """Return the place of what a number is the exponent of."""
    if place > 1 and words[place - 1] == "^":
        return place - 2
    return place - 3 if place > 2 and words[place - 1] == "(" and words[place - 2] == "^" else None


def _follows(words: Sequence[str], place: int, signs: frozenset[str]) -> bool:
    return place + 1 < len(words) and words[place + 1] in signs


def _factorial(value: str) -> str:
    return str(math.factorial(int(value))) if int(value) <= _MOST_FACTORIAL else f"{value}!"


def _power(words: Sequence[str], values: Sequence[str | None], place: int) -> tuple[str, str] | None:
    """Return base and exponent where a number is the exponent of a number."""
    raised, exponent = _raised(words, place), values[place]
    base = values[raised] if raised is not None else None
    if base is None or exponent is None or not base.isdecimal() or not exponent.isdecimal():
        return None
    return base, exponent


def _is_base(words: Sequence[str], values: Sequence[str | None], place: int) -> bool:
    exponent = place + 3 if words[place + 1 : place + 3] == ["^", "("] else place + 2
    return (
        _follows(words, place, _RAISED_SIGNS)
        and exponent < len(words)
        and values[exponent] is not None
        and _power(words, values, exponent) is not None
    )


def _worked_out(base: str, exponent: str) -> str:
    small = len(base) < 4 and len(exponent) < 3 and (value := int(base) ** int(exponent)) < _MOST_POWER
    return str(value) if small else f"{base}^{exponent}"


def _as_decimal(words: Sequence[str], values: Sequence[str | None], place: int) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield a decimal with the numbers of its fraction, a fraction's decimal and percentage with its numbers."""
    value = values[place] or ""
    if value.count(".") == 1 and len(value) < _LONGEST_DECIMAL:
        fraction = Fraction(value)
        yield value, frozenset((str(fraction.numerator), str(fraction.denominator)))
    elif _follows(words, place, _FRACTION_SIGNS) and place + 2 < len(words):
        divisor = values[place + 2] or ""
        if value.isdecimal() and divisor.isdecimal() and max(len(value), len(divisor)) < 5 and int(divisor):
            for times in (1, 100):
                yield f"{times * int(value) / int(divisor):.10g}", frozenset((value, divisor))


def _inside_lists(words: Sequence[str], values: Sequence[str | None]) -> dict[int, bool]:
    """Return the places of numbers inside a list, with whether it counts on: "4, 3, 2, 1", "1, 2, ..., 8"."""
    inside: dict[int, bool] = {}
    row: list[int] = []
    for place, value in enumerate(values):
        if value is not None and value.isdecimal() and len(value) < 7:
            if not _goes_on(words, values, [*row, place]):
                inside.update(_between_ends(words, values, row))
                row = []
            row.append(place)
        elif words[place] not in _IN_A_LIST:
            inside.update(_between_ends(words, values, row))
            row = []
    inside.update(_between_ends(words, values, row))
    return inside


def _goes_on(words: Sequence[str], values: Sequence[str | None], row: Sequence[int]) -> bool:
    """Say whether the numbers of a row differ by one step; after an ellipsis its end may come."""
    steps = _steps(values, row)
    if len(steps) > 1 and "…" in words[row[-2] : row[-1]]:
        steps = steps[:-1]
    return len(set(steps)) < 2


def _between_ends(words: Sequence[str], values: Sequence[str | None], row: Sequence[int]) -> Iterator[tuple[int, bool]]:
    counts = len(row) > 2 and abs(_steps(values, row)[0]) == 1
    if counts or (len(row) > 2 and "…" in words[row[0] : row[-1]]):
        yield from ((place, counts) for place in row[1:-1])


def _steps(values: Sequence[str | None], row: Sequence[int]) -> list[int]:
    return [int(values[other] or 0) - int(values[one] or 0) for one, other in pairwise(row)]
