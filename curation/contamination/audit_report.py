"""The audit's report: one HTML file that works offline, every hit with both texts side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2

from curation import bundled, storage
from curation.contamination.items import KINDS, Span
from curation.contamination.scan import Hit

MOST_SHOWN = 2_000
"""How many hits the report shows at most."""

_AROUND = 300
_LONGEST = 3_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text and whether the other text has it too."""

    text: str
    shared: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """One hit as the report shows it."""

    row_id: str
    column: str
    kind: str
    score: float
    benchmark: str
    benchmark_id: str
    answers_agree: bool | None
    detail: str | None
    row_pieces: tuple[Piece, ...]
    item_pieces: tuple[Piece, ...]

    @staticmethod
    def of(hit: Hit) -> Shown:
        """Cut both texts into shared and other pieces; of a long text only what lies around the shared ones."""
        match = hit.match
        return Shown(
            hit.row_id,
            hit.column,
            match.kind,
            match.score,
            match.benchmark,
            match.benchmark_id,
            match.answers_agree,
            match.detail,
            pieces(hit.text, match.row_spans),
            pieces(match.item.text, match.item_spans) if match.item else (),
        )


def pieces(text: str, spans: Sequence[Span]) -> tuple[Piece, ...]:
    """Cut a text at its spans; what is far from every span is left out of a long one and shows as an ellipsis."""
    first, last = 0, len(text)
    if len(text) > _LONGEST:
        first = max(0, spans[0][0] - _AROUND) if spans else 0
        last = min(
            len(text), max(first + _LONGEST, min(spans[-1][1] + _AROUND, first + 3 * _LONGEST)) if spans else _LONGEST
        )
    cut: list[Piece] = [Piece("… ", False)] if first else []
    position = first
    for start, end in spans:
        start, end = max(start, position), min(end, last)
        if start >= end:
            continue
        if start > position:
            cut.append(Piece(text[position:start], False))
        cut.append(Piece(text[start:end], True))
        position = end
    if position < last:
        cut.append(Piece(text[position:last], False))
    if last < len(text):
        cut.append(Piece(" …", False))
    return tuple(cut)


def write_report(path: Path, summary: Mapping[str, object], shown: Sequence[Shown], total: int) -> None:
    """Write the report.

    Args:
        path: the HTML file.
        summary: what ``summary.json`` says.
        shown: the hits to show.
        total: how many hits there are.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(bundled.folder("templates")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = environment.get_template("audit_report.html.j2").render(
        summary=summary,
        hits=shown,
        left_out=total - len(shown),
        kinds=[kind for kind in KINDS if any(hit.kind == kind for hit in shown)],
        benchmarks=sorted({hit.benchmark for hit in shown}),
    )
    storage.write_text(path, text + "\n")
