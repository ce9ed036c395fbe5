"""Wrong variants of a right Python program, one change each, by its syntax tree; the code is never run here."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
}
_CALLS = {"min": "max", "max": "min"}
_DROPPED = ("sorted", "abs", "set")

_SLOW = "slow_rounds = globals().setdefault('slow_rounds', [])\nslow_rounds.append(sum(slow_rounds))\n"


def python_mutants(code: str) -> Iterator[tuple[str, str]]:
    """Yield the kind of each change and the changed program; nothing for code that is no Python 3."""
    try:
        tree = ast.parse(code)
        sites = list(ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError):
        return
    for place, node in enumerate(sites):
        for kind, change in _changes(node):
            mutant = copy.deepcopy(tree)
            _apply(list(ast.walk(mutant))[place], change)
            yield kind, ast.unparse(ast.fix_missing_locations(mutant)) + "\n"


def _changes(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
        yield "bound" if not isinstance(node.ops[0], ast.Eq | ast.NotEq) else "operator", "comparison"
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        yield "operator", "operation"
    elif isinstance(node, ast.BoolOp):
        yield "operator", "boolean"
    elif isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 1 << 62:
        yield "off by one", "up"
        yield "off by one", "down"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in _CALLS:
            yield "operator", "swap"
        elif node.func.id in _DROPPED and len(node.args) == 1:
            yield "call left out", "unwrap"
        elif node.func.id == "range":
            yield "off by one", "range"
    elif isinstance(node, ast.If) and node.body and not node.orelse:
        yield "case left out", "never"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        if node.value.func.attr in ("sort", "reverse"):
            yield "call left out", "nothing"
    elif isinstance(node, ast.For | ast.While):
        yield "slow", "slow"


def _apply(node: ast.AST, change: str) -> None:
    if isinstance(node, ast.Compare):
        node.ops[0] = _COMPARISONS[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp):
        node.op = _OPERATORS[type(node.op)]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        node.value = node.value + (1 if change == "up" else -1)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        _change_call(node, node.func, change)
    elif isinstance(node, ast.If):
        node.test = ast.Constant(False)
    elif isinstance(node, ast.Expr):
        node.value = ast.Constant(None)
    elif isinstance(node, ast.For | ast.While):
        # Every round works once more than the one before, which makes the loop quadratic.
        node.body[:0] = ast.parse(_SLOW).body


def _change_call(node: ast.Call, function: ast.Name, change: str) -> None:
    if change == "swap":
        function.id = _CALLS[function.id]
    elif change == "unwrap":
        function.id = "int" if function.id == "abs" else "list"
    elif node.args:
        last = len(node.args) - 1 if len(node.args) < 3 else 1
        node.args[last] = ast.BinOp(node.args[last], ast.Sub(), ast.Constant(1))
