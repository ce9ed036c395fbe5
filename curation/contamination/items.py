"""The rows of contamination: benchmark items, matches and the kinds of match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import polars as pl

Kind = Literal[
    "excluded_contest",
    "exact",
    "folded",
    "embedded",
    "numbers_changed",
    "near",
    "partial",
    "reworded",
    "translated",
]
"""How a row and a benchmark item hang together.

``excluded_contest``: the row says itself that it comes from a contest that is left out whole. ``exact``: the same text.
``folded``: the same after `curation.text.fold` and without grouping. ``embedded``: the whole item inside a longer text.
``numbers_changed``: the same text with other numbers or letters. ``near``: most of the item, retyped or edited.
``partial``: a telling piece of the item. ``reworded`` and ``translated``: the same mathematics in other words or in
another language.
"""

KINDS: tuple[Kind, ...] = get_args(Kind)

Confirmation = Literal["yes", "no", "unknown"]
"""What who was asked said of a hit: the texts state one problem, they do not, or nothing clear."""

Span = tuple[int, int]
"""Start and end (exclusive) of a piece of text, in characters."""


@dataclass(frozen=True, slots=True)
class BenchmarkItem:
    """One problem of a benchmark."""

    benchmark: str
    benchmark_id: str
    text: str
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """One hit of one text on one benchmark item.

    Attributes:
        item: the benchmark item; None for a contest that is excluded whole.
        score: between 0 and 1, what share of the item the kind's evidence covers; comparable within a kind.
        row_spans: the shared pieces in the row's text.
        item_spans: the shared pieces in the item's text.
        detail: what differs or what the text said, in a few words.
        confirmation: what `curation.contamination.confirmation` brought; None where nobody was asked.
    """

    kind: Kind
    benchmark: str
    benchmark_id: str
    score: float
    row_spans: tuple[Span, ...] = ()
    item_spans: tuple[Span, ...] = ()
    answers_agree: bool | None = None
    detail: str | None = None
    item: BenchmarkItem | None = None
    confirmation: Confirmation | None = None


_SPANS: pl.DataType = pl.List(pl.Struct({"start": pl.Int32, "end": pl.Int32}))

MATCH_SCHEMA = pl.Schema(
    [
        ("row_id", pl.String()),
        ("column", pl.String()),
        ("benchmark", pl.String()),
        ("benchmark_id", pl.String()),
        ("kind", pl.String()),
        ("score", pl.Float64()),
        ("row_spans", _SPANS),
        ("benchmark_spans", _SPANS),
        ("answers_agree", pl.Boolean()),
        ("detail", pl.String()),
        ("confirmation", pl.String()),
    ]
)


def match_row(row_id: str, column: str, match: Match) -> dict[str, object]:
    """Return a match as a row of `MATCH_SCHEMA`, JSON kinds only."""
    return {
        "row_id": row_id,
        "column": column,
        "benchmark": match.benchmark,
        "benchmark_id": match.benchmark_id,
        "kind": match.kind,
        "score": round(match.score, 4),
        "row_spans": [{"start": start, "end": end} for start, end in match.row_spans],
        "benchmark_spans": [{"start": start, "end": end} for start, end in match.item_spans],
        "answers_agree": match.answers_agree,
        "detail": match.detail,
        "confirmation": match.confirmation,
    }
