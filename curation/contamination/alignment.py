"""How two texts lie on each other: an alignment of their tokens, and the same as places in the texts.

`difflib.SequenceMatcher` finds the blocks; it runs on candidate pairs only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from curation.contamination.items import Span
from curation.contamination.prepared import Prepared
from curation.contamination.vocabulary import NUMBER_WORDS
from curation.text import NUMBER_MASK, Token

_SHORTEST_BLOCK = 2
_LONGEST_SWAP = 3


@dataclass(frozen=True, slots=True)
class Alignment:
    """One item on the part of a text that looks like it.

    Attributes:
        coverage: the aligned share of the item's weight, numbers masked, 0 to 1.
        changed: numbers of the item and what stands in their places, where the text has them less often.
        swapped: single letters of the item and what stands in their places.
        window: first and last (exclusive) token of the text that the alignment looked at.
        row_coverage: the aligned share of the whole text's weight.
        numbers: the share of the item's numbers, by weight, that the window holds; 1 where it has none.
        number_weight: the weight of those that it holds.
        inserted: tokens of the window that lie between aligned tokens and are not aligned themselves.
    """

    coverage: float
    changed: tuple[tuple[str, str], ...]
    swapped: tuple[tuple[str, str], ...]
    window: tuple[int, int]
    row_coverage: float
    numbers: float
    number_weight: float
    inserted: int


def align(
    item: Prepared,
    text: Prepared,
    places: Sequence[int],
    weight: Callable[[str], float],
    number_weight: Callable[[str], float],
) -> Alignment:
    """Align an item with the window of ``text`` that holds most of the shared runs.

    Args:
        item: the benchmark item.
        text: the row's text.
        places: where runs that both have start in the text.
        weight: how telling a masked token is.
        number_weight: how telling a number is.
    """
    start, end = _window(len(item.masked), len(text.masked), places)
    window, words = text.masked[start:end], text.words[start:end]
    matcher = SequenceMatcher(None, item.masked, window, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size >= min(_SHORTEST_BLOCK, len(item.masked))]
    total = sum(map(weight, item.masked)) or 1.0
    covered = sum(weight(token) for block in blocks for token in item.masked[block.a : block.a + block.size])
    present = set(words)
    own = {word: number_weight(word) for word in item.words if word[0].isdigit()}
    held = sum(value for word, value in own.items() if word in present)
    numbers = held / sum(own.values()) if own else 1.0
    row_total = sum(map(weight, text.masked)) or 1.0
    surplus = Counter(item.words)
    surplus.subtract(words)
    changed = [
        (one, other)
        for block in blocks
        for one, other in zip(
            item.words[block.a : block.a + block.size], words[block.b : block.b + block.size], strict=True
        )
        if one != other and surplus[one] > 0
    ]
    swapped = []
    for tag, a_start, a_end, b_start, b_end in matcher.get_opcodes():
        if tag == "replace" and a_end - a_start == b_end - b_start <= _LONGEST_SWAP:
            swapped += [
                (one, other)
                for one, other in zip(item.words[a_start:a_end], words[b_start:b_end], strict=True)
                if len(one) == len(other) == 1 and one.isalpha() and other.isalpha()
            ]
    aligned = sum(block.size for block in blocks)
    inserted = blocks[-1].b + blocks[-1].size - blocks[0].b - aligned if blocks else 0
    return Alignment(
        covered / total,
        tuple(changed),
        tuple(swapped),
        (start, end),
        covered / row_total,
        numbers,
        held,
        inserted,
    )


def longest_run(item: Prepared, text: Prepared, window: tuple[int, int]) -> int:
    """Return how many tokens the longest run has that an item and a window of a text share, numbers and all."""
    words = text.words[window[0] : window[1]]
    return SequenceMatcher(None, item.words, words, autojunk=False).find_longest_match().size


def _window(item_length: int, text_length: int, places: Sequence[int]) -> tuple[int, int]:
    size = 2 * item_length + 40
    if text_length <= size:
        return 0, text_length
    best, best_start, low = 0, 0, 0
    for high, place in enumerate(places):
        while place - places[low] > 1.3 * item_length + 10:
            low += 1
        if high - low + 1 > best:
            best, best_start = high - low + 1, places[low]
    start = max(0, best_start - (size - item_length) // 2)
    return start, min(text_length, start + size)


def spans(item: Sequence[Token], row: Sequence[Token]) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return where two texts, given as `curation.text.locate` returns them, share runs of tokens, numbers masked.

    Returns:
        Places in the item and places in the row.
    """
    item_words, row_words = ([_masked(token.text) for token in side] for side in (item, row))
    window = _dense_window(item_words, row_words)
    matcher = SequenceMatcher(None, item_words, row_words[window[0] : window[1]], autojunk=False)
    in_item: list[Span] = []
    in_row: list[Span] = []
    for block in matcher.get_matching_blocks():
        if block.size >= min(_SHORTEST_BLOCK, len(item_words)) and block.size:
            offset = block.b + window[0]
            in_item.append((item[block.a].start, item[block.a + block.size - 1].end))
            in_row.append((row[offset].start, row[offset + block.size - 1].end))
    return merge_spans(in_item), merge_spans(in_row)


def _masked(word: str) -> str:
    return NUMBER_MASK if word[0].isdigit() or word in NUMBER_WORDS else word


def _dense_window(item: Sequence[str], row: Sequence[str]) -> tuple[int, int]:
    pairs = set(pairwise(item))
    places = [place for place, pair in enumerate(pairwise(row)) if pair in pairs]
    return _window(len(item), len(row), places)


def merge_spans(found: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans in order, those that touch or overlap put together."""
    merged: list[Span] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
