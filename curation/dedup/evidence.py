"""What speaks for a near duplicate: how alike the two wordings are, in which words they differ, and where."""

from __future__ import annotations

from collections.abc import Sequence

from curation.dedup.verification import verify
from curation.dedup.wording import folded_wording

Pair = tuple[str, str, str]
"""Domain, the dropped row's statement, the survivor's statement."""

Evidence = dict[str, object]

_MOST_DIFFERENCES = 8


def explain_pairs(pairs: Sequence[Pair], threshold: float) -> list[Evidence]:
    """Return for each pair the evidence: ``similarity``, ``differences``, ``span``, ``survivor_span``.

    ``differences`` are words of the dropped row and of the survivor, after folding; there are none where the two differ
    in words alone that no problem hangs on. The spans run from the first to the last character that differs.
    """
    return [_explain(*pair, threshold) for pair in pairs]


def _explain(domain: str, statement: str, survivor: str, threshold: float) -> Evidence:
    likeness = verify(
        folded_wording(domain, statement), folded_wording(domain, survivor), threshold, same_answer=lambda: True
    )
    start, tail = shared_ends(statement, survivor)
    evidence: Evidence = {
        "span": [start, len(statement) - tail],
        "survivor_span": [start, len(survivor) - tail],
    }
    if likeness is not None:
        differences = [list(pair) for pair in likeness.differences[:_MOST_DIFFERENCES]]
        evidence = {"similarity": likeness.similarity, "differences": differences, **evidence}
    return evidence


def shared_ends(one: str, other: str) -> tuple[int, int]:
    """Return how many characters two texts share at the start and, beyond these, at the end."""
    start = _shared_start(one, other)
    return start, _shared_start(one[start:][::-1], other[start:][::-1])


def _shared_start(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
