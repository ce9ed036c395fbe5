"""A second opinion on what is only proposed: somebody says of a hit whether its two texts state one problem.

The cascade takes reworded and translated items for what the evidence makes likely. Who is asked about them is given
from outside, for language models come below this package; a hit keeps its place whatever the opinion is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from curation.contamination.items import Confirmation, Kind
from curation.contamination.scan import Hit

ASKED_ABOUT: frozenset[Kind] = frozenset({"reworded", "translated"})
"""Kinds of match that are proposed by evidence and not read off the text."""


class Confirmer(Protocol):
    """Who is asked."""

    @property
    def name(self) -> str:
        """The name of who answers, for the reader of a report."""

    def confirm(self, hits: Sequence[Hit]) -> Sequence[Confirmation]:
        """Say of each hit whether its texts state one problem; ``unknown`` where there is no clear answer."""


def with_confirmations(rows: Sequence[Sequence[Hit]], confirmer: Confirmer) -> list[list[Hit]]:
    """Return the hits of rows, those of `ASKED_ABOUT` with their confirmation."""
    asked = [hit for hits in rows for hit in hits if hit.match.kind in ASKED_ABOUT]
    said = iter(confirmer.confirm(asked) if asked else ())
    return [[_said(hit, next(said)) if hit.match.kind in ASKED_ABOUT else hit for hit in hits] for hits in rows]


def _said(hit: Hit, confirmation: Confirmation) -> Hit:
    return replace(hit, match=replace(hit.match, confirmation=confirmation))
