"""Evidence over signatures: the upper bound that spares most items loses none."""

from __future__ import annotations

import random

import pytest

from curation.contamination.likeness import SignatureIndex
from curation.contamination.signature import Language, Signature

FEATURES = [
    *(f"n:{number}" for number in (0, 1, 2, 3, 5, 7, 10, 11, 12, 37, 64, 100, 81, 2024, 59049)),
    *(f"f:{run}" for run in ("v + v", "v = 3", "2 v +", "v ^ 2")),
    *(f"l:{label}" for label in ("abc", "pq", "wxyz")),
    *(f"c:{concept}" for concept in ("circle", "triangle", "prime", "sum", "digit", "path")),
    *(f"w:{word}" for word in ("lantern", "harbour", "melon", "glacier", "pilot", "violin", "tower", "ribbon")),
]


def signature(draw: random.Random, language: Language) -> Signature:
    features = frozenset(draw.sample(FEATURES, draw.randrange(1, 20)))
    worked_out = frozenset(draw.sample(["n:64", "n:81", "n:59049"], draw.randrange(0, 2))) - features
    return Signature(features, worked_out, language, draw.randrange(5, 200))


def bound(index: SignatureIndex, text: Signature, least: float, less: dict[int, float]) -> set[int]:
    [numbers] = index._bound(text.language).reaching([text], least, [less])
    return set(numbers)


@pytest.mark.parametrize("language", ["en", "han", "other"])
def test_items_below_the_bound_have_too_little_evidence(language: Language) -> None:
    draw = random.Random(4)
    index = SignatureIndex([signature(draw, draw.choice(["en", "en", "han"])) for _ in range(150)])
    kept = 0
    for _ in range(60):
        text = signature(draw, language)
        every = dict(index._rough_evidence(text, range(150)))
        some = bound(index, text, 1.0, {3: 4.0})
        wanted = {number for number, rough in every.items() if rough >= (-3.0 if number == 3 else 1.0)}
        assert wanted <= some
        kept += len(some)
    assert 0 < kept < 60 * 150 / 2


def test_rare_features_and_those_no_item_has_are_in_the_bound() -> None:
    draw = random.Random(6)
    words = [f"w:{''.join(draw.choices('abcdefgh', k=6))}" for _ in range(900)]
    index = SignatureIndex(
        [Signature(frozenset(draw.sample(words[:600], 12)), frozenset(), "en", 60) for _ in range(200)]
    )
    for number in range(0, 200, 10):
        shared = draw.sample(sorted(index.signatures[number].features), 9)
        text = Signature(frozenset([*shared, *draw.sample(words[600:], 5)]), frozenset(), "en", 60)
        every = dict(index._rough_evidence(text, range(200)))
        assert max(every, key=every.__getitem__) == number
        assert bound(index, text, every[number], {}) == {number}


def test_texts_find_the_same_items_together_and_alone() -> None:
    draw = random.Random(7)
    index = SignatureIndex([signature(draw, draw.choice(["en", "han"])) for _ in range(150)])
    texts = [signature(draw, draw.choice(["en", "han", "other"])) for _ in range(300)]
    favoured = [{draw.randrange(150): 3.0} if draw.random() < 0.5 else {} for _ in texts]
    together = index.candidates(texts, 2.0, favoured)
    assert any(together)
    assert together == [index.candidates([text], 2.0, [own])[0] for text, own in zip(texts, favoured, strict=True)]


def test_a_text_finds_its_own_item() -> None:
    draw = random.Random(5)
    signatures = [signature(draw, "en") for _ in range(150)]
    index = SignatureIndex(signatures)
    for number, (one, found) in enumerate(zip(signatures, index.candidates(signatures, 4.0, [{}] * 150), strict=True)):
        if index.compare(number, one).evidence >= 4.0:
            assert number in {likeness.number for likeness in found}
