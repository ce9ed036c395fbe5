"""An input grammar from known inputs: every shape that all of them have, and the one that the statement speaks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from curation.testgen.grammar import (
    Block,
    Count,
    Field,
    Kind,
    Line,
    Node,
    Repeat,
    counts_of,
    fields_of,
    kind_of,
    parse,
    parse_lines,
    split_lines,
)
from curation.testgen.statement import Statement

_PROPOSING = 6
_MOST_CHARACTERS = 20_000
_MOST_SHAPES = 1000
_MOST_BODIES = 150
_MOST_FIELDS = 12
_MOST_NODES = (7, 4, 2)
"""Nodes in a row, by depth of nesting."""

_AFFINE = ((1, 0), (1, -1), (1, 1), (2, 0))
_COUNTED = (
    r"(?:[a-z-]+ ){0,3}?(?:integers?|numbers?|lines?|words?|strings?|characters?|pairs?|rows?|edges?|values?|elements?|"
    r"test ?cases?|cases?|queries|names?|tokens?|letters?|points?|intervals?|segments?|roads?)"
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A grammar with the statement's names for its fields.

    Attributes:
        nodes: the grammar.
        names: the name of each field, by key; empty for one that the statement does not name.
        score: how well the statement agrees, for comparison with other shapes.
    """

    nodes: tuple[Node, ...]
    names: tuple[str, ...]
    score: float


def infer(inputs: Sequence[str], statement: Statement) -> Shape | None:
    """Return the best shape that all inputs have; None where none is found.

    Args:
        inputs: known inputs; blanks at the ends of lines and a missing last line feed are forgiven.
        statement: what decides between shapes.
    """
    tidied = sorted((tidy(text) for text in inputs), key=len)
    # Shapes are sought in small inputs, for a long one has thousands of places where a list may end.
    proposed = _best(tidied[:_PROPOSING], tidied, statement)
    if proposed is not None or len(tidied) <= _PROPOSING or sum(map(len, tidied)) > _MOST_CHARACTERS:
        return proposed
    return _best(tidied, tidied, statement)


def _best(proposing: Sequence[str], tidied: Sequence[str], statement: Statement) -> Shape | None:
    """Return the best shape of some inputs that all have."""
    streams = []
    for text in proposing:
        lines = split_lines(text)
        if lines is None:
            return None
        streams.append(_Stream(lines, 0, {}))
    most = len(statement.names) + 1 if statement.names else _MOST_FIELDS
    shapes = islice(_sequences(streams, 0, 0, most), _MOST_SHAPES)
    whole = [nodes for nodes, ends in shapes if all(stream.place == len(stream.lines) for stream in ends)]
    named = sorted((_named(nodes, statement) for nodes in whole), key=lambda shape: -shape.score)
    best = next((one for one in named if all(parse(one.nodes, text) is not None for text in tidied)), None)
    # A shape that the statement speaks against would only make inputs that are not valid.
    return None if best is None or (statement.names and best.score < 0) else best


def tidy(text: str) -> str:
    """Return an input without blanks at line ends and empty lines at its end."""
    lines = [" ".join(line.split()) for line in text.replace("\r\n", "\n").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return "".join(line + "\n" for line in lines)


@dataclass(frozen=True, slots=True)
class _Stream:
    """One input, or one body of a block in it: its lines, the next line, and the integers seen so far."""

    lines: list[list[str]]
    place: int
    scope: dict[int, int]


_Found = tuple[tuple[Node, ...], list[_Stream]]


def _sequences(streams: list[_Stream], depth: int, first_key: int, most: int) -> Iterator[_Found]:
    """Yield sequences of nodes that all streams begin with, and where they end, the longer ones of a start first."""
    yield from _longer(streams, depth, first_key, _MOST_NODES[depth], most)


def _longer(streams: list[_Stream], depth: int, key: int, room: int, most: int) -> Iterator[_Found]:
    if room == 0 or any(stream.place >= len(stream.lines) for stream in streams):
        return
    for node, ends in _next_nodes(streams, depth, key, most):
        yield (node,), ends
        for rest, later in _longer(ends, depth, key + len(fields_of((node,))), room - 1, most):
            yield (node, *rest), later


def _next_nodes(streams: list[_Stream], depth: int, key: int, most: int) -> Iterator[tuple[Node, list[_Stream]]]:
    proposed: list[Node] = [*_blocks(streams, depth, key, most), *_line_shapes(streams, key)]
    for node in proposed:
        if key + len(fields_of((node,))) > most:
            continue
        ends = _advance(streams, node)
        if ends is not None:
            yield node, ends


def _advance(streams: list[_Stream], node: Node) -> list[_Stream] | None:
    ends = []
    for stream in streams:
        scope = dict(stream.scope)
        parsed = parse_lines((node,), stream.lines, stream.place, scope)
        if parsed is None:
            return None
        ends.append(_Stream(stream.lines, parsed[1], scope))
    return ends


def _line_shapes(streams: list[_Stream], key: int) -> Iterator[Line]:
    rows = [stream.lines[stream.place] for stream in streams]
    widths = {len(row) for row in rows}
    if len(widths) == 1:
        kinds = [_common_kind([row[place] for row in rows]) for place in range(min(widths))]
        yield Line(tuple(Field(key + place, kind) for place, kind in enumerate(kinds)))
    for fixed in range(min(3, min(widths) + 1)):
        # A list of one element in every input is taken for a field.
        if max(widths) - fixed < 2:
            continue
        kinds = [_common_kind([row[place] for row in rows]) for place in range(fixed)]
        start = tuple(Field(key + place, kind) for place, kind in enumerate(kinds))
        scopes = [
            {**stream.scope, **{key + place: int(row[place]) for place in range(fixed) if kinds[place] == "int"}}
            for stream, row in zip(streams, rows, strict=True)
        ]
        for count in _counts(scopes):
            for width in (1, 2, 3):
                numbers = [count.of(scope) for scope in scopes]
                if all(
                    number is not None and number * width == len(row) - fixed
                    for number, row in zip(numbers, rows, strict=True)
                ):
                    columns = [
                        [row[place] for row in rows for place in range(fixed + k, len(row), width)]
                        for k in range(width)
                    ]
                    fields = tuple(Field(key + fixed + k, _common_kind(column)) for k, column in enumerate(columns))
                    yield Line((*start, Repeat(count, fields)))


def _blocks(streams: list[_Stream], depth: int, key: int, most: int) -> Iterator[Block]:
    if depth + 1 >= len(_MOST_NODES):
        return
    for count in _counts([stream.scope for stream in streams]):
        numbers = [count.of(stream.scope) or 0 for stream in streams]
        if any(not 0 <= number <= len(s.lines) - s.place for number, s in zip(numbers, streams, strict=True)):
            continue
        filled = [stream for number, stream in zip(numbers, streams, strict=True) if number > 0]
        if not filled:
            continue
        if max(numbers) == 1:
            continue
        # A block's first bodies propose its shape; the kinds of its tokens come from all of them.
        for nodes, _ in islice(_sequences(filled, depth + 1, key, most), _MOST_BODIES):
            yield Block(count, _widened(nodes, count, streams))


def _widened(nodes: tuple[Node, ...], count: Count, streams: list[_Stream]) -> tuple[Node, ...]:
    """Return the body with fields as words where later bodies hold other kinds than the first."""
    if all(parse_lines((Block(count, nodes),), s.lines, s.place, dict(s.scope)) is not None for s in streams):
        return nodes
    for kind in ("real", "word"):
        loose = _with_kind(nodes, kind, {c.field for c in counts_of(nodes)})
        if all(parse_lines((Block(count, loose),), s.lines, s.place, dict(s.scope)) is not None for s in streams):
            return loose
    return nodes


def _with_kind(nodes: tuple[Node, ...], kind: Kind, kept: set[int | None]) -> tuple[Node, ...]:
    def field(one: Field) -> Field:
        return one if one.key in kept else Field(one.key, kind)

    def item(one: Field | Repeat) -> Field | Repeat:
        return field(one) if isinstance(one, Field) else Repeat(one.count, tuple(map(field, one.fields)))

    return tuple(
        Block(node.count, _with_kind(node.body, kind, kept))
        if isinstance(node, Block)
        else Line(tuple(map(item, node.items)))
        for node in nodes
    )


def _counts(scopes: list[dict[int, int]]) -> Iterator[Count]:
    for key in sorted(set.intersection(*(set(scope) for scope in scopes)), reverse=True):
        for times, plus in _AFFINE:
            yield Count(key, times, plus)


def _common_kind(tokens: Sequence[str]) -> Kind:
    kinds = {kind_of(token) for token in tokens}
    if kinds <= {"int"}:
        return "int"
    return "real" if kinds <= {"int", "real"} else "word"


def _named(nodes: tuple[Node, ...], statement: Statement) -> Shape:
    fields = fields_of(nodes)
    counting = {count.field for count in counts_of(nodes)}
    names = _aligned(len(fields), statement.names)
    score = (
        0.0 if not statement.names else 4.0 - 2.0 * abs(len(fields) - len(_candidates(statement.names, len(fields))))
    )
    for count in counts_of(nodes):
        if count.field is None or not names[count.field]:
            continue
        sign = {0: "", -1: r" ?- ?1", 1: r" ?\+ ?1"}[count.plus]
        times = f"{count.times} ?\\*? ?" if count.times > 1 else ""
        said = re.search(
            rf"(?<![\w-]){times}{names[count.field]}{sign} +{_COUNTED}|length (?:of )?{names[count.field]}\b"
            rf"|(?:number|count) of (?:[a-z]+ ){{1,3}}{names[count.field]}\b",
            statement.input_text,
        )
        score += 3.0 if said else -1.0
    score -= sum(abs(count.plus) + count.times - 1 for count in counts_of(nodes)) * 0.5
    score -= 0.2 * len(fields) + 0.3 * _size(nodes)
    if statement.says(r"test ?cases?\b") and isinstance(nodes[0], Line) and 0 in counting:
        score += 2.0
    return Shape(nodes, tuple(names), score)


def _size(nodes: tuple[Node, ...]) -> int:
    return sum(1 + (_size(node.body) if isinstance(node, Block) else 0) for node in nodes)


def _candidates(names: tuple[str, ...], wanted: int) -> tuple[str, ...]:
    """Leave out names that look like indices where there are more names than fields."""
    kept = list(names)
    for index in ("i", "j"):
        if len(kept) > wanted and index in kept:
            kept.remove(index)
    return tuple(kept)


def _aligned(wanted: int, names: tuple[str, ...]) -> list[str]:
    kept = _candidates(names, wanted)
    return [kept[place] if place < len(kept) else "" for place in range(wanted)]
