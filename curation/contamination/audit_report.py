"""The audit's report: one HTML file that works offline, every hit with both texts side by side."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup

from curation import bundled, storage
from curation.contamination.items import KINDS, Confirmation, Kind, Span
from curation.contamination.scan import Hit
from curation.contamination.selftest_result import SelftestResult
from curation.typeset import typeset

MOST_SHOWN = 2_000
"""How many hits the report shows at most."""

MEANINGS: Mapping[Kind, str] = {
    "excluded_contest": "the row names a contest that counts as a whole",
    "exact": "the item, character for character",
    "folded": "the item in another notation or spacing",
    "embedded": "the whole item inside a longer text",
    "numbers_changed": "the item with other numbers or letters",
    "near": "most of the item, retyped or edited",
    "partial": "a telling piece of the item",
    "reworded": "the same mathematics in other words",
    "translated": "the same mathematics in another language",
}

_AROUND = 300
_LONGEST = 3_000


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What of a text is shown.

    Attributes:
        text: the text, or what lies around its spans where it is long.
        spans: the shared pieces, counted in ``text``.
        cut_before: something before it is left out.
        cut_after: something after it is left out.
    """

    text: str
    spans: tuple[Span, ...]
    cut_before: bool
    cut_after: bool

    @staticmethod
    def of(text: str, spans: Sequence[Span]) -> Excerpt:
        """Cut a long text to what lies around its spans."""
        first, last = 0, len(text)
        if len(text) > _LONGEST:
            first = max(0, spans[0][0] - _AROUND) if spans else 0
            least = first + _LONGEST
            last = min(len(text), max(least, min(spans[-1][1] + _AROUND, first + 3 * _LONGEST)) if spans else least)
        inside = [(max(start, first) - first, min(end, last) - first) for start, end in spans]
        kept = tuple((start, end) for start, end in inside if start < end)
        return Excerpt(text[first:last], kept, first > 0, last < len(text))

    def html(self) -> Markup:
        """Return it with its formulas set and its spans marked."""
        before, after = Markup("… ") * self.cut_before, Markup(" …") * self.cut_after
        return before + typeset(self.text, self.spans) + after


@dataclass(frozen=True, slots=True)
class Shown:
    """One hit as the report shows it."""

    row_id: str
    column: str
    kind: Kind
    score: float
    benchmark: str
    benchmark_id: str
    answers_agree: bool | None
    detail: str | None
    confirmation: Confirmation | None
    row: Excerpt
    item: Excerpt | None

    @staticmethod
    def of(hit: Hit) -> Shown:
        """Keep of a hit what is shown."""
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
            match.confirmation,
            Excerpt.of(hit.text, match.row_spans),
            Excerpt.of(match.item.text, match.item_spans) if match.item else None,
        )


class Gallery:
    """The hits that the report shows: all of them, or of each benchmark and kind the first ones, as many of each.

    A data set with thousands of hits of one kind still shows the few of another.
    """

    def __init__(self, most: int = MOST_SHOWN) -> None:
        self._most = most
        self._kept: dict[tuple[str, Kind], deque[tuple[int, Shown]]] = {}
        self._count = 0
        self.totals: Counter[tuple[str, Kind]] = Counter()

    def add(self, hit: Hit) -> None:
        """Count a hit, and keep it where there is room for one more of its benchmark and kind."""
        key = (hit.match.benchmark, hit.match.kind)
        group = self._kept.setdefault(key, deque())
        self.totals[key] += 1
        if self._count >= self._most:
            largest = max(self._kept.values(), key=len)
            if len(group) + 1 >= len(largest):
                return
            largest.pop()
            self._count -= 1
        group.append((self.totals.total(), Shown.of(hit)))
        self._count += 1

    def shown(self) -> list[Shown]:
        """Return the hits that were kept, in the order in which they came."""
        kept = sorted((place, one) for group in self._kept.values() for place, one in group)
        return [one for _, one in kept]


def write_report(
    path: Path, summary: Mapping[str, object], gallery: Gallery, selftest: SelftestResult | None = None
) -> None:
    """Write the report.

    Args:
        path: the HTML file.
        summary: what ``summary.json`` says.
        gallery: the hits.
        selftest: what a self-test found; None where none was done.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(bundled.folder("templates")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = _percent
    totals: dict[str, dict[str, int]] = {}
    for (benchmark, kind), number in gallery.totals.items():
        totals.setdefault(benchmark, {})[kind] = number
    text = environment.get_template("audit_report.html.j2").render(
        summary=summary,
        meanings=MEANINGS,
        hits=gallery.shown(),
        total=gallery.totals.total(),
        totals=totals,
        kinds=[kind for kind in KINDS if any(kind in by_kind for by_kind in totals.values())],
        benchmarks=sorted(totals),
        selftest=selftest,
    )
    storage.write_text(path, text + "\n")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
