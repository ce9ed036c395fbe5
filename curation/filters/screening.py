"""Cleans a row and decides on it: the rules that a recipe asks for, applied in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from curation.errors import InputError
from curation.filters import catalog
from curation.filters.cleaning import Change, clean
from curation.filters.rule import CleanRule, DropRule, Hit, Row
from curation.recipe import FilterSection
from curation.records import Domain


@dataclass(frozen=True)
class Rules:
    """The rules of one run."""

    cleaning: tuple[CleanRule, ...]
    dropping: tuple[DropRule, ...]

    @cached_property
    def cleaning_of(self) -> Mapping[Domain, tuple[CleanRule, ...]]:
        """The cleaning rules by domain."""
        domains: tuple[Domain, ...] = ("math", "code")
        return {domain: tuple(rule for rule in self.cleaning if domain in rule.domains) for domain in domains}

    @cached_property
    def by_word(self) -> Mapping[str, tuple[int, ...]]:
        """The places in `dropping` of the rules that wait for a word, by word."""
        places: dict[str, list[int]] = {}
        for place, rule in enumerate(self.dropping):
            for word in rule.words:
                places.setdefault(word, []).append(place)
        return {word: tuple(found) for word, found in places.items()}

    def worth_trying(self, row: Row) -> list[DropRule]:
        """Return, in order, the rules of the row's domain whose words, signs and kind of answer the row has."""
        called = {place for word in row.words & self.by_word.keys() for place in self.by_word[word]}
        text, plain, domain = row.statement, row.has_plain_answer, row.domain
        return [
            rule
            for place, rule in enumerate(self.dropping)
            if domain in rule.domains
            and not (plain and rule.about_answer)
            and (place in called or not (rule.words or rule.signs) or any(sign in text for sign in rule.signs))
        ]


@dataclass(frozen=True, slots=True)
class Screened:
    """What the rules made of a row.

    Attributes:
        statement: the cleaned statement.
        changes: what cleaning did.
        hits: every rule against the row, the deciding one first; empty where the row is kept.
    """

    statement: str
    changes: tuple[Change, ...]
    hits: tuple[Hit, ...]


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
    dropping = (*catalog.dropping(section.languages), *own)
    return Rules(cleaning, tuple(rule for rule in dropping if not skipped & {rule.name, rule.reason}))


def screen(row: Row, rules: Rules) -> Screened:
    """Clean a row's statement, then let every dropping rule of its domain look at it."""
    cleaned = clean(row.statement, rules.cleaning_of[row.domain])
    seen = row if cleaned.text == row.statement else replace(row, statement=cleaned.text)
    hits = tuple(hit for rule in rules.worth_trying(seen) if (hit := rule(seen)) is not None)
    return Screened(cleaned.text, cleaned.changes, hits)
