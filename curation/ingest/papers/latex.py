"""A LaTeX document as its lists of items, with the source text of every item left as it was written.

pylatexenc parses; its nodes know where they stand, so an item's text is a slice of the source. Comments and page layout
go and the preamble's macros are expanded, because nobody who sees one problem alone has that preamble. Line ends become
``\\n``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexMathNode,
    LatexNode,
    LatexWalker,
    LatexWalkerParseError,
)

from curation.ingest.papers.latex_macros import PROBLEM_ENVIRONMENTS, context, definitions, expand

_COMMENT = re.compile(
    r"""(?P<keep>\\begin\{(?P<raw>verbatim\*?|lstlisting)\}.*?\\end\{(?P=raw)\}
      | \\verb\*?(?P<mark>[^A-Za-z\s*]).*?(?P=mark)
      | \\(?!begin\{comment\}|iffalse(?![A-Za-z])).)
    | (?P<drop>\\begin\{comment\}.*?\\end\{comment\}
      | \\iffalse(?![A-Za-z]).*?\\fi(?![A-Za-z])
      | (?<![^\n])[ \t]*%[^\n]*(?:\n|\Z)
      | %[^\n]*(?:\n(?![ \t]*(?:\n|\Z))[ \t]*)?)""",
    re.VERBOSE | re.DOTALL,
)
"""What TeX never sets. A comment swallows its line end and the next line's indent, but no empty line."""

_COUNTER = re.compile(r"\\setcounter\{enumi\}\{\s*(\d+|\\the[a-zA-Z]+|\\value\{[a-zA-Z]+\})\s*\}")
_START = re.compile(r"\bstart\s*=\s*(\d+)")
_RESUME = re.compile(r"resume\b")
_TRANSPARENT = frozenset(["minipage", "multicols", "flushleft", "questions", "large", "Large", "normalsize", "small"])
_PROBLEM_MACROS = frozenset(["problem", "prob", "question"])
_PROBLEM_NUMBER = re.compile(r"(?:problem\s*)?(\d{1,3})[.:)]?", re.IGNORECASE)
_NO_WORDS = frozenset(["includegraphics", "vspace", "hspace", "rule", "item"])


class LatexTextError(ValueError):
    """The text is no LaTeX document that can be read.

    Attributes:
        line: the 1-based line of the file that is to blame.
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Item:
    """One ``\\item`` of a list.

    Attributes:
        label: what stands in ``\\item[...]``, without a dot at its end; None for a counted item.
        number: the item's count in its list.
        nodes: what it holds, nested lists included.
        line: the line of its ``\\item`` in the file.
    """

    label: str | None
    number: int
    nodes: tuple[LatexNode, ...]
    line: int


@dataclass(frozen=True, slots=True)
class ItemList:
    """One ``enumerate`` that is part of no other list.

    Attributes:
        heading: the centred text or section title before it, as plain words; empty where there is none.
        items: its items in order.
        after: what stands between it and the next list or heading.
        line: the line of its ``\\begin`` in the file.
    """

    heading: str
    items: tuple[Item, ...]
    after: tuple[LatexNode, ...]
    line: int


class LatexDocument:
    """One parsed document.

    Attributes:
        is_fragment: whether it has no ``document`` environment and is all body, as a file that another one takes in.
    """

    def __init__(self, source: str, definitions_beside: str = "") -> None:
        """Parse ``source``; ``definitions_beside`` is the text of the files that its preamble takes in.

        Raises:
            LatexTextError: a brace, environment or formula is left open.
        """
        self._source = source.replace("\r\n", "\n").replace("\r", "\n")
        self._text, self._starts = _without_comments(self._source)
        begin = self._text.find("\\begin{document}")
        self.is_fragment = begin < 0
        end = len(self._text)
        if not self.is_fragment:
            closing = self._text.find("\\end{document}", begin)
            if closing < 0:
                raise LatexTextError("it has no \\end{document}", self._source.count("\n") + 1)
            end = closing + len("\\end{document}")
        beside, _ = _without_comments(definitions_beside)
        self._macros = definitions(beside) | definitions(self._text[:end])
        walker = LatexWalker(self._text[:end], latex_context=context(self._macros), tolerant_parsing=False)
        try:
            nodes, _, _ = walker.get_latex_nodes(max(begin, 0), read_max_nodes=None if self.is_fragment else 1)
        except LatexWalkerParseError as error:
            raise LatexTextError(str(error.msg), self._line(error.pos)) from None
        except RecursionError:
            raise LatexTextError("it is nested too deeply", self._line(max(begin, 0))) from None
        self._body: Sequence[LatexNode] = nodes if self.is_fragment else nodes[0].nodelist

    def body(self) -> str:
        """Return the text of the whole document."""
        return self.text(self._body)

    def lists(self) -> list[ItemList]:
        """Return the outermost ``enumerate`` lists in order; where problems have a markup of their own, those instead.

        A ``problem`` environment or ``\\problem`` macro is a list of one item that goes on with its heading's count.
        """
        found: list[ItemList] = []
        heading = ""
        collecting = absorbs = False
        nodes = list(_outer_nodes(self._body))
        marked = any(_is_problem(node) for node in nodes)
        for node in nodes:
            title = plain_words(_title(node))
            if _is_problem(node) if marked else _is_list(node):
                same = bool(found) and (found[-1].heading == heading or not marked)
                counted = found[-1].items[-1].number if same and found[-1].items else 0
                items = (self._problem(node, counted),) if marked else tuple(self._items(node, counted))
                found.append(ItemList(heading, items, (), self._line(node.pos)))
                collecting, absorbs = True, isinstance(node, LatexMacroNode) and not items[0].nodes
            elif title:
                heading = title
                collecting = False
            elif collecting and marked and absorbs:
                last = found[-1].items[0]
                found[-1] = replace(found[-1], items=(replace(last, nodes=(*last.nodes, node)),))
            elif collecting:
                found[-1] = replace(found[-1], after=(*found[-1].after, node))
        return found

    def text(self, nodes: Sequence[LatexNode]) -> str:
        """Return the source of nodes: macros expanded, layout gone, everything else untouched.

        Nodes that are no neighbours in the file are set apart by an empty line.
        """
        runs: list[list[LatexNode]] = []
        for node in nodes:
            if runs and runs[-1][-1].pos + runs[-1][-1].len == node.pos:
                runs[-1].append(node)
            else:
                runs.append([node])
        texts = (expand(self._text, run, self._macros).strip() for run in runs)
        return "\n\n".join(text for text in texts if text)

    def line(self, node: LatexNode) -> int:
        """Return the 1-based line of the file on which ``node`` starts."""
        return self._line(node.pos)

    def _line(self, offset: int) -> int:
        here, there = self._starts[bisect_right(self._starts, (offset, len(self._source))) - 1]
        return self._source.count("\n", 0, there + offset - here) + 1

    def _items(self, environment: LatexEnvironmentNode, counted: int) -> Iterator[Item]:
        given = environment.nodeargd.argnlist if environment.nodeargd else []
        options = plain_words([option for option in given if option is not None])
        start = _START.search(options)
        count = int(start[1]) - 1 if start else counted if _RESUME.search(options) else 0
        opened: LatexMacroNode | None = None
        held: list[LatexNode] = []
        for node in environment.nodelist:
            if isinstance(node, LatexMacroNode) and node.macroname == "item":
                if opened is not None:
                    yield self._item(opened, count, held)
                opened, held = node, []
                count += node.nodeargd.argnlist[0] is None
            elif opened is not None:
                held.append(node)
            elif counter := _COUNTER.match(self._text, node.pos):
                # A counter of the author's own carries the count from one list to the next.
                count = int(counter[1]) if counter[1].isdigit() else counted
        if opened is not None:
            yield self._item(opened, count, held)

    def _problem(self, node: LatexNode, counted: int) -> Item:
        arguments = [given for given in (node.nodeargd.argnlist if node.nodeargd else []) if given is not None]
        if isinstance(node, LatexMacroNode):
            # One that takes no arguments only starts a problem, and all until the next one belongs to it.
            content = list(_outer_nodes(arguments[-1:]))
            arguments = arguments[:-1]
        else:
            content = list(node.nodelist)
            if (
                content
                and isinstance(content[0], LatexGroupNode)
                and _PROBLEM_NUMBER.fullmatch(plain_words(content[:1]))
            ):
                arguments.append(content.pop(0))
        stated = [number for argument in arguments if (number := _PROBLEM_NUMBER.fullmatch(plain_words([argument])))]
        return Item(None, int(stated[0][1]) if stated else counted + 1, tuple(content), self._line(node.pos))

    def _item(self, macro: LatexMacroNode, number: int, nodes: list[LatexNode]) -> Item:
        bracket = macro.nodeargd.argnlist[0]
        label = None if bracket is None else plain_words([bracket]).rstrip(".").strip()
        return Item(label, number, tuple(nodes), self._line(macro.pos))


def _is_list(node: LatexNode) -> bool:
    return isinstance(node, LatexEnvironmentNode) and node.environmentname == "enumerate"


def _is_problem(node: LatexNode) -> bool:
    if isinstance(node, LatexMacroNode):
        return node.macroname in _PROBLEM_MACROS
    return isinstance(node, LatexEnvironmentNode) and node.environmentname in PROBLEM_ENVIRONMENTS


def _title(node: LatexNode) -> Sequence[LatexNode]:
    if isinstance(node, LatexEnvironmentNode) and node.environmentname == "center":
        return list(node.nodelist)
    if isinstance(node, LatexMacroNode) and node.macroname in ("section", "subsection"):
        return [node]
    return ()


def plain_words(nodes: Sequence[LatexNode]) -> str:
    """Return what a heading or label says, without markup, its white space folded."""
    return " ".join("".join(_plain(nodes)).split())


def _plain(nodes: Sequence[LatexNode]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, LatexCharsNode):
            yield node.chars
        elif isinstance(node, LatexGroupNode | LatexMathNode):
            yield from _plain(node.nodelist)
        elif isinstance(node, LatexMacroNode) and node.macroname not in _NO_WORDS:
            arguments = node.nodeargd.argnlist if node.nodeargd else []
            yield from _plain([argument for argument in arguments if argument is not None])
            yield " " if node.macroname == "\\" else node.macro_post_space


def _outer_nodes(nodes: Sequence[LatexNode]) -> Iterator[LatexNode]:
    """Yield the nodes in order, looking through environments and groups that only change how text is set."""
    for node in nodes:
        if isinstance(node, LatexGroupNode) or (
            isinstance(node, LatexEnvironmentNode) and node.environmentname in _TRANSPARENT
        ):
            yield from _outer_nodes(node.nodelist)
        else:
            yield node


def _without_comments(source: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text that TeX sees, and pairs of offsets in it and in the source that belong together."""
    pieces: list[str] = []
    starts = [(0, 0)]
    length = position = 0
    for match in _COMMENT.finditer(source):
        if match["drop"] is None:
            continue
        piece = source[position : match.start()]
        pieces.append(piece)
        length += len(piece)
        position = match.end()
        starts.append((length, position))
    pieces.append(source[position:])
    return "".join(pieces), starts
