"""How much more likely two texts are to state one problem than two: a log-likelihood ratio over their signatures.

Each feature of an item that a text has, or lacks, speaks for or against it: log(r / q) where it is there and
log((1 - r) / (1 - q)) where it is not; r is how often a feature of its kind survives rewording, q how often a problem
has it by chance. A text's own features that the item lacks speak against it in the same way. q comes from the items in
use and never falls below what is usual for such a feature in problems at large, so that a benchmark of a few items
does not make common words look rare (naive Bayes with the weights of Robertson and Sparck Jones and a prior). What one
kind of feature says is bounded, for features of a kind hang together. The evidence is in nats.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from curation.contamination.chances import chance_at_large, chance_of_number
from curation.contamination.signature import Language, Signature

_KINDS = "nflcw"


@dataclass(frozen=True, slots=True)
class _Rates:
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


_LIMITS = {"n": (-10.0, 14.0), "f": (-2.0, 6.0), "l": (-3.0, 4.0), "c": (-6.0, 7.0), "w": (-3.0, 7.0)}
_EXTRA_LIMITS = {"n": -6.0, "f": -1.5, "l": -3.0, "c": -5.0, "w": -2.0}
_REWORDED = _Rates(
    {"n": 0.94, "d": 0.77, "f": 0.4, "l": 0.6, "c": 0.65, "w": 0.28},
    {"n": 0.94, "d": 0.77, "f": 0.7, "l": 0.85, "c": 0.65, "w": 0.17},
    _LIMITS,
    _EXTRA_LIMITS,
)
_TRANSLATED = _Rates(
    {"n": 0.98, "d": 0.96, "f": 0.9, "l": 0.95, "c": 0.78, "w": 0.08},
    {"n": 0.98, "d": 0.96, "f": 0.9, "l": 0.95, "c": 0.78, "w": 0.6},
    _LIMITS,
    _EXTRA_LIMITS,
)
_IN_WORDS_WE_DO_NOT_KNOW = replace(_TRANSLATED, comes_from={**_TRANSLATED.comes_from, "c": 0.6, "w": 0.1})

_PRIOR_ITEMS = 60
_USUAL_LENGTH = 60
_FORMULA_FOR_SHARED_NUMBERS = 0.15
_NEXT_NUMBER = 0.4
_ROUGH_MARGIN = 3.0
_POWER_MARGIN = 15.0
_FORGIVEN_FOR_A_POWER = 2


@dataclass(frozen=True, slots=True)
class Likeness:
    """The evidence that a text states an item's problem.

    Attributes:
        number: the item's place in the index.
        evidence: nats for (positive) or against, without the answer.
        by_kind: its parts, by the kinds of `curation.contamination.signature`.
        translated: the two are in different languages.
    """

    number: int
    evidence: float
    by_kind: Mapping[str, float]
    translated: bool


@dataclass(frozen=True, slots=True)
class _Table:
    """Evidence by feature for texts of one language, laid out for one weighted count a text.

    The layout has a row for each kind's own evidence, then a row for each kind's further features, a column an item.

    Attributes:
        nothing_shared: what is said where no feature is shared, without the text's further features.
        gain: for each feature, where in the layout a text that has it adds how much; the first half is own evidence.
    """

    nothing_shared: np.ndarray
    gain: Mapping[str, tuple[np.ndarray, np.ndarray]]


class SignatureIndex:
    """Signatures of benchmark items; finds those that a text's signature speaks for."""

    def __init__(self, signatures: Sequence[Signature]) -> None:
        self.signatures = tuple(signatures)
        count = len(self.signatures)
        having = Counter(feature for signature in self.signatures for feature in signature.features)
        self._chance = {
            feature: max(chance_at_large(feature), (number - 0.5) / (count + _PRIOR_ITEMS))
            for feature, number in having.items()
        }
        self._having: dict[str, list[int]] = defaultdict(list)
        self._working_out: dict[str, list[int]] = defaultdict(list)
        for number, signature in enumerate(self.signatures):
            for feature in sorted(signature.features):
                self._having[feature].append(number)
            for feature in sorted(signature.worked_out):
                self._working_out[feature].append(number)
        self._against = {feature: _against(feature, chance, _REWORDED) for feature, chance in self._chance.items()}
        self._table_of = lru_cache(maxsize=None)(self._table)
        self._limits = np.array([_LIMITS[kind] for kind in _KINDS])
        self._extra_least = np.array([_EXTRA_LIMITS[kind] for kind in _KINDS])

    def candidates(self, signature: Signature, least: float, favoured: Mapping[int, float]) -> list[Likeness]:
        """Return the items that a text's signature speaks for.

        Args:
            signature: the text's.
            least: the least evidence, in nats.
            favoured: for some items, how much less is enough.
        """
        if not self.signatures or not signature.features:
            return []
        rough = self._rough_evidence(signature)
        likely = set(np.flatnonzero(rough >= least - _ROUGH_MARGIN).tolist())
        likely.update(number for number, less in favoured.items() if rough[number] >= least - less - _ROUGH_MARGIN)
        for feature in signature.features:
            likely.update(n for n in self._working_out.get(feature, ()) if rough[n] >= least - _POWER_MARGIN)
        for feature in signature.worked_out:
            likely.update(n for n in self._having.get(feature, ()) if rough[n] >= least - _POWER_MARGIN)
        compared = [self.compare(number, signature) for number in sorted(likely)]
        return [one for one in compared if one.evidence >= least - favoured.get(one.number, 0.0)]

    def _rough_evidence(self, signature: Signature) -> np.ndarray:
        """Return each item's evidence without what `compare` knows of powers, lengths and other languages."""
        table = self._table_of(signature.language)
        extra = dict.fromkeys(_KINDS, 0.0)
        places, added = [], []
        for feature in sorted(signature.features):
            found = table.gain.get(feature)
            if found is None:
                extra[feature[0]] += _against_at_large(feature)
            else:
                extra[feature[0]] += self._against[feature]
                places.append(found[0])
                added.append(found[1])
        for feature in sorted(signature.worked_out):
            if (found := table.gain.get(feature)) is not None:
                half = len(found[0]) // 2
                places.append(found[0][:half])
                added.append(found[1][:half])
        layout = table.nothing_shared
        if places:
            layout = layout + np.bincount(np.concatenate(places), np.concatenate(added), layout.size)
        sheet = layout.reshape(2 * len(_KINDS), -1)
        further = sheet[len(_KINDS) :] + np.array([extra[kind] for kind in _KINDS])[:, None]
        own = np.clip(sheet[: len(_KINDS)], self._limits[:, :1], self._limits[:, 1:])
        total: np.ndarray = (own + np.maximum(further, self._extra_least[:, None])).sum(axis=0)
        return total

    def compare(self, number: int, signature: Signature) -> Likeness:
        """Weigh one item against a text's signature."""
        item = self.signatures[number]
        translated = item.language != signature.language
        rates = _rates(item.language, signature.language)
        longer = max(1.0, signature.length / max(_USUAL_LENGTH, item.length))
        parts: dict[str, float] = dict.fromkeys(_KINDS, 0.0)
        given = item.worked_out & signature.features
        parts["n"] = sum(math.log(rates.survives["n"] / chance_of_number(feature[2:])) for feature in sorted(given))
        forgiven = _FORGIVEN_FOR_A_POWER * len(given)
        for feature in sorted(item.features):
            present, absent = self._weights(feature, item, rates, longer)
            if feature in signature.features or feature in signature.worked_out:
                parts[feature[0]] += present
            elif feature[0] == "n" and forgiven:
                forgiven -= 1
            else:
                parts[feature[0]] += absent
        extra: dict[str, float] = dict.fromkeys(_KINDS, 0.0)
        forgiven = _FORGIVEN_FOR_A_POWER * len(signature.worked_out & item.features)
        for feature in sorted(signature.features - item.features - item.worked_out):
            if feature[0] == "n" and forgiven:
                forgiven -= 1
            else:
                extra[feature[0]] += self._extra(feature, rates)
        for kind in _KINDS:
            least, most = rates.limits[kind]
            own = min(max(parts[kind], least), most)
            parts[kind] = own + max(extra[kind] / longer, rates.extra_limits[kind])
        return Likeness(number, sum(parts.values()), parts, translated)

    def _table(self, language: Language) -> _Table:
        items = len(self.signatures)
        nothing = np.zeros(2 * len(_KINDS) * items)
        gain: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        for feature, numbers in self._having.items():
            row = _KINDS.index(feature[0])
            added = np.zeros(2 * len(numbers))
            added[len(numbers) :] = -self._against[feature]
            for place, number in enumerate(numbers):
                item = self.signatures[number]
                present, absent = self._weights(feature, item, _rates(item.language, language), 1.0)
                nothing[row * items + number] += absent
                added[place] = present - absent
            columns = np.array(numbers, dtype=np.int64)
            gain[feature] = (np.concatenate([row * items + columns, (row + len(_KINDS)) * items + columns]), added)
        return _Table(nothing, gain)

    def _weights(self, feature: str, item: Signature, rates: _Rates, longer: float) -> tuple[float, float]:
        chance = min(0.9, self._chance[feature] * longer)
        if feature[0] == "f":
            chance = max(chance, _FORMULA_FOR_SHARED_NUMBERS)
        elif feature[0] == "n" and _number_before(feature) in item.features:
            chance = max(chance, _NEXT_NUMBER)
        keeps = max(rates.survives[_rate(feature)], chance)
        return math.log(keeps / chance), math.log((1 - min(keeps, 0.99)) / (1 - chance))

    def _extra(self, feature: str, rates: _Rates) -> float:
        return _against(feature, self._chance.get(feature) or chance_at_large(feature), rates)


def _against(feature: str, chance: float, rates: _Rates) -> float:
    """Return what a text's feature that an item lacks says against the two being one problem."""
    return min(0.0, math.log((1 - rates.comes_from[_rate(feature)]) / (1 - min(chance, 0.9))))


@lru_cache(maxsize=200_000)
def _against_at_large(feature: str) -> float:
    return _against(feature, chance_at_large(feature), _REWORDED)


def _rates(one: Language, other: Language) -> _Rates:
    if one == other:
        return _REWORDED
    return _IN_WORDS_WE_DO_NOT_KNOW if "other" in (one, other) else _TRANSLATED


def _rate(feature: str) -> str:
    return "d" if feature[0] == "n" and len(feature) == 3 else feature[0]


def _number_before(feature: str) -> str:
    number = feature[2:]
    return f"n:{int(number) - 1}" if number.isdecimal() and len(number) < 6 else ""
