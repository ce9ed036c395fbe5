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
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from curation.contamination.chances import chance_at_large, chance_of_number
from curation.contamination.evidence_bound import EvidenceBound, ItemFeature
from curation.contamination.rates import EXTRA_LIMITS, KINDS, LIMITS, against, rate_name, rates_between
from curation.contamination.signature import Language, Signature
from curation.remembered import Remembered

_PRIOR_ITEMS = 60
_USUAL_LENGTH = 60
_FORMULA_FOR_SHARED_NUMBERS = 0.15
_VALUE_FOR_SHARED_NUMBERS = 0.45
_VALUE = re.compile(r"f:(?:\d\S* v =|= \d\S* v|v = \d\S*)")
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
        self._worked_out = frozenset(self._working_out)
        self._against = Remembered(self._against_others)
        self._bounds: dict[Language, EvidenceBound] = {}
        self._all_weighed: dict[tuple[int, Language], tuple[_Weighed, ...]] = {}
        self._all_rough: dict[tuple[int, Language], tuple[Mapping[str, float], Mapping[str, float]]] = {}

    def candidates(
        self, signatures: Sequence[Signature], least: float, favoured: Sequence[Mapping[int, float]]
    ) -> list[list[Likeness]]:
        """Return for each text the items that its signature speaks for.

        Args:
            signatures: the texts'.
            least: the least evidence, in nats.
            favoured: for each text, for some items, how much less is enough.
        """
        found: list[list[Likeness]] = [[] for _ in signatures]
        powers = list(map(self._powers, signatures))
        for language in dict.fromkeys(signature.language for signature in signatures) if self.signatures else ():
            texts = [text for text, one in enumerate(signatures) if one.language == language and one.features]
            less = [
                {**favoured[text], **dict.fromkeys(powers[text], _POWER_MARGIN)} if powers[text] else favoured[text]
                for text in texts
            ]
            reaching = self._bound_of(language).reaching(
                [signatures[text] for text in texts], least - _ROUGH_MARGIN, less
            )
            for text, numbers in zip(texts, reaching, strict=True):
                if not numbers:
                    continue
                own, signature = favoured[text], signatures[text]
                likely = [
                    number
                    for number, rough in self._rough_evidence(signature, numbers)
                    if rough >= least - _ROUGH_MARGIN - own.get(number, 0.0)
                    or (number in powers[text] and rough >= least - _POWER_MARGIN)
                ]
                compared = self._compare_all(likely, signature)
                found[text] = [one for one in compared if one.evidence >= least - own.get(one.number, 0.0)]
        return found

    def _powers(self, signature: Signature) -> set[int]:
        """Return the items of which one number is a power or factorial in the text, or the other way round."""
        powers: set[int] = set()
        for feature in signature.features & self._worked_out:
            powers.update(self._working_out[feature])
        for feature in signature.worked_out:
            powers.update(self._having.get(feature, ()))
        return powers

    def _rough_evidence(self, signature: Signature, numbers: Sequence[int]) -> Iterator[tuple[int, float]]:
        """Yield items' evidence without what `compare` knows of powers, lengths and other languages."""
        against_all = dict.fromkeys(KINDS, 0.0)
        for feature in sorted(signature.features) if numbers else ():
            against_all[feature[0]] += self._against[feature]
        for number in numbers:
            features = self.signatures[number].features
            nothing, gains = self._roughly_of(number, signature.language)
            own, extra = dict(nothing), dict(against_all)
            for feature in sorted(signature.features & features):
                own[feature[0]] += gains[feature]
                extra[feature[0]] -= self._against[feature]
            for feature in sorted(signature.worked_out & features):
                own[feature[0]] += gains[feature]
            yield (
                number,
                sum(
                    min(max(own[kind], LIMITS[kind][0]), LIMITS[kind][1]) + max(extra[kind], EXTRA_LIMITS[kind])
                    for kind in KINDS
                ),
            )

    def compare(self, number: int, signature: Signature) -> Likeness:
        """Weigh one item against a text's signature."""
        return self._compare_all([number], signature)[0]

    def _compare_all(self, numbers: Sequence[int], signature: Signature) -> list[Likeness]:
        further: dict[Language, tuple[tuple[str, float], ...]] = {}
        compared = []
        for number in numbers:
            language = self.signatures[number].language
            if language not in further:
                further[language] = self._further(signature, language)
            compared.append(self._compare(number, signature, further[language]))
        return compared

    def _compare(self, number: int, signature: Signature, further: Sequence[tuple[str, float]]) -> Likeness:
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
        for feature, says in further:
            if feature in item.features or feature in item.worked_out:
                continue
            if feature[0] == "n" and forgiven:
                forgiven -= 1
            else:
                extra[feature[0]] += says
        for kind in KINDS:
            least, most = rates.limits[kind]
            own = min(max(parts[kind], least), most)
            parts[kind] = own + max(extra[kind] / longer, rates.extra_limits[kind])
        return Likeness(number, sum(parts.values()), parts, item.language != signature.language)

    def _against_others(self, feature: str) -> float:
        return against(feature, self._chance.get(feature) or chance_at_large(feature))

    def _bound_of(self, language: Language) -> EvidenceBound:
        """Return the bounds for texts of a language, made when the first such text comes."""
        bound = self._bounds.get(language)
        if bound is None:
            bound = self._bounds[language] = self._bound(language)
        return bound

    def _bound(self, language: Language) -> EvidenceBound:
        items = [
            [
                ItemFeature(one.feature, _present(one, 1.0), _absent(one, 1.0))
                for one in self._weighed_of(number, language)
            ]
            for number in range(len(self.signatures))
        ]
        return EvidenceBound(items, self._chance)

    def _roughly_of(self, number: int, language: Language) -> tuple[Mapping[str, float], Mapping[str, float]]:
        """Return an item's evidence, by kind, where a text has none of its features, and what each adds to it."""
        if (known := self._all_rough.get((number, language))) is not None:
            return known
        nothing = dict.fromkeys(KINDS, 0.0)
        gains = {}
        for one in self._weighed_of(number, language):
            absent = _absent(one, 1.0)
            nothing[one.kind] += absent
            gains[one.feature] = _present(one, 1.0) - absent
        self._all_rough[number, language] = nothing, gains
        return nothing, gains

    def _weighed_of(self, number: int, language: Language) -> tuple[_Weighed, ...]:
        """Return an item's features, in order, as they are weighed for texts of a language."""
        known = self._all_weighed.get((number, language))
        if known is None:
            known = self._all_weighed[number, language] = self._weighed(number, language)
        return known

    def _weighed(self, number: int, language: Language) -> tuple[_Weighed, ...]:
        item = self.signatures[number]
        rates = rates_between(item.language, language)
        weighed = []
        for feature in sorted(item.features):
            least_chance = 0.0
            if feature[0] == "f":
                # Who gives a length writes it as "AB = 5": that says little beside the number.
                a_value = _VALUE.fullmatch(feature)
                least_chance = _VALUE_FOR_SHARED_NUMBERS if a_value else _FORMULA_FOR_SHARED_NUMBERS
            elif feature[0] == "n" and _number_before(feature) in item.features:
                least_chance = _NEXT_NUMBER
            survives = rates.survives[rate_name(feature)]
            weighed.append(_Weighed(feature, feature[0], self._chance[feature], least_chance, survives))
        return tuple(weighed)

    def _further(self, signature: Signature, language: Language) -> tuple[tuple[str, float], ...]:
        """Return a text's features, in order, with what each says against an item of a language that lacks it."""
        rates = rates_between(language, signature.language)
        return tuple(
            (feature, against(feature, self._chance.get(feature) or chance_at_large(feature), rates))
            for feature in sorted(signature.features)
        )


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


def _number_before(feature: str) -> str:
    number = feature[2:]
    return f"n:{int(number) - 1}" if number.isdecimal() and len(number) < 6 else ""
