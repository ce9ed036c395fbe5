"""Applies cleaning rules until nothing changes, and keeps them off the mathematics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from curation.filters import mathematics
from curation.filters.rule import LONGEST_TEXT, CleanRule, Edit, cut
from curation.filters.triggers import Triggers

_MOST_PASSES = 40
"""Real statements settle in two or three; a text that goes on is hostile and stays as it is."""


_SAYS_NOTHING = re.compile(
    r"(?:\$\$?|\\\(|\\\[)(?:\s|\\(?:q?quad|[,;!:])|\d{1,3}\s*\\cdot\s*\d{1,3}|\\boxed\s*(?:\{[^{}]*\})?"
    r"|\{\s*\}\s*\^\{\s*\\mathrm\{\s*[A-Z~ ]*\}\s*\d*\s*\})*(?:\$\$?|\\\)|\\\])"
)
"""What a rule may take away: an empty formula, a section's number, a box for the answer, the shortlist's mark."""


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


class Cleaner:
    """Applies rules in order, again and again until none has anything to do, so that cleaning twice is cleaning once.

    An edit that reaches into a formula, or takes one away that says something, is refused unless its rule only mends
    characters.

    Attributes:
        always: the rules that look at every text, as `clean_with` has them.
    """

    def __init__(self, rules: Sequence[CleanRule]) -> None:
        """Take the rules in their order."""
        self._rules = rules
        self._triggers = Triggers({place: rule.when for place, rule in enumerate(rules) if rule.when is not None})
        self.always = sum(1 << place for place, rule in enumerate(rules) if rule.when is None)

    def clean(self, text: str) -> Cleaned:
        """Return the cleaned text with what changed; a text that no question can be as long as stays as it is."""
        return self.clean_with(text, self._triggers.found(text)) if len(text) <= LONGEST_TEXT else Cleaned(text)

    def clean_with(self, text: str, found: int) -> Cleaned:
        """Return what `clean` returns.

        Args:
            text: the text.
            found: which rules' triggers it holds: bit ``n`` stands for the rule at place ``n``.
        """
        waiting = found | self.always
        if not waiting or len(text) > LONGEST_TEXT:
            return Cleaned(text)
        current, changes = text, dict[Change, None]()
        for _ in range(_MOST_PASSES):
            before = current
            current, waiting = self._pass(current, waiting, changes)
            if current == before:
                return Cleaned(current, tuple(changes))
        return Cleaned(text)

    def _pass(self, text: str, worth_trying: int, changes: dict[Change, None]) -> tuple[str, int]:
        """Apply each rule once and add to the changes; return the text with the rules that are worth trying on it."""
        waiting = worth_trying
        while waiting:
            place = (waiting & -waiting).bit_length() - 1
            waiting &= waiting - 1
            rule = self._rules[place]
            edits = rule.edits(text)
            if edits and not rule.mends:
                edits = _outside_formulas(text, edits)
            if edits:
                changes.update(
                    (Change(rule.name, cut(text[edit.start : edit.end]), cut(edit.replacement)), None) for edit in edits
                )
                text = _apply(text, edits)
                worth_trying = self._triggers.found(text) | self.always
                waiting = worth_trying >> place + 1 << place + 1
        return text, worth_trying


def _outside_formulas(text: str, edits: Sequence[Edit]) -> list[Edit]:
    before = text[: edits[-1].end]
    if "$" not in before and "\\" not in before:
        # No formula has begun.
        return list(edits)
    formulas = mathematics.segments(text)
    return [edit for edit in edits if not any(_harms(text, edit, start, end) for start, end in formulas)]


def _harms(text: str, edit: Edit, start: int, end: int) -> bool:
    """Tell whether an edit cuts into a formula or takes one away that says something."""
    if end <= edit.start or edit.end <= start:
        return False
    formula = text[start:end]
    if edit.start <= start and end <= edit.end:
        return formula not in edit.replacement and _SAYS_NOTHING.fullmatch(formula) is None
    return True


def _apply(text: str, edits: Sequence[Edit]) -> str:
    parts, position = [], 0
    for edit in edits:
        parts += [text[position : edit.start], edit.replacement]
        position = edit.end
    return "".join([*parts, text[position:]])
