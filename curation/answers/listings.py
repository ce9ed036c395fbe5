"""Lists without brackets, tuples and sets: what each means when it meets another."""

from __future__ import annotations

from curation.answers.comparison import Comparison, different, unknown
from curation.answers.groups import Compare, compare_ordered, compare_unordered, compare_with_dots, has_dots
from curation.answers.names import named_value
from curation.answers.tree import Bracket, Listing, Node, Relation, Symbol


def compare_several_with_one(several: Listing | Bracket, single: Node, compare: Compare) -> Comparison:
    """Compare a list, set or tuple with a single value."""
    is_set = isinstance(several, Bracket) and several.opening == "\\{"
    if is_set and len(several.members) == 1:
        return compare(several.members[0], single)
    if isinstance(several, Listing):
        named = _common_name(several.members)
        if len(named) == 1 or all(compare(member, single).verdict == "equal" for member in named):
            return compare(named[0], single)
    return different("list", f"{len(several.members)} members against one value")


def compare_brackets(first: Bracket, second: Bracket, compare: Compare) -> Comparison:
    """Compare what stands in brackets: sets in any order, tuples and intervals in theirs."""
    sets = [side.opening == "\\{" for side in (first, second)]
    if all(sets):
        if has_dots(first.members) or has_dots(second.members):
            return compare_with_dots(first.members, second.members, compare)
        return compare_unordered("set", first.members, second.members, compare, repeats=False)
    if any(sets):
        if len(first.members) == len(second.members) == 1:
            return unknown("set", "a set against brackets of another kind")
        return different("set", "a set against a tuple or interval")
    members = compare_ordered("tuple", first.members, second.members, compare)
    if (first.opening, first.closing) == (second.opening, second.closing) or members.verdict == "different":
        return members
    if len(first.members) == 2:
        return different("tuple", "different brackets")
    return unknown("tuple", "the same members in different brackets")


def compare_listings(first: Listing, second: Listing, compare: Compare) -> Comparison:
    """Compare lists without brackets: in any order, but for dots, letters and values of different names."""
    if has_dots(first.members) or has_dots(second.members):
        return compare_with_dots(first.members, second.members, compare)
    for one, other in ((first, second), (second, first)):
        values = _assigned(one.members)
        if values is not None and not holds_relation(other):
            ordered = compare_ordered("list", values, other.members, compare)
            return ordered if ordered.verdict == "equal" else unknown("list", "values with names against bare ones")
    result = compare_unordered_lists(first.members, second.members, compare)
    commas = first.connective == second.connective == ","
    if commas and result.verdict == "equal" and len(set(first.members)) < len(first.members) > 2:
        ordered = compare_ordered("list", first.members, second.members, compare)
        return ordered if ordered.verdict == "equal" else unknown("list", "a list with repeats in another order")
    if commas and result.verdict == "equal" and all(isinstance(member, Symbol) for member in first.members):
        ordered = compare_ordered("list", first.members, second.members, compare)
        return ordered if ordered.verdict == "equal" else unknown("list", "letters in another order")
    return result


def compare_unordered_lists(first: tuple[Node, ...], second: tuple[Node, ...], compare: Compare) -> Comparison:
    """Compare the members of two lists in any order."""
    first, second = _shared_names(first, second)
    return compare_unordered("list", first, second, compare, repeats=True)


def _shared_names(first: tuple[Node, ...], second: tuple[Node, ...]) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """Leave out names that only one side gives."""
    named = [any(isinstance(member, Relation) for member in side) for side in (first, second)]
    if named[0] != named[1]:
        return _common_name(first), _common_name(second)
    return first, second


def _common_name(members: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return the values where all members give one and the same symbol a value, else the members as they are."""
    values = [named_value(member) if isinstance(member, Relation) else None for member in members]
    found = [value for value in values if value is not None]
    if len(found) == len(members) and all(value[0] == found[0][0] for value in found):
        return tuple(value[1] for value in found)
    return members


def compare_listing_with_bracket(listing: Listing, bracket: Bracket, compare: Compare) -> Comparison:
    """Compare a list without brackets with a set or tuple."""
    if bracket.opening == "\\{":
        return compare_unordered("set", _common_name(listing.members), bracket.members, compare, repeats=False)
    values = _assigned(listing.members)
    if values is not None:
        ordered = compare_ordered("tuple", values, bracket.members, compare)
        return ordered if ordered.verdict != "different" else unknown("tuple", "named values against a tuple")
    ordered = compare_ordered("tuple", listing.members, bracket.members, compare)
    if ordered.verdict == "equal":
        return unknown("tuple", "a list without brackets against one with brackets")
    return ordered


def _assigned(members: tuple[Node, ...]) -> list[Node] | None:
    """Return the values of different symbols in the order of their names; None for another list."""
    values: dict[str, Node] = {}
    for member in members:
        named = named_value(member) if isinstance(member, Relation) else None
        if named is None or not isinstance(named[0], Symbol) or named[0].name in values:
            return None
        values[named[0].name] = named[1]
    return [values[name] for name in sorted(values)] if len(values) > 1 else None


def holds_relation(listing: Listing) -> bool:
    """Tell whether a member of a list is a relation."""
    return any(isinstance(member, Relation) for member in listing.members)
