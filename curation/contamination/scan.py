"""Texts of rows against benchmarks: excluded contests, then the cascade; one engine for audit and rebuild."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from curation.contamination.agreement import read_answer
from curation.contamination.contests import ContestFilter
from curation.contamination.index import Index
from curation.contamination.items import BenchmarkItem, Match
from curation.contamination.match import Matcher, MatchOptions

_MOST_HITS = 8


@dataclass(frozen=True, slots=True)
class RowTexts:
    """What of a row is looked at.

    Attributes:
        texts: column and text.
        answer: the row's answer; None where it has none.
        contest: the contest's identifier.
        year: the contest's year.
        tags: other fields that may name a contest: an address, a source, an identifier.
    """

    row_id: str
    texts: tuple[tuple[str, str], ...]
    answer: str | None = None
    contest: str | None = None
    year: int | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A match and where it was found; the text is kept for showing."""

    row_id: str
    column: str
    match: Match
    text: str


@dataclass(frozen=True, slots=True)
class ScannerSettings:
    """What a scanner is made of.

    Attributes:
        items: of the benchmarks.
        options: what the cascade leaves open.
        exclude_contests: contests whose rows are hits by their name alone.
        matcher: made of the items and options already, so that another process need not make it again.
    """

    items: tuple[BenchmarkItem, ...]
    options: MatchOptions = field(default_factory=MatchOptions)
    exclude_contests: tuple[str, ...] = ()
    matcher: Matcher | None = field(default=None, repr=False, compare=False)


class Scanner:
    """Looks at rows, many at a time; holds no state of them."""

    def __init__(self, settings: ScannerSettings) -> None:
        self.matcher = settings.matcher or Matcher(Index(settings.items), settings.options)
        self.settings = replace(settings, matcher=self.matcher)
        self._contests = ContestFilter(settings.exclude_contests)

    def scan(self, row: RowTexts) -> list[Hit]:
        """Return the hits of one row, as `scan_all` does of many."""
        return self.scan_all([row])[0]

    def scan_all(self, rows: Sequence[RowTexts]) -> list[list[Hit]]:
        """Return the hits of each row: at most one for the contest it names, then the best of each text."""
        answers = [read_answer(row.answer) for row in rows]
        texts = [text for row in rows for _, text in row.texts]
        matches = iter(
            self.matcher.match_all(
                texts, [answer for row, answer in zip(rows, answers, strict=True) for _ in row.texts], _MOST_HITS
            )
        )
        return [self._hits(row, [next(matches) for _ in row.texts]) for row in rows]

    def _hits(self, row: RowTexts, matches: Sequence[Sequence[Match]]) -> list[Hit]:
        hits: list[Hit] = []
        named = self._contests.by_metadata(row.contest, row.year, row.tags)
        if named is not None:
            hits.append(Hit(row.row_id, "", named, row.texts[0][1] if row.texts else ""))
        for (column, text), own in zip(row.texts, matches, strict=True):
            if named is None and (said := self._contests.by_text(text)) is not None:
                named = said
                hits.append(Hit(row.row_id, column, said, text))
            hits += [Hit(row.row_id, column, match, text) for match in own]
        return hits
