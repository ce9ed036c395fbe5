"""Where two texts that state one problem in different words agree: the places of their shared features, for showing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from curation.contamination.alignment import merge_spans
from curation.contamination.concepts import concept_places
from curation.contamination.items import Span
from curation.contamination.signature import number_of, word_feature
from curation.text import Token, locate


class Located:
    """Where the tokens and features of a text stand; found when they are first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def tokens(self) -> list[Token]:
        """The text's tokens."""
        return locate(self._text)

    @cached_property
    def features(self) -> Mapping[str, Sequence[Span]]:
        """The places of each feature."""
        return _places(self._text, self.tokens)


def feature_spans(item: Located, row: Located) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the places of numbers, concepts and telling words that both texts have: in the item and in the row."""
    shared = item.features.keys() & row.features.keys()
    return (
        merge_spans([span for feature in shared for span in item.features[feature]]),
        merge_spans([span for feature in shared for span in row.features[feature]]),
    )


def _places(text: str, tokens: Sequence[Token]) -> Mapping[str, Sequence[Span]]:
    places: dict[str, list[Span]] = {}
    for token in tokens:
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
