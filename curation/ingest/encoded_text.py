"""Values that a source packed into text in another way than JSON: Python's repr, and base64 of a compressed pickle.

Both come from strangers, so that nothing of them is ever run: a literal is checked token by token before Python reads
it, and of a pickle only the form of a single text is known.
"""

from __future__ import annotations

import ast
import base64
import binascii
import pickletools
import re
import zlib

from curation.json_reader import JsonNumber, JsonValue, dumps

LONGEST_LITERAL = 16 << 20
"""Characters of a Python literal that are read: its syntax tree takes some hundred times as much memory."""

LONGEST_UNPACKED = 256 << 20
"""Bytes that a compressed text may unpack to."""

_DEEPEST = 50
_TOKEN = re.compile(
    r"""(?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
      |(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![\w.])
      |(?P<open>[\[({])|(?P<close>[\])}])
      |[\s,:]+|(?:None|True|False)(?!\w)""",
    re.VERBOSE,
)
_ONE_TEXT = frozenset(["PROTO", "FRAME", "MEMOIZE", "PUT", "BINPUT", "LONG_BINPUT", "STOP"])
_TEXTS = frozenset(["UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"])


class EncodedTextError(ValueError):
    """The text is not encoded as it should be; the message says how."""


def python_literal(text: str) -> JsonValue:
    """Return the value of a Python literal of texts, numbers, None, True, False, lists, tuples and dictionaries.

    Numbers stay the text they were, whatever their length; tuples become lists, and keys that are numbers text.

    Raises:
        EncodedTextError: it is something else, is too long, is nested too deeply, or repeats a key.
    """
    if len(text) > LONGEST_LITERAL:
        raise EncodedTextError(f"a Python literal of {len(text):,} characters is too long")
    try:
        tree = ast.parse(_numbers_as_bytes(text.strip()), mode="eval")
        _refuse_repeated_keys(tree)
        return _json_value(ast.literal_eval(tree))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        if isinstance(error, EncodedTextError):
            raise
        raise EncodedTextError(f"the text is no Python literal: {str(error).splitlines()[0][:200]}") from None


def packed_text(text: str) -> str:
    """Return the text that was pickled, compressed with zlib and written as base64.

    The pickle is looked at opcode by opcode and never loaded: it may hold one text and nothing else.

    Raises:
        EncodedTextError: it is something else, or unpacks to more than `LONGEST_UNPACKED` bytes.
    """
    try:
        decompressor = zlib.decompressobj()
        content = decompressor.decompress(base64.b64decode(text, validate=True), LONGEST_UNPACKED)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise EncodedTextError(f"the text is no base64 of compressed data: {error}") from None
    if not decompressor.eof:
        too_long = len(content) >= LONGEST_UNPACKED
        raise EncodedTextError("it unpacks to too much" if too_long else "the compressed data is cut off")
    return _pickled_text(content)


def _pickled_text(content: bytes) -> str:
    found: list[str] = []
    try:
        for opcode, argument, _ in pickletools.genops(content):
            if opcode.name in _TEXTS:
                found.append(str(argument))
            elif opcode.name not in _ONE_TEXT:
                raise EncodedTextError(f"the pickle holds more than text: {opcode.name}")
    except (ValueError, EOFError, IndexError) as error:
        if isinstance(error, EncodedTextError):
            raise
        raise EncodedTextError(f"the pickle is damaged: {error}") from None
    if len(found) != 1:
        raise EncodedTextError("the pickle holds not one text")
    return _without_surrogates(found[0])


def _numbers_as_bytes(text: str) -> str:
    """Return the literal with bytes, which no token here can be, for numbers: their digits pass no limit that way."""
    pieces: list[str] = []
    position = depth = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise EncodedTextError(f"{text[position : position + 20]!r} is no part of a plain Python literal")
        depth += (token.lastgroup == "open") - (token.lastgroup == "close")
        if depth > _DEEPEST:
            raise EncodedTextError("the Python literal is nested too deeply")
        pieces.append(f"b'{token.group()}'" if token.lastgroup == "number" else token.group())
        position = token.end()
    return "".join(pieces)


def _refuse_repeated_keys(tree: ast.Expression) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys = [_key(key.value) for key in node.keys if isinstance(key, ast.Constant)]
            if len(set(keys)) != len(keys):
                raise EncodedTextError("a key stands twice in a dictionary")


def _json_value(value: object) -> JsonValue:
    if isinstance(value, bytes):
        return JsonNumber(value.decode())
    if isinstance(value, str):
        return _without_surrogates(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    if isinstance(value, dict):
        return {_key(key): _json_value(item) for key, item in value.items()}
    raise EncodedTextError(f"a {type(value).__name__} is no JSON kind")


def _key(key: object) -> str:
    if isinstance(key, bytes):
        return key.decode()
    if isinstance(key, str):
        return key
    raise EncodedTextError(f"the key {dumps(str(key)[:40])} is neither text nor a number")


def _without_surrogates(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise EncodedTextError("a lone surrogate, which is no Unicode text") from None
    return text
