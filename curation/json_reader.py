"""The one JSON reader: numbers stay the text they were.

``json``, ``orjson``, Arrow, Polars and ``datasets`` all turn an integer of 29 or more digits into a float, an overflow
or an error, and Python refuses integers of more than 4,300 digits. Here every number comes back as a `JsonNumber`, a
string that holds the digits exactly as written and still tells a number from a quoted string.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain
from json.encoder import encode_basestring
from typing import IO, TypeAlias

JsonValue: TypeAlias = "str | bool | list[JsonValue] | dict[str, JsonValue] | None"

_CHUNK = 1 << 20
_WHITESPACE = " \t\r\n"
_DEEPEST = 200
"""Levels of nesting that are read: whoever walks a value by recursion stays far below Python's limit of 1,000."""


class JsonNumber(str):
    """A JSON number as the text that stood in the file (``007`` is no JSON; ``1e5`` stays ``1e5``)."""

    __slots__ = ()


class JsonTextError(ValueError):
    """The text is no JSON value; the message says where."""


class RepeatedKeyError(JsonTextError):
    """A key stands twice in one object: which of its values is meant nobody can tell."""


def _refuse_constant(name: str) -> str:
    raise JsonTextError(f"{name} is no JSON value")


def _object(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise RepeatedKeyError(
            f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands twice in an object"
        )
    return found


def _decoder(make_object: Callable[[list[tuple[str, JsonValue]]], JsonValue] | None) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_int=JsonNumber,
        parse_float=JsonNumber,
        parse_constant=_refuse_constant,
        strict=False,
        object_pairs_hook=make_object,
    )


_DECODER = _decoder(_object)
_WITHOUT_CHECK = _decoder(None)
"""Finds where a value ends whose keys are repeated."""


def loads(text: str) -> JsonValue:
    """Parse one JSON value; numbers become `JsonNumber`.

    Raises:
        JsonTextError: the text is no JSON, is nested too deeply, repeats a key in an object, or holds a lone surrogate.
    """
    try:
        value: JsonValue = _DECODER.decode(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise JsonTextError(f"{_told(error)} at character {error.pos}") from None
    except RecursionError:
        raise JsonTextError("nested too deeply") from None
    _refuse_depth(text, value)
    _refuse_surrogates(text, value)
    return value


def _told(error: json.JSONDecodeError) -> str:
    # Some of Python's messages end in "at", before a place that is given here in other words.
    return error.msg.removesuffix(" at")


def _refuse_depth(text: str, value: JsonValue) -> None:
    if text.count("[") + text.count("{") <= _DEEPEST:
        return
    level: list[list[JsonValue] | dict[str, JsonValue]] = [value] if isinstance(value, list | dict) else []
    for _ in range(_DEEPEST):
        inside = chain.from_iterable(item.values() if isinstance(item, dict) else item for item in level)
        # The decoder makes no other nested kinds, and this is asked of every value of a large row.
        level = [item for item in inside if type(item) is list or type(item) is dict]
        if not level:
            return
    raise JsonTextError("nested too deeply")


def _refuse_surrogates(text: str, value: JsonValue) -> None:
    if "\\u" not in text or not ("\\ud" in text or "\\uD" in text):
        return
    try:
        dumps(value).encode()
    except UnicodeEncodeError:
        raise JsonTextError("a lone surrogate, which is no Unicode text") from None


def dumps(value: object) -> str:
    """Write a value as compact JSON in key order of the value, `JsonNumber` without quotes, text as UTF-8.

    Raises:
        TypeError: a value is of no JSON kind.
    """
    if type(value) is str:
        return encode_basestring(value)
    if isinstance(value, dict):
        # Most values of a row are text, and a call for each would cost more than writing it.
        return (
            "{"
            + ",".join(
                [
                    f"{encode_basestring(str(key))}:{encode_basestring(item) if type(item) is str else dumps(item)}"
                    for key, item in value.items()
                ]
            )
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ",".join([dumps(item) for item in value]) + "]"
    if isinstance(value, JsonNumber):
        return str(value)
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    raise TypeError(f"{type(value).__name__} is no JSON kind")


def iterate_array(stream: IO[str]) -> Iterator[JsonValue | RepeatedKeyError]:
    """Yield the elements of one JSON array from a text stream, holding one element and one chunk in memory.

    In place of an element whose keys are repeated comes the error that says so; those after it are read.

    Raises:
        JsonTextError: the text is no array, ends inside an element, or goes on after the array.
    """
    buffer, position, at_end = "", 0, False

    def fill() -> None:
        nonlocal buffer, position, at_end
        chunk = stream.read(max(_CHUNK, len(buffer) - position))
        at_end = not chunk
        buffer, position = buffer[position:] + chunk, 0

    def skip_whitespace() -> str:
        nonlocal position
        while True:
            while position < len(buffer) and buffer[position] in _WHITESPACE:
                position += 1
            if position < len(buffer) or at_end:
                return buffer[position : position + 1]
            fill()

    fill()
    buffer = buffer.removeprefix("\ufeff")
    if skip_whitespace() != "[":
        raise JsonTextError("the file is no JSON array")
    position += 1
    ended = skip_whitespace() == "]"
    position += ended
    while not ended:
        skip_whitespace()
        while True:
            try:
                value, end = _element(buffer, position)
            except json.JSONDecodeError as error:
                if at_end:
                    raise JsonTextError(f"the array ends inside an element ({_told(error)})") from None
            except RecursionError:
                raise JsonTextError("nested too deeply") from None
            else:
                # A number may go on in the next chunk, also where this one ends inside "1." or "1e".
                if at_end or buffer[end : end + 1] in (",", "]", " ", "\t", "\r", "\n"):
                    break
            fill()
        if not isinstance(value, RepeatedKeyError):
            _refuse_depth(buffer[position:end], value)
            _refuse_surrogates(buffer[position:end], value)
        position = end
        yield value
        separator = skip_whitespace()
        position += 1
        ended = separator == "]"
        if not ended and separator != ",":
            raise JsonTextError(
                "the array ends without its bracket" if not separator else f"a comma was expected, not {separator!r}"
            )
    if skip_whitespace():
        raise JsonTextError("the text goes on after the array")


def _element(buffer: str, position: int) -> tuple[JsonValue | RepeatedKeyError, int]:
    try:
        value, end = _DECODER.raw_decode(buffer, position)
    except RepeatedKeyError as error:
        return error, _WITHOUT_CHECK.raw_decode(buffer, position)[1]
    return value, end


def as_text(value: JsonValue) -> str | None:
    """Turn a JSON value into column text: strings and numbers as written, null as None, anything nested as JSON."""
    if value is None:
        return None
    if isinstance(value, JsonNumber):
        return str(value)
    if isinstance(value, str):
        return value
    return dumps(value)
