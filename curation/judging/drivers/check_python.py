"""Look at a Python file without running it: is it Python 3, Python 2, or neither?

Writes one JSON object: ``kind`` is ``python3``, ``python2``, ``invalid``, or ``lacking`` where it imports a library
that contest judges have and this machine has not; ``message`` says why.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
import warnings
from pathlib import Path

_GONE_NAMES = frozenset({"raw_input", "xrange", "unicode", "unichr", "basestring", "long", "cmp", "execfile"})
_GONE_MODULES = frozenset(
    {"StringIO", "cStringIO", "Queue", "urllib2", "ConfigParser", "__builtin__", "cPickle", "sets"}
)
_GONE_MEMBERS = frozenset({("itertools", "izip"), ("itertools", "imap"), ("sys", "maxint")})
_LIBRARIES = frozenset(
    {"numpy", "scipy", "sortedcontainers", "networkx", "numba", "sympy", "pandas", "sklearn", "bitarray", "gmpy2"}
)
_GONE_METHODS = frozenset({"has_key", "iteritems", "itervalues", "iterkeys"})
_START = r"^\s*(?:.*[:;]\s*)?"
_OLD_SYNTAX = tuple(
    (re.compile(pattern, re.MULTILINE), name)
    for pattern, name in (
        (_START + r"print\s+(?![=(.,)\]:]|(?:in|is|and|or|not in|if|else|for)\b)\S", "print statement"),
        (_START + r"print\s*$", "print statement"),
        (_START + r"print\s*\(.*\)\s*%|^\s*print\s*>>", "print statement"),
        (r"^\s*except\s+[\w.()\s,]+?,\s*\w+\s*:", "except with a comma"),
        (r"^\s*raise\s+\w+\s*,", "raise with a comma"),
        (r"^\s*exec\s+[\"'\w]", "exec statement"),
        (r"\w\s*<>\s*\w", "the operator <>"),
        (r"(?<![\w.])\d+[lL]\b", "a long literal"),
        (r"(?<![\w.])0[0-7]+\b", "an old octal literal"),
        (r"`[^`\n]+`", "backquotes"),
    )
)


def main() -> None:
    """Judge main.py."""
    source = Path("main.py").read_bytes()
    warnings.simplefilter("ignore")
    try:
        tree = compile(source, "main.py", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        compile(source, "main.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        kind, message = _of_invalid(source, error)
    else:
        kind, message = _of_valid(tree, source)
    sys.stdout.write(json.dumps({"kind": kind, "message": message}) + "\n")


def _of_invalid(source: bytes, error: Exception) -> tuple[str, str]:
    text = re.sub(r"#.*", "", source.decode("utf-8", "replace"))
    for pattern, name in _OLD_SYNTAX:
        if pattern.search(text):
            return "python2", name
    where = f" (line {error.lineno})" if isinstance(error, SyntaxError) and error.lineno else ""
    return "invalid", f"{type(error).__name__}: {getattr(error, 'msg', error)}{where}"


def _of_valid(tree: ast.AST, source: bytes) -> tuple[str, str]:
    if b"version_info" in source or b"NameError" in source or b"ImportError" in source:
        # It looks where it runs and may be meant for both.
        return "python3", ""
    bound: set[str] = set()
    used: set[str] = set()
    gone: str | None = None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            bound.add(node.name)
        elif isinstance(node, ast.Import):
            bound.update((item.asname or item.name).split(".")[0] for item in node.names)
            gone = gone or next((item.name for item in node.names if item.name in _GONE_MODULES), None)
        elif isinstance(node, ast.ImportFrom):
            if any(item.name == "*" for item in node.names):
                bound |= _GONE_NAMES
            bound.update(item.asname or item.name for item in node.names)
            gone = gone or (node.module if node.module in _GONE_MODULES else None)
            gone = gone or next((item.name for item in node.names if (node.module, item.name) in _GONE_MEMBERS), None)
        elif isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr in _GONE_METHODS or (owner, node.attr) in _GONE_MEMBERS:
                gone = gone or node.attr
    missing = sorted((used & _GONE_NAMES) - bound)
    if gone is None and missing:
        gone = missing[0]
    if gone:
        return "python2", gone
    lacking = sorted(name for name in _libraries(tree) if importlib.util.find_spec(name) is None)
    return ("lacking", lacking[0]) if lacking else ("python3", "")


def _libraries(tree: ast.AST) -> set[str]:
    """Return the libraries that a program cannot do without."""
    found: set[str] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Try):
            continue
        if isinstance(node, ast.Import):
            found.update(item.name.split(".")[0] for item in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
        waiting.extend(ast.iter_child_nodes(node))
    return found & _LIBRARIES


if __name__ == "__main__":
    main()
