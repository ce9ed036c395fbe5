"""Contests that are left out whole: a row says by its metadata, its address or its text which contest it is from.

A benchmark often holds only part of a contest (MathArena has 30 of the more than 60 short-answer problems of HMMT
February 2025), so rows are recognised by the contest they name, not by the benchmark's texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from curation.contamination.items import Match, Span
from curation.errors import InputError

_SAME_AS = {
    "aime": ("aime", "american invitational mathematics exam", "american invitational mathematics examination"),
    "hmmt": ("hmmt", "harvard mit mathematics tournament", "harvard mit math tournament"),
    "smt": ("smt", "stanford math tournament", "stanford mathematics tournament"),
    "brumo": ("brumo", "brown university math olympiad", "brown university mathematics olympiad"),
    "cmimc": ("cmimc", "cmimc math", "carnegie mellon informatics and mathematics competition"),
    "amc": ("amc", "amc 8", "amc 10", "amc 12", "amc 10a", "amc 10b", "amc 12a", "amc 12b"),
    "bmt": ("bmt", "berkeley math tournament"),
    "pumac": ("pumac", "princeton university mathematics competition"),
    "kangaroo": ("kangaroo", "math kangaroo", "mathematical kangaroo"),
    "imo": ("imo", "international mathematical olympiad"),
    "usamo": ("usamo", "usa mathematical olympiad"),
    "putnam": ("putnam", "william lowell putnam mathematical competition"),
}
_MONTHS = {"feb": r"feb(?:ruary)?", "nov": r"nov(?:ember)?"}
_BETWEEN = (
    r"(?:i{1,3}|[12ab]|feb(?:ruary)?|nov(?:ember)?|spring|fall|winter|math(?:s|ematics)?|tournament|contest|"
    r"competition|exam(?:ination)?|paper|test|tournaments|problems?|of|the|in|from|archive|s3|amazonaws|com|www|org)"
)
_GAP = r"[\W_]{0,3}"


@dataclass(frozen=True, slots=True)
class ExcludedContest:
    """A contest of one year.

    Attributes:
        key: ``contest-year``, as recipes give it (``hmmt-feb-2025``).
        contest: the contest without its year.
        year: the year.
        pattern: finds its name beside its year in lower-case text.
        names: lower-case words one of which a text must hold for the pattern to be worth trying.
        month: finds the sitting's month, for contests that sit twice a year.
        other_month: finds the other sitting's.
    """

    key: str
    contest: str
    year: int
    pattern: re.Pattern[str]
    names: tuple[str, ...]
    month: re.Pattern[str] | None
    other_month: re.Pattern[str] | None


def parse(key: str) -> ExcludedContest:
    """Read a contest key.

    Raises:
        InputError: the key does not end in a year.
    """
    match = re.fullmatch(r"([a-z][a-z0-9-]*)-((?:19|20)\d\d)", key.strip().lower())
    if match is None:
        raise InputError(f"exclude_contests: {key!r} must be a contest and a year, as in 'hmmt-feb-2025'")
    contest, year = match.group(1), match.group(2)
    family, _, sitting = contest.rpartition("-")
    if sitting not in _MONTHS or not family:
        family, sitting = contest, ""
    known = _SAME_AS.get(family, (family,))
    names = "|".join(re.escape(name).replace(r"\ ", r"[\W_]+").replace(r"\-", r"[\W_]*") for name in known)
    numeral = rf"(?:{year}|'{year[2:]})"
    words = rf"(?:{_BETWEEN}{_GAP}){{0,6}}"
    pattern = re.compile(
        rf"(?<![a-z])(?:{names})(?![a-z]){_GAP}{words}{numeral}(?!\d)"
        rf"|(?<!\d){year}{_GAP}{words}(?<![a-z])(?:{names})(?![a-z])"
        rf"|(?<![a-z])(?:{names}){_GAP}{year[2:]}(?!\d)"
    )
    other = next((month for month in _MONTHS if sitting and month != sitting), None)
    return ExcludedContest(
        key=f"{contest}-{year}",
        contest=contest,
        year=int(year),
        pattern=pattern,
        names=tuple(dict.fromkeys(re.split(r"[ -]", name)[0] for name in known)),
        month=re.compile(_MONTHS[sitting]) if sitting else None,
        other_month=re.compile(_MONTHS[other]) if other else None,
    )


class ContestFilter:
    """Recognises rows of contests that are left out whole."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._contests = tuple(parse(key) for key in keys)
        self._years = tuple({str(contest.year)[2:] for contest in self._contests})

    def by_metadata(self, contest: str | None, year: int | None, tags: Sequence[str | None]) -> Match | None:
        """Return a hit where the row's contest and year, or a tag such as its address, name an excluded contest."""
        own = (contest or "").strip().lower().replace("_", "-").replace(" ", "-")
        for excluded in self._contests:
            if year == excluded.year and own and (own == excluded.contest or own.startswith(f"{excluded.contest}-")):
                return _hit(excluded, f"contest {contest}, year {year}", None)
        joined = [tag for tag in (*tags, f"{contest} {year}" if contest and year else contest) if tag]
        for tag in joined:
            if (match := self.by_text(tag)) is not None:
                return replace(match, row_spans=())
        return None

    def by_text(self, text: str) -> Match | None:
        """Return a hit where the text names an excluded contest beside its year; the span is the name."""
        # Most texts name none of the years.
        if not any(year in text for year in self._years):
            return None
        lowered = text.lower()
        for excluded in self._contests:
            if not any(name in lowered for name in excluded.names):
                continue
            for found in excluded.pattern.finditer(lowered):
                around = lowered[max(0, found.start() - 40) : found.end() + 40]
                if excluded.month and excluded.other_month and excluded.other_month.search(around):
                    if not excluded.month.search(found.group()):
                        continue
                elif excluded.month and excluded.contest.endswith("-nov") and not excluded.month.search(around):
                    # A year's sitting without a month is the main one, in February.
                    continue
                return _hit(excluded, text[found.start() : found.end()], (found.start(), found.end()))
        return None


def _hit(excluded: ExcludedContest, detail: str, span: Span | None) -> Match:
    return Match("excluded_contest", excluded.key, "", 1.0, (span,) if span else (), (), None, f"names {detail}")
