"""Do two wordings state one problem? The decision on a pair that the index proposed.

A pair is refused where numbers or signs differ, wherever they stand. Beyond that

* two equal wordings are one problem;
* so are wordings that differ in spelling alone: one letter of a longer word, a plural, a word written apart;
* where other words differ (a name, a noun of the story) or brackets, the two are one problem only if these are few,
  none is a variable, a label or a word of logic, order, quantity, mathematics or measure, no condition is added or
  missing, names are changed one to one, and both rows give the same answer.

What decides is thus which words differ, and the similarity only bounds how many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA, Indel, Levenshtein

from curation.dedup.vocabulary import GUARDED
from curation.dedup.wording import BRACKETS, skeleton

VERIFICATION_VERSION = 2
"""Raised whenever a pair is decided otherwise."""

_SHORTEST_MISSPELT = 5
_LONGEST_RUN = 3
_LONGEST_VARIABLE = 2
_MOST_WORDS = 4_000

SameAnswer = Callable[[], bool]
"""Says whether both rows give one answer; asked only where that decides."""

Pieces = tuple[tuple[str, ...], tuple[str, ...]]
"""What stands in one wording and what stands in its place in the other."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Why two wordings state one problem.

    Attributes:
        similarity: the shared share of both wordings' words, numbers and signs: 2 shared / (words of both), 0 to 1.
        differences: what stands in the one and in the other where they differ.
    """

    similarity: float
    differences: tuple[tuple[str, str], ...]


def verify(one: list[str], other: list[str], threshold: float, same_answer: SameAnswer) -> Likeness | None:
    """Decide whether two wordings state one problem; None where they do not, or where nobody can tell.

    Args:
        one: a wording of `curation.dedup.wording`.
        other: another one.
        threshold: least similarity of wordings that are not equal.
        same_answer: whether the rows give one answer.
    """
    if one == other:
        return Likeness(1.0, ())
    # An alignment can depend on which side it starts from, and the decision must not.
    if (len(one), one) > (len(other), other):
        turned = verify(other, one, threshold, same_answer)
        return turned and Likeness(turned.similarity, tuple((here, there) for there, here in turned.differences))
    if max(len(one), len(other)) > _MOST_WORDS or skeleton(one) != skeleton(other):
        return None
    similarity = Indel.normalized_similarity(one, other, score_cutoff=threshold)
    if similarity < threshold:
        return None
    pieces: list[Pieces] = [
        (tuple(one[step.src_start : step.src_end]), tuple(other[step.dest_start : step.dest_end]))
        for step in _differences(one, other)
    ]
    telling = [pair for pair in pieces if not _is_spelling(*pair) or _both_are_words(*pair, one, other)]
    if telling and not (
        all(_is_story(*pair) for pair in telling) and _renames_one_to_one(one, other) and same_answer()
    ):
        return None
    return Likeness(round(similarity, 4), tuple((" ".join(here), " ".join(there)) for here, there in pieces))


@dataclass(frozen=True, slots=True)
class _Step:
    src_start: int
    src_end: int
    dest_start: int
    dest_end: int


def _differences(one: Sequence[str], other: Sequence[str]) -> list[_Step]:
    """Return the places where the alignment with fewest edits differs, neighbouring edits put together."""
    steps: list[_Step] = []
    for code in Levenshtein.opcodes(one, other):
        if code.tag == "equal":
            continue
        if steps and steps[-1].src_end == code.src_start and steps[-1].dest_end == code.dest_start:
            steps[-1] = _Step(steps[-1].src_start, code.src_end, steps[-1].dest_start, code.dest_end)
        else:
            steps.append(_Step(code.src_start, code.src_end, code.dest_start, code.dest_end))
    return steps


def _is_spelling(here: Sequence[str], there: Sequence[str]) -> bool:
    if not all(word.isalpha() and word.islower() for word in (*here, *there)):
        return False
    if "".join(here) == "".join(there):
        return max(map(len, (*here, *there))) > _LONGEST_VARIABLE
    return len(here) == len(there) and all(map(spelled_alike, here, there))


def _both_are_words(here: Sequence[str], there: Sequence[str], one: Sequence[str], other: Sequence[str]) -> bool:
    """Say whether either text has both spellings, and not as singular and plural: "5 horses and 3 houses"."""
    return len(here) == len(there) and any(
        mine != yours and mine + "s" != yours and yours + "s" != mine and yours in one and mine in other
        for mine, yours in zip(here, there, strict=True)
    )


def spelled_alike(one: str, other: str) -> bool:
    """Say whether two words are one word: a plural, or one letter wrong, missing, added or swapped with the next."""
    if one == other or one + "s" == other or other + "s" == one:
        return min(len(one), len(other)) > _LONGEST_VARIABLE or one == other
    # "median" and "medial", "typical" and "atypical" are words in their own right.
    if min(len(one), len(other)) < _SHORTEST_MISSPELT or one[0] != other[0] or {one, other} <= GUARDED:
        return False
    # Another letter in a word of measure or mathematics can make another word: "miles" and "males".
    if len(one) == len(other) and not {one, other}.isdisjoint(GUARDED) and sorted(one) != sorted(other):
        return False
    return OSA.distance(one, other, score_cutoff=1) <= 1


def _is_story(here: Sequence[str], there: Sequence[str]) -> bool:
    """Say whether what differs can be names and nouns of the story or brackets, and no condition."""
    if max(len(here), len(there)) > _LONGEST_RUN:
        return False
    words = [word for word in (*here, *there) if word not in BRACKETS]
    return all(_is_story_word(word) for word in words)


def _is_story_word(word: str) -> bool:
    # Lower case: capitals are left to the names of points.
    return (
        len(word) > _LONGEST_VARIABLE and word.isascii() and word.isalpha() and word.islower() and word not in GUARDED
    )


def _renames_one_to_one(one: Sequence[str], other: Sequence[str]) -> bool:
    """Say whether every replaced word always has the same other one in its place."""
    forth: dict[str, str] = {}
    back: dict[str, str] = {}
    for code in Levenshtein.opcodes(one, other):
        if code.src_end - code.src_start != code.dest_end - code.dest_start:
            continue
        for here, there in zip(one[code.src_start : code.src_end], other[code.dest_start : code.dest_end], strict=True):
            if here != there and spelled_alike(here, there):
                continue
            if forth.setdefault(here, there) != there or back.setdefault(there, here) != here:
                return False
    return True
