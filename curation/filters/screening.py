"""Cleans a row and decides on it: the rules that a recipe asks for, applied in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from curation.errors import InputError
from curation.filters import catalog
from curation.filters.cleaning import Change, Cleaned, Cleaner
from curation.filters.rule import CleanRule, DropRule, Hit, Row
from curation.filters.triggers import Triggers
from curation.recipe import FilterSection
from curation.records import Domain

_DOMAINS: tuple[Domain, ...] = ("math", "code")


@dataclass(frozen=True)
class Rules:
    """The rules of one run, in their order."""

    cleaning: tuple[CleanRule, ...]
    dropping: tuple[DropRule, ...]

    @cached_property
    def of_domain(self) -> Mapping[Domain, DomainRules]:
        """The rules for rows of each domain."""
        return {
            domain: DomainRules(
                [rule for rule in self.cleaning if domain in rule.domains],
                [rule for rule in self.dropping if domain in rule.domains],
            )
            for domain in _DOMAINS
        }

    def worth_trying(self, row: Row) -> tuple[DropRule, ...]:
        """Return, in order, the dropping rules of the row's domain whose triggers and kind of answer the row has."""
        return self.of_domain[row.domain].worth_trying([row])[0]


class Screened(NamedTuple):
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


class DomainRules:
    """The rules for rows of one domain. Sets of rules are masks: bit ``n`` stands for the rule at place ``n``."""

    def __init__(self, cleaning: Sequence[CleanRule], dropping: Sequence[DropRule]) -> None:
        """Take the rules in their order."""
        self._cleaner = Cleaner(cleaning)
        self._dropping = dropping
        count = len(dropping)
        when = {place: rule.when for place, rule in enumerate(dropping) if rule.when is not None}
        unless = {count + place: rule.unless for place, rule in enumerate(dropping) if rule.unless is not None}
        cleans = {2 * count + place: rule.when for place, rule in enumerate(cleaning) if rule.when is not None}
        # One scan serves both kinds of rules, for most statements need no cleaning.
        self._statement_triggers = Triggers(when | unless | cleans)
        self._prose_triggers = Triggers(
            {place: rule.when_prose for place, rule in enumerate(dropping) if rule.when_prose is not None}
        )
        self._answer_triggers = Triggers(
            {place: rule.when_answer for place, rule in enumerate(dropping) if rule.when_answer}
        )
        self._unconditional = _mask(dropping, lambda rule: rule.when is None and rule.when_answer is None)
        self._of_any_prose = _mask(dropping, lambda rule: rule.when_prose is None)
        self._of_any_answer = _mask(dropping, lambda rule: not rule.about_answer)
        self._chosen: dict[int, tuple[DropRule, ...]] = {}

    def screen(self, rows: Sequence[Row]) -> list[Screened]:
        """Clean each row's statement, then let every dropping rule look at it."""
        found = self._statement_triggers.found_in_each([row.statement for row in rows])
        seen, changes = list(rows), self._changes(rows, found)
        again = self._statement_triggers.found_in_each([result.text for result in changes.values()])
        for (place, result), mask in zip(changes.items(), again, strict=True):
            seen[place], found[place] = rows[place]._replace(statement=result.text), mask
        return [
            Screened(row.statement, changes[place].changes if place in changes else (), _hits(row, chosen))
            for place, (row, chosen) in enumerate(zip(seen, self._worth_trying(seen, found), strict=True))
        ]

    def _changes(self, rows: Sequence[Row], found: Sequence[int]) -> dict[int, Cleaned]:
        """Return, by its place, what each statement became that cleaning changes."""
        changed, start, always = {}, 2 * len(self._dropping), self._cleaner.always
        for place, mask in enumerate(found):
            if mask >> start or always:
                result = self._cleaner.clean_with(rows[place].statement, mask >> start)
                if result.changes:
                    changed[place] = result
        return changed

    def worth_trying(self, rows: Sequence[Row]) -> list[tuple[DropRule, ...]]:
        """Return for each row, in order, the dropping rules whose triggers and kind of answer it has."""
        return self._worth_trying(rows, self._statement_triggers.found_in_each([row.statement for row in rows]))

    def _worth_trying(self, rows: Sequence[Row], in_statements: Sequence[int]) -> list[tuple[DropRule, ...]]:
        in_proses = self._prose_triggers.found_in_each([row.statement for row in rows])
        in_answers = self._answer_triggers.found_in_each([row.answer or "" for row in rows])
        return list(map(self._choice, rows, in_statements, in_proses, in_answers))

    def _choice(self, row: Row, in_statement: int, in_prose: int, in_answer: int) -> tuple[DropRule, ...]:
        mask = in_statement | self._unconditional
        if row.answer:
            mask |= in_answer
        if row.statement.isascii():
            mask &= in_prose | self._of_any_prose
        mask &= ~(in_statement >> len(self._dropping))
        if row.has_plain_answer:
            mask &= self._of_any_answer
        mask &= (1 << len(self._dropping)) - 1
        chosen = self._chosen.get(mask)
        if chosen is None:
            # There are few such sets, and rows are many.
            chosen = tuple(rule for place, rule in enumerate(self._dropping) if mask >> place & 1)
            self._chosen[mask] = chosen
        return chosen


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
    return rules.of_domain[row.domain].screen([row])[0]


def screen_all(rows: Sequence[Row], rules: Rules) -> list[Screened]:
    """Do with each row what `screen` does; together they cost less."""
    results = [Screened("")] * len(rows)
    for domain in _DOMAINS:
        places = [place for place, row in enumerate(rows) if row.domain == domain]
        screened = rules.of_domain[domain].screen([rows[place] for place in places]) if places else []
        for place, result in zip(places, screened, strict=True):
            results[place] = result
    return results


def _hits(row: Row, rules: Sequence[DropRule]) -> tuple[Hit, ...]:
    hits: list[Hit] = []
    for rule in rules:
        if hits and rule.costly:
            continue
        found = rule.find(row)
        if found is not None:
            hits.append(rule.hit(found))
            if rule.alone:
                break
    return tuple(hits)


def _mask(rules: Sequence[DropRule], wanted: Callable[[DropRule], bool]) -> int:
    return sum(1 << place for place, rule in enumerate(rules) if wanted(rule))
