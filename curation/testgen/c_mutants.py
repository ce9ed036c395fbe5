"""Wrong variants of a right C or C++ program, one change each, by its tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"(?P<skip>//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.)*|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
    r"|\b\d+\.\d*\w*|\b\d+[eExX]\w+)"
    r"|(?P<number>\b\d+(?:[uUlL]*)\b)"
    r"|(?P<wide>\blong\s+long(?:\s+int)?\b|\bint64_t\b)"
    r"|(?P<sort>\b(?:std::)?(?:stable_)?sort\s*\([^;{}]*\)\s*;)"
    r"|(?P<call>\b(?:min|max)(?=\s*\())"
    r"|(?P<loop>\bfor\s*\((?:[^()]|\([^()]*\))*\)\s*\{)"
    r"|(?P<operator>(?<=\s)(?:<=|>=|==|!=|&&|\|\||<|>|\+|-|\*|/|%)(?=\s))",
    re.DOTALL | re.MULTILINE,
)
_INSIDE = re.compile(r"(?<=\s)(?:<=|>=|<|>)(?=\s)")
_SWAPPED = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "%": "/",
}
_BOUNDS = ("<", "<=", ">", ">=")
_SLOW = (
    " static volatile long long slow_rounds = 0; slow_rounds = slow_rounds + 1;"
    " for (volatile long long slow_index = 0; slow_index < slow_rounds; slow_index = slow_index + 1) {}"
)


def c_mutants(code: str) -> Iterator[tuple[str, str]]:
    """Yield the kind of each change and the changed program."""
    if "long long" in code or "int64_t" in code:
        narrow = re.sub(r"\blong\s+long(?:\s+int)?\b|\bint64_t\b", "int", code).replace("%lld", "%d")
        yield "overflow", narrow
    for match in _TOKEN.finditer(code):
        for kind, text in _changes(match.lastgroup or "", match[0]):
            yield kind, code[: match.start()] + text + code[match.end() :]


def _changes(group: str, text: str) -> Iterator[tuple[str, str]]:
    if group == "number":
        digits = re.match(r"\d+", text)
        if digits is not None and len(digits[0]) < 19:
            rest = text[digits.end() :]
            yield "off by one", f"{int(digits[0]) + 1}{rest}"
            if int(digits[0]) > 0:
                yield "off by one", f"{int(digits[0]) - 1}{rest}"
    elif group == "wide":
        yield "overflow", "int"
    elif group == "sort":
        yield "call left out", ";"
    elif group == "call":
        yield "operator", "max" if text == "min" else "min"
    elif group == "loop":
        yield "slow", text + _SLOW
        for match in _INSIDE.finditer(text):
            yield "bound", text[: match.start()] + _SWAPPED[match[0]] + text[match.end() :]
    elif group == "operator":
        yield "bound" if text in _BOUNDS else "operator", _SWAPPED[text]
