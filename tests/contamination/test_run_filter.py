"""Runs that texts share with items: what the look at hashes lets pass is at least what counting finds."""

from __future__ import annotations

import random

from curation.contamination.index import GRAM, Index
from curation.contamination.items import BenchmarkItem
from curation.contamination.prepared import Prepared, prepare

WORDS = (
    *("copper", "lantern", "river", "seven", "12", "345", "violin", "melon"),
    *("glacier", "7", "pilot", "ribbon", "tower", "2048", "harbour", "anchor"),
)


def text(draw: random.Random, length: int) -> str:
    return " ".join(draw.choices(WORDS, k=length))


def share(index: Index, item: int, one: Prepared) -> float:
    """Return the shared part of an item's weight, run by run."""

    def runs(masked: list[str]) -> set[tuple[str, ...]]:
        return {tuple(masked[place : place + GRAM]) for place in range(max(1, len(masked) - GRAM + 1))}

    own, held = runs(index.prepared[item].masked), runs(one.masked)
    weight = {run: posting.weight for run, posting in index._postings.items()}
    return sum(weight.get(run, 0.0) for run in own & held) / (sum(weight.get(run, 0.0) for run in own) or 1.0)


def test_every_item_with_enough_shared_weight_is_a_candidate() -> None:
    draw = random.Random(2)
    items = [BenchmarkItem("own", str(number), text(draw, draw.randrange(1, 30))) for number in range(120)]
    index = Index(items)
    texts = []
    for _ in range(200):
        item = draw.choice(items).text.split()
        start = draw.randrange(len(item))
        texts.append(" ".join([text(draw, 3), *item[start : start + draw.randrange(1, 20)], text(draw, 4)]))
    prepared = [*map(prepare, texts), *index.prepared, prepare("")]
    found = index.candidates(prepared, 0.3)
    close = 0
    for one, candidates in zip(prepared, found, strict=True):
        shares = {number: share(index, number, one) for number in range(len(items))}
        assert {candidate.number for candidate in candidates} >= {n for n, part in shares.items() if part > 0.300001}
        assert all(abs(candidate.share - shares[candidate.number]) < 1e-9 for candidate in candidates)
        assert [candidate.share for candidate in candidates] == sorted((c.share for c in candidates), reverse=True)
        close += len(candidates)
    assert close > 150


def test_texts_have_the_same_candidates_together_and_alone() -> None:
    draw = random.Random(3)
    index = Index([BenchmarkItem("own", str(number), text(draw, 15)) for number in range(50)])
    prepared = [prepare(text(draw, draw.randrange(0, 40))) for _ in range(300)]
    together = index.candidates(prepared, 0.12)
    assert any(together)
    assert together == [index.candidates([one], 0.12)[0] for one in prepared]
