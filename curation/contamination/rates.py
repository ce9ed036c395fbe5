"""What a rewording and a translation do to the features of `curation.contamination.signature`, by kind."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from curation.contamination.signature import Language

KINDS = "nflcw"
"""The kinds of features: numbers, formulas, labels, concepts, other words."""


@dataclass(frozen=True, slots=True)
class Rates:
    """What a rewording does to features, by kind; ``d`` are numbers of one digit.

    Attributes:
        survives: how often an item's feature is in a rewording of it.
        comes_from: how often a rewording's feature is in the item.
        limits: the least and the most that an item's features of one kind say together.
        extra_limits: the least that a text's further features of one kind say together.
    """

    survives: Mapping[str, float]
    comes_from: Mapping[str, float]
    limits: Mapping[str, tuple[float, float]]
    extra_limits: Mapping[str, float]


LIMITS = {"n": (-10.0, 14.0), "f": (-2.0, 6.0), "l": (-3.0, 4.0), "c": (-6.0, 7.0), "w": (-3.0, 7.0)}
EXTRA_LIMITS = {"n": -6.0, "f": -1.5, "l": -3.0, "c": -5.0, "w": -2.0}

REWORDED = Rates(
    {"n": 0.94, "d": 0.77, "f": 0.4, "l": 0.6, "c": 0.65, "w": 0.28},
    {"n": 0.94, "d": 0.77, "f": 0.7, "l": 0.85, "c": 0.65, "w": 0.17},
    LIMITS,
    EXTRA_LIMITS,
)
"""Between two texts in one language."""

_TRANSLATED = Rates(
    {"n": 0.98, "d": 0.96, "f": 0.9, "l": 0.95, "c": 0.78, "w": 0.08},
    {"n": 0.98, "d": 0.96, "f": 0.9, "l": 0.95, "c": 0.78, "w": 0.6},
    LIMITS,
    EXTRA_LIMITS,
)
_IN_WORDS_WE_DO_NOT_KNOW = replace(_TRANSLATED, comes_from={**_TRANSLATED.comes_from, "c": 0.6, "w": 0.1})


def rates_between(one: Language, other: Language) -> Rates:
    """Return the rates between an item and a text in their languages."""
    if one == other:
        return REWORDED
    return _IN_WORDS_WE_DO_NOT_KNOW if "other" in (one, other) else _TRANSLATED


def rate_name(feature: str) -> str:
    """Return by which name `Rates` knows a feature's kind."""
    return "d" if feature[0] == "n" and len(feature) == 3 else feature[0]


def against(feature: str, chance: float, rates: Rates = REWORDED) -> float:
    """Return what a text's feature that an item lacks says against the two being one problem, in nats.

    Args:
        feature: the feature.
        chance: how often a problem has it.
        rates: between the two.
    """
    return min(0.0, math.log((1 - rates.comes_from[rate_name(feature)]) / (1 - min(chance, 0.9))))
