"""Lists of lists: ``x=1, y=2 or x=3, y=4`` and ``1, 2; 3, 4``, where it matters which members stand together."""

from __future__ import annotations

from curation.answers.comparison import Comparison, different, unknown
from curation.answers.groups import Compare, compare_unordered
from curation.answers.names import named_value
from curation.answers.tree import Bracket, Grouped, Listing, Node, Relation, Symbol

_ORDER = frozenset("<≤>≥≠")


def listed(members: tuple[Node, ...], separators: list[str], connective: str) -> Node:
    """Return the members of a list, put into groups where signs of two ranks stand between them.

    A semicolon separates groups where commas stand within them; the words ``or`` and ``and`` do where each group has
    several members (``1, 2 and 3`` is one list), or the members are inequalities.
    """
    if all(isinstance(member, Listing) for member in members):
        return Grouped(members)
    words = set(separators)
    if len(words) == 1 or "," not in words:
        return Listing(members, connective)
    rank = ";" if ";" in words else "or" if "or" in words else "and"
    groups: list[list[Node]] = [[members[0]]]
    for sign, member in zip(separators, members[1:], strict=True):
        if sign == rank:
            groups.append([member])
        else:
            groups[-1].append(member)
    several = [len(group) > 1 for group in groups]
    if len(groups) > 1 and (all(several) or (rank == ";" and any(several)) or (rank == "or" and _ordered(members))):
        return Grouped(tuple(group[0] if len(group) == 1 else Listing(tuple(group)) for group in groups))
    return Listing(members, connective)


def _ordered(members: tuple[Node, ...]) -> bool:
    return any(isinstance(member, Relation) and bool(set(member.signs) & _ORDER) for member in members)


def flat(node: Node) -> Node:
    """Return the members of all groups in one list; any other node as it is."""
    if not isinstance(node, Grouped):
        return node
    members: list[Node] = []
    for part in node.parts:
        members.extend(part.members if isinstance(part, Listing) else (part,))
    return Listing(tuple(members))


def compare_grouped(first: Node, second: Node, compare: Compare) -> Comparison:
    """Compare two answers of which at least one is in groups: the groups in any order, each as it stands together."""
    if isinstance(first, Grouped) and isinstance(second, Grouped):
        result = compare_unordered("list", first.parts, second.parts, compare, repeats=True)
        if result.verdict == "equal":
            return result
    else:
        grouped, other = (first, second) if isinstance(first, Grouped) else (second, first)
        tuples = _tuples(grouped) if isinstance(grouped, Grouped) else None
        members = [_point(member) for member in (other.members if isinstance(other, Listing) else (other,))]
        if tuples is not None and all(isinstance(member, Bracket) for member in members):
            result = compare_unordered("list", tuples, members, compare, repeats=True)
            in_any_order = result.verdict == "different" and len(tuples) == len(members)
            return unknown("list", "named values against tuples") if in_any_order else result
    if compare(flat(first), flat(second)).verdict == "different":
        return different("list", "other members")
    return unknown("list", "the same members, otherwise grouped")


def _point(node: Node) -> Node:
    """Return the point of ``(x, y) = (1, 2)``; any other node as it is."""
    named = named_value(node) if isinstance(node, Relation) else None
    return node if named is None or not isinstance(named[0], Bracket) else named[1]


def _tuples(grouped: Grouped) -> list[Node] | None:
    """Return the values of each group in the order of their names; None where the groups name no or other things."""
    rows: list[Node] = []
    names: set[tuple[str, ...]] = set()
    for part in grouped.parts:
        values: dict[str, Node] = {}
        for member in part.members if isinstance(part, Listing) else (part,):
            named = named_value(member) if isinstance(member, Relation) else None
            if named is None or not isinstance(named[0], Symbol) or named[0].name in values:
                return None
            values[named[0].name] = named[1]
        names.add(tuple(sorted(values)))
        rows.append(Bracket("(", ")", tuple(values[name] for name in sorted(values))))
    return rows if len(names) == 1 else None
