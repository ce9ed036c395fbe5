"""The inferred grammar as a validator: is an input valid, and which bounds does it hit?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from curation.testgen.document import Part, enter, parts
from curation.testgen.expressions import Expression, Inequality, Name, evaluate, names_in
from curation.testgen.grammar import Values, parse
from curation.testgen.networks import network_faults
from curation.testgen.rules import Rules, bounds

Broken = Inequality | tuple[int, str] | tuple[str, Expression] | str
"""The rule itself: an inequality, a key with an order or network, a bound on a sum, or words for all others."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that an input breaks, and where."""

    rule: Broken
    message: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A variable whose least or greatest allowed value an input has."""

    variable: str
    least: bool
    greatest: bool


def fault(rules: Rules, text: str) -> str | None:
    """Return why an input is not valid; None where it is."""
    return examine(rules, text)[0]


def examine(rules: Rules, text: str) -> tuple[str | None, tuple[Hit, ...]]:
    """Return why an input is not valid, None where it is, and the bounds that a valid one hits; reads it once."""
    values = parse(rules.shape.nodes, text)
    if values is None:
        return "the input does not have the inferred shape", ()
    found = next(violations(rules, values), None)
    return (found.message, ()) if found is not None else (None, _hits(rules, values))


def violations(rules: Rules, values: Values) -> Iterator[Violation]:
    """Yield the rules that an input of the right shape breaks."""
    totals: dict[str, int] = {}
    for part in parts(rules.shape.nodes, values, rules.shape.names):
        yield from _in_columns(rules, part)
        yield from _between_columns(rules, part)
        if part.is_table and part.fields[0].key in rules.networks:
            key = part.fields[0].key
            for name in network_faults(rules.networks[key], part, _vertices(rules, part)):
                yield Violation((key, name), f"the edges break: {name}")
        for place, field in enumerate(part.fields):
            name = rules.shape.names[field.key]
            if name and not part.is_table:
                seen: dict[str, int] = {}
                enter(seen, name, field.kind, part.rows[0][place])
                for which, value in seen.items():
                    totals[which] = totals.get(which, 0) + value
    for name, bound in rules.sums:
        most = evaluate(bound, {})
        if most is not None and totals.get(name, 0) > most:
            yield Violation((name, bound), f"the sum of {name} is {totals[name]}, more than {most}")


def _vertices(rules: Rules, part: Part) -> tuple[int, int]:
    return bounds(rules, part.fields[0].key, part.scope, is_word=False)


def _in_columns(rules: Rules, part: Part) -> Iterator[Violation]:
    for place, field in enumerate(part.fields):
        column = part.column(place)
        if not column:
            continue
        name = rules.name(field.key)
        if field.kind == "word":
            alphabet = set(rules.alphabets.get(field.key, ""))
            if any(not alphabet.issuperset(token) for token in column):
                yield Violation("alphabet", f"{name} has a character that is not allowed")
            low, high = bounds(rules, field.key, part.scope, is_word=True)
            if any(not low <= len(token) <= high for token in column):
                yield Violation("longest", f"{name} does not have a length from {low} to {high}")
        elif not _is_bounded(rules, field.key):
            low, high = rules.observed[field.key]
            if any(not low <= float(token) <= high for token in column):
                yield Violation("observed", f"{name} is outside {low} to {high}, which the known inputs span")
        for order in sorted(rules.orders.get(field.key, ())):
            if part.is_table and not keeps_order(order, column, is_number=field.kind == "int"):
                yield Violation((field.key, order), f"{name} is not {order}")


def _is_bounded(rules: Rules, key: int) -> bool:
    name = rules.shape.names[key]
    return bool(name) and any(name in names_in(one.left) | names_in(one.right) for one in rules.inequalities)


def keeps_order(order: str, column: list[str], *, is_number: bool) -> bool:
    """Whether a column is ``distinct``, ``ascending``, ... ."""
    values: list[int] | list[str] = [int(token) for token in column] if is_number else column
    if order == "distinct":
        return len(set(column)) == len(column)
    if order == "permutation":
        numbers = sorted(values)
        return numbers in (list(range(1, len(column) + 1)), list(range(len(column))))
    pairs = list(pairwise(values))
    if order == "descending":
        return all(one >= two for one, two in pairs)  # type: ignore[operator]
    if order == "strictly ascending":
        return all(one < two for one, two in pairs)  # type: ignore[operator]
    return all(one <= two for one, two in pairs)  # type: ignore[operator]


def _between_columns(rules: Rules, part: Part) -> Iterator[Violation]:
    own: dict[str, tuple[int, str]] = {}
    for place, field in enumerate(part.fields):
        name = rules.shape.names[field.key]
        if name and field.kind != "real":
            own[f"|{name}|" if field.kind == "word" else name] = (place, field.kind)
    for one in rules.inequalities:
        names = names_in(one.left) | names_in(one.right)
        if not names & set(own) or one.left == one.right:
            continue
        if isinstance(one.left, Name) and isinstance(one.right, Name) and names <= set(own):
            if not _columns_keep(part, one.relation, own[one.left.text], own[one.right.text]):
                yield Violation(one, f"{one.left.text} and {one.right.text} break a stated inequality")
            continue
        for row, number in _rows_to_check(part, one, names, own):
            scope = dict(part.scope)
            scope.setdefault("i", number)
            for name, (place, kind) in own.items():
                scope[name] = len(row[place]) if kind == "word" else int(row[place])
            left, right = evaluate(one.left, scope), evaluate(one.right, scope)
            if left is None or right is None:
                continue
            if not (left < right if one.relation == "<" else left != right if one.relation == "!=" else left <= right):
                yield Violation(one, f"row {number}: {', '.join(sorted(names))} break a stated inequality")
                break


def _columns_keep(part: Part, relation: str, first: tuple[int, str], second: tuple[int, str]) -> bool:
    """Whether two columns keep a relation in every row."""

    def sizes(place: int, kind: str) -> list[int]:
        return [len(token) if kind == "word" else int(token) for token in part.column(place)]

    pairs = zip(sizes(*first), sizes(*second), strict=True)
    if relation == "<":
        return all(one < two for one, two in pairs)
    return all(one != two for one, two in pairs) if relation == "!=" else all(one <= two for one, two in pairs)


def _rows_to_check(
    part: Part, one: Inequality, names: frozenset[str], own: dict[str, tuple[int, str]]
) -> Iterator[tuple[list[str], int]]:
    """Yield the rows that could break an inequality: the least and the greatest where it is about one column alone."""
    mine = names & set(own)
    simple = (
        len(mine) == 1
        and "i" not in names
        and one.relation != "!="
        and (isinstance(one.left, Name) or isinstance(one.right, Name))
    )
    if len(part.rows) > 2 and simple:
        place, kind = own[next(iter(mine))]

        def size(row: list[str]) -> int:
            return len(row[place]) if kind == "word" else int(row[place])

        yield min(part.rows, key=size), 0
        yield max(part.rows, key=size), 0
        return
    for number, row in enumerate(part.rows, start=1):
        yield row, number


def hits(rules: Rules, text: str) -> tuple[Hit, ...]:
    """Return, for each variable that the statement bounds, whether a valid input has its least and greatest value."""
    values = parse(rules.shape.nodes, text)
    return () if values is None else _hits(rules, values)


def _hits(rules: Rules, values: Values) -> tuple[Hit, ...]:
    found: dict[str, tuple[bool, bool]] = {}
    for part in parts(rules.shape.nodes, values, rules.shape.names):
        for place, field in enumerate(part.fields):
            if field.kind == "real" or not part.rows or not rules.is_stated(field.key):
                continue
            low, high = bounds(rules, field.key, part.scope, field.kind == "word")
            sizes = [len(token) if field.kind == "word" else int(token) for token in part.column(place)]
            least, greatest = found.get(rules.name(field.key), (False, False))
            found[rules.name(field.key)] = (least or min(sizes) == low, greatest or max(sizes) == high)
    return tuple(Hit(name, *ends) for name, ends in found.items())
