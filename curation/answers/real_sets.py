"""Sets of real numbers: intervals, their unions, and the inequalities and set-builders that describe them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction

from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.formulas import compare_formulas, symbols_of
from curation.answers.interval_sets import (
    ALL,
    INFINITY,
    MINUS_INFINITY,
    End,
    Interval,
    NotASetError,
    difference,
    intersection,
    is_empty,
    union,
)
from curation.answers.linear import solve_linear
from curation.answers.tree import (
    VALUED,
    Bracket,
    Call,
    Combination,
    Formula,
    Grouped,
    Listing,
    Node,
    Number,
    Product,
    Relation,
    SetBuilder,
    Symbol,
)

_ORDER = ("<", "≤", ">", "≥")
_FLIPPED = {"<": ">", "≤": "≥", ">": "<", "≥": "≤"}


@dataclass(frozen=True, slots=True)
class RealSet:
    """Disjoint intervals in order; ``variable`` is the symbol that ranges over them, where the answer names one."""

    intervals: tuple[Interval, ...]
    variable: str | None = None


def describes_set(node: Node) -> bool:
    """Tell whether an answer can only be read as a set of reals: an inequality, a union, a half-open interval."""
    if isinstance(node, Relation):
        return all(sign in _ORDER for sign in node.signs) or node.signs in (("∈",), ("≠",))
    if isinstance(node, Listing | Grouped):
        return any(map(describes_set, node.members if isinstance(node, Listing) else node.parts))
    if isinstance(node, Bracket):
        return (node.opening, node.closing) in (("(", "]"), ("[", ")")) or any(
            infinite_sign(member) for member in node.members
        )
    if isinstance(node, Symbol):
        return node.name == "blackboard R"
    return isinstance(node, Combination | SetBuilder)


def real_set(node: Node) -> RealSet:
    """Return the set that an answer describes.

    Raises:
        NotASetError: it describes none.
    """
    if isinstance(node, Symbol) and node.name == "blackboard R":
        return RealSet((ALL,))
    if isinstance(node, Bracket):
        return RealSet(_of_bracket(node))
    if isinstance(node, Relation):
        return _of_relation(node)
    if isinstance(node, SetBuilder):
        return _of_builder(node)
    if isinstance(node, Combination):
        parts = [real_set(part).intervals for part in node.parts]
        join = {"∪": union, "∩": intersection, "∖": difference}[node.sign]
        return RealSet(functools.reduce(join, parts))
    if isinstance(node, Listing):
        return _of_listing(node)
    if isinstance(node, Grouped):
        return _of_groups(node)
    raise NotASetError("no set of real numbers")


def is_real_line(node: Node) -> bool:
    """Tell whether an answer is the set of all real numbers."""
    try:
        return describes_set(node) and real_set(node).intervals == (ALL,)
    except NotASetError:
        return False


def compare_sets(first: RealSet, second: RealSet) -> Comparison:
    """Compare two sets end by end."""
    if first.variable and second.variable and first.variable != second.variable:
        return unknown("set", "the sets are of different variables")
    if len(first.intervals) != len(second.intervals):
        return different("set", "the sets have different numbers of intervals")
    undecided = None
    for one, other in zip(first.intervals, second.intervals, strict=True):
        for here, there in ((one.low, other.low), (one.high, other.high)):
            if here.closed != there.closed:
                return different("set", "an end belongs to one set only")
            result = _same_place(here.at, there.at)
            if result.verdict == "different":
                return different("set", "an end lies elsewhere")
            if result.verdict == "unknown":
                undecided = result
    return undecided or equal("set", "all ends are equal")


def _same_place(first: Formula | str, second: Formula | str) -> Comparison:
    if isinstance(first, str) or isinstance(second, str):
        if first == second:
            return equal("set", "both ends are infinite")
        return different("set", "one end is infinite")
    return compare_formulas(first, second)


def infinite_sign(node: Node) -> str | None:
    """Return ``∞`` or ``-∞`` where the node is that, else None."""
    if isinstance(node, Symbol) and node.name == "∞":
        return INFINITY
    if isinstance(node, Product) and len(node.factors) == 2 and node.factors[1] == Symbol("∞"):
        sign = node.factors[0]
        if isinstance(sign, Number) and sign.value:
            return INFINITY if sign.value > 0 else MINUS_INFINITY
    return None


def _place(node: Node) -> Formula | str:
    found = infinite_sign(node)
    if found:
        return found
    if not isinstance(node, VALUED):
        raise NotASetError("an end that is no number")
    return node


def _of_bracket(node: Bracket) -> tuple[Interval, ...]:
    if node.opening == "\\{":
        points = [_place(member) for member in node.members]
        found: tuple[Interval, ...] = ()
        for point in points:
            found = union(found, (Interval(End(point, True), End(point, True)),))
        return found
    if len(node.members) != 2:
        raise NotASetError("brackets around other than two ends")
    low, high = (_place(member) for member in node.members)
    interval = Interval(End(low, node.opening == "["), End(high, node.closing == "]"))
    if not _has_symbols(low) and not _has_symbols(high) and is_empty(interval):
        raise NotASetError("brackets around ends that do not ascend")
    return (interval,)


def _has_symbols(place: Formula | str) -> bool:
    return not isinstance(place, str) and bool(symbols_of(place))


def _of_builder(node: SetBuilder) -> RealSet:
    found = real_set(node.condition)
    name = node.element.sides[0] if isinstance(node.element, Relation) else node.element
    if not isinstance(name, Symbol) or (found.variable not in (None, name.name)):
        raise NotASetError("a set of formulas")
    return RealSet(found.intervals)


def _of_listing(node: Listing) -> RealSet:
    sets = [real_set(member) for member in node.members]
    names = {found.variable for found in sets} - {None}
    if len(names) > 1:
        raise NotASetError("conditions on several variables")
    name = next(iter(names), None)
    parts = [found.intervals for found in sets]
    if name is None or node.connective == "or":
        return RealSet(functools.reduce(union, parts), name)
    both = functools.reduce(intersection, parts)
    # x < 1, x > 3 can only mean one or the other.
    return RealSet(both or functools.reduce(union, parts), name)


def _of_groups(node: Grouped) -> RealSet:
    """Read ``x < 1 or x > 2, x < 3``: the conditions of each group together, one group or the other."""
    sets = [real_set(part) for part in node.parts]
    names = {found.variable for found in sets}
    if len(names) != 1 or not all(map(describes_set, node.parts)):
        raise NotASetError("conditions on several variables")
    return RealSet(functools.reduce(union, [found.intervals for found in sets]), names.pop())


def _of_relation(node: Relation) -> RealSet:
    if node.signs == ("∈",) and isinstance(node.sides[0], Symbol):
        return RealSet(real_set(node.sides[1]).intervals, node.sides[0].name)
    names: set[str] = set()
    intervals: tuple[Interval, ...] = (ALL,)
    for index, sign in enumerate(node.signs):
        name, found = _of_pair(node.sides[index], sign, node.sides[index + 1])
        names.add(name)
        intervals = intersection(intervals, found)
    if len(names) != 1:
        raise NotASetError("an inequality in several variables")
    return RealSet(intervals, names.pop())


def _of_absolute(left: Node, sign: str, right: Node) -> tuple[str, tuple[Interval, ...]] | None:
    """Read ``|x - 1| < 2`` as two inequalities; None for other relations."""
    if isinstance(right, Call) and right.function == "abs" and sign in _FLIPPED:
        left, right, sign = right, left, _FLIPPED[sign]
    if not isinstance(left, Call) or left.function != "abs" or not isinstance(right, VALUED) or sign not in _FLIPPED:
        return None
    if symbols_of(right):
        return None
    inside = left.arguments[0]
    name, above = _of_pair(inside, sign, right)
    _, below = _of_pair(inside, _FLIPPED[sign], Product((Number(Fraction(-1)), right)))
    if sign in ("<", "≤"):
        return name, intersection(above, below)
    return name, union(above, below)


def _of_pair(left: Node, sign: str, right: Node) -> tuple[str, tuple[Interval, ...]]:
    infinite = infinite_sign(right) or infinite_sign(left)
    if infinite:
        variable = left if infinite_sign(right) else right
        if isinstance(variable, Symbol) and sign in _ORDER:
            return variable.name, (ALL,)
        raise NotASetError("a relation with infinity")
    solution = solve_linear(left, right)
    if solution is None:
        bounded = _of_absolute(left, sign, right)
        if bounded is None:
            raise NotASetError("an inequality that is not linear in one variable")
        return bounded
    name, root, flips = solution
    if sign == "=":
        return name, (Interval(End(root, True), End(root, True)),)
    if sign == "≠":
        return name, (Interval(ALL.low, End(root, False)), Interval(End(root, False), ALL.high))
    if sign not in _ORDER:
        raise NotASetError("another relation than an inequality")
    sign = _FLIPPED[sign] if flips else sign
    end = End(root, sign in ("≤", "≥"))
    return name, (Interval(ALL.low, end) if sign in ("<", "≤") else Interval(end, ALL.high),)
