"""Inputs near known ones: a value to a bound, a neighbour or a copy, two values swapped, a list turned, a row more."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import TypeVar

from curation.testgen.document import Part, parts
from curation.testgen.generate import UnfitError
from curation.testgen.grammar import Block, BlockValue, Field, Line, LineValue, Node, Values, counts_of
from curation.testgen.rules import Rules, bounds

Row = TypeVar("Row")


def mutate(rules: Rules, values: Values, source: random.Random) -> Values | None:
    """Return a changed copy of an input, its counts still right; None where there is none. It may break a rule."""
    changed = copy.deepcopy(values)
    for _ in range(source.choice((1, 1, 2, 3))):
        found = [part for part in parts(rules.shape.nodes, changed, rules.shape.names) if part.rows]
        if not found:
            return None
        part = source.choice(found)
        source.choice(_CHANGES)(rules, part, source)
    try:
        _refit(rules, rules.shape.nodes, changed, {}, source)
    except UnfitError:
        return None
    return changed


def _to_value(rules: Rules, part: Part, source: random.Random) -> None:
    at, place = source.randrange(len(part.rows)), source.randrange(len(part.fields))
    token = part.rows[at][place]
    field = part.fields[place]
    low, high = bounds(rules, field.key, part.scope, field.kind == "word")
    counts = field.key in {count.field for count in counts_of(rules.shape.nodes)}
    if field.kind == "int" and low <= high:
        near = [value for value in (int(token) - 1, int(token) + 1) if low <= value <= high]
        # A count at its bound would make a small input huge.
        part.put(at, place, str(source.choice(near or [low]) if counts else source.choice([*near, low, high])))
    elif field.kind == "word" and rules.alphabets.get(field.key):
        part.put(at, place, _other_word(token, rules.alphabets[field.key], low, high, source))


def _other_word(word: str, alphabet: str, low: int, high: int, source: random.Random) -> str:
    at = source.randrange(len(word)) if word else 0
    letter = source.choice(alphabet)
    longer, shorter = word[:at] + letter + word[at:], word[:at] + word[at + 1 :]
    made = source.choice((word[:at] + letter + word[at + 1 :], longer, shorter, word[::-1]))
    return made if low <= len(made) <= high else word


def _copy_row(rules: Rules, part: Part, source: random.Random) -> None:
    del rules
    if part.is_table:
        one, two = source.randrange(len(part.rows)), source.randrange(len(part.rows))
        place = source.randrange(len(part.fields))
        part.put(one, place, part.rows[two][place])


def _swap(rules: Rules, part: Part, source: random.Random) -> None:
    del rules
    if part.is_table:
        one, two = source.randrange(len(part.rows)), source.randrange(len(part.rows))
        for place in range(len(part.fields)):
            first, second = part.rows[one][place], part.rows[two][place]
            part.put(one, place, second)
            part.put(two, place, first)


def _turn(rules: Rules, part: Part, source: random.Random) -> None:
    del rules
    if part.is_table:
        rows = [list(row) for row in part.rows]
        if source.random() < 0.5:
            rows.reverse()
        else:
            rows.sort(key=lambda row: [(len(token), token) for token in row])
        for at, row in enumerate(rows):
            for place, token in enumerate(row):
                part.put(at, place, token)


_CHANGES: tuple[Callable[[Rules, Part, random.Random], None], ...] = (_to_value, _to_value, _copy_row, _swap, _turn)


def _refit(rules: Rules, nodes: tuple[Node, ...], values: Values, scope: dict[int, int], source: random.Random) -> None:
    """Cut or lengthen lists to what the counts now say; what is added is copied from the list itself."""
    for node, value in zip(nodes, values, strict=True):
        if isinstance(node, Block) and isinstance(value, BlockValue):
            _resize(value.bodies, node.count.of(scope), source)
            for body in value.bodies:
                _refit(rules, node.body, body, dict(scope), source)
        elif isinstance(node, Line) and isinstance(value, LineValue):
            for item, rows in zip(node.items, value.items, strict=True):
                if isinstance(item, Field):
                    if item.kind == "int":
                        scope[item.key] = int(rows[0][0])
                else:
                    _resize(rows, item.count.of(scope), source)


def _resize(rows: list[Row], wanted: int | None, source: random.Random) -> None:
    if wanted is None or wanted < 0 or wanted > len(rows) + 100 or (wanted > 0 and not rows):
        raise UnfitError
    while len(rows) > wanted:
        rows.pop(source.randrange(len(rows)))
    while len(rows) < wanted:
        rows.insert(source.randrange(len(rows) + 1), copy.deepcopy(source.choice(rows)))
