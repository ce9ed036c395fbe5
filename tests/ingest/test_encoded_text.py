"""Python literals and packed pickles: what they hold comes back as text, and nothing of them runs."""

from __future__ import annotations

import base64
import pickle
import zlib
from pathlib import Path

import pytest

from curation.ingest import encoded_text
from curation.ingest.encoded_text import EncodedTextError, packed_text, python_literal
from curation.json_reader import JsonNumber, JsonValue, dumps

LONG = "9" * 5_000


def packed(value: object, protocol: int = 4) -> str:
    """Return a value in LiveCodeBench's encoding."""
    return base64.b64encode(zlib.compress(pickle.dumps(value, protocol))).decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{'a': [1, -2.5, 1e+16], \"b\": (None, True)}", '{"a":[1,-2.5,1e+16],"b":[null,true]}'),
        (f"[{LONG}, -{LONG}]", f"[{LONG},-{LONG}]"),
        ("{1: 'x', -2: 'y'}", '{"1":"x","-2":"y"}'),
        (r"'it\'s 12\n34 \u00e9 [1, 2'", '"it\'s 12\\n34 é [1, 2"'),
        ("'one ' \"two\"", '"one two"'),
        ("  [ ]\n", "[]"),
        ("'007'", '"007"'),
    ],
)
def test_a_literal_comes_back_as_text(text: str, expected: str) -> None:
    assert dumps(python_literal(text)) == expected


def test_numbers_are_told_from_quoted_ones() -> None:
    found = python_literal("[1, '1']")
    assert isinstance(found, list)
    assert [isinstance(value, JsonNumber) for value in found] == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        *("__import__('os')", "open('x')", "[x for x in (1, 2)]", "1 + 1", "(1 / 0)", "f'{1}'", "b'1'", "lambda: 1"),
        *(
            "{1, 2}",
            "...",
            "0x10",
            "007",
            "1_000",
            "1.",
            "'open",
            "[1, 2",
            "]",
            "",
            "{'a': 1, 'a': 2}",
            "{1: 1, '1': 2}",
        ),
        *("{(1, 2): 3}", "'\\ud800'", "[" * 60 + "]" * 60, "1" + " " * encoded_text.LONGEST_LITERAL),
    ],
    ids=lambda text: str(text)[:20],
)
def test_what_is_no_plain_literal_is_refused(text: str) -> None:
    with pytest.raises(EncodedTextError):
        python_literal(text)


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickled_text_of_every_protocol(protocol: int) -> None:
    text = '[{"input": "é\\n", "output": "' + LONG + '"}]'
    assert packed_text(packed(text, protocol)) == text


class Hostile:
    """Writes a file where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_a_hostile_pickle_is_refused_and_does_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    with pytest.raises(EncodedTextError, match="more than text"):
        packed_text(packed(Hostile(mark)))
    assert not mark.exists()


@pytest.mark.parametrize("value", [["a"], {"a": "b"}, b"bytes", 1, None, ("a", "b")])
def test_a_pickle_of_something_else_is_refused(value: JsonValue | bytes | tuple[str, str]) -> None:
    with pytest.raises(EncodedTextError, match="more than text"):
        packed_text(packed(value))


@pytest.mark.parametrize(
    "text",
    [
        "no base64!",
        base64.b64encode(b"not compressed").decode(),
        base64.b64encode(zlib.compress(b"no pickle")).decode(),
        base64.b64encode(zlib.compress(pickle.dumps("cut off"))[:-6]).decode(),
        base64.b64encode(zlib.compress(pickle.dumps("cut off")[:-4])).decode(),
    ],
)
def test_damaged_text_is_refused(text: str) -> None:
    with pytest.raises(EncodedTextError):
        packed_text(text)


def test_a_text_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoded_text, "LONGEST_UNPACKED", 1_000)
    with pytest.raises(EncodedTextError, match="too much"):
        packed_text(packed("a" * 2_000))
