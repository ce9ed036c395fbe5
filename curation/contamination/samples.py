"""Sample inputs and outputs of code problems: whoever tells a task with another story keeps its samples.

A sample is what stands after "Input" and after "Output": its values in order, without the names of variables. Two tasks
share small samples by chance, so that one short sample is not enough.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

Sample = tuple[tuple[str, ...], tuple[str, ...]]
"""The values of an input and of the output."""

_SAMPLE = re.compile(
    r"\binput\s*\d*\s*:?\**\s*(?P<given>(?:(?!\binput\b).){1,2000}?)\s*(?:\bsample\s+|\bexample\s+|\*+)*\boutput\s*\d*\s*:?\**\s*"
    r"(?P<wanted>.{1,1000}?)(?=\n\s*\n|\b(?:sample|examples?|explanation|notes?|input|constraints)\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_NAME = re.compile(r"\b[A-Za-z_]\w*\s*=(?!=)")
_VALUE = re.compile(r"-?\d+(?:\.\d+)?|[^\W\d_]+")
_MOST_ITEMS = 3
_ENOUGH_SAMPLES = 2
_ENOUGH_CHARACTERS = 6
_ENOUGH_CHARACTERS_OF_ONE = 16


@dataclass(frozen=True, slots=True)
class SharedSamples:
    """The samples that a text and an item share.

    Attributes:
        number: the item's place.
        samples: how many.
        characters: how many characters their values have.
    """

    number: int
    samples: int
    characters: int


class SampleIndex:
    """Finds items by the samples that a text gives; holds no state of the texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        having: dict[Sample, list[int]] = defaultdict(list)
        for number, text in enumerate(texts):
            for sample in samples_of(text):
                having[sample].append(number)
        # What many tasks give is a template's sample.
        self._having = {sample: numbers for sample, numbers in having.items() if len(numbers) <= _MOST_ITEMS}

    def find(self, text: str) -> list[SharedSamples]:
        """Return the items that share enough samples with a text to be its task."""
        if not self._having:
            return []
        samples: Counter[int] = Counter()
        characters: Counter[int] = Counter()
        for sample in samples_of(text):
            for number in self._having.get(sample, ()):
                samples[number] += 1
                characters[number] += sum(map(len, (*sample[0], *sample[1])))
        shared = [SharedSamples(number, samples[number], characters[number]) for number in samples]
        return [
            one
            for one in shared
            if one.characters >= (_ENOUGH_CHARACTERS if one.samples >= _ENOUGH_SAMPLES else _ENOUGH_CHARACTERS_OF_ONE)
        ]


def samples_of(text: str) -> list[Sample]:
    """Return a text's samples, each once, in their order."""
    found: dict[Sample, None] = {}
    for match in _SAMPLE.finditer(text) if "utput" in text or "UTPUT" in text else ():
        given, wanted = _values(match["given"]), _values(match["wanted"])
        if given and wanted:
            found[given, wanted] = None
    return list(found)


def _values(text: str) -> tuple[str, ...]:
    return tuple(value.lower() for value in _VALUE.findall(_NAME.sub(" ", text)))
