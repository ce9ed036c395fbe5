"""The macros that a LaTeX preamble defines, expanded where they are used.

Only plain substitutions count: ``\\newcommand`` and its relatives, ``\\def`` without arguments,
``\\DeclareMathOperator`` and ``\\DeclarePairedDelimiter``. All besides a macro's own characters stays byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pylatexenc.latexwalker import (
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexMathNode,
    LatexNode,
    LatexWalker,
    LatexWalkerParseError,
    get_default_latex_context_db,
)
from pylatexenc.macrospec import EnvironmentSpec, LatexContextDb, MacroSpec

_DEFINITION = re.compile(r"\\(?:newcommand|renewcommand|providecommand|DeclareMathOperator|def)(?![A-Za-z])")
_DELIMITERS = re.compile(
    r"\\DeclarePairedDelimiter\s*\{?\s*\\(?P<name>[A-Za-z]+)\s*\}?\s*\{(?P<left>[^{}]*)\}\s*\{(?P<right>[^{}]*)\}"
)
_PARAMETER = re.compile(r"#([1-9])")
_ENDS_IN_CONTROL_WORD = re.compile(r"\\[A-Za-z]+\Z")
_NESTING = 8
"""How deep macros may use macros; one that goes deeper refers to itself and stays as it is."""

_LAYOUT = {
    "newpage": "",
    "clearpage": "",
    "pagebreak": "[",
    "vspace": "*{",
    "bigskip": "",
    "medskip": "",
    "smallskip": "",
    "vfill": "",
    "noindent": "",
    "hfill": "",
    "centering": "",
    "setcounter": "{{",
    "thispagestyle": "{",
    "setlength": "{{",
    "addtolength": "{{",
    "newgeometry": "{",
    "restoregeometry": "",
}
"""Macros that only place text on a page, with their arguments; they go."""

PROBLEM_ENVIRONMENTS = ("problem", "prob", "question", "exercise")
"""Environments that hold one problem, with its number or a title in brackets."""

_OTHERS = {"def": "{{", "fbox": "{", "boxed": "{", "framebox": "[[{", "rule": "[{{"}


@dataclass(frozen=True, slots=True)
class Macro:
    """What one macro stands for.

    Attributes:
        arguments: how many it takes.
        default: what stands for its first argument where that is left out; None where it must be given.
        body: its replacement, with ``#1`` for the first argument.
        form: pylatexenc's description of its arguments where they are not just the optional one and then braces.
    """

    arguments: int
    default: str | None
    body: str
    form: str | None = None


def definitions(preamble: str) -> dict[str, Macro]:
    """Return the macros that a preamble defines; one that no plain substitution can express is left out."""
    walker = LatexWalker(preamble, latex_context=context({}), tolerant_parsing=False)
    found: dict[str, Macro] = {}
    for match in _DELIMITERS.finditer(preamble):
        # The star and the size in brackets only choose how tall the delimiters are.
        body = f"\\left{match['left'].strip()} #3\\right{match['right'].strip()}"
        found[match["name"]] = Macro(3, None, body, "*[{")
    for match in _DEFINITION.finditer(preamble):
        try:
            nodes, _, _ = walker.get_latex_nodes(match.start(), read_max_nodes=1)
        except LatexWalkerParseError:
            continue
        parts = list(nodes[0].nodeargd.argnlist)
        kind = nodes[0].macroname
        name_node = parts[0] if kind == "def" else parts[1]
        inner = name_node.nodelist if isinstance(name_node, LatexGroupNode) else [name_node]
        if len(inner) != 1 or not isinstance(inner[0], LatexMacroNode) or not isinstance(parts[-1], LatexGroupNode):
            continue
        body = _inside(preamble, parts[-1]).strip()
        if kind == "DeclareMathOperator":
            star = "*" if parts[0] is not None else ""
            found[inner[0].macroname] = Macro(0, None, f"\\operatorname{star}{{{body}}}")
            continue
        count = _inside(preamble, parts[2]) if kind != "def" and parts[2] is not None else "0"
        default = _inside(preamble, parts[3]) if kind != "def" and parts[3] is not None else None
        if count in "0123456789":
            found[inner[0].macroname] = Macro(int(count), default, body)
    return found


def context(macros: Mapping[str, Macro]) -> LatexContextDb:
    """Return pylatexenc's knowledge of LaTeX with these macros and the page layout macros added."""
    known = get_default_latex_context_db()
    given = {**_LAYOUT, **_OTHERS}
    for name, macro in macros.items():
        optional = macro.default is not None
        given[name] = macro.form or "[" * optional + "{" * (macro.arguments - optional)
    known.add_context_category(
        "paper",
        macros=[MacroSpec(name, arguments) for name, arguments in given.items()],
        environments=[
            EnvironmentSpec("minipage", "[[[{"),
            EnvironmentSpec("multicols", "{"),
            *(EnvironmentSpec(name, "[") for name in PROBLEM_ENVIRONMENTS),
        ],
        prepend=True,
    )
    return known


def expand(text: str, nodes: Sequence[LatexNode], macros: Mapping[str, Macro], nesting: int = _NESTING) -> str:
    """Return the source of neighbouring nodes with macros expanded and page layout removed.

    Args:
        text: the text that the nodes were parsed from.
        nodes: neighbours in the text, in order.
        macros: what the preamble defines.
        nesting: how deep a macro may still use others.
    """
    if not nodes:
        return ""
    position, end = nodes[0].pos, nodes[-1].pos + nodes[-1].len
    result = ""
    for node in _macro_nodes(nodes):
        if node.pos < position:
            continue
        if node.macroname in macros and nesting:
            replacement = _call(text, node, macros, nesting)
            after = node.pos + node.len - len(node.macro_post_space)
        elif node.macroname in _LAYOUT and not node.parsing_state.in_math_mode:
            replacement = ""
            after = node.pos + node.len
        else:
            continue
        result = _join(_join(result, text[position : node.pos]), replacement)
        position = after
    return _join(result, text[position:end])


def _call(text: str, node: LatexMacroNode, macros: Mapping[str, Macro], nesting: int) -> str:
    macro = macros[node.macroname]
    arguments = [
        (macro.default or "") if given is None else expand(text, _content(given), macros, nesting)
        for given in (node.nodeargd.argnlist if node.nodeargd else [])
    ]
    body = ""
    position = 0
    for parameter in _PARAMETER.finditer(macro.body):
        index = int(parameter[1]) - 1
        body = _join(body, macro.body[position : parameter.start()])
        body = _join(body, arguments[index] if index < len(arguments) else "")
        position = parameter.end()
    body = _join(body, macro.body[position:])
    # The body is parsed in the mode of the call, or its own formulas would be read inside out.
    walker = LatexWalker(body, latex_context=context(macros), tolerant_parsing=False)
    state = walker.make_parsing_state(in_math_mode=node.parsing_state.in_math_mode)
    try:
        nodes, _, _ = walker.get_latex_nodes(0, parsing_state=state)
    except LatexWalkerParseError:
        return body
    return expand(body, nodes, macros, nesting - 1)


def _content(node: LatexNode) -> Sequence[LatexNode]:
    return node.nodelist if isinstance(node, LatexGroupNode) else [node]


def _inside(text: str, node: LatexNode) -> str:
    content = _content(node)
    return text[content[0].pos : content[-1].pos + content[-1].len] if content else ""


def _join(left: str, right: str) -> str:
    """Concatenate, with a space where a control word would otherwise swallow a letter."""
    if right[:1].isalpha() and _ENDS_IN_CONTROL_WORD.search(left):
        return f"{left} {right}"
    return left + right


def _macro_nodes(nodes: Sequence[LatexNode]) -> Iterator[LatexMacroNode]:
    """Yield the macros among the nodes and inside them, in the order of the text."""
    for node in nodes:
        if isinstance(node, LatexMacroNode):
            yield node
        arguments = node.nodeargd.argnlist if getattr(node, "nodeargd", None) and node.nodeargd.argnlist else []
        yield from _macro_nodes([argument for argument in arguments if argument is not None])
        if isinstance(node, LatexGroupNode | LatexEnvironmentNode | LatexMathNode):
            yield from _macro_nodes(node.nodelist)
