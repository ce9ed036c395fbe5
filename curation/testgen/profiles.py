"""Which inputs are made: small ones that try everything, extremes, and large ones of many builds, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Size = Literal["least", "tiny", "small", "medium", "large"]


@dataclass(frozen=True, slots=True)
class Profile:
    """How one input is made.

    Attributes:
        size: of everything that counts or is a length.
        values: the build of a list's numbers.
        span: numbers from the whole range, or from a few near its least value or near 0.
        words: the build of words.
        network: the build of trees and graphs.
        cases: ``one`` test case or ``many``, where the input has test cases.
    """

    size: Size
    values: str = "random"
    span: Literal["full", "narrow"] = "full"
    words: str = "random"
    network: str = "random"
    cases: Literal["one", "many"] = "many"

    @property
    def label(self) -> str:
        """A name for reports."""
        parts = [self.size, self.values, self.span, self.words, self.network, self.cases]
        return " ".join(part for part in parts if part not in ("random", "full", "many"))


_VALUES = (
    "random",
    "equal high",
    "ascending",
    "ends",
    "descending",
    "equal low",
    "special",
    "few",
    "near",
    "alternate",
    "one differs",
    "step",
)
_WORDS = (
    "random",
    "one letter",
    "two letters",
    "periodic",
    "palindrome",
    "halves",
    "alternate",
    "late change",
    "blocks",
)
_NETWORKS = ("path", "star", "random", "caterpillar", "binary", "reversed path", "broom")


def plan(wanted: int, *, has_networks: bool = False) -> Iterator[Profile]:
    """Yield profiles without end; among the first ``wanted``, about half are tiny or small and a fifth is large.

    Args:
        wanted: how many will be taken.
        has_networks: inputs hold trees or graphs.
    """
    turn = 0
    yield Profile("least", "equal low")
    yield Profile("least", "equal high")
    yield from _large()
    if has_networks:
        # Light edges along a path and heavy ones beside it, so that the best way has the most edges; and as many edges
        # as few vertices can have.
        yield Profile("large", "step", "full", "random", "path", "one")
        yield Profile("large", "random", "full", "random", "dense", "one")
    while True:
        value, word = _VALUES[turn % len(_VALUES)], _WORDS[turn % len(_WORDS)]
        network = _NETWORKS[turn % len(_NETWORKS)]
        yield Profile("tiny", "random", "narrow", "two letters" if turn % 2 else "random", network)
        yield Profile("small", "random", "narrow", word, network)
        yield Profile("tiny", value, "full", word, network)
        yield Profile("small", value, "narrow" if turn % 2 else "full", "two letters", "random")
        if turn < max(4, wanted // 12):
            yield Profile("medium", value, "narrow" if turn % 3 == 0 else "full", word, network, "one")
        turn += 1


def _large() -> Iterator[Profile]:
    for place, value in enumerate(_VALUES[:6]):
        network, word = _NETWORKS[place % len(_NETWORKS)], _WORDS[place]
        yield Profile("large", value, "full", word, network, "one")
    yield Profile("large", "few", "full", "blocks", "broom", "many")
    yield Profile("large", "random", "narrow", "late change", "random", "one")
