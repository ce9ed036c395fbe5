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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from curation.contamination.chances import chance_at_large, chance_of_number
from curation.contamination.rates import EXTRA_LIMITS, KINDS, LIMITS, REWORDED, Rates, rate_name, rates_between
from curation.contamination.signature import Language, Signature

_PRIOR_ITEMS = 60
_USUAL_LENGTH = 60
_FORMULA_FOR_SHARED_NUMBERS = 0.15
_NEXT_NUMBER = 0.4
_ROUGH_MARGIN = 3.0
_POWER_MARGIN = 15.0
_FORGIVEN_FOR_A_POWER = 2
_ROUNDING = 1e-6


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
class _Gain:
    """What it says that a text has a feature.

    Attributes:
        kind: the feature's kind, as a place in `KINDS`.
        numbers: the items that have it.
        own: what comes to each one's own evidence.
        most: the most that comes to each one's own evidence within the limits of the kind.
        further: what comes to the evidence of the text's further features, for it is none of them.
    """

    kind: int
    numbers: np.ndarray
    own: np.ndarray
    most: np.ndarray
    further: float


@dataclass(frozen=True, slots=True)
class _Table:
    """Evidence by feature for texts of one language.

    Attributes:
        nothing_shared: each item's own evidence where a text has none of its features: a row a kind, a column an item.
        bounded: the same within the kinds' limits, all kinds together.
        gains: what each feature adds where a text has it.
    """

    nothing_shared: np.ndarray
    bounded: np.ndarray
    gains: Mapping[str, _Gain]


class _Weighed(NamedTuple):
    """A feature of an item with what its evidence is made of: how often problems have it and rewordings keep it."""

    feature: str
    kind: str
    chance: float
    least_chance: float
    survives: float


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
        self._against = {feature: _against(feature, chance, REWORDED) for feature, chance in self._chance.items()}
        self._table_of = lru_cache(maxsize=None)(self._table)
        self._weighed_of = lru_cache(maxsize=None)(self._weighed)
        self._further_of = lru_cache(maxsize=8)(self._further)
        self._limits = np.array([LIMITS[kind] for kind in KINDS])
        self._extra_least = np.array([EXTRA_LIMITS[kind] for kind in KINDS])

    def candidates(self, signature: Signature, least: float, favoured: Mapping[int, float]) -> list[Likeness]:
        """Return the items that a text's signature speaks for.

        Args:
            signature: the text's.
            least: the least evidence, in nats.
            favoured: for some items, how much less is enough.
        """
        if not self.signatures or not signature.features:
            return []
        powers = {n for feature in signature.features for n in self._working_out.get(feature, ())}
        powers.update(n for feature in signature.worked_out for n in self._having.get(feature, ()))
        likely = [
            number
            for number, rough in self._rough_evidence(
                signature, least - _ROUGH_MARGIN, {**favoured, **dict.fromkeys(powers, _POWER_MARGIN)}
            )
            if rough >= least - _ROUGH_MARGIN - favoured.get(number, 0.0)
            or (number in powers and rough >= least - _POWER_MARGIN)
        ]
        compared = [self.compare(number, signature) for number in likely]
        return [one for one in compared if one.evidence >= least - favoured.get(one.number, 0.0)]

    def _rough_evidence(
        self, signature: Signature, least: float, less: Mapping[int, float]
    ) -> Iterable[tuple[int, float]]:
        """Return items' evidence without what `compare` knows of powers, lengths and other languages.

        Args:
            signature: the text's.
            least: an item may be left out that has less.
            less: for some items, how much less is enough.
        """
        table = self._table_of(signature.language)
        extra = dict.fromkeys(KINDS, 0.0)
        gains: list[_Gain] = []
        for feature in sorted(signature.features):
            gain = table.gains.get(feature)
            if gain is None:
                extra[feature[0]] += _against_at_large(feature)
            else:
                extra[feature[0]] += self._against[feature]
                gains.append(gain)
        held = [table.gains[feature] for feature in sorted(signature.worked_out) if feature in table.gains]
        most = self._most(table, extra, gains, held)
        chosen = most >= least - _ROUNDING
        for number, enough in less.items():
            chosen[number] = most[number] >= least - enough - _ROUNDING
        numbers = np.flatnonzero(chosen)
        if not numbers.size:
            return ()
        own, further = _added(gains, held, chosen)
        own = table.nothing_shared[:, numbers] + own
        further = further + np.array([extra[kind] for kind in KINDS])[:, None]
        bounded = np.clip(own, self._limits[:, :1], self._limits[:, 1:]) + np.maximum(
            further, self._extra_least[:, None]
        )
        return zip(numbers.tolist(), bounded.sum(axis=0).tolist(), strict=True)

    def _most(
        self, table: _Table, extra: Mapping[str, float], gains: Sequence[_Gain], held: Sequence[_Gain]
    ) -> np.ndarray:
        """Return what no item's rough evidence exceeds; one weighted count instead of one for each kind.

        Evidence within a kind's lower limit is a convex function of what the shared features add, so that the straight
        line from none to all of them lies above it.
        """
        shares, base = [], 0.0
        gained = [0.0] * len(KINDS)
        for gain in gains:
            gained[gain.kind] += gain.further
        for kind, total in zip(KINDS, gained, strict=True):
            nothing, everything = (max(evidence, EXTRA_LIMITS[kind]) for evidence in (extra[kind], extra[kind] + total))
            base += nothing
            shares.append((everything - nothing) / total if total else 0.0)
        both = [*gains, *held]
        if not both:
            return table.bounded + base
        further = [*(shares[gain.kind] * gain.further for gain in gains), *(0.0 for _ in held)]
        added = np.concatenate([gain.most for gain in both]) + np.repeat(further, [gain.own.size for gain in both])
        numbers = np.concatenate([gain.numbers for gain in both])
        return table.bounded + base + np.bincount(numbers, added, table.bounded.size)

    def compare(self, number: int, signature: Signature) -> Likeness:
        """Weigh one item against a text's signature."""
        item = self.signatures[number]
        rates = rates_between(item.language, signature.language)
        longer = max(1.0, signature.length / max(_USUAL_LENGTH, item.length))
        parts: dict[str, float] = dict.fromkeys(KINDS, 0.0)
        given = item.worked_out & signature.features
        parts["n"] = sum(math.log(rates.survives["n"] / chance_of_number(feature[2:])) for feature in sorted(given))
        forgiven = _FORGIVEN_FOR_A_POWER * len(given)
        held = signature.features | signature.worked_out if signature.worked_out else signature.features
        for weighed in self._weighed_of(number, signature.language):
            if weighed.feature in held:
                parts[weighed.kind] += _present(weighed, longer)
            elif weighed.kind == "n" and forgiven:
                forgiven -= 1
            else:
                parts[weighed.kind] += _absent(weighed, longer)
        extra: dict[str, float] = dict.fromkeys(KINDS, 0.0)
        forgiven = _FORGIVEN_FOR_A_POWER * len(signature.worked_out & item.features)
        for feature, against in self._further_of(signature, item.language):
            if feature in item.features or feature in item.worked_out:
                continue
            if feature[0] == "n" and forgiven:
                forgiven -= 1
            else:
                extra[feature[0]] += against
        for kind in KINDS:
            least, most = rates.limits[kind]
            own = min(max(parts[kind], least), most)
            parts[kind] = own + max(extra[kind] / longer, rates.extra_limits[kind])
        return Likeness(number, sum(parts.values()), parts, item.language != signature.language)

    def _table(self, language: Language) -> _Table:
        items = len(self.signatures)
        nothing = np.zeros((len(KINDS), items))
        everything = np.zeros((len(KINDS), items))
        own: dict[str, list[float]] = defaultdict(list)
        for number in range(items):
            for one in self._weighed(number, language):
                present, absent = _present(one, 1.0), _absent(one, 1.0)
                nothing[KINDS.index(one.kind), number] += absent
                everything[KINDS.index(one.kind), number] += present
                own[one.feature].append(present - absent)
        bounded = np.maximum(nothing, self._limits[:, :1])
        slope = (np.maximum(everything, self._limits[:, :1]) - bounded) / np.maximum(everything - nothing, _ROUNDING)
        gains = {}
        for feature, having in self._having.items():
            kind, numbers, added = KINDS.index(feature[0]), np.array(having, dtype=np.int64), np.array(own[feature])
            gains[feature] = _Gain(kind, numbers, added, added * slope[kind, numbers], -self._against[feature])
        return _Table(nothing, bounded.sum(axis=0), gains)

    def _weighed(self, number: int, language: Language) -> tuple[_Weighed, ...]:
        """Return an item's features, in order, as they are weighed for texts of a language."""
        item = self.signatures[number]
        rates = rates_between(item.language, language)
        weighed = []
        for feature in sorted(item.features):
            least_chance = 0.0
            if feature[0] == "f":
                least_chance = _FORMULA_FOR_SHARED_NUMBERS
            elif feature[0] == "n" and _number_before(feature) in item.features:
                least_chance = _NEXT_NUMBER
            survives = rates.survives[rate_name(feature)]
            weighed.append(_Weighed(feature, feature[0], self._chance[feature], least_chance, survives))
        return tuple(weighed)

    def _further(self, signature: Signature, language: Language) -> tuple[tuple[str, float], ...]:
        """Return a text's features, in order, with what each says against an item of a language that lacks it."""
        rates = rates_between(language, signature.language)
        return tuple(
            (feature, _against(feature, self._chance.get(feature) or chance_at_large(feature), rates))
            for feature in sorted(signature.features)
        )


def _added(gains: Sequence[_Gain], held: Sequence[_Gain], chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Add up what comes to the chosen items' own evidence and to that of further features: a row a kind, a column each.

    Args:
        gains: of features that a text has.
        held: of those whose value it holds as a power, which are no further features.
        chosen: for every item whether it is one.
    """
    columns = np.cumsum(chosen) - 1
    width = int(columns[-1]) + 1
    size = len(KINDS) * width
    if not gains and not held:
        return np.zeros((len(KINDS), width)), np.zeros((len(KINDS), width))
    both = [*gains, *held]
    lengths = [gain.numbers.size for gain in both]
    numbers = np.concatenate([gain.numbers for gain in both])
    here = np.flatnonzero(chosen[numbers])
    places = np.repeat([gain.kind * width for gain in both], lengths)[here] + columns[numbers[here]]
    own = np.concatenate([gain.own for gain in both])[here]
    further = np.repeat([*(gain.further for gain in gains), *(0.0 for _ in held)], lengths)[here]
    shape = len(KINDS), width
    return np.bincount(places, own, size).reshape(shape), np.bincount(places, further, size).reshape(shape)


def _present(weighed: _Weighed, longer: float) -> float:
    """Return what it says that a text has a feature, which is so much longer than usual."""
    _, _, chance, least, survives = weighed
    chance = max(min(0.9, chance * longer), least)
    return math.log(survives / chance) if survives > chance else 0.0


def _absent(weighed: _Weighed, longer: float) -> float:
    """Return what it says that the text lacks it."""
    _, _, chance, least, survives = weighed
    chance = max(min(0.9, chance * longer), least)
    return math.log((1 - min(max(survives, chance), 0.99)) / (1 - chance))


def _against(feature: str, chance: float, rates: Rates) -> float:
    """Return what a text's feature that an item lacks says against the two being one problem."""
    return min(0.0, math.log((1 - rates.comes_from[rate_name(feature)]) / (1 - min(chance, 0.9))))


@lru_cache(maxsize=200_000)
def _against_at_large(feature: str) -> float:
    return _against(feature, chance_at_large(feature), REWORDED)


def _number_before(feature: str) -> str:
    number = feature[2:]
    return f"n:{int(number) - 1}" if number.isdecimal() and len(number) < 6 else ""
