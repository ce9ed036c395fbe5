"""What kind of result a function gives, as the programs that define it say: one value, or a list of them.

Some sources put each expected result into a list of one, and only the function tells such a list from a result that is
a list with one element. The programs are read, never run.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from curation.json_reader import JsonValue

_PROGRAMS_READ = 20
_LONGEST_PROGRAM = 100_000
_LISTS = frozenset({"List", "list", "Sequence", "Iterable", "Tuple", "tuple", "Set", "set"})
_VALUES = frozenset({"int", "str", "bool", "float", "complex"})
_GIVES_LIST = frozenset({"list", "sorted", "tuple"})
_GIVES_VALUE = frozenset(
    {"len", "sum", "str", "int", "bool", "float", "abs", "round", "any", "all", "isinstance", "ord"}
)
_OF_NUMBERS = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.Mod)


@dataclass(frozen=True, slots=True)
class ResultShape:
    """How deep a result is nested.

    Attributes:
        lists: lists around the innermost values; 0 for a single value.
        is_whole: whether ``lists`` is all there are, and not only those that are known of.
    """

    lists: int
    is_whole: bool


def result_shape(function: str, texts: Iterable[str]) -> ResultShape | None:
    """Return what programs, or the head of one, say of a function's result; None where they do not or disagree.

    Args:
        function: its name.
        texts: Python programs or starter code, the most telling first; a few of them are read.
    """
    read = [text for text in texts if len(text) <= _LONGEST_PROGRAM][:_PROGRAMS_READ]
    told = {shape for text in read if (shape := _annotated(function, text)) is not None}
    if not told:
        told = {shape for text in read if (shape := _returned(function, text)) is not None}
    return told.pop() if len(told) == 1 else None


def are_wrapped(results: list[JsonValue], shape: ResultShape | None) -> bool | None:
    """Return whether each of these lists of one only stands around a result; None where nothing tells."""
    if shape is None:
        return None
    inside = [result[0] for result in results if isinstance(result, list)]
    if shape.lists == 0:
        return True
    if not shape.is_whole:
        return all(isinstance(value, list) for value in inside)
    return all(_depth(value) == shape.lists for value in inside)


def _depth(value: JsonValue) -> int:
    depth = 0
    while isinstance(value, list):
        depth += 1
        value = value[0] if value else None
    return depth


def _annotated(function: str, text: str) -> ResultShape | None:
    head = re.search(rf"\bdef\s+{re.escape(function)}\s*\((?:[^()]|\([^()]*\))*\)\s*->\s*([^:\n]+):", text)
    tree = None if head is None else _parsed(head[1].strip())
    return None if tree is None or not isinstance(tree.body[0], ast.Expr) else _of_annotation(tree.body[0].value)


def _of_annotation(node: ast.expr) -> ResultShape | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        tree = _parsed(node.value)
        return None if tree is None or not isinstance(tree.body[0], ast.Expr) else _of_annotation(tree.body[0].value)
    name = _name(node.value if isinstance(node, ast.Subscript) else node)
    if name == "Optional" and isinstance(node, ast.Subscript):
        return _of_annotation(node.slice)
    if name in _VALUES:
        return ResultShape(0, is_whole=True)
    if name not in _LISTS:
        return None
    inner = node.slice if isinstance(node, ast.Subscript) else None
    inner = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
    found = None if inner is None else _of_annotation(inner)
    return ResultShape(1, is_whole=False) if found is None else ResultShape(found.lists + 1, found.is_whole)


def _returned(function: str, text: str) -> ResultShape | None:
    tree = _parsed(text)
    if tree is None:
        return None
    definitions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function)
    definition = next(definitions, None)
    kinds = (
        {kind for value in _returns(definition) if (kind := _gives_list(value)) is not None} if definition else set()
    )
    if len(kinds) != 1:
        return None
    return ResultShape(1, is_whole=False) if kinds.pop() else ResultShape(0, is_whole=True)


def _returns(definition: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield what a function returns, and nothing of the functions inside it."""
    waiting: list[ast.AST] = list(definition.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.AsyncFunctionDef):
            waiting.extend(ast.iter_child_nodes(node))


def _gives_list(value: ast.expr) -> bool | None:
    if isinstance(value, ast.List | ast.ListComp | ast.Tuple):
        return True
    if isinstance(value, ast.Constant):
        return None if value.value is None else False
    if isinstance(value, ast.Compare | ast.JoinedStr):
        return False
    if isinstance(value, ast.UnaryOp):
        return False
    if isinstance(value, ast.BinOp) and isinstance(value.op, _OF_NUMBERS):
        return False
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return True if value.func.id in _GIVES_LIST else False if value.func.id in _GIVES_VALUE else None
    return None


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Python 2, a fragment, or a text that is nested without end.
        return None
    return tree if tree.body else None
