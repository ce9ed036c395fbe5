"""The process behind `symbolic_worker`: reads requests, runs SymPy or Math-Verify on them, writes replies.

Run as ``python -m curation.answers.symbolic_process MEMORY_LIMIT_BYTES``. It ends when its input ends.
"""

from __future__ import annotations

import logging
import os
import resource
import sys
from collections.abc import Callable
from typing import IO, Any

from curation.json_reader import dumps, loads

_RECURSION_LIMIT = 5_000

# What the libraries raise on text they cannot take. Anything else ends the process, which is a failed reply as well.
_LIBRARY_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)


def _math_verify(gold: str, prediction: str) -> tuple[str, str]:
    """Ask Math-Verify both ways round, and whether it notices one more at either end, which shows what it read.

    Its own timeouts are off, because they need the main thread and miss C code.
    """
    first, second = _parsed(gold), _parsed(prediction)
    if not first or not second:
        return "undecided", "Math-Verify cannot read " + ("the gold answer" if not first else "the answer")
    found = {_verified(first, second), _verified(second, first)}
    if len(found) == 2:
        return "undecided", "Math-Verify contradicts itself when the sides are swapped"
    if found == {False}:
        return "false", "Math-Verify rejects it both ways round"
    for gold_changed, prediction_changed in zip(_with_one_more(gold), _with_one_more(prediction), strict=True):
        changed = _parsed(gold_changed), _parsed(prediction_changed)
        if _verified(first, changed[1]) or _verified(changed[0], second):
            return "undecided", "Math-Verify does not notice when one is added"
    return "true", "Math-Verify accepts it both ways round and notices when one is added"


def _with_one_more(answer: str) -> tuple[str, str]:
    return f"1 + {answer}", f"{answer} + 1"


def _parsed(answer: str) -> list[Any]:
    from math_verify import parse

    return list(parse(f"\\boxed{{{answer}}}", parsing_timeout=None, fallback_mode="no_fallback"))


def _verified(gold: list[Any], prediction: list[Any]) -> bool:
    from math_verify import verify

    return bool(verify(gold, prediction, strict=True, timeout_seconds=None, float_rounding=30, numeric_precision=60))


def _simplify(first: str, second: str) -> tuple[str, str]:
    """Ask SymPy whether the difference of two serialized formulas is zero."""
    import sympy

    difference = _expression(loads(first)) - _expression(loads(second))
    if difference.is_number and difference.is_algebraic:
        variable = sympy.Symbol("variable")
        if sympy.minimal_polynomial(difference, variable) == variable:
            return "true", "SymPy: the minimal polynomial of the difference is that of zero"
        return "undecided", "SymPy does not prove it"
    for simplify in (sympy.simplify, sympy.trigsimp, sympy.radsimp):
        if simplify(difference) == 0:
            return "true", "SymPy simplifies the difference to zero"
    return "undecided", "SymPy does not prove it"


def _expression(serial: Any) -> Any:
    """Build a SymPy expression from the prefix form of `symbolic.serialize`; symbols are real."""
    import sympy

    kind, *parts = serial
    if kind == "number":
        return sympy.Rational(int(parts[0]), int(parts[1]))
    if kind == "symbol":
        constants = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I}
        return constants.get(parts[0]) or sympy.Symbol(parts[0], real=True)
    if kind == "call":
        arguments = [_expression(part) for part in parts[1:]]
        return _function(sympy, parts[0])(*arguments)
    values = [_expression(part) for part in parts]
    if kind == "sum":
        return sympy.Add(*values)
    if kind == "product":
        return sympy.Mul(*values)
    if kind == "power":
        return sympy.Pow(*values)
    return sympy.real_root(*values) if values[1].is_odd else sympy.root(*values)


def _function(sympy: Any, name: str) -> Any:
    known = {
        "ln": sympy.log,
        "log": sympy.log,
        "abs": sympy.Abs,
        "ceil": sympy.ceiling,
        "binom": sympy.binomial,
        "percent": lambda value: value / 100,
        "degrees": lambda value: value * sympy.pi / 180,
        "lg": lambda value: sympy.log(value, 10),
        **{f"arc{short}": getattr(sympy, f"a{short}") for short in ("sin", "cos", "tan", "cot", "sec", "csc")},
        **{short: getattr(sympy, short) for short in ("sin", "cos", "tan", "cot", "sec", "csc", "exp", "factorial")},
        **{short: getattr(sympy, short) for short in ("sinh", "cosh", "tanh", "coth", "floor", "gcd", "lcm")},
        "min": sympy.Min,
        "max": sympy.Max,
    }
    return known.get(name) or sympy.Function(name)


TASKS: dict[str, Callable[..., tuple[str, str]]] = {"math_verify": _math_verify, "simplify": _simplify}
"""What the process can be asked: name of the task and the function that does it."""


def _reply(line: str) -> tuple[str, str]:
    request: Any = loads(line)
    task, *arguments = request
    try:
        return TASKS[task](*arguments)
    except MemoryError:
        return "failed", "the memory limit was reached"
    except _LIBRARY_ERRORS as error:
        return "failed", f"{type(error).__name__} in {task}"


def _write(replies: IO[str], value: object) -> None:
    replies.write(dumps(value) + "\n")
    replies.flush()


def _main() -> None:
    limit = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.set_int_max_str_digits(0)
    sys.setrecursionlimit(_RECURSION_LIMIT)
    logging.disable()
    # What a library prints must not get between the replies.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    import math_verify  # noqa: F401
    import sympy  # noqa: F401

    _write(replies, [])
    for line in sys.stdin:
        _write(replies, list(_reply(line)))


if __name__ == "__main__":
    _main()
