"""Units of measurement: what a unit phrase measures and how much of it, exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_BASE: dict[str, tuple[str, str, str]] = {
    # dimension, factor, spellings
    "metre": ("length", "1", "m meter meters metre metres"),
    "kilometre": ("length", "1000", "km kilometer kilometers kilometre kilometres"),
    "centimetre": ("length", "1/100", "cm centimeter centimeters centimetre centimetres"),
    "millimetre": ("length", "1/1000", "mm millimeter millimeters millimetre millimetres"),
    "decimetre": ("length", "1/10", "dm decimeter decimeters decimetre decimetres"),
    "micrometre": ("length", "1/1000000", "micrometer micrometers micron microns"),
    "nanometre": ("length", "1/1000000000", "nm nanometer nanometers nanometre nanometres"),
    "inch": ("length", "127/5000", "in inch inches"),
    "foot": ("length", "381/1250", "ft foot feet"),
    "yard": ("length", "1143/1250", "yd yard yards"),
    "mile": ("length", "201168/125", "mi mile miles"),
    "megametre": ("length", "1000000", "Mm megameter megameters megametre megametres"),
    "gram": ("mass", "1/1000", "g gram grams"),
    "kilogram": ("mass", "1", "kg kilogram kilograms"),
    "milligram": ("mass", "1/1000000", "mg milligram milligrams"),
    "tonne": ("mass", "1000", "tonne tonnes Mg megagram megagrams"),
    "pound": ("mass", "45359237/100000000", "lb lbs"),
    "ounce": ("mass", "45359237/1600000000", "oz ounce ounces"),
    "second": ("time", "1", "s sec second seconds secs"),
    "minute": ("time", "60", "min mins minute minutes"),
    "hour": ("time", "3600", "h hr hrs hour hours"),
    "day": ("time", "86400", "day days"),
    "week": ("time", "604800", "week weeks"),
    "month": ("month", "1", "month months"),
    "year": ("month", "12", "yr yrs year years"),
    "litre": ("volume", "1", "L liter liters litre litres"),
    "millilitre": ("volume", "1/1000", "mL ml milliliter milliliters millilitre millilitres"),
    "gallon": ("gallon", "1", "gal gallon gallons"),
    "quart": ("gallon", "1/4", "quart quarts"),
    "pint": ("gallon", "1/8", "pint pints"),
    "cup": ("gallon", "1/16", "cup cups"),
    "dollar": ("dollar", "1", "dollar dollars usd USD"),
    "cent": ("dollar", "1/100", "cent cents ¢"),
    "euro": ("euro", "1", "euro euros EUR"),
    "british pound": ("british pound", "1", "GBP"),
    "penny": ("british pound", "1/100", "pence"),
    "yen": ("yen", "1", "yen JPY"),
    "yuan": ("yuan", "1", "yuan RMB CNY"),
    "rupee": ("rupee", "1", "rupee rupees INR"),
    "newton": ("newton", "1", "N newton newtons"),
    "joule": ("joule", "1", "J joule joules"),
    "kilojoule": ("joule", "1000", "kJ kilojoule kilojoules"),
    "watt": ("watt", "1", "W watt watts"),
    "kilowatt": ("watt", "1000", "kW kilowatt kilowatts"),
    "volt": ("volt", "1", "V volt volts"),
    "ampere": ("ampere", "1", "A amp amps ampere amperes"),
    "hertz": ("hertz", "1", "Hz hertz"),
    "pascal": ("pascal", "1", "Pa pascal pascals"),
    "kelvin": ("kelvin", "1", "K kelvin kelvins"),
    "celsius": ("celsius", "1", "C celsius Celsius"),
    "fahrenheit": ("fahrenheit", "1", "F fahrenheit Fahrenheit"),
    "mole": ("mole", "1", "mol mole moles"),
    "erg": ("joule", "1/10000000", "erg ergs"),
    "electronvolt": ("electronvolt", "1", "eV"),
    "radian": ("angle", "1", "rad rads radian radians"),
}

_UNITS: dict[str, tuple[str, Fraction]] = {
    spelling: (dimension, Fraction(factor))
    for dimension, factor, spellings in _BASE.values()
    for spelling in spellings.split()
}

_MULTIPLIERS = {
    "tens": Fraction(10),
    "hundreds": Fraction(100),
    "thousands": Fraction(1_000),
    "millions": Fraction(10**6),
    "billions": Fraction(10**9),
    "dozen": Fraction(12),
    "dozens": Fraction(12),
    "hundred": Fraction(100),
    "thousand": Fraction(1_000),
    "million": Fraction(10**6),
    "billion": Fraction(10**9),
    "trillion": Fraction(10**12),
}

UNIT_NAMES = frozenset(_UNITS) | {"units", "unit", "square", "sq", "cubic", "mph", "kph", "km/h", "am", "pm"}
"""Words that can stand after a number as its unit."""

_SIGNS = {"$": "dollar", "€": "euro", "£": "british pound", "¥": "yen", "₹": "rupee"}
_ABBREVIATIONS = {"mph": "miles/hour", "kph": "km/hour", "kmh": "km/hour", "rpm": "revolutions/minute"}
_LONGEST = 60
_GENERIC = frozenset({"unit", "units", "u", "only"})
_PART = re.compile(r"(/|\bper\b)|([A-Za-z]+|[$€£¥₹¢\x22])\s*\.?\s*(?:\^?\s*\{?\s*(-?\s*\d)\s*\}?)?")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit phrase.

    Attributes:
        dimensions: exponents by dimension, in order of the dimension's name; a noun that is no unit counts as one of
            its own dimension.
        factor: how many of the dimension's own units one of it is.
        multiplier: what number words before the unit multiply the quantity by (``million``).
        known: every word of it is a unit of measurement.
    """

    dimensions: tuple[tuple[str, int], ...]
    factor: Fraction
    multiplier: Fraction
    known: bool


_NO_NOUNS = frozenset(
    [
        "more",
        "less",
        "than",
        "after",
        "before",
        "of",
        "by",
        "to",
        "from",
        "greater",
        "smaller",
        "larger",
        "longer",
        "shorter",
        "least",
        "most",
        "over",
        "under",
        "below",
        "above",
        "times",
        "about",
        "and",
        "or",
        "not",
        "between",
        "past",
        "ago",
        "later",
        "earlier",
        "higher",
        "lower",
        "factorial",
        "squared",
        "cubed",
        "root",
        "choose",
        "mod",
        "modulo",
        "base",
        "minus",
        "plus",
        "negative",
        "positive",
        "divided",
        "multiplied",
        "half",
        "halves",
        "third",
        "thirds",
        "quarter",
        "quarters",
        "fourth",
        "fourths",
        "fifth",
        "fifths",
        "sixth",
        "sixths",
        "seventh",
        "sevenths",
        "eighth",
        "eighths",
        "ninth",
        "ninths",
        "tenth",
        "tenths",
        "hundredths",
        "thousandths",
        "power",
    ]
)


def read_unit(text: str) -> Unit | None:
    """Read a unit phrase such as ``cm^2``, ``square feet``, ``miles per hour`` or ``$``; None where it is no phrase.

    Words that are no units (``apples``) are kept as what is counted.
    """
    for short, long in _ABBREVIATIONS.items():
        text = re.sub(rf"\b{short}\b", long, text)
    dimensions: dict[str, int] = {}
    factor, multiplier, known, sign, pending = Fraction(1), Fraction(1), True, 1, 0
    rest = _PART.sub("", text).strip(" .,~*·()\\-{}\n\t")
    if rest or len(text) > _LONGEST:
        return None
    for match in _PART.finditer(text):
        per, word, written = match.groups()
        if per:
            sign = -1
            continue
        lower = word.lower()
        if lower in _NO_NOUNS:
            return None
        if lower in ("square", "sq", "cubic", "cu"):
            pending = 2 if lower.startswith("sq") else 3
            continue
        if lower in _MULTIPLIERS:
            multiplier *= _MULTIPLIERS[lower]
            continue
        exponent = sign * (int(written.replace(" ", "")) if written else pending or 1)
        pending = 0
        if lower in _GENERIC:
            continue
        name, size, is_unit = _lookup(word)
        known = known and is_unit
        if name == "volume":
            name, size, exponent = "length", size / 1000, 3 * exponent
            factor *= size ** (exponent // 3)
            dimensions[name] = dimensions.get(name, 0) + exponent
            continue
        dimensions[name] = dimensions.get(name, 0) + exponent
        factor *= size**exponent
    if pending:
        return None
    kept = tuple(sorted((name, exponent) for name, exponent in dimensions.items() if exponent))
    return Unit(kept, factor, multiplier, known)


def _lookup(word: str) -> tuple[str, Fraction, bool]:
    if word == '"':
        word = "inch"
    if word in _SIGNS:
        return _SIGNS[word], Fraction(1), True
    found = _UNITS.get(word) or _UNITS.get(word.lower())
    if found:
        return found[0], found[1], True
    noun = word.lower()
    return noun.removesuffix("s") if len(noun) > 3 else noun, Fraction(1), False
