"""``curation filter``: rows of any file in, kept and dropped rows out."""

from __future__ import annotations

import csv
import json
import pickle
from pathlib import Path

import polars as pl
import pytest

from curation.errors import InputError
from curation.filters.files import FilterSummary, filter_file
from curation.filters.row_batches import RowBatch
from curation.ingest.readers import BadRow, JsonLine, RawRow
from curation.recipe import FilterSection

BIG = "7" * 5_000
ROWS = [
    {"id": "r1", "problem": "1. What is $2+2$?", "answer": "4", "when": "2025-01-01", "count": None},
    {"problem": "Prove that $2+2=4$.", "answer": "007", "reason": "mine", "nested": {"a": [1, 2]}},
    {"problem": "How large is it?", "answer": BIG, "note": "\\frac 中文 \u2028 end", "zero": "1e5"},
]


def _written(directory: Path, rows: list[dict[str, object]]) -> str:
    path = directory / "in.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def _filtered(directory: Path, rows: list[dict[str, object]], suffix: str = ".jsonl") -> FilterSummary:
    return filter_file(_written(directory, rows), directory / f"kept{suffix}", directory / f"dropped{suffix}")


def test_kept_rows_have_every_column_and_the_cleaned_statement(tmp_path: Path) -> None:
    summary = _filtered(tmp_path, ROWS)
    first, second = _lines(tmp_path / "kept.jsonl")
    assert first == {**ROWS[0], "problem": "What is $2+2$?"}
    assert second == {**ROWS[2], "id": "3"}
    assert (summary.rows, summary.kept, summary.dropped, summary.cleaned) == (3, 2, 1, 1)


def test_dropped_rows_have_the_reason_and_the_text_they_came_with(tmp_path: Path) -> None:
    summary = _filtered(tmp_path, ROWS)
    (row,) = _lines(tmp_path / "dropped.jsonl")
    assert row == {
        "problem": "Prove that $2+2=4$.",
        "answer": "007",
        "input_reason": "mine",
        "nested": {"a": [1, 2]},
        "id": "2",
        "reason": "proof",
        "rule": "proof_wanted",
        "span": "Prove that",
    }
    assert dict(summary.reasons) == {"proof": 1}
    assert dict(summary.rules) == {"proof_wanted": 1}


def test_parquet_and_csv_hold_the_same_text(tmp_path: Path) -> None:
    _filtered(tmp_path, ROWS, ".parquet")
    _filtered(tmp_path, ROWS, ".csv")
    kept = pl.read_parquet(tmp_path / "kept.parquet")
    assert set(kept.dtypes) == {pl.String}
    assert kept["answer"].to_list() == ["4", BIG]
    assert kept["note"].to_list() == [None, ROWS[2]["note"]]
    assert pl.read_parquet(tmp_path / "dropped.parquet")["nested"].to_list() == ['{"a":[1,2]}']
    csv.field_size_limit(1 << 20)
    with (tmp_path / "kept.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["id"], row["answer"], row["zero"]) for row in rows] == [("r1", "4", ""), ("3", BIG, "1e5")]
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_numbers_stay_as_they_were_written(tmp_path: Path) -> None:
    number = "12345678901234567890123456789012.50"
    (tmp_path / "in.jsonl").write_text(f'{{"question": "How many?", "answer": {number}}}\n')
    filter_file(str(tmp_path / "in.jsonl"), tmp_path / "kept.jsonl", tmp_path / "dropped.jsonl")
    assert f'"answer":{number}' in (tmp_path / "kept.jsonl").read_text()


def test_a_chat_is_cleaned_in_its_message(tmp_path: Path) -> None:
    chat = [{"role": "system", "content": "Hello."}, {"role": "user", "content": "Problem 4. What is $2+2$?"}]
    _filtered(tmp_path, [{"messages": chat, "answer": "4"}])
    (row,) = _lines(tmp_path / "kept.jsonl")
    assert row["messages"] == [chat[0], {"role": "user", "content": "What is $2+2$?"}]


def test_a_set_without_answers_is_not_dropped_for_that(tmp_path: Path) -> None:
    assert _filtered(tmp_path, [{"problem": "What is $2+2$?"}, {"problem": "What is $3+2$?"}]).kept == 2
    rows = [{"problem": "What is $2+2$?", "answer": "4"}, {"problem": "What is $3+2$?"}]
    assert dict(_filtered(tmp_path, rows).reasons) == {"empty": 1}


def test_unreadable_and_blank_rows_are_dropped_rows(tmp_path: Path) -> None:
    lines = [
        '{"id": 1, "problem": "What is $2+2$?", "answer": "4"}',
        '{"problem": ',
        "[1]",
        '{"id": 9, "problem": "", "answer": "4"}',
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    summary = filter_file(str(tmp_path / "in.jsonl"), tmp_path / "kept.jsonl", tmp_path / "dropped.jsonl")
    rows = _lines(tmp_path / "dropped.jsonl")
    assert [row["row"] for row in rows if row["reason"] == "unreadable"] == ['{"problem": \n', [1]]
    assert [(row["id"], row["reason"]) for row in rows if row["reason"] != "unreadable"] == [(9, "empty")]
    assert summary.rows == summary.kept + summary.dropped == 4


def test_code_rows_and_skipped_rules(tmp_path: Path) -> None:
    source = _written(
        tmp_path, [{"problem": "(a) Print x. (b) Print y.", "domain": "code"}, {"problem": "Prove it.", "answer": "1"}]
    )
    section = FilterSection(skip_rules=("proof", "truncated"))
    summary = filter_file(source, tmp_path / "k.jsonl", tmp_path / "d.jsonl", section)
    assert (summary.kept, summary.dropped) == (2, 0)


def test_filtering_twice_gives_the_same_rows(tmp_path: Path) -> None:
    _filtered(tmp_path, ROWS)
    again = filter_file(str(tmp_path / "kept.jsonl"), tmp_path / "k2.jsonl", tmp_path / "d2.jsonl", workers=2)
    assert (tmp_path / "k2.jsonl").read_bytes() == (tmp_path / "kept.jsonl").read_bytes()
    assert (again.dropped, again.cleaned) == (0, 0)


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_rows_keep_their_order_and_their_bytes_whatever_the_number_of_processes(tmp_path: Path, suffix: str) -> None:
    rows = ['{"problem": "Prove that $2+2=4$.", "extra": 1.50}', "[7]", '{"problem": ', '{"question": "1. How many?"}']
    (tmp_path / "in.jsonl").write_text("\n\n".join(rows * 700) + '\n{"id": 1, "problem": "What is 2?", "new": null}')
    written = set()
    for count in (1, 2):
        kept, dropped = tmp_path / f"k{count}{suffix}", tmp_path / f"d{count}{suffix}"
        summary = filter_file(str(tmp_path / "in.jsonl"), kept, dropped, workers=count)
        assert (summary.rows, summary.kept, summary.cleaned) == (2_801, 701, 700)
        written.add((kept.read_bytes(), dropped.read_bytes()))
    assert len(written) == 1
    if suffix == ".jsonl":
        seen = [(row["id"], row["rule"], row.get("location")) for row in _lines(tmp_path / "d2.jsonl")]
        assert seen[-3:] == [
            ("2797", "proof_wanted", None),
            ("2798", "no_object", "in.jsonl:5595"),
            ("2799", "broken_json", "in.jsonl:5597"),
        ]
        assert [int(str(number)) for number, _, _ in seen] == sorted(int(str(number)) for number, _, _ in seen)


def test_an_answer_of_the_first_rows_makes_missing_ones_a_defect(tmp_path: Path) -> None:
    for answered, dropped in ((1_999, 2_001), (2_000, 0)):
        rows: list[dict[str, object]] = [{"problem": f"What is $2+{number}$?"} for number in range(2_002)]
        rows[answered]["Answer"] = "4"
        assert _filtered(tmp_path, rows).dropped == dropped


def test_an_identifier_is_known_whatever_the_case_of_its_letters(tmp_path: Path) -> None:
    rows = [{"ID": "a", "problem": "What is $2+2$?", "answer": "4"}, {"Id": "b", "problem": "Prove it.", "answer": "4"}]
    rows += [{"ID": None, "problem": "What is $2+5$?", "answer": "7"}]
    _filtered(tmp_path, rows)
    first, second = _lines(tmp_path / "kept.jsonl")
    assert first == rows[0]
    assert second == {**rows[2], "ID": "3"}
    (row,) = _lines(tmp_path / "dropped.jsonl")
    assert {name: row[name] for name in row if name.casefold() == "id"} == {"Id": "b"}


@pytest.mark.parametrize(
    ("text", "words"),
    [("\n\n", "holds no rows"), ("[1]\n[2]\n", "not one of 2 rows is an object"), ("", "is empty: fetch it again")],
)
def test_a_file_without_rows_or_objects_is_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "in.jsonl").write_text(text)
    with pytest.raises(InputError, match=words):
        filter_file(str(tmp_path / "in.jsonl"), tmp_path / "k.jsonl", tmp_path / "d.jsonl")


def test_answers_that_cannot_be_checked_are_dropped_where_that_is_asked_for(tmp_path: Path) -> None:
    source = _written(
        tmp_path,
        [
            {"problem": "What is $2+2$?", "answer": "4"},
            {"problem": "For which $x$ is $x < x + 1$?", "answer": "$x = x$"},
        ],
    )
    for asked, reasons in ((False, {}), (True, {"non_checkable": 1})):
        section = FilterSection(check_answers=asked)
        summary = filter_file(source, tmp_path / "k.jsonl", tmp_path / "d.jsonl", section)
        assert dict(summary.reasons) == reasons


def test_a_set_without_answers_has_none_to_check(tmp_path: Path) -> None:
    source = _written(tmp_path, [{"problem": "What is $2+2$?"}, {"problem": "What is $2+5$?"}])
    section = FilterSection(check_answers=True)
    assert filter_file(source, tmp_path / "k.jsonl", tmp_path / "d.jsonl", section).kept == 2


@pytest.mark.parametrize(
    ("rows", "kept", "dropped", "words"),
    [
        ([{"problem": "What?"}], "a.txt", "b.jsonl", r"a\.txt: rows are written as"),
        ([{"problem": "What?"}], "a.jsonl", "a.jsonl", "give two files"),
        ([{"title": "What?"}], "a.jsonl", "b.jsonl", "no row has a column problem.*it has title"),
    ],
)
def test_what_cannot_be_used_is_named(
    tmp_path: Path, rows: list[dict[str, object]], kept: str, dropped: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        filter_file(_written(tmp_path, rows), tmp_path / kept, tmp_path / dropped)
    assert not (tmp_path / kept).exists()


@pytest.mark.parametrize(
    ("given", "kept", "dropped"), [("in", "in/a.jsonl", "d.jsonl"), ("in/a.jsonl", "k.jsonl", "in/../in/a.jsonl")]
)
def test_the_input_is_never_written_over(tmp_path: Path, given: str, kept: str, dropped: str) -> None:
    (tmp_path / "in").mkdir()
    text = json.dumps({"problem": "1. What is $2+2$?"}) + "\n"
    (tmp_path / "in" / "a.jsonl").write_text(text)
    with pytest.raises(InputError, match=r"a\.jsonl is what the rows are read from"):
        filter_file(str(tmp_path / given), tmp_path / kept, tmp_path / dropped)
    assert (tmp_path / "in" / "a.jsonl").read_text() == text


def test_rows_arrive_in_another_process_as_they_were_sent() -> None:
    lines = [JsonLine("a.jsonl", 2, b'{"a": 1}\n'), JsonLine("a.jsonl", 5, b"\xff\r\n"), JsonLine("a.jsonl", 6, b"{}")]
    other = [JsonLine("b.jsonl", 1, b"{}\n"), BadRow("c.csv:2", "too_long", "it is too long", {"cells": 3})]
    for rows in (lines, lines[:1], [*lines, *other], [RawRow("t:row 1", {"a": None})], []):
        batch = RowBatch(enumerate(rows, start=7))
        assert pickle.loads(pickle.dumps(batch)) == batch  # noqa: S301 - we wrote it
