"""Determinants, written out."""

from __future__ import annotations

from itertools import permutations

from curation.answers.literals import MINUS_ONE
from curation.answers.tree import VALUED, Call, Formula, Matrix, Node, Product, Sum

_LARGEST = 4
"""Rows of the largest determinant that is written out: it has 24 products."""


def written_out_determinant(node: Node) -> Node:
    r"""Return ``\begin{vmatrix}``, ``\det`` and bars around a matrix as the sum that they stand for.

    Any other node, a large determinant and one whose cells are no formulas are returned as they are.
    """
    matrix = _square(node)
    if matrix is None:
        return node
    terms: list[Formula] = []
    for order in permutations(range(len(matrix))):
        swaps = sum(one > other for at, one in enumerate(order) for other in order[at + 1 :])
        factors = tuple(row[column] for row, column in zip(matrix, order, strict=True))
        terms.append(Product((MINUS_ONE, *factors) if swaps % 2 else factors))
    return Sum(tuple(terms))


def _square(node: Node) -> list[list[Formula]] | None:
    kind = "determinant"
    if isinstance(node, Call) and node.function in ("det", "abs") and len(node.arguments) == 1:
        node, kind = node.arguments[0], "matrix"
    if not isinstance(node, Matrix) or node.kind != kind or not 1 < len(node.rows) <= _LARGEST:
        return None
    rows: list[list[Formula]] = [[cell for cell in row if isinstance(cell, VALUED)] for row in node.rows]
    sizes = {len(row) for row in (*node.rows, *rows)}
    return rows if sizes == {len(rows)} else None
