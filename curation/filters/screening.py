"""Cleans a row and decides on it: the rules that a recipe asks for, applied in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from curation.errors import InputError
from curation.filters import catalog
from curation.filters.cleaning import Change, Cleaner
from curation.filters.rule import CleanRule, DropRule, Hit, Row
from curation.filters.triggers import Triggers
from curation.recipe import FilterSection
from curation.records import Domain

_DOMAINS: tuple[Domain, ...] = ("math", "code")


@dataclass(frozen=True)
class Rules:
    """The rules of one run. Sets of dropping rules are masks: bit ``n`` stands for ``dropping[n]``."""

    cleaning: tuple[CleanRule, ...]
    dropping: tuple[DropRule, ...]

    @cached_property
    def cleaner_of(self) -> Mapping[Domain, Cleaner]:
        """What cleans statements, by domain."""
        return {domain: Cleaner([rule for rule in self.cleaning if domain in rule.domains]) for domain in _DOMAINS}

    @cached_property
    def _statement_triggers(self) -> Triggers:
        """The rules' ``when``, and beyond them the rules' ``unless``."""
        count = len(self.dropping)
        when = {place: rule.when for place, rule in enumerate(self.dropping) if rule.when is not None}
        unless = {count + place: rule.unless for place, rule in enumerate(self.dropping) if rule.unless is not None}
        return Triggers(when | unless)

    @cached_property
    def _answer_triggers(self) -> Triggers:
        return Triggers({place: rule.when_answer for place, rule in enumerate(self.dropping) if rule.when_answer})

    @cached_property
    def _unconditional(self) -> int:
        """The rules that wait for nothing in the statement or the answer."""
        return sum(
            1 << place for place, rule in enumerate(self.dropping) if rule.when is None and rule.when_answer is None
        )

    @cached_property
    def _open(self) -> Mapping[tuple[Domain, bool], int]:
        """The rules that a row of this domain, with a plain answer or not, is not left out of."""
        return {
            (domain, plain): sum(
                1 << place
                for place, rule in enumerate(self.dropping)
                if domain in rule.domains and not (plain and rule.about_answer)
            )
            for domain in _DOMAINS
            for plain in (False, True)
        }

    @cached_property
    def _chosen(self) -> dict[int, tuple[DropRule, ...]]:
        """The rules of each mask that has come up: there are few, and rows are many."""
        return {}

    def worth_trying(self, row: Row) -> tuple[DropRule, ...]:
        """Return, in order, the rules of the row's domain whose triggers and kind of answer the row has."""
        found = self._statement_triggers.found(row.statement)
        mask = found | self._unconditional
        if row.answer:
            mask |= self._answer_triggers.found(row.answer)
        mask &= self._open[row.domain, row.has_plain_answer] & ~(found >> len(self.dropping))
        chosen = self._chosen.get(mask)
        if chosen is None:
            chosen = tuple(rule for place, rule in enumerate(self.dropping) if mask >> place & 1)
            self._chosen[mask] = chosen
        return chosen


@dataclass(frozen=True, slots=True)
class Screened:
    """What the rules made of a row.

    Attributes:
        statement: the cleaned statement.
        changes: what cleaning did.
        hits: every rule against the row, the deciding one first; empty where the row is kept.
    """

    statement: str
    changes: tuple[Change, ...] = ()
    hits: tuple[Hit, ...] = ()

    @property
    def is_untouched(self) -> bool:
        """Whether the row is kept as it came."""
        return not self.changes and not self.hits


def select(section: FilterSection, own: Sequence[DropRule] = ()) -> Rules:
    """Return the rules of a recipe's ``[filter]``; own rules come last.

    Raises:
        InputError: ``skip_rules`` names a rule that does not exist.
    """
    known = catalog.names() | {rule.name for rule in own}
    for name in section.skip_rules:
        if name not in known:
            raise InputError(f"[filter] skip_rules: no rule is called {name!r}: take one of {', '.join(sorted(known))}")
    skipped = frozenset(section.skip_rules)
    cleaning = tuple(rule for rule in catalog.CLEANING if rule.name not in skipped)
    gate = _gate() if section.check_answers else ()
    dropping = (*catalog.dropping(section.languages), *own, *gate)
    return Rules(cleaning, tuple(rule for rule in dropping if not skipped & {rule.name, rule.reason}))


def _gate() -> tuple[DropRule, ...]:
    # The comparison takes a third of a second to load, in every process that filters, and few recipes ask for it.
    from curation.filters.gate import uncheckable_answer

    return (uncheckable_answer,)


def screen(row: Row, rules: Rules) -> Screened:
    """Clean a row's statement, then let every dropping rule of its domain look at it."""
    cleaned = rules.cleaner_of[row.domain].clean(row.statement)
    seen = row if cleaned.text == row.statement else replace(row, statement=cleaned.text)
    return Screened(cleaned.text, cleaned.changes, tuple(_hits(seen, rules)))


def _hits(row: Row, rules: Rules) -> Iterator[Hit]:
    dropped = False
    for rule in rules.worth_trying(row):
        if dropped and rule.costly:
            continue
        found = rule.find(row)
        if found is not None:
            dropped = True
            yield rule.hit(found)
            if rule.alone:
                return
