"""Inputs from a grammar and its rules, built as a profile says."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from curation.testgen.document import enter
from curation.testgen.grammar import (
    Block,
    BlockValue,
    Count,
    Field,
    Line,
    LineValue,
    Node,
    Repeat,
    Values,
    counts_of,
    table_fields,
)
from curation.testgen.networks import SPARSE, TREES, graph_edges, tree_edges
from curation.testgen.numbers import cell, decimal, special
from curation.testgen.profiles import Profile, Size
from curation.testgen.rules import Rules, bounds, vertex_names
from curation.testgen.words import grid_row, related, word

MOST_TOKENS = 200_000
_SIZES: dict[Size, tuple[int, int]] = {
    "least": (0, 0),
    "tiny": (0, 3),
    "small": (1, 8),
    "medium": (20, 120),
    "large": (MOST_TOKENS, MOST_TOKENS),
}
_MANY_CASES = 40
_RELATED = 0.6
"""How often a word is made from an earlier one of the same input, whose letters it may have."""

_REMEMBERED = 20
_ROUND = 0.2
"""How often a number with decimals has only zeros there."""


class UnfitError(Exception):
    """The rules leave no input of this profile, or none was found."""


@dataclass
class _Making:
    rules: Rules
    profile: Profile
    source: random.Random
    sizes: frozenset[int]
    left: dict[str, int]
    room: int = MOST_TOKENS
    cases: int = 1
    chosen: dict[int, list[int]] = field(default_factory=dict)
    few: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    earlier: list[str] = field(default_factory=list)


def generate(rules: Rules, profile: Profile, source: random.Random) -> Values | None:
    """Return an input of a profile; None where there is none or none was found. It may still break a rule."""
    from curation.testgen.expressions import evaluate

    nodes = rules.shape.nodes
    sizes = frozenset(count.field for count in counts_of(nodes) if count.field is not None)
    names = {name: key for key, name in enumerate(rules.shape.names) if name}
    sizes |= {names[name] for name in (*rules.lengths.values(), *vertex_names(rules)) if name in names}
    left = {name: bound for name, expression in rules.sums if (bound := evaluate(expression, {})) is not None}
    making = _Making(rules, profile, source, sizes, left)
    try:
        return _nodes(making, nodes, {}, {})
    except UnfitError:
        return None


def _nodes(making: _Making, nodes: tuple[Node, ...], scope: dict[str, int], counts: dict[int, int]) -> Values:
    values: Values = []
    for place, node in enumerate(nodes):
        if isinstance(node, Block):
            values.append(_block(making, node, scope, counts))
        else:
            values.append(_line(making, node, scope, counts, nodes[place:]))
    return values


def _times(count: Count, counts: dict[int, int]) -> int:
    number = count.of(counts)
    if number is None or number < 0:
        raise UnfitError
    return number


def _line(
    making: _Making, line: Line, scope: dict[str, int], counts: dict[int, int], following: tuple[Node, ...]
) -> LineValue:
    items: list[list[list[str]]] = []
    for item in line.items:
        if isinstance(item, Repeat):
            items.append(_table(making, item.fields, _times(item.count, counts), scope))
            continue
        if item.key in making.sizes and item.kind == "int":
            token = str(_size(making, item, scope, following))
            counts[item.key] = int(token)
        elif item.kind == "int":
            token = str(_scalar(making, item, scope))
        else:
            token = _other(making, item, scope, 0, 1)
        enter(scope, making.rules.shape.names[item.key], item.kind, token)
        items.append([[token]])
    return LineValue(items)


def _block(making: _Making, block: Block, scope: dict[str, int], counts: dict[int, int]) -> BlockValue:
    number = _times(block.count, counts)
    columns = table_fields(block)
    if columns is not None:
        rows = _table(making, columns, number, scope)
        return BlockValue([[LineValue([[[token]] for token in row])] for row in rows])
    bodies = []
    for index in range(number):
        making.cases = number - index
        making.chosen, making.few, making.earlier = {}, {}, []
        bodies.append(_nodes(making, block.body, dict(scope), dict(counts)))
    making.cases = 1
    return BlockValue(bodies)


def _counts_cases(item: Field, following: tuple[Node, ...]) -> bool:
    """Whether a number counts bodies that are inputs of their own, not rows."""
    blocks = [node for node in following if isinstance(node, Block) and node.count.field == item.key]
    return any(table_fields(block) is None for block in blocks)


def _size(making: _Making, item: Field, scope: dict[str, int], following: tuple[Node, ...]) -> int:
    low, high = bounds(making.rules, item.key, scope, is_word=False)
    name = making.rules.shape.names[item.key]
    if name in making.left:
        high = min(high, making.left[name] - low * (making.cases - 1))
    low, high = _for_networks(making, item, scope, following, low, high)
    if making.profile.network == "dense" and name in vertex_names(making.rules):
        high = max(low, min(high, math.isqrt(making.room)))
    if low > high:
        raise UnfitError
    profile, source = making.profile, making.source
    if _counts_cases(item, following):
        if profile.size == "least" or profile.cases == "one":
            number = low
        elif profile.size == "large":
            number = min(high, making.room // 8)
        else:
            number = min(high, _MANY_CASES)
        return max(low, number)
    least, most = _SIZES[profile.size]
    if profile.size == "large":
        number = min(high, max(low, making.room // max(1, making.cases)))
        if name in making.left and making.cases > 1:
            number = max(low, min(number, making.left[name] // making.cases))
    else:
        number = min(high, low + source.randint(least, most))
    if name in making.left:
        making.left[name] -= number
    if name:
        making.room = max(1, making.room // max(1, number)) if _nests(making, item) else making.room
    return number


def _nests(making: _Making, item: Field) -> bool:
    """Whether a size multiplies with another: rows of words whose length is another variable, rows of lists."""
    rules = making.rules
    rows = [count for count in counts_of(rules.shape.nodes) if count.field == item.key]
    return bool(rows) and bool(rules.lengths) and rules.shape.names[item.key] not in rules.lengths.values()


def _for_networks(
    making: _Making, item: Field, scope: dict[str, int], following: tuple[Node, ...], low: int, high: int
) -> tuple[int, int]:
    """Keep the number of edges within what a graph of so many vertices can have."""
    for node in following:
        columns = table_fields(node) if isinstance(node, Block) else None
        if columns is None or not isinstance(node, Block) or columns[0].key not in making.rules.networks:
            continue
        wanted = making.rules.networks[columns[0].key]
        if node.count != Count(item.key) or "tree" in wanted:
            continue
        first, last = bounds(making.rules, columns[0].key, scope, is_word=False)
        size = last - first + 1
        if "no repeated edges" in wanted:
            high = min(high, size * (size - 1) // 2)
        if "connected" in wanted:
            low = max(low, size - 1)
        if making.profile.network in SPARSE and low <= size + 1:
            high = min(high, size + 1)
    return low, high


def _scalar(making: _Making, item: Field, scope: dict[str, int]) -> int:
    low, high = _narrowed(making, *bounds(making.rules, item.key, scope, is_word=False))
    build = making.profile.values
    if build in ("equal low", "ascending"):
        return low
    if build in ("equal high", "descending"):
        return high
    if build in ("ends", "step", "one differs"):
        return making.source.choice((low, high))
    if build in ("special", "few", "near", "alternate"):
        return special(low, high, making.source)
    return making.source.randint(low, high)


def _narrowed(making: _Making, low: int, high: int) -> tuple[int, int]:
    if low > high:
        raise UnfitError
    if making.profile.span == "full":
        return low, high
    if low < 0 < high:
        return max(low, -3), min(high, 3)
    return low, min(high, low + making.source.choice((1, 3, 6)))


def _table(making: _Making, fields: tuple[Field, ...], count: int, scope: dict[str, int]) -> list[list[str]]:
    if count * len(fields) > 2 * MOST_TOKENS:
        raise UnfitError
    key = fields[0].key
    if key in making.rules.networks and count > 0:
        edges = _edges(making, key, count, scope)
        rows = [[str(one), str(two)] for one, two in edges]
        rest = _rows(making, fields[2:], count, scope)
        return [row + more for row, more in zip(rows, rest, strict=True)]
    rows = _rows(making, fields, count, scope)
    for place, one in enumerate(fields):
        orders = making.rules.orders.get(one.key)
        if orders and one.kind == "int":
            column = _ordered(making, one, orders, count, scope, [int(row[place]) for row in rows])
            for row, value in zip(rows, column, strict=True):
                row[place] = str(value)
        elif orders and one.kind == "word" and "distinct" in orders:
            _make_distinct(making, one, rows, place, scope)
    return rows


def _edges(making: _Making, key: int, count: int, scope: dict[str, int]) -> list[tuple[int, int]]:
    wanted = making.rules.networks[key]
    low, high = bounds(making.rules, key, scope, is_word=False)
    kind = making.profile.network
    if "tree" in wanted and count == high - low:
        return tree_edges(kind if kind in TREES else "random", low, high, making.source)
    edges = graph_edges(kind, low, high, count, wanted, making.source)
    if edges is None:
        raise UnfitError
    return edges


def _rows(making: _Making, fields: tuple[Field, ...], count: int, scope: dict[str, int]) -> list[list[str]]:
    rows = []
    rules = making.rules
    state = {one.key: making.source.random() for one in fields}
    # Most bounds are the same in every row, and a table may have a hundred thousand of them.
    varying: set[int] = set()
    before = {"i"}
    for one in fields:
        name = rules.shape.names[one.key]
        if rules.depends_on(one.key, before):
            varying.add(one.key)
        if name:
            before |= {name, f"|{name}|"}
    fixed = {
        one.key: _narrowed(making, *bounds(rules, one.key, scope, is_word=False))
        for one in fields
        if one.kind == "int" and one.key not in varying
    }
    for index in range(count):
        row: list[str] = []
        inner = {**scope, "i": index + 1} if varying else scope
        for one in fields:
            if one.kind == "int":
                span = fixed.get(one.key) or _narrowed(making, *bounds(rules, one.key, inner, is_word=False))
                token = str(_cell(making, one.key, span[0], span[1], index, count, state))
            else:
                token = _other(making, one, inner, index, count)
            if varying:
                enter(inner, rules.shape.names[one.key], one.kind, token)
            row.append(token)
        rows.append(row)
    return rows


def _cell(making: _Making, key: int, low: int, high: int, index: int, count: int, state: dict[int, float]) -> int:
    if making.profile.values == "few":
        # Lists of the same bounds share their few values, so that one's occur in the other.
        picks = making.few.setdefault((low, high), [making.source.randint(low, high) for _ in range(3)])
        return making.source.choice(picks)
    return cell(making.profile.values, low, high, index, count, state[key], making.source)


def _ordered(
    making: _Making, one: Field, orders: frozenset[str], count: int, scope: dict[str, int], given: list[int]
) -> list[int]:
    """Return a column that keeps its order, as near to the given values as the profile asks."""
    low, high = bounds(making.rules, one.key, scope, is_word=False)
    source, build = making.source, making.profile.values
    if orders & {"permutation", "distinct", "strictly ascending"}:
        if "permutation" in orders:
            low, high = (0, count - 1) if low == 0 else (1, count)
        if high - low + 1 < count:
            raise UnfitError
        if build in ("ascending", "equal low"):
            values = list(range(low, low + count))
        elif build in ("descending", "equal high"):
            values = list(range(high, high - count, -1))
        else:
            top = min(high, low + 2 * count) if making.profile.span == "narrow" else high
            values = source.sample(range(low, top + 1), count)
        if "permutation" in orders and build in ("near", "alternate"):
            values.sort()
            for _ in range(max(1, count // 8)):
                at = source.randrange(max(1, count - 1))
                values[at : at + 2] = values[at : at + 2][::-1]
    else:
        values = given
    if orders & {"ascending", "strictly ascending"}:
        values = sorted(values)
    elif "descending" in orders:
        values = sorted(values, reverse=True)
    return values


def _make_distinct(making: _Making, one: Field, rows: list[list[str]], place: int, scope: dict[str, int]) -> None:
    seen: set[str] = set()
    for row in rows:
        for _ in range(100):
            if row[place] not in seen:
                break
            low, high = bounds(making.rules, one.key, scope, is_word=True)
            length = making.source.randint(low, min(high, max(low, 12)))
            row[place] = "".join(making.source.choices(making.rules.alphabets[one.key], k=length))
        else:
            raise UnfitError
        seen.add(row[place])


def _other(making: _Making, one: Field, scope: dict[str, int], index: int, count: int) -> str:
    """Return a word or a number with a fraction."""
    source, profile = making.source, making.profile
    if one.kind == "real":
        return _real(making, one, scope, index, count)
    low, high = bounds(making.rules, one.key, scope, is_word=True)
    if low > high:
        raise UnfitError
    if low == high:
        length = low
    elif profile.size == "large":
        length = max(low, min(high, making.room // max(1, count)))
    else:
        least, most = _SIZES[profile.size]
        length = min(high, max(low, low + source.randint(least, most)))
    alphabet = making.rules.alphabets[one.key]
    if count > 1 and one.key in making.rules.lengths and len(alphabet) > 1:
        return grid_row(profile.words, alphabet, length, index, count, source)
    making_words = making.chosen.setdefault(-1 - one.key, [source.randrange(1 << 30) for _ in range(2)])
    # Among many words some must come again, or nothing is ever counted twice.
    if count > 1 and profile.values in ("few", "equal low", "equal high", "near") and low != high:
        picked = random.Random(making_words[index % len(making_words)])
        return word(profile.words, alphabet, min(length, max(low, 6)), picked)
    made = word(profile.words, alphabet, length, source)
    fitting = [text for text in making.earlier if set(text) <= set(alphabet)] if alphabet else []
    if fitting and source.random() < _RELATED:
        other = related(source.choice(fitting), alphabet, source)
        made = other if low <= len(other) <= high else made
    if len(making.earlier) < _REMEMBERED:
        making.earlier.append(made)
    return made


def _real(making: _Making, one: Field, scope: dict[str, int], index: int, count: int) -> str:
    """Return a number with as many decimals as the known ones have at most."""
    places = max(1, making.rules.decimals.get(one.key, 1))
    low, high = _narrowed(making, *bounds(making.rules, one.key, scope, is_word=False))
    scale = 10**places
    build = making.profile.values if making.profile.values != "few" or count > 1 else "special"
    value = cell(build, low * scale, high * scale, index, count, making.source.random(), making.source)
    if making.source.random() < _ROUND:
        value -= value % scale
    return decimal(value, places)
