"""What the path language of source files can do to a value: small functions from one JSON value to another."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from curation.ingest.encoded_text import EncodedTextError, packed_text, python_literal
from curation.json_reader import JsonTextError, JsonValue, as_text, dumps, loads

_BOX = re.compile(r"\\(?:boxed|fbox|framebox)(?![A-Za-z])\s*")
_UNBRACED = re.compile(r"[^\s$\\{}]+")
_BETWEEN_ANSWERS = re.compile(
    r"""(?:\s|\$|\\[()\[\]]|\\[ ,;:!]|\\quad|\\qquad|\\text(?=\s*\{)|[{}])*
        (?:[,;、，；]|(?:and|or|和|或|与|及)(?![A-Za-z]))
        (?:\s|\$|\\[()\[\]]|\\[ ,;:!]|\\quad|\\qquad|\\text(?=\s*\{)|[{},]|and\b|or\b|\(\w\)
          |[A-Za-z](?:_\{?\w+\}?)?\s*=)*""",
    re.VERBOSE,
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NUMBER = re.compile(
    r"(?<![\w\\^_{}.,:/-])-?(?:\d+\s+\d+/\d+|\d+\s*/\s*\d+|(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?)(?![\w\\^_{}:/])"
)
_DIGIT = re.compile(r"\d(?=\D*\Z)")
_NANO_DIGITS = 9
_CODE_BLOCK = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)


class MissingError(Exception):
    """The row does not hold what the expression asks for; the message is the reason."""


class UnreadableError(MissingError):
    """Something stands there that cannot be what the expression takes it for."""


Operation = Callable[..., JsonValue]


def last_boxed(solution: str) -> str:
    r"""Return what the last ``\boxed`` of a solution holds, without its braces.

    ``\fbox`` and ``\framebox`` count as boxes; ``\boxed 5`` holds ``5``. An earlier box never stands in for a last one
    that is broken, because it may hold an intermediate result. Where boxes with other content stand right before the
    last one, with a comma or a word like "and" between, none of them is the answer.

    Raises:
        MissingError: there is no box, or the last one is empty.
        UnreadableError: the last one is not closed, or is one of several answers.
    """
    boxes = list(_BOX.finditer(solution))
    if not boxes:
        raise MissingError("the text has no \\boxed")
    content, _ = _content(solution, boxes[-1].end())
    if not content:
        raise MissingError("the last \\boxed is empty")
    if len(boxes) > 1 and _is_one_of_several(solution, boxes[-2].end(), boxes[-1].start(), content):
        raise UnreadableError("the last \\boxed is one of several answers")
    return content


def _is_one_of_several(solution: str, start: int, last: int, content: str) -> bool:
    try:
        earlier, end = _content(solution, start)
    except UnreadableError:
        return False
    return earlier != content and _BETWEEN_ANSWERS.fullmatch(solution, end, last) is not None


def _content(solution: str, start: int) -> tuple[str, int]:
    """Return what a box holds and where it ends; ``start`` is where its content begins."""
    if not solution.startswith("{", start):
        unbraced = _UNBRACED.match(solution, start)
        return ("", start) if unbraced is None else (unbraced.group().rstrip(".,;:"), unbraced.end())
    depth = 0
    for brace in _BRACE.finditer(solution, start):
        if brace.group() == "{":
            depth += 1
        elif brace.group() == "}":
            depth -= 1
            if depth == 0:
                return solution[start + 1 : brace.start()].strip(), brace.end()
    raise UnreadableError("the last \\boxed is not closed")


@lru_cache(maxsize=2)
def _parsed(text: str) -> JsonValue:
    # Several columns of a row often come out of one JSON text of megabytes.
    return loads(text)


def _json(value: JsonValue) -> JsonValue:
    text = _text(value)
    if not text.strip():
        raise MissingError("the JSON text is empty")
    try:
        return _parsed(text)
    except JsonTextError as error:
        raise UnreadableError(f"the text is no JSON: {error}") from None


_literal = lru_cache(maxsize=2)(python_literal)
_unpacked = lru_cache(maxsize=2)(packed_text)


def _python(value: JsonValue) -> JsonValue:
    text = _text(value)
    if not text.strip():
        raise MissingError("the text is empty")
    try:
        return _literal(text)
    except EncodedTextError as error:
        raise UnreadableError(str(error)) from None


def _unpack(value: JsonValue) -> str:
    text = _text(value)
    if not text.strip():
        raise MissingError("the text is empty")
    try:
        return _unpacked(text)
    except EncodedTextError as error:
        raise UnreadableError(str(error)) from None


def _after(value: JsonValue, mark: str) -> str:
    _, found, rest = _text(value).rpartition(mark)
    if not found:
        raise MissingError(f"the text has no {mark!r}")
    return rest.strip()


def _before(value: JsonValue, mark: str) -> str:
    start, found, _ = _text(value).partition(mark)
    if not found:
        raise MissingError(f"the text has no {mark!r}")
    return start.strip()


def _join(value: JsonValue, separator: str) -> str:
    if not isinstance(value, list):
        raise UnreadableError("there is no list to join")
    return separator.join(as_text(item) or "" for item in value)


def _year(value: JsonValue) -> str:
    found = _YEAR.search(_text(value))
    if found is None:
        raise MissingError("the text holds no year")
    return found.group()


def _last_number(value: JsonValue) -> str:
    text = _text(value)
    digit = _DIGIT.search(text)
    if digit is None:
        raise MissingError("the text holds no number")
    numbers = [number for number in _NUMBER.finditer(text) if number.start() <= digit.start() < number.end()]
    if not numbers:
        raise UnreadableError("the last number of the text is part of a formula, a word or a time")
    return numbers[0].group()


def paragraph_keys(described: str) -> list[tuple[str, str]]:
    """Return the heading, which may be empty, and the key of each paragraph of `_paragraphs`."""
    parts = (part.rpartition(":") for part in described.split(","))
    return [(heading.strip(), key.strip()) for heading, _, key in parts]


def _paragraphs(value: JsonValue, described: str) -> str:
    if not isinstance(value, dict):
        raise UnreadableError("there is no object whose texts could be put together")
    paragraphs = []
    for heading, key in paragraph_keys(described):
        found = value.get(key)
        text = (_examples(found) if isinstance(found, list) else as_text(found) or "").strip()
        if text:
            paragraphs.append(f"{heading}\n\n{text}" if heading else text)
    return "\n\n".join(paragraphs)


def _examples(examples: list[JsonValue]) -> str:
    """Return examples of input and output as a reader of a statement sees them."""
    pairs = [(example.get("input"), example.get("output")) for example in examples if isinstance(example, dict)]
    shown = [(given, wanted) for given, wanted in pairs if isinstance(given, str) and isinstance(wanted, str)]
    return "\n\n".join(f"Input:\n{given.strip()}\nOutput:\n{wanted.strip()}" for given, wanted in shown)


def _duration(value: JsonValue) -> str:
    """Return an object of ``seconds`` and ``nanos`` as seconds."""
    if not isinstance(value, dict):
        raise MissingError("there is no object of seconds")
    seconds, nanos = as_text(value.get("seconds")) or "0", as_text(value.get("nanos")) or "0"
    if not (seconds.isdecimal() and nanos.isdecimal() and len(nanos) <= _NANO_DIGITS):
        raise UnreadableError(f"{dumps(value)[:60]} is no duration")
    return f"{seconds}.{nanos.zfill(_NANO_DIGITS)} s"


def _code_block(value: JsonValue) -> str:
    text = _text(value)
    blocks = _CODE_BLOCK.findall(text)
    return blocks[-1] if blocks else text


def _text(value: JsonValue) -> str:
    if value is None:
        raise MissingError("it is null")
    if not isinstance(value, str):
        raise UnreadableError(f"{_kind(value)} stands where text is expected")
    return value


def _kind(value: JsonValue) -> str:
    return "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else "true or false"


WHOLE_LIST = frozenset({"join"})
"""Operations that take a list as it is; the others work on each element of a list."""

OPERATIONS: Mapping[str, tuple[Operation, int]] = {
    "json": (_json, 0),
    "python": (_python, 0),
    "unpacked": (_unpack, 0),
    "last_boxed": (lambda value: last_boxed(_text(value)), 0),
    "strip": (lambda value: _text(value).strip(), 0),
    "lower": (lambda value: _text(value).lower(), 0),
    "after": (_after, 1),
    "before": (_before, 1),
    "join": (_join, 1),
    "year": (_year, 0),
    "unit": (lambda value, unit: f"{_text(value)} {unit}", 1),
    "duration": (_duration, 0),
    "code_block": (_code_block, 0),
    "last_number": (_last_number, 0),
    "paragraphs": (_paragraphs, 1),
}
"""Each operation's function and how many texts it takes besides the value.

``json`` parses JSON text; ``python`` a Python literal; ``unpacked`` gives the text in base64 of a compressed pickle;
``last_boxed`` takes the last box of a solution; ``after('####')`` what follows the last mark and ``before('####')``
what precedes the first; ``join(' ')`` makes a list of texts one text; ``year`` is the first year from 1900 to 2099;
``unit('bytes')`` puts a unit behind a number; ``duration`` reads an object of ``seconds`` and ``nanos``; ``code_block``
the last fenced block, or all of a text that has none; ``last_number`` the last number of prose;
``paragraphs('title, Note: note')`` the texts under these keys of an object, those that are there, with
their headings and an empty line between; a list of objects with ``input`` and ``output`` is shown as examples.
"""
