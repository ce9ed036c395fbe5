"""Words that say little about which problem a text states, and numbers that are spelled out."""

from __future__ import annotations

_FUNCTION_WORDS = """
a an the of to in on at by for from with without into onto over under between among through per as than then that this
these those which who whom whose what when where why how is are was were be been being am do does did done has have had
having can could may might must shall should will would and or nor not no but if else so such it its they them their he
him his she her we us our you your i me my there here each every all any some both either neither one other another
same different also only just exactly least most more less up down out off again once about after before until while
"""
_CONTEST_WORDS = """
find determine compute evaluate calculate solve let suppose given denote define consider assume prove show express
expressed written write form value values number numbers integer integers positive negative nonnegative real natural
whole rational relatively prime primes coprime remainder divided divisible square sum product difference answer total
possible smallest largest greatest maximum minimum inclusive following satisfy satisfies satisfying simplest fraction
lowest terms respectively point points set line equation equal equals function probability ways distinct pair pairs
ordered true means mod
"""

STOCK = frozenset((_FUNCTION_WORDS + _CONTEST_WORDS).split()) | frozenset("abcdefghijklmnopqrstuvwxyz")
"""Tokens that problems of all kinds share: the words of the language, the stock phrases of contests, single letters."""

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"

NUMBER_WORDS = {
    **{word: str(value) for value, word in enumerate([*_UNITS.split(), "seventeen", "eighteen", "nineteen"])},
    **{word: str(10 * (place + 2)) for place, word in enumerate(_TENS.split())},
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "dozen": "12",
}
"""English number words and their values."""


_ROUND = frozenset(("20", "24", "30", "50", "60", "90", "100", "180", "360", "1000", "10000"))


def number_information(number: str) -> float:
    """Return how much a number tells by itself, in rough nats: small and round numbers stand in every problem."""
    if "." in number:
        return 2.0
    digits = len(number)
    if digits == 1:
        return 0.2 if number in "012" else 0.5
    if number in _ROUND:
        return 0.8
    return 1.5 if digits == 2 else 2.5
