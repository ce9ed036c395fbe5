"""Edges of trees and graphs: what can be wrong with them, and ways to make them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from curation.testgen.document import Part

TREES = ("path", "random", "star", "caterpillar", "binary", "broom", "reversed path")
SPARSE = ("reversed path",)
"""Kinds of graphs with little more than the edges of a tree, so that the way from end to end stays long."""


def network_faults(wanted: frozenset[str], part: Part, vertices: tuple[int, int]) -> Iterator[str]:
    """Yield what of ``tree``, ``connected``, ``no loops``, ``no repeated edges`` the edges of a table break.

    Args:
        wanted: what is asked for.
        part: a table whose first two columns are the ends of edges.
        vertices: the least and the greatest vertex.
    """
    if not wanted:
        return
    edges = [(int(row[0]), int(row[1])) for row in part.rows]
    low, high = vertices
    if any(not low <= end <= high for edge in edges for end in edge):
        return
    if "no loops" in wanted and any(one == two for one, two in edges):
        yield "no loops"
    if "no repeated edges" in wanted and len({(min(edge), max(edge)) for edge in edges}) < len(edges):
        yield "no repeated edges"
    pieces = _pieces(edges, low, high) if wanted & {"connected", "tree"} else 1
    if "connected" in wanted and pieces > 1:
        yield "connected"
    if "tree" in wanted and (pieces > 1 or len(edges) != high - low):
        yield "tree"


def _pieces(edges: list[tuple[int, int]], low: int, high: int) -> int:
    parent = list(range(high - low + 1))

    def root(vertex: int) -> int:
        while parent[vertex] != vertex:
            parent[vertex] = parent[parent[vertex]]
            vertex = parent[vertex]
        return vertex

    count = len(parent)
    for one, two in edges:
        first, second = root(one - low), root(two - low)
        if first != second:
            parent[first] = second
            count -= 1
    return count


def tree_edges(kind: str, low: int, high: int, source: random.Random) -> list[tuple[int, int]]:
    """Return the edges of a tree on the vertices from ``low`` to ``high``, parents mostly with the smaller number."""
    size = high - low + 1
    edges = [(low + _parent(kind, child, size, source), low + child) for child in range(1, size)]
    if kind == "reversed path":
        return [(two, one) for one, two in reversed(edges)]
    if kind in ("random", "binary", "caterpillar") and source.random() < 0.7:
        labels = list(range(low, high + 1))
        source.shuffle(labels)
        edges = [(labels[one - low], labels[two - low]) for one, two in edges]
        source.shuffle(edges)
        edges = [(two, one) if source.random() < 0.5 else (one, two) for one, two in edges]
    return edges


def _parent(kind: str, child: int, size: int, source: random.Random) -> int:
    if kind in ("path", "reversed path"):
        return child - 1
    if kind == "star":
        return 0
    if kind == "binary":
        return (child - 1) // 2
    if kind == "caterpillar":
        return child - 2 if child % 2 == 0 else max(0, child - 1)
    if kind == "broom":
        return child - 1 if child < size // 2 else size // 2 - 1 if size > 3 else 0
    return source.randrange(child)


def graph_edges(
    kind: str, low: int, high: int, count: int, wanted: frozenset[str], source: random.Random
) -> list[tuple[int, int]] | None:
    """Return edges of a graph; None where there are not so many."""
    simple = "no repeated edges" in wanted
    size = high - low + 1
    if simple and count > size * (size - 1) // 2 + (0 if "no loops" in wanted else size):
        return None
    start = tree_edges(kind if kind in TREES else "random", low, high, source)
    edges = start[:count] if "connected" in wanted or kind in SPARSE or source.random() < 0.6 else []
    if "connected" in wanted and count < size - 1:
        return None
    seen = {(min(edge), max(edge)) for edge in edges}
    tries = 0
    while len(edges) < count:
        tries += 1
        if tries > 50 * count + 1000:
            return None
        one, two = source.randint(low, high), source.randint(low, high)
        if size > 4 and (kind in SPARSE or (kind == "path" and source.random() < 0.8)):
            two = min(high, one + source.randint(1, 3))
        edge = (min(one, two), max(one, two))
        loop_breaks = one == two and "no loops" in wanted and size > 1
        if loop_breaks or (simple and edge in seen):
            continue
        seen.add(edge)
        edges.append((one, two))
    return edges
