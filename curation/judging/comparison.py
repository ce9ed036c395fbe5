"""Is an output equal to the answer? The default checker, after the Kattis default validator.

Tokens are compared without regard to white space, ASCII letters without regard to case. Numbers are text unless a
tolerance is asked for: then two integers still have to be equal, digit for digit and of any size, and only a pair with
a non-integer in it is compared within the tolerance (Kattis gives integers the tolerance too, and so takes 101 for 100
at a relative error of 0.01).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from curation.errors import InputError
from curation.json_reader import JsonNumber, JsonTextError, JsonValue, loads

_TOKEN = re.compile(rb"[^ \t\n\v\f\r]+")
_SPACED = re.compile(rb"[ \t\n\v\f\r]+|[^ \t\n\v\f\r]+")
_INTEGER = re.compile(rb"[+-]?[0-9]+")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SLACK = 1e-15
"""What testlib adds to a tolerance, so that a difference of exactly the tolerance passes after rounding."""

_SHOWN = 60
_EXPONENT_DIGITS = 1000


@dataclass(frozen=True, slots=True)
class Tokens:
    """The default checker's settings, named as Kattis names its validator's flags."""

    case_sensitive: bool = False
    space_change_sensitive: bool = False
    float_absolute_tolerance: float | None = None
    float_relative_tolerance: float | None = None

    @property
    def has_tolerance(self) -> bool:
        """Whether non-integers are compared within a tolerance."""
        return self.float_absolute_tolerance is not None or self.float_relative_tolerance is not None


@dataclass(frozen=True, slots=True)
class Difference:
    """Where an output differs from the answer, for a reader."""

    message: str


def parse_flags(flags: Sequence[str], where: str) -> Tokens:
    """Read the flags of the Kattis default validator.

    Args:
        flags: ``case_sensitive``, ``space_change_sensitive``, ``float_tolerance E``, ``float_absolute_tolerance E``,
            ``float_relative_tolerance E``, split at white space.
        where: what the message names: a file, or a problem.

    Raises:
        InputError: a flag is unknown or lacks its number.
    """
    case = space = False
    absolute: float | None = None
    relative: float | None = None
    rest = iter(flags)
    for flag in rest:
        if flag == "case_sensitive":
            case = True
        elif flag == "space_change_sensitive":
            space = True
        elif flag in ("float_tolerance", "float_absolute_tolerance", "float_relative_tolerance"):
            number = next(rest, "")
            if not _NUMBER.fullmatch(number.encode()):
                raise InputError(f"{where}: {flag} needs a number after it, not {number!r}")
            absolute = absolute if flag == "float_relative_tolerance" else float(number)
            relative = relative if flag == "float_absolute_tolerance" else float(number)
        else:
            raise InputError(f"{where}: the default validator knows no flag {flag!r}")
    return Tokens(case, space, absolute, relative)


def compare(answer: bytes, output: bytes, settings: Tokens) -> Difference | None:
    """Compare an output with the answer; None where it is right."""
    if answer == output:
        return None
    pattern = _SPACED if settings.space_change_sensitive else _TOKEN
    pairs = zip_longest(_pieces(pattern, answer), _pieces(pattern, output))
    for place, (expected, given) in enumerate(pairs, start=1):
        if expected is None:
            return Difference(f"token {place} is too much: {_show(given)}")
        if given is None:
            return Difference(f"the output ends before token {place}, {_show(expected)}")
        if expected != given and not _same(expected, given, settings):
            return Difference(f"token {place} is {_show(given)}, not {_show(expected)}")
    return None


def _pieces(pattern: re.Pattern[bytes], text: bytes) -> Iterator[bytes]:
    return (match.group() for match in pattern.finditer(text))


def _show(token: bytes | None) -> str:
    text = (token or b"").decode(errors="replace")
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


def _same(expected: bytes, given: bytes, settings: Tokens) -> bool:
    if not settings.case_sensitive and expected.lower() == given.lower():
        return True
    return settings.has_tolerance and _close(expected, given, settings)


def _close(expected: bytes, given: bytes, settings: Tokens) -> bool:
    if not _NUMBER.fullmatch(expected) or not _NUMBER.fullmatch(given):
        return False
    if _INTEGER.fullmatch(expected) and _INTEGER.fullmatch(given):
        return _integer(expected) == _integer(given)
    wanted, found = float(expected), float(given)
    if math.isinf(wanted) or math.isinf(found):
        return False
    return within(wanted, found, settings)


def within(wanted: float, found: float, settings: Tokens) -> bool:
    """Say whether ``found`` is within the absolute or the relative tolerance of ``wanted``."""
    difference = abs(wanted - found)
    absolute, relative = settings.float_absolute_tolerance, settings.float_relative_tolerance
    if absolute is not None and difference <= absolute + _SLACK:
        return True
    return relative is not None and difference <= relative * abs(wanted) + _SLACK * abs(wanted)


def _integer(text: bytes) -> tuple[bool, bytes]:
    digits = text.lstrip(b"+-").lstrip(b"0")
    return bool(digits) and text.startswith(b"-"), digits


def compare_values(answer: str, output: bytes, settings: Tokens) -> Difference | None:
    """Compare the JSON result of a function with the answer, number by number; None where it is right.

    Numbers are equal by value (``2`` and ``2.0``); a tolerance is for pairs with a non-integer in them. Text is
    compared exactly.

    Raises:
        JsonTextError: the answer is no JSON, or both are nested too deeply to be compared.
    """
    expected = loads(answer)
    try:
        given = loads(output.decode())
    except (UnicodeDecodeError, JsonTextError) as error:
        return Difference(f"the result is no JSON value ({error})")
    try:
        where = _first_difference(expected, given, settings, "the result")
    except RecursionError:
        raise JsonTextError("nested too deeply") from None
    return None if where is None else Difference(where)


def _first_difference(expected: JsonValue, given: JsonValue, settings: Tokens, where: str) -> str | None:
    if isinstance(expected, JsonNumber) and isinstance(given, JsonNumber):
        if _value(expected) == _value(given):
            return None
        if settings.has_tolerance and _close(expected.encode(), given.encode(), settings):
            return None
    elif isinstance(expected, list) and isinstance(given, list):
        if len(expected) != len(given):
            return f"{where} has {len(given)} elements, not {len(expected)}"
        pairs = enumerate(zip(expected, given, strict=True))
        inner = (_first_difference(one, two, settings, f"{where}[{index}]") for index, (one, two) in pairs)
        return next((found for found in inner if found is not None), None)
    elif isinstance(expected, dict) and isinstance(given, dict):
        if expected.keys() != given.keys():
            return f"{where} has other keys than the answer"
        fields = (_first_difference(item, given[key], settings, f"{where}[{key!r}]") for key, item in expected.items())
        return next((found for found in fields if found is not None), None)
    elif type(expected) is type(given) and expected == given:
        return None
    return f"{where} is {_show(str(given).encode())}, not {_show(str(expected).encode())}"


def _value(number: JsonNumber) -> tuple[bool, str, int]:
    """Return sign, digits without zeros at either end, and the power of ten: equal values have equal parts."""
    mantissa, _, exponent = number.lower().partition("e")
    whole, _, places = mantissa.partition(".")
    digits = (whole.lstrip("+-") + places).lstrip("0")
    stripped = digits.rstrip("0")
    if not stripped:
        return False, "", 0
    power = int(exponent[:_EXPONENT_DIGITS] or 0) - len(places) + len(digits) - len(stripped)
    return whole.startswith("-"), stripped, power
