"""Where two texts that state one problem in different words agree: the places of their shared features, for showing."""

from __future__ import annotations

from curation.contamination.alignment import merge_spans
from curation.contamination.concepts import concept_places
from curation.contamination.items import Span
from curation.contamination.signature import number_of, word_feature
from curation.text import locate


def feature_spans(item_text: str, row_text: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the places of numbers, concepts and telling words that both texts have: in the item and in the row."""
    item, row = _places(item_text), _places(row_text)
    shared = item.keys() & row.keys()
    return (
        merge_spans([span for feature in shared for span in item[feature]]),
        merge_spans([span for feature in shared for span in row[feature]]),
    )


def _places(text: str) -> dict[str, list[Span]]:
    places: dict[str, list[Span]] = {}
    for token in locate(text):
        feature = _feature(token.text)
        if feature is not None:
            places.setdefault(feature, []).append((token.start, token.end))
    for concept, span in concept_places(text):
        places.setdefault(f"c:{concept}", []).append(span)
    return places


def _feature(word: str) -> str | None:
    number = number_of(word)
    if number is not None:
        return f"n:{number}"
    return word_feature(word)
