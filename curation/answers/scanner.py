"""Splits the text of an answer, LaTeX or plain, into the tokens that the parsers read.

What carries no meaning (delimiters, sizing, spacing, fonts) leaves no token. Letters of a formula become one token
each; words and what stands in ``\\text`` become word tokens.
"""

from __future__ import annotations

import re

from curation.answers.chinese import in_plain_signs
from curation.answers.notations import in_common_notation
from curation.answers.number_words import FIRST_WORDS, in_digits
from curation.answers.repeating_decimals import with_overline
from curation.answers.tokens import DEPTH_LIMIT, LENGTH_LIMIT, Kind, Token, UnreadableError
from curation.answers.units import UNIT_NAMES
from curation.answers.vocabulary import (
    CONNECTIVES,
    DROPPED,
    FONTS,
    FUNCTIONS,
    GREEK_NAMES,
    NUMBER_WORDS,
    OPERATORS,
    PLAIN_WORDS,
    RELATIONS,
    SHORT_WORDS,
    TEXT_FONTS,
)
from curation.text import fold_unicode
from curation.text_symbols import GREEK

_DIGIT_GROUPS = re.compile(r"(?<=\d)(?:\{,\}(?:\\!)?|,\s*\\!|\\[,! ;:]|~)\s*(?=\d{3}(?!\d))")
_SPACED_GROUPS = re.compile(r"(?<![\w.,/^{])\d{1,3}(?: \d{3})+(?![\w/]|,\d| \d| ?\\[a-z]?frac| */)")
_CIRCLED = re.compile("([\u2460-\u2473])(?=[\u2460-\u2473])")
_WORD_AHEAD = re.compile(r"\s+[A-Za-z]{4}")
_RATIO_IN_WORDS = re.compile(r"[\s$]*\d[\d.]*(?: to \d[\d.]*)+[\s$.]*")
_FIRST_WORD = re.compile(r"[\s$]*([A-Za-z]+)")
_TOKEN = re.compile(
    r"(?P<space>(?:[\s~]|\\[,;:!> ])+)"
    r"|(?P<grouped>(?<![\d,.])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]*\d))"
    r"|(?P<number>(?:\d+(?:\.\d+|\.(?=\\(?:overline|bar|dot)\b))?|(?<![\d)}])\.\d+)(?:[eE][-+]?\d{1,6}(?![\w.]))?)"
    r"|\\(?P<command>[A-Za-z]+)\*?"
    r"|\\(?P<escaped>.)"
    r"|(?P<letters>[A-Za-z]+)"
    r"|(?P<pair><=|>=|!=|==|=>|->|\*\*|\.\.\.+)"
    r"|(?P<symbol>.)",
    re.DOTALL,
)
_PAIRS = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "=", "=>": "⇒", "->": "→", "**": "^"}
_MATH_DELIMITERS = re.compile(r"\$\$?|\\[()\[\]]")
_PLACED = re.compile(r"\\(?:(?:[hv]space\*?|color|label)\s*\{[^{}]*\}|kern\s*-?[\d.]+\s*[a-z]{2})")
_ROW_END = re.compile(r"\\\\(?:\s*\[[^\]]{0,12}\])?|\\(?:cr|newline)(?![A-Za-z])")
_JOINED = re.compile(r"([A-Za-z]+) (and|or)")
_UNIT_TEXT = re.compile(r"[A-Za-z°%/^{}\d.\-~ ]+")
_MERIDIEM = re.compile(r"(?i)(?<![A-Za-z])([ap])\.?\s?m\b\.?")
_NUMBER_AND_WORDS = re.compile(r"[-+]?\$?[\d.,/]+\s+[A-Za-z. ]+")
_RATE = re.compile(r"(?:k?m|cm|mm|mi|ft|in|k?g|mg|m?L)/(?:s|h|hr|min|m?L|kg|m|day|hour|second)(?![A-Za-z])")
_LETTERS_OR_UNIT = frozenset({"mg", "nm", "ml", "dm", "am", "pm", "mi", "gal"})
_MONEY, _ROW = "\x01", "\x02"


def tokenize(text: str, *, grouped: bool = True) -> list[Token]:
    """Return the tokens, an ``end`` token last.

    Args:
        text: the answer.
        grouped: whether ``1,300`` outside brackets is one number; else it is two.

    Raises:
        UnreadableError: the text is too long, nested too deeply, or holds what no answer holds.
    """
    if len(text) > LENGTH_LIMIT:
        raise UnreadableError(f"longer than {LENGTH_LIMIT:,} characters")
    if not text.isascii():
        text = fold_unicode(in_plain_signs(_CIRCLED.sub(r"\1,", text)))
    text = in_common_notation(text)
    if "." in text:
        text = with_overline(text)
    if " to " in text and _RATIO_IN_WORDS.fullmatch(text):
        text = text.replace(" to ", ":")
    if " " in text:
        text = _SPACED_GROUPS.sub(lambda found: "".join(found.group().split()), text)
    if (first := _FIRST_WORD.match(text)) and first.group(1).lower() in FIRST_WORDS:
        text = in_digits(text.strip(" $"))
    if "\\" in text or "{" in text or "~" in text:
        text = text.replace("\\$", _MONEY).replace("\\textdollar", _MONEY)
        text = text.replace("{-}", "-").replace("{+}", "+")
        text = _ROW_END.sub(f" {_ROW} ", _DIGIT_GROUPS.sub("", _PLACED.sub(" ", text)))
        text = _MATH_DELIMITERS.sub(" ", text)
    elif "$" in text:
        # A single sign is money, two are delimiters.
        text = text.replace("$", _MONEY if text.count("$") == 1 else " ")
    if ":" in text:
        text = _MERIDIEM.sub(lambda found: f" {found.group(1).lower()}m", text)
    scanner = _Scanner(text, grouped, depth=0, before=None)
    return [*scanner.tokens(), Token("end", "")]


class _Scanner:
    def __init__(self, text: str, grouped: bool, depth: int, before: Token | None) -> None:
        self._text = text
        self._grouped = grouped
        self._position = 0
        self._tokens: list[Token] = []
        self._depth = self._outer = depth
        self._brackets = 0
        self._before = before
        self._spaced = False

    def tokens(self) -> list[Token]:
        while self._position < len(self._text):
            match = _TOKEN.match(self._text, self._position)
            kind = match.lastgroup if match else None
            if match is None or kind is None:
                raise UnreadableError("a character that no answer holds")
            value = match.group(kind)
            self._position = match.end()
            if kind == "space":
                self._spaced = True
            elif kind == "number" or (kind == "grouped" and self._grouped and not self._brackets):
                self._add("number", value.replace(",", ""))
            elif kind == "grouped":
                first = value.partition(",")[0]
                self._position = match.start() + len(first)
                self._add("number", first)
            elif kind == "letters":
                self._letters(value)
            elif kind == "command":
                self._command(value)
            elif kind == "pair":
                self._sign(_PAIRS.get(value, "…"))
            elif kind == "escaped":
                self._escaped(value)
            else:
                self._symbol(value)
        if self._depth != self._outer:
            raise UnreadableError("a bracket does not close")
        return self._tokens

    def _add(self, kind: Kind, text: str) -> None:
        self._tokens.append(Token(kind, text, self._spaced))
        self._spaced = False

    def _sign(self, sign: str) -> None:
        if len(sign) == 2:
            self._escaped(sign[1])
        elif sign in "()[]{}":
            self._symbol(sign)
        else:
            self._add("relation" if sign in RELATIONS else "operator", sign)

    def _symbol(self, character: str) -> None:
        if character in "([{":
            self._open(character)
        elif character == "∶":
            self._add("operator", ":")
        elif character in ")]}":
            self._close(character)
        elif character in ",;" or (character == "&" and "\\begin" not in self._text):
            self._add("separator", character)
        elif character in GREEK:
            self._add("name", GREEK_NAMES.get(GREEK[character], GREEK[character]))
        elif character == _MONEY:
            self._add("word", "$")
        elif character == _ROW:
            self._add("row", _ROW)
        elif character in CONNECTIVES and character != "&":
            self._add("separator", character)
        elif character.isalpha() or character in "€£¥₹¢":
            self._add("word", character)
        else:
            self._sign_or_end(character)

    def _sign_or_end(self, character: str) -> None:
        if character == '"' and self._follows_value():
            self._add("word", character)
            return
        # A full stop ends the answer; it means nothing.
        if character == "." and not self._text[self._position :].strip(" \n\t$.}"):
            return
        self._add("relation" if character in RELATIONS else "operator", character)

    def _open(self, bracket: str) -> None:
        self._depth += 1
        if self._depth > DEPTH_LIMIT:
            raise UnreadableError("nested too deeply")
        self._brackets += bracket != "{"
        self._add("open", bracket)

    def _close(self, bracket: str) -> None:
        self._depth -= 1
        self._brackets -= bracket != "}"
        self._add("close", bracket)

    def _escaped(self, character: str) -> None:
        if character == "{":
            self._open("\\{")
        elif character == "}":
            self._close("\\}")
        elif character == "|":
            self._add("operator", "∥")
        elif character in "%&#_":
            self._symbol(character)
        else:
            raise UnreadableError(f"the command \\{character}")

    def _letters(self, run: str) -> None:
        lower = run.lower()
        rate = _RATE.match(self._text, self._position - len(run)) if self._spaced and self._follows_value() else None
        if rate:
            self._add("word", rate.group())
            self._position = rate.end()
        elif len(run) == 1:
            self._add("name", run)
        elif lower in CONNECTIVES:
            self._add("separator", lower)
        elif run in UNIT_NAMES and self._follows_value() and (self._spaced or run not in _LETTERS_OR_UNIT):
            self._add("word", run)
        elif run in PLAIN_WORDS or lower in ("infinity", "percent", "degrees"):
            self._meaning(PLAIN_WORDS.get(run) or PLAIN_WORDS[lower])
        elif run in FUNCTIONS:
            self._add("function", FUNCTIONS[run])
        elif lower in NUMBER_WORDS:
            alone = self._text.strip(" .") == run
            self._add("number" if alone else "word", NUMBER_WORDS[lower] if alone else run)
        elif len(run) > 3 or lower in SHORT_WORDS or (run == "an" and self._before_word()):
            self._word_or_formula(run)
        else:
            self._split(run)

    def _before_word(self) -> bool:
        return bool(_WORD_AHEAD.match(self._text, self._position))

    def _word_or_formula(self, run: str) -> None:
        for name in ("sqrt", "pi"):
            # Plain products such as 3sqrt or npi are written without blanks.
            head, found, tail = run.partition(name)
            if found and len(head) <= 1 and len(tail) <= 1:
                self._split(head)
                self._letters(found)
                self._split(tail)
                return
        self._add("word", run)

    def _split(self, run: str) -> None:
        if len(run) > 2 and run.isupper():
            # Three points or labels: their order counts, which it would not in a product.
            self._add("name", run)
            return
        if len(run) == 3 and run.endswith("pi"):
            self._add("name", run[0])
            self._add("name", "pi")
            return
        for letter in run:
            self._add("name", letter)

    def _meaning(self, meaning: str) -> None:
        if meaning[0] == "\\":
            self._command(meaning[1:])
        elif meaning[0].isalpha():
            self._add("name", meaning)
        else:
            self._sign(meaning)

    def _follows_value(self) -> bool:
        last = self._tokens[-1] if self._tokens else self._before
        return last is not None and (
            last.kind in ("number", "close", "word") or (last.kind == "operator" and last.text in "°/.")
        )

    def _command(self, name: str) -> None:
        if name in DROPPED:
            # A blank separates a dropped command from the letters after it; it separates nothing else.
            return
        if name in TEXT_FONTS or name in FONTS:
            self._font(name)
        elif name in OPERATORS:
            self._sign(OPERATORS[name])
        elif name in FUNCTIONS and name not in ("sqrt", "binom"):
            self._add("function", FUNCTIONS[name])
        elif name in GREEK_NAMES:
            self._add("name", GREEK_NAMES[name])
        elif name in _GREEK_LETTERS:
            self._add("name", name)
        else:
            self._add("command", name)

    def _font(self, name: str) -> None:
        content = self._argument()
        stripped = content.strip(" ~\t\n\\")
        plain = stripped.strip(".,: ").lower()
        if not stripped:
            self._spaced = self._spaced or bool(content)
        elif plain in CONNECTIVES:
            self._add("separator", plain)
        elif (
            name in TEXT_FONTS
            and len(stripped) > 1
            and re.search(r"[A-Za-z]{2}|[A-Za-z]\.|[A-Za-z]/[A-Za-z]", stripped)
        ):
            self._text_words(name, stripped, plain)
        elif len(stripped) == 1 and stripped.isalpha() and FONTS.get(name):
            # A bold or blackboard letter is another symbol than the plain one.
            self._add("name", f"{'blackboard' if stripped in 'RZNQ' else FONTS[name]} {stripped}")
        elif len(stripped) == 1 and stripped in UNIT_NAMES and name in TEXT_FONTS and self._follows_value():
            self._add("word", stripped)
        else:
            self._nested(stripped)

    def _text_words(self, name: str, text: str, plain: str) -> None:
        if (joint := _JOINED.fullmatch(text)) and self._follows_value():
            self._add("word", joint[1])
            self._add("separator", joint[2])
            return
        if plain in PLAIN_WORDS and plain != "in":
            self._meaning(PLAIN_WORDS[plain])
        elif text in FUNCTIONS and not (text in UNIT_NAMES and self._follows_value()):
            self._add("function", FUNCTIONS[text])
        elif plain.partition(" ")[0].partition("-")[0] in FIRST_WORDS and (said := in_digits(text)) != text:
            self._nested(said)
        elif text in UNIT_NAMES and self._follows_value():
            self._add("word", text)
        elif self._is_formula(name, text):
            self._nested(text)
        else:
            self._add("word", text)

    def _is_formula(self, name: str, text: str) -> bool:
        """Tell whether the argument of a text command is a formula, or a number with its unit."""
        if name in ("mathrm", "operatorname"):
            return not (self._follows_value() and _UNIT_TEXT.fullmatch(text))
        if _NUMBER_AND_WORDS.fullmatch(text):
            return True
        letters = re.sub(r"\\[A-Za-z]+", "", text)
        return bool(re.match(r"[-\d\\(]", text)) and not re.search(r"[A-Za-z]{4}", letters)

    def _nested(self, content: str) -> None:
        before = self._tokens[-1] if self._tokens else self._before
        inner = _Scanner(content, self._grouped, self._depth, before).tokens()
        if inner:
            self._tokens.append(inner[0]._replace(spaced=self._spaced or inner[0].spaced))
            self._tokens.extend(inner[1:])
            self._spaced = False

    def _argument(self) -> str:
        text, position = self._text, self._position
        while position < len(text) and text[position].isspace():
            position += 1
        if position >= len(text):
            return ""
        if text[position] != "{":
            self._position = position + 1
            return text[position]
        depth = 0
        for at in range(position, len(text)):
            if text[at] in "{}" and text[at - 1] != "\\":
                depth += 1 if text[at] == "{" else -1
                if depth > DEPTH_LIMIT:
                    raise UnreadableError("nested too deeply")
                if depth == 0:
                    self._position = at + 1
                    return text[position + 1 : at]
        raise UnreadableError("a brace does not close")


_GREEK_LETTERS = frozenset(GREEK.values())
