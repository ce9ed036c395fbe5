"""Rows that a user gives: the statement, answer and identifier are found, or the lack is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.errors import InputError
from curation.ingest.readers import BadRow
from curation.ingest.user_rows import InputRow, read_rows

CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "First?"},
    {"role": "assistant", "content": "Yes."},
    {"role": "user", "content": [{"text": "Second?"}, {"type": "image"}, {"text": "Now."}]},
    {"role": "assistant", "content": "Done."},
]


def write(directory: Path, *rows: object) -> str:
    """Write rows as JSONL and return the path."""
    path = directory / "in.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("row", "statement"),
    [
        ({"problem": "P", "text": "T"}, "P"),
        ({"statement": "S"}, "S"),
        ({"Question": "Q"}, "Q"),
        ({"question": None, "prompt": "P"}, "P"),
        ({"text": "T\u2028U"}, "T\u2028U"),
        ({"messages": CHAT}, "Second?\nNow."),
        ({"prompt": [{"role": "user", "content": "D"}]}, "D"),
        ({"conversations": [{"from": "human", "value": "H"}, {"from": "gpt", "value": "G"}]}, "H"),
        ({"messages": [{"content": "no role"}]}, "no role"),
    ],
)
def test_where_a_statement_is_found(tmp_path: Path, row: object, statement: str) -> None:
    (found,) = read_rows(write(tmp_path, row))
    assert (found.statement, found.id, found.answer) == (statement, "1", None)


def test_answers_and_identifiers_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(f'{{"problem": "P", "answer": {"7" * 5000}, "id": 17}}\n')
    (found,) = read_rows(str(path))
    assert found == InputRow("17", "in.jsonl:1", "P", "7" * 5000, {"problem": "P", "answer": "7" * 5000, "id": "17"})
    (found,) = read_rows(write(tmp_path, {"problem": "P", "answer": "", "id": None}))
    assert (found.answer, found.id) == ("", "1")


def test_rows_without_an_identifier_have_their_number(tmp_path: Path) -> None:
    given = write(tmp_path, {"text": "a"}, {"text": "b", "id": "x"}, {"text": "c"})
    assert [row.id for row in read_rows(given)] == ["1", "x", "3"]


def test_other_columns_can_be_named(tmp_path: Path) -> None:
    given = write(tmp_path, {"q": {"en": "E"}, "text": "T", "solution": r"\boxed{5}", "key": "k"})
    (found,) = read_rows(given, {"statement": "q.en", "answer": "solution | last_boxed", "id": "key"})
    assert (found.statement, found.answer, found.id) == ("E", "5", "k")
    with pytest.raises(InputError, match="cannot be read"):
        list(read_rows(given, {"statement": "q["}))


def test_bad_rows_are_given_to_who_asks_for_them(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "a"}\n{"text"\n[1]\n{"text": " "}\n{"other": 1}\n{"text": "b"}\n')
    bad: list[BadRow] = []
    assert [row.id for row in read_rows(str(path), on_bad=bad.append)] == ["1", "6"]
    assert [(row.location, row.rule) for row in bad] == [
        ("in.jsonl:2", "broken_json"),
        ("in.jsonl:3", "no_object"),
        ("in.jsonl:4", "no_statement"),
        ("in.jsonl:5", "no_statement"),
    ]
    with pytest.raises(InputError, match=r"in\.jsonl:2: the line is no JSON"):
        list(read_rows(str(path)))


def test_what_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no row has a column problem, .*; it has input, output: name one"):
        list(read_rows(write(tmp_path, {"input": "a", "output": "b"}), on_bad=lambda row: None))
    (tmp_path / "blank.jsonl").write_text("\n")
    with pytest.raises(InputError, match="holds no rows"):
        list(read_rows(str(tmp_path / "blank.jsonl")))
    with pytest.raises(InputError, match="does not exist"):
        list(read_rows(str(tmp_path / "nothing.jsonl")))


def test_files_of_unknown_kinds_are_left_out_or_told(tmp_path: Path) -> None:
    write(tmp_path, {"text": "a"})
    (tmp_path / "README.md").write_text("# About")
    assert [row.statement for row in read_rows(str(tmp_path))] == ["a"]
    bad: list[BadRow] = []
    assert len(list(read_rows(str(tmp_path), on_bad=bad.append))) == 1
    assert [row.location for row in bad] == ["README.md"]


def test_a_limit(tmp_path: Path) -> None:
    given = write(tmp_path, *({"text": str(index)} for index in range(5)))
    assert len(list(read_rows(given, limit=2))) == 2
    assert len(list(read_rows(given, limit=9))) == 5
