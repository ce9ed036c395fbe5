"""The one normaliser: the same problem typed twice, in LaTeX, Unicode, HTML or plain text, folds to the same string.

`fold` keeps what carries meaning (words, numbers, operators, brackets, powers, indices) and makes what does not carry
any equal: delimiters, spacing, markup, the spelling of symbols, case, prose punctuation. `tokens` goes further and
leaves out grouping, so that a text that lost its braces on the way still has the tokens of one that kept them.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from itertools import filterfalse
from typing import NamedTuple

from curation.remembered import Remembered
from curation.text_symbols import COMMANDS, GREEK, SUBSCRIPTS, SUPERSCRIPTS, SYMBOLS

FOLD_VERSION = 2
"""Raised whenever `fold` or `tokens` returns anything else for any text; part of every fingerprint that uses them."""

NUMBER_MASK = "#"
"""What `mask_digits` puts in a number's place. No folded text holds this character otherwise."""

_DEEPEST = 24
"""Braces nested deeper than this are left as they are, so that hostile input costs linear time."""

_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_RAISED = re.compile("[" + "".join(SUPERSCRIPTS) + "]+")
_LOWERED = re.compile("[" + "".join(SUBSCRIPTS) + "]+")
_SYMBOL = str.maketrans({symbol: f" {replacement} " for symbol, replacement in SYMBOLS.items()})
_RAISED_PLAIN = str.maketrans(SUPERSCRIPTS)
_LOWERED_PLAIN = str.maketrans(SUBSCRIPTS)

_SCRIPT_TAG = re.compile(r"<(sup|sub)>(.{0,200}?)</\1>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(
    r"</?(?:p|br|b|i|u|em|strong|span|div|center|font|code|pre|tt|ul|ol|li|table|tr|td|th|tbody|h[1-6]|sup|sub|var)"
    r"(?:\s+[a-z-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s<>\"']+))*\s*/?>",
    re.IGNORECASE,
)

_THOUSANDS_TEX = re.compile(r"(?:\{,\}(?<=\d\{,\})|,\\[,!;: ](?<=\d,\\.)|\\[,!;: ](?<=\d\\.))\s*(?=\d{3}(?!\d))")
_THOUSANDS_SIGN = re.compile(r",\d{3}(?!\d)")
_THOUSANDS = re.compile(r"(?<![\d.,(\[{])\d{1,3}(?:,\d{3})+(?![\d,]*\d)")
_WRAPPERS = (
    r"text(?:rm|bf|it|sf|tt|sc|normal|up)?|emph|underline|mbox|hbox|fbox|boxed|operatorname\*?|boldsymbol|bm|pmb"
    r"|math(?:rm|bf|it|sf|tt|cal|bb|frak|scr|normal)|ensuremath|mathop"
)
_WRAPPER = re.compile(rf"\\(?:{_WRAPPERS})\s*\{{([^{{}}]*)\}}")
_BARE_WRAPPER = re.compile(rf"\\(?:{_WRAPPERS})(?![A-Za-z])\s*(?:([A-Za-z])|(?=[^{{\s]))")
"""Without braces the argument is the next character or command."""
_DROPPED_ARGUMENT = re.compile(
    r"\\(?:begin|end)\s*\{array\}\s*(?:\{[^{}]*\})?|\\(?:begin|end|hspace\*?|vspace\*?|label|color|textcolor)\s*\{[^{}]*\}"
    r"|\\\\\[-?[\d.]+\s*[a-z]{2}\]"
)
_FRACTION = re.compile(r"\\[dtc]?frac(?![A-Za-z])\s*")
_COMMAND = re.compile(r"\\(?:([A-Za-z]+)\*?|\\?([()\[\]])|(.)|$)", re.DOTALL)
_PRIMES = re.compile(r"\^\s*(?:\{((?:\s*\\prime(?![A-Za-z]))+)\s*\}|\\prime(?![A-Za-z]))")
_DEGREES = re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))")
_GROUP = re.compile(r"\{([^{}]*)\}")
_ATOM = re.compile(r"\s*(?:[A-Za-z]|\d+(?:\.\d+)?|[A-Za-z]{2,})\s*")
_BRACE = re.compile(r"[{}]")

# A pattern that starts with what it looks for, and looks back from there, lets the engine skip to such characters.
_SPACED_CAPITALS = re.compile(r"[A-Z](?<![^\W\d_][A-Z])(?:\s+[A-Z])+(?![^\W\d_])")
_WORD_HYPHEN = re.compile(r"-(?<=[^\W\d_]{2}-)(?=[^\W\d_]{2})")
_BARE_DECIMAL = re.compile(r"\.(?<![\w.)]\.)(?=\d)")
_ASCII_OPERATOR = re.compile(r"<=|>=|!=|<->|<=>|=>|->|\.\.\.+|\*\*")
_OPERATOR_SIGNS = ("<", ">", "!=", "..", "**", "x ", "x\n", "x\t")
_TIMES = re.compile(r"(?<=\d)\s+x\s+(?=\d)")
_TIMES_SIGN = re.compile(r"x\s+\d")
_ASCII_OPERATORS = {"<=": "≤", ">=": "≥", "!=": "≠", "<->": "↔", "<=>": "⇔", "=>": "⇒", "->": "→", "**": " "}
_LEXEME = re.compile(
    rf"[{_CJK}]|\d+(?:\.\d+)?|[^\W\d_{_CJK}]+|(?<=(?<![^\W\d_])[A-Za-z])'+|[-+=<>/%^_()\[\]{{}}|*!∥⊥≤≥≠≡≈∼±∓∈∉⊂⊆∪∩∅∖→↔⇒⇔∣∧∨¬∀∃∂∇⊕⊗∘…@&]"
)
_ATOM_IN_BRACKETS = re.compile(r"\( (\S+) \)")
_BEFORE_AN_ATOM = ("^ ", "_ ", "/ ", "sqrt ")
_SINGLE_LETTERS = re.compile(rf" [^\W\d_{_CJK}](?: [^\W\d_{_CJK}])+(?!\S)")

_LOOSE = frozenset("()[]{}^_|*!'…∣@&") | {"''", "overline", "vec", "hat", "widehat", "overrightarrow", "tilde"}


class Token(NamedTuple):
    """One token and where its text stands: ``source[start:end]`` is the smallest piece known to hold it."""

    text: str
    start: int
    end: int


def fold(text: str) -> str:
    """Return the folded text: lexemes in reading order, one space between them.

    Folded together: Unicode compatibility forms, no-break and zero-width characters, HTML entities and common tags,
    math delimiters, spacing and sizing commands, font and text wrappers with or without braces, ``\\dfrac`` /
    ``\\frac12`` / ``{1\\over 2}`` / ``½``, Unicode, LaTeX and ASCII spellings of operators, powers, indices, roots and
    degrees, thousands separators, quotation marks, sentence punctuation, hyphens inside words, blanks between single
    letters, and case. Kept apart: every number, sign, bracket, power and index, so that two texts with one fold state
    the same formula. Blank texts fold to "".
    """
    if not text.isascii():
        text = fold_unicode(text)
    if "&" in text:
        text = html.unescape(text)
        text = text if text.isascii() else fold_unicode(text)
    if "<" in text:
        text = _TAG.sub(" ", _SCRIPT_TAG.sub(_script, text))
    if "\\" in text or "{" in text:
        text = _fold_latex(text)
    if _THOUSANDS_SIGN.search(text):
        text = _THOUSANDS.sub(_without_commas, text)
    text = _SPACED_CAPITALS.sub(_without_spaces, text)
    if "-" in text:
        text = _WORD_HYPHEN.sub(" ", text)
    text = _BARE_DECIMAL.sub("0.", text)
    if any(sign in text for sign in _OPERATOR_SIGNS):
        text = _ASCII_OPERATOR.sub(_operator, _TIMES.sub("*", text) if _TIMES_SIGN.search(text) else text)
    folded = " ".join(filter(None, map(_LEXEMES.__getitem__, text.split())))
    if "(" in folded:
        folded = _ATOM_IN_BRACKETS.sub(_atom, folded)
    return _SINGLE_LETTERS.sub(_joined, f" {folded}")[1:]


def tokens(folded: str) -> list[str]:
    """Return the tokens of a folded text: words, numbers, relation and sum signs, and single CJK characters.

    Brackets, ``^``, ``_``, product signs, bars and accents are left out: they are what copying and conversion lose.
    """
    return list(filterfalse(_LOOSE.__contains__, folded.split(" "))) if folded else []


def mask_digits(words: Sequence[str]) -> list[str]:
    """Return the tokens with every number replaced by `NUMBER_MASK`."""
    return [NUMBER_MASK if word[0].isdigit() else word for word in words]


def shingles(words: Sequence[str], length: int) -> list[str]:
    """Return all runs of ``length`` tokens, joined by spaces; a shorter text is one shingle, an empty one has none."""
    if not words:
        return []
    if len(words) <= length:
        return [" ".join(words)]
    return [" ".join(words[start : start + length]) for start in range(len(words) - length + 1)]


_PIECE = re.compile(rf"[{_CJK}]|[^\s${_CJK}]+")


def locate(text: str) -> list[Token]:
    """Return the text's tokens with their places, for showing; pieces between blanks are folded one by one.

    Where a formula has blanks inside its braces a token can differ from those of `tokens` on the whole text, so compare
    texts by `tokens` and align what this returns.
    """
    return [
        Token(word, piece.start(), piece.end()) for piece in _PIECE.finditer(text) for word in _PIECES[piece.group()]
    ]


_PIECES: Remembered[list[str]] = Remembered(lambda piece: tokens(fold(piece)))


def fold_unicode(text: str) -> str:
    """Return the text with its Unicode spellings of symbols, scripts and widths as plain or LaTeX text; case stays."""
    text = _INVISIBLE.sub("", text)
    text = _RAISED.sub(lambda match: f"^{{{match.group().translate(_RAISED_PLAIN)}}}", text)
    text = _LOWERED.sub(lambda match: f"_{{{match.group().translate(_LOWERED_PLAIN)}}}", text)
    return unicodedata.normalize("NFKC", text.translate(_SYMBOL))


def _script(match: re.Match[str]) -> str:
    return ("^{" if match.group(1).lower() == "sup" else "_{") + match.group(2) + "}"


def _fold_latex(text: str) -> str:
    text = _THOUSANDS_TEX.sub("", text)
    if "\\" in text:
        text = _DROPPED_ARGUMENT.sub(" ", text)
        text = _DEGREES.sub(" degrees ", text)
        for _ in range(_DEEPEST):
            unwrapped = _WRAPPER.sub(r" \1 ", text)
            if unwrapped == text:
                break
            text = unwrapped
        text = _PRIMES.sub(_apostrophes, _BARE_WRAPPER.sub(_bare_argument, text))
        text = _fractions(text, _DEEPEST)
        text = _COMMAND.sub(_command, text)
    for _ in range(_DEEPEST):
        grouped = _GROUP.sub(_group, text)
        if grouped == text:
            break
        text = grouped
    return text.translate(_MARKED)


_INFIX = {"over": "\x03", "choose": "\x04"}
"""Commands that stand between their arguments, in the braces around both."""
_INFIX_MARK = re.compile("[\x03\x04]")
_MARKED = str.maketrans({"\x01": " { ", "\x02": " } ", "\x03": " over ", "\x04": " choose "})


def _apostrophes(match: re.Match[str]) -> str:
    return "'" * match.group().count("prime")


def _bare_argument(match: re.Match[str]) -> str:
    return f" {match[1] or ''} "


def _command(match: re.Match[str]) -> str:
    name, delimiter, character = match.groups()
    if name in _INFIX:
        return _INFIX[name]
    if name is not None:
        return COMMANDS.get(name) or f" {name} "
    if delimiter is not None or character is None:
        return " "
    return {"{": "\x01", "}": "\x02", "|": " ∥ ", "%": "%", "_": "_", "&": "&", "*": "*"}.get(character, " ")


def _group(match: re.Match[str]) -> str:
    inner = match.group(1)
    if infix := _INFIX_MARK.search(inner):
        before, after = inner[: infix.start()], inner[infix.end() :]
        return f" {{{before}}}/{{{after}}} " if infix.group() == "\x03" else f" binom {{{before}}}{{{after}}} "
    return f" {inner} " if _ATOM.fullmatch(inner) else f" ({inner}) "


def _fractions(text: str, depth: int) -> str:
    parts, position = [], 0
    for match in _FRACTION.finditer(text):
        if match.start() < position or depth == 0:
            continue
        numerator, after = _argument(text, match.end())
        denominator, after = _argument(text, after)
        above, below = _fractions(numerator, depth - 1), _fractions(denominator, depth - 1)
        parts += [text[position : match.start()], f" {{{above}}}/{{{below}}} "]
        position = after
    return "".join([*parts, text[position:]]) if parts else text


def _argument(text: str, start: int) -> tuple[str, int]:
    while start < len(text) and text[start].isspace():
        start += 1
    if start >= len(text):
        return "", start
    if text[start] == "\\" and (command := _COMMAND.match(text, start)):
        return command.group(), command.end()
    if text[start] != "{":
        return text[start], start + 1
    depth = 0
    for brace in _BRACE.finditer(text, start):
        if text[brace.start() - 1] == "\\":
            continue
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return text[start + 1 : brace.start()], brace.end()
    return text[start + 1 :], len(text)


def _without_commas(match: re.Match[str]) -> str:
    return match.group().replace(",", "")


def _without_spaces(match: re.Match[str]) -> str:
    return "".join(match.group().split())


def _joined(match: re.Match[str]) -> str:
    return " " + match.group().replace(" ", "")


def _operator(match: re.Match[str]) -> str:
    return _ASCII_OPERATORS.get(match.group()) or "…"


def _lexemes(piece: str) -> str:
    """Return the lexemes of a piece without blanks, in lower case."""
    if piece.isascii():
        return " ".join(_LEXEME.findall(piece)).lower()
    return " ".join(_LEXEME.findall(_greek_names(piece))).casefold()


_LEXEMES = Remembered(_lexemes)


def _atom(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - 5) : match.start()]
    bare = before.endswith(_BEFORE_AN_ATOM) or match.string.startswith(" /", match.end())
    return match.group(1) if bare else match.group()


_LONE_GREEK = re.compile("(?<![\u0370-\u03ff\u1f00-\u1fff])[" + "".join(GREEK) + "](?![\u0370-\u03ff\u1f00-\u1fff])")


def _greek_names(text: str) -> str:
    # Letters inside Greek words stay letters.
    return _LONE_GREEK.sub(lambda match: f" {GREEK[match.group()]} ", text)
