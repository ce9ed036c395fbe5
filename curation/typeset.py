r"""Problem texts as HTML: formulas as MathML, which browsers set by themselves, and the shared pieces marked.

`latex2mathml` reads the formulas between ``$``, ``\(``, ``\[`` and ``$$``. What it returns is built anew from the
elements and attributes named here, because texts come from outside; a formula that it cannot read whole is shown as it
was typed. A set formula carries its source beside it, so that a page can show either.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element

from latex2mathml import exceptions
from latex2mathml.converter import convert_to_element
from markupsafe import Markup, escape

_FORMULA = re.compile(
    r"\$\$(?P<display>[^$]{1,2000})\$\$"
    r"|(?<![\\$])\$(?P<inline>(?![\s$])[^$]{0,1999}[^$\s\\])\$(?![\d$])"
    r"|\\\((?P<round>(?:(?!\\[()]).){1,2000})\\\)"
    r"|\\\[(?P<square>(?:(?!\\[\[\]]).){1,2000})\\\]",
    re.DOTALL,
)
_DISPLAYED = frozenset({"display", "square"})
_LINE_END = re.compile(r"[ \t]*\r?\n")
_DEEPEST = 40
_MATHML = """
math mrow mi mn mo mtext mspace mstyle mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd
mpadded mmultiscripts mprescripts none
"""
_ELEMENTS = frozenset(_MATHML.split())
_AS_ROW = frozenset({"menclose", "mphantom"})
"""Elements whose content is shown plainly: nothing of a text may be hidden."""

_ATTRIBUTES = frozenset(
    {
        "display", "displaystyle", "scriptlevel", "stretchy", "fence", "form", "accent", "accentunder", "linethickness",
        "columnalign", "minsize", "maxsize", "lspace", "rspace", "separator", "largeop", "movablelimits",
    }
)  # fmt: skip
_VALUE = re.compile(r"[A-Za-z0-9. -]{1,24}")
_STYLES = {"double-struck": "DOUBLE-STRUCK", "script": "SCRIPT", "fraktur": "FRAKTUR", "bold": "BOLD"}
_UNREADABLE = (
    exceptions.NumeratorNotFoundError,
    exceptions.DenominatorNotFoundError,
    exceptions.ExtraLeftOrMissingRightError,
    exceptions.MissingSuperScriptOrSubscriptError,
    exceptions.DoubleSubscriptsError,
    exceptions.DoubleSuperscriptsError,
    exceptions.NoAvailableTokensError,
    exceptions.InvalidStyleForGenfracError,
    exceptions.MissingEndError,
    exceptions.InvalidAlignmentError,
    exceptions.InvalidWidthError,
    exceptions.LimitsMustFollowMathOperatorError,
    # What its parser lets through on text that is no LaTeX.
    IndexError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    StopIteration,
    RuntimeError,
)


def typeset(text: str, spans: Sequence[tuple[int, int]] = ()) -> Markup:
    """Return a text as HTML with its formulas set and its spans in ``mark`` elements; all else is escaped.

    A formula that a span touches is marked as a whole. The end of the line on which a displayed formula ends is in a
    ``span`` of class ``end``: such a formula is a block, after which it would show as an empty line.

    Args:
        text: a text from anywhere.
        spans: places in it, in order and apart from each other.
    """
    parts: list[Markup] = []
    position = 0
    for formula in _FORMULA.finditer(text):
        kind = formula.lastgroup or ""
        set_formula = mathml(formula[kind], kind in _DISPLAYED)
        if set_formula is None:
            continue
        parts += _marked(text, position, formula.start(), spans)
        shared = any(start < formula.end(kind) and end > formula.start(kind) for start, end in spans)
        typed = Markup("").join(_marked(text, formula.start(), formula.end(), spans))
        element = Markup("mark") if shared else Markup("span")
        parts.append(
            Markup('<{0} class="formula">{1}<code>{2}</code></{0}>').format(element, Markup(set_formula), typed)  # noqa: S704
        )
        position = formula.end()
        if kind in _DISPLAYED and (line_end := _LINE_END.match(text, position)):
            ending = Markup("").join(_marked(text, position, line_end.end(), spans))
            parts.append(Markup('<span class="end">{}</span>').format(ending))
            position = line_end.end()
    return Markup("").join([*parts, *_marked(text, position, len(text), spans)])


@lru_cache(maxsize=8_192)
def mathml(formula: str, display: bool) -> str | None:
    """Return a LaTeX formula as MathML of known elements and attributes; None where it cannot be read whole."""
    if _depth(formula) > _DEEPEST:
        return None
    try:
        root = convert_to_element(formula.strip(), display="block" if display else "inline")
    except _UNREADABLE:
        return None
    return _rebuilt(root)


def _depth(formula: str) -> int:
    deepest = depth = 0
    for character in formula:
        depth += (character == "{") - (character == "}")
        deepest = max(deepest, depth)
    # Environments and fences nest without braces.
    return deepest + formula.count(r"\begin") + formula.count(r"\left")


def _rebuilt(element: Element) -> str | None:
    name = element.tag
    if name not in _ELEMENTS and name not in _AS_ROW:
        return None
    attributes = "".join(
        f' {key}="{value}"'
        for key, value in sorted(element.attrib.items())
        if key in _ATTRIBUTES and _VALUE.fullmatch(value)
    )
    text = _styled(html.unescape(element.text or ""), element.get("mathvariant"))
    # A command that the converter does not know comes back as it was typed.
    if "\\" in text or (element.tail or "").strip():
        return None
    children = [_rebuilt(child) for child in element]
    if any(child is None for child in children):
        return None
    shown = "mrow" if name in _AS_ROW else name
    return f"<{shown}{attributes}>{html.escape(text)}{''.join(filter(None, children))}</{shown}>"


def _styled(text: str, variant: str | None) -> str:
    """Return letters in the style that MathML's core leaves to the characters themselves."""
    style = _STYLES.get(variant or "")
    if style is None or len(text) != 1 or not text.isascii() or not text.isalnum():
        return text
    case = "DIGIT" if text.isdigit() else "CAPITAL" if text.isupper() else "SMALL"
    letter = unicodedata.name(text).rpartition(" ")[2]
    for name in (f"MATHEMATICAL {style} {case} {letter}", f"{style} {case} {letter}", f"BLACK-LETTER {case} {letter}"):
        try:
            return unicodedata.lookup(name)
        except KeyError:
            continue
    return text


def _marked(text: str, first: int, last: int, spans: Sequence[tuple[int, int]]) -> Iterator[Markup]:
    position = first
    for start, end in spans:
        start, end = max(start, position), min(end, last)
        if start >= end:
            continue
        if start > position:
            yield escape(text[position:start])
        yield Markup("<mark>{}</mark>").format(text[start:end])
        position = end
    if position < last:
        yield escape(text[position:last])
