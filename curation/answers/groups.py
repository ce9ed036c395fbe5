"""Tuples, sets, lists and matrices, compared member by member."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.formulas import has_unknown_kinds
from curation.answers.tree import VALUED, Bracket, Dots, Matrix, Node, Product

Compare: TypeAlias = Callable[[Node, Node], Comparison]

MEMBER_LIMIT = 200
"""Members of the largest collection that is compared without regard to order."""


def compare_ordered(path: str, first: Sequence[Node], second: Sequence[Node], compare: Compare) -> Comparison:
    """Compare members place by place."""
    if len(first) != len(second):
        return different(path, f"{len(first)} members against {len(second)}")
    open_member: Comparison | None = None
    for one, other in zip(first, second, strict=True):
        result = compare(one, other)
        if result.verdict == "different":
            return different(path, f"a member differs: {result.why}")
        if result.verdict == "unknown":
            open_member = result
    if open_member is not None:
        return unknown(path, f"a member is open: {open_member.why}")
    return equal(path, "all members are equal")


def compare_unordered(
    path: str, first: Sequence[Node], second: Sequence[Node], compare: Compare, *, repeats: bool
) -> Comparison:
    """Compare members in any order; ``repeats`` tells whether a member that stands twice counts twice."""
    if max(len(first), len(second)) > MEMBER_LIMIT:
        return unknown(path, f"more than {MEMBER_LIMIT} members")
    here, there = _distinct(first, compare), _distinct(second, compare)
    result = _matched(path, here, there, compare)
    if result.verdict == "equal" and repeats and len(first) != len(second):
        return unknown(path, "the same members, but not equally often")
    return result


def _matched(path: str, first: list[Node], second: list[Node], compare: Compare) -> Comparison:
    rest = list(second)
    unmatched: list[Node] = []
    for one in first:
        match = next((at for at, other in enumerate(rest) if compare(one, other).verdict == "equal"), None)
        if match is None:
            unmatched.append(one)
        else:
            rest.pop(match)
    if not unmatched and not rest:
        return equal(path, "the same members")
    verdicts = [{compare(one, other).verdict for other in rest} for one in unmatched]
    verdicts += [{compare(one, other).verdict for one in unmatched} for other in rest]
    if len(unmatched) == len(rest) and all("unknown" in found for found in verdicts):
        return unknown(path, "members that could not be compared")
    return different(path, "a member of one is none of the other")


def _distinct(members: Sequence[Node], compare: Compare) -> list[Node]:
    found: list[Node] = []
    for member in members:
        if not any(member == other or compare(member, other).verdict == "equal" for other in found):
            found.append(member)
    return found


def has_dots(members: Sequence[Node]) -> bool:
    """Tell whether a list goes on by dots."""
    return any(isinstance(member, Dots) for member in members)


def compare_with_dots(first: Sequence[Node], second: Sequence[Node], compare: Compare) -> Comparison:
    """Compare lists that go on by dots: in order, and only where they show the same number of members."""
    shape = [isinstance(member, Dots) for member in first]
    if shape != [isinstance(member, Dots) for member in second]:
        return unknown("sequence", "lists with dots that show different members")
    shown = [(one, other) for one, other, dots in zip(first, second, shape, strict=True) if not dots]
    return compare_ordered("sequence", [one for one, _ in shown], [other for _, other in shown], compare)


def scaled_matrix(node: Node) -> Node:
    """Return a number times a matrix as the matrix of the products; any other node as it is."""
    if not isinstance(node, Product):
        return node
    matrices = [part for part in node.factors if isinstance(part, Matrix)]
    rest = tuple(part for part in node.factors if not isinstance(part, Matrix))
    if len(matrices) != 1 or matrices[0].kind != "matrix" or any(map(has_unknown_kinds, rest)):
        return node
    rows = [[cell for cell in row if isinstance(cell, VALUED)] for row in matrices[0].rows]
    if [len(row) for row in rows] != [len(row) for row in matrices[0].rows]:
        return node
    return Matrix("matrix", tuple(tuple(Product((*rest, cell)) for cell in row) for row in rows))


def rows_of_lists(node: Node) -> Matrix | None:
    """Return ``[[1, 2], [3, 4]]`` as a matrix; None for other nodes."""
    if not isinstance(node, Bracket) or node.opening != "[" or node.closing != "]":
        return None
    rows = [row.members for row in node.members if isinstance(row, Bracket) and row.opening == "["]
    if len(rows) != len(node.members) or not rows or len({len(row) for row in rows}) != 1:
        return None
    return Matrix("matrix", tuple(rows))


def compare_matrices(first: Matrix, second: Matrix, compare: Compare) -> Comparison:
    """Compare two matrices cell by cell, two case distinctions line by line in any order."""
    if first.kind != second.kind:
        return unknown("matrix", f"a {first.kind} against a {second.kind}")
    if [len(row) for row in first.rows] != [len(row) for row in second.rows]:
        if first.kind == "determinant":
            return unknown("matrix", "determinants of different shapes")
        return different("matrix", "matrices of different shapes")
    cells = [[cell for row in matrix.rows for cell in row] for matrix in (first, second)]
    result = compare_ordered("matrix", cells[0], cells[1], compare)
    if first.kind == "cases" and result.verdict == "different":
        return unknown("matrix", "case distinctions whose lines differ")
    if first.kind == "determinant" and result.verdict == "different":
        return unknown("matrix", "determinants with different cells")
    return result
