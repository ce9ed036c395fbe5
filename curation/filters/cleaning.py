"""Applies cleaning rules until nothing changes, and keeps them off the mathematics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curation.filters import mathematics
from curation.filters.rule import LONGEST_TEXT, CleanRule, Edit, cut

_MOST_PASSES = 40
"""Real statements settle in two or three; a text that goes on is hostile and stays as it is."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one rule did at one place."""

    rule: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A cleaned statement and each different change, in the order made."""

    text: str
    changes: tuple[Change, ...] = ()


def clean(text: str, rules: Sequence[CleanRule]) -> Cleaned:
    """Apply the rules in order, again and again until none has anything to do, so that cleaning twice is cleaning once.

    An edit that reaches into a formula is refused unless its rule only mends characters. Edits that cover a formula
    whole, as an empty one or a problem number typed as one, are a rule's own decision.
    """
    if len(text) > LONGEST_TEXT:
        return Cleaned(text)
    current, changes = text, dict[Change, None]()
    for _ in range(_MOST_PASSES):
        before = current
        for rule in rules:
            edits = rule.edits(current)
            if edits and not rule.mends:
                edits = _outside_formulas(current, edits)
            if edits:
                changes.update(
                    (Change(rule.name, cut(current[edit.start : edit.end]), cut(edit.replacement)), None)
                    for edit in edits
                )
                current = _apply(current, edits)
        if current == before:
            return Cleaned(current, tuple(changes))
    return Cleaned(text)


def _outside_formulas(text: str, edits: Sequence[Edit]) -> list[Edit]:
    formulas = mathematics.segments(text)
    return [
        edit
        for edit in edits
        if not any(
            start < edit.end and edit.start < end and not (edit.start <= start and end <= edit.end)
            for start, end in formulas
        )
    ]


def _apply(text: str, edits: Sequence[Edit]) -> str:
    parts, position = [], 0
    for edit in edits:
        parts += [text[position : edit.start], edit.replacement]
        position = edit.end
    return "".join([*parts, text[position:]])
