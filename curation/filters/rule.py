"""What a rule is: a small function with a name that cleans a statement or drops a row, and says what it saw.

A cleaning rule returns edits; `curation.filters.cleaning` applies them and keeps them off the mathematics. A dropping
rule returns the span that decided. `curation.filters.catalog` lists all rules in their order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from curation.filters import mathematics
from curation.filters.worked_out import WorkedOut
from curation.records import Domain

LONGEST_TEXT = 20_000
"""No question and no value is longer. Rules cost at most quadratic time, so hostile texts are bounded by this."""

SPAN_CHARACTERS = 240
"""Evidence is cut at this many characters."""

MATH: frozenset[Domain] = frozenset(["math"])
CODE: frozenset[Domain] = frozenset(["code"])
BOTH: frozenset[Domain] = frozenset(["math", "code"])

_WRAPPED_LINE = re.compile(r"\n(?=[a-z])(?!(?:[a-h]|[ivx]{1,4})[.)）])")
"""A line end within a sentence: a word in lower case follows, which is no mark as in ``a) ...``."""

_LETTERS = re.compile("[a-z]+")
_TO_WORDS = bytes(ord(chr(code).lower()) if chr(code).isalpha() and code < 128 else 32 for code in range(256))
_PLAIN_NUMBER = re.compile(
    r"\s*\$?\s*-?(?:\d+(?:\.\d+)?|\d*(?:\\[dt]?frac\{\d+\}\{\d+\}|\\sqrt\{\d+\}|\\pi)|\d+/\d+)\s*\$?\s*"
)


class _Fields(NamedTuple):
    statement: str
    answer: str | None
    solution: str | None = None
    domain: Domain = "math"
    answer_expected: bool = True


class Row(_Fields):
    """What a rule sees of a row.

    Attributes:
        statement: the cleaned question.
        answer: the answer as text; None where there is none.
        solution: a worked solution, where the source has one.
        domain: rules act only on the domains they are made for.
        answer_expected: false where the whole data set has no answers, as a set that is only audited.
    """

    @WorkedOut
    def lower(self) -> str:
        """The statement in lower case."""
        return self.statement.lower()

    @WorkedOut
    def words(self) -> list[str]:
        """The runs of ASCII letters in the statement, in lower case and in order."""
        if self.statement.isascii():
            return self.statement.encode().translate(_TO_WORDS).decode().split()
        return _LETTERS.findall(self.lower)

    @WorkedOut
    def prose(self) -> str:
        """The statement with its formulas blanked and its wrapped lines joined, character for character."""
        blanked = mathematics.blank(self.statement)
        return _WRAPPED_LINE.sub(" ", blanked) if "\n" in blanked else blanked

    @WorkedOut
    def prose_lower(self) -> str:
        """The prose in lower case."""
        return self.prose.lower()

    @WorkedOut
    def target(self) -> str:
        """The answer without surrounding blanks; "" where there is none."""
        return (self.answer or "").strip()

    @WorkedOut
    def has_plain_answer(self) -> bool:
        """Whether the answer is a number: digits, a fraction, a root or a multiple of pi, and nothing besides."""
        return self.answer is not None and _PLAIN_NUMBER.fullmatch(self.answer) is not None


@dataclass(frozen=True, slots=True)
class Hit:
    """Why a rule drops a row.

    Attributes:
        rule: the rule's name.
        reason: the kind of defect, shared by several rules: ``image``, ``multi_part``, ...
        sentence: the reason for a reader.
        span: the text that decided, cut at `SPAN_CHARACTERS`; "" where something is missing.
    """

    rule: str
    reason: str
    sentence: str
    span: str


Finder = Callable[[Row], "re.Match[str] | str | None"]


@dataclass(frozen=True)
class DropRule:
    """A rule that drops rows: call it with a row.

    ``when``, ``when_prose``, ``when_answer``, ``unless`` and ``about_answer`` only save time: on a row that they leave
    out, ``find`` would return None. All but the last are triggers as `curation.filters.triggers` explains them.

    Attributes:
        name: the name of its function.
        reason: the kind of defect.
        sentence: the reason for a reader.
        find: returns the span that decided, or None.
        domains: the domains it acts on.
        when: it looks only at rows whose statement holds this ...
        when_answer: ... or whose answer holds this; at all rows where both are None.
        unless: it does not look at rows whose statement holds this ...
        when_prose: ... nor at rows of ASCII whose statement does not hold this.
        about_answer: it looks only at rows whose answer is no plain number.
        alone: where it hits, no later rule looks at the row.
        costly: it is asked only about rows that no other rule drops.
    """

    name: str
    reason: str
    sentence: str
    find: Finder
    domains: frozenset[Domain]
    when: str | None = None
    when_answer: str | None = None
    unless: str | None = None
    when_prose: str | None = None
    about_answer: bool = False
    alone: bool = False
    costly: bool = False

    def __call__(self, row: Row) -> Hit | None:
        """Return the hit, or None where the rule has nothing against the row."""
        found = self.find(row)
        return None if found is None else self.hit(found)

    def hit(self, found: re.Match[str] | str) -> Hit:
        """Return the hit for what `find` returned."""
        return Hit(self.name, self.reason, self.sentence, cut(found if isinstance(found, str) else found.group()))


def drops(
    reason: str,
    sentence: str,
    *,
    domains: frozenset[Domain] = MATH,
    when: str | None = None,
    when_answer: str | None = None,
    unless: str | None = None,
    when_prose: str | None = None,
    about_answer: bool = False,
    alone: bool = False,
    costly: bool = False,
) -> Callable[[Finder], DropRule]:
    """Make a function over rows a dropping rule."""

    def make(find: Finder) -> DropRule:
        return DropRule(
            find.__name__,
            reason,
            sentence,
            find,
            domains,
            when,
            when_answer,
            unless,
            when_prose,
            about_answer,
            alone,
            costly,
        )

    return make


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``text[start:end]`` by ``replacement``."""

    start: int
    end: int
    replacement: str = ""


Editor = Callable[[str], Sequence[Edit]]


@dataclass(frozen=True)
class CleanRule:
    """A rule that cleans statements.

    Every edit must make the text shorter, or replace a character by one that no rule replaces again: so cleaning ends.

    Attributes:
        name: the name of its function.
        sentence: what it takes out, for a reader.
        edits: returns the edits, in order and without overlap.
        when: it looks only at texts that hold this trigger, at all texts where it is None; this only saves time.
        mends: true where it only mends characters, which it may do inside a formula as well.
        domains: the domains it acts on.
    """

    name: str
    sentence: str
    edits: Editor
    when: str | None
    mends: bool
    domains: frozenset[Domain]


def cleans(
    sentence: str, *, when: str | None = None, mends: bool = False, domains: frozenset[Domain] = MATH
) -> Callable[[Editor], CleanRule]:
    """Make a function from a text to its edits a cleaning rule."""

    def make(edits: Editor) -> CleanRule:
        return CleanRule(edits.__name__, sentence, edits, when, mends, domains)

    return make


def cut(span: str) -> str:
    """Return the span, cut where it is longer than evidence needs."""
    return span if len(span) <= SPAN_CHARACTERS else span[: SPAN_CHARACTERS - 1] + "…"


def one_of(*alternatives: str, flags: int = 0) -> re.Pattern[str]:
    """Compile an expression from its alternatives."""
    return re.compile("|".join(alternatives), flags)


def has_any(text: str, signs: tuple[str, ...]) -> bool:
    """Tell whether the text holds one of the strings."""
    for sign in signs:  # noqa: SIM110 - a generator costs more than the look-ups
        if sign in text:
            return True
    return False


def at_word(*alternatives: str, flags: int = 0) -> re.Pattern[str]:
    """Compile an expression that begins where a word begins or ends, which spares most places all alternatives."""
    return re.compile(rf"\b(?:{'|'.join(alternatives)})", flags)


def search_near(
    anchor: re.Pattern[str], pattern: re.Pattern[str], text: str, before: int = 80, after: int = 100
) -> re.Match[str] | None:
    """Return the first match of a costly pattern within so many characters of a cheap anchor, or None."""
    for place in anchor.finditer(text):
        found = pattern.search(text, max(0, place.start() - before), min(len(text), place.end() + after))
        if found is not None:
            return found
    return None
