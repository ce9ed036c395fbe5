"""Clusters of near duplicates without chains: whoever joins was compared with every wording of the cluster.

Rows of one wording are one problem. A wording joins a cluster only if it is verified against all wordings in it, so
that each row is verified against the survivor, whichever row that will be: where A is like B and B is like C, but A is
not like C, C stays apart. Rows come in the order of preference; the earliest wording starts a cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from curation.dedup.agreement import same_answer
from curation.dedup.proposals import Index
from curation.dedup.signatures import Words64
from curation.dedup.verification import verify
from curation.dedup.wording import folded_wording

_MOST_WORDINGS = 64
"""A cluster of more wordings than this takes no other ones, so that a template cannot cost quadratic time."""


@dataclass(frozen=True)
class Node:
    """Rows with one folded statement.

    Attributes:
        domain: of the problem.
        statement: of the first of them.
        answers: their different answers, those that have one.
        bands: the keys of the statement.
    """

    domain: str
    statement: str
    answers: tuple[str, ...]
    bands: tuple[int, ...]


@dataclass
class _Wording:
    words: list[str]
    domain: str
    bands: Words64
    answer: str | None = None
    disagrees: bool = False
    nodes: list[int] = field(default_factory=list)

    def take(self, number: int, node: Node) -> None:
        self.nodes.append(number)
        for answer in node.answers:
            if self.answer is None:
                self.answer = answer
            elif same_answer(self.answer, answer) != "equal":
                self.disagrees = True

    def answers_like(self, other: _Wording) -> bool:
        if self.answer is None or other.answer is None or self.disagrees or other.disagrees:
            return False
        return same_answer(self.answer, other.answer) == "equal"


def cluster(nodes: Sequence[Node], threshold: float) -> list[int]:
    """Return for each node the number of the first node of its cluster.

    Args:
        nodes: in order of preference, with all that any of them may be proposed to.
        threshold: least similarity of wordings that are not equal.
    """
    wordings = _wordings(nodes)
    if not wordings:
        return []
    index = Index(len(wordings[0].bands))
    clusters: list[list[_Wording]] = []
    home: list[int] = []
    for wording in wordings:
        tried = dict.fromkeys(home[number] for number in index.proposed(wording.bands))
        place = next((place for place in tried if _fits(wording, clusters[place], threshold)), len(clusters))
        if place == len(clusters):
            clusters.append([])
        clusters[place].append(wording)
        home.append(place)
        index.add(wording.bands)
    first = [0] * len(nodes)
    for members in clusters:
        numbers = [number for wording in members for number in wording.nodes]
        for number in numbers:
            first[number] = min(numbers)
    return first


def _wordings(nodes: Sequence[Node]) -> list[_Wording]:
    # Keyed by the text too, so that two wordings with one 64-bit key stay two.
    found: dict[tuple[int, str, str], _Wording] = {}
    for number, node in enumerate(nodes):
        words = folded_wording(node.domain, node.statement)
        key = (node.bands[0], node.domain, " ".join(words))
        if key not in found:
            found[key] = _Wording(words, node.domain, np.array(node.bands, dtype=np.uint64))
        found[key].take(number, node)
    return list(found.values())


def _fits(wording: _Wording, members: Sequence[_Wording], threshold: float) -> bool:
    return len(members) < _MOST_WORDINGS and all(_is_like(wording, member, threshold) for member in members)


def _is_like(one: _Wording, other: _Wording, threshold: float) -> bool:
    return one.domain == other.domain and (
        verify(other.words, one.words, threshold, lambda: one.answers_like(other)) is not None
    )
