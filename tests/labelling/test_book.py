"""An annotator's book: acts on disk, undo, what comes next, and whose cases they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from label_process import CASES, labels, write_cases

from curation.errors import InputError
from curation.labelling.book import LabelBook, StaleError
from curation.labelling.cases import Case, read_cases


@pytest.fixture
def cases(tmp_path: Path) -> list[Case]:
    return read_cases(str(write_cases(tmp_path)))


def open_book(cases: list[Case], home: Path, annotator: str = "annotator") -> LabelBook:
    return LabelBook(cases, home / "labels", annotator)


def test_labels_skips_and_undo_survive_a_new_start(cases: list[Case], tmp_path: Path) -> None:
    one, two, three = cases
    with open_book(cases, tmp_path) as book:
        assert book.next_open(-1) == 0
        book.label(one, 0, "invalid", "ambiguous", " odd ")
        book.skip(two, 0)
        assert book.next_open(1) == 2
        book.label(three, 0, "valid")
        assert book.next_open(2) == 1
        assert book.undo(book.standing.acts) == three
        book.label(one, 1, "valid")
        assert book.undo(book.standing.acts) == one
    with open_book(cases, tmp_path) as book:
        assert dict(book.counts()) == {"invalid": 1, "skipped": 1, "open": 1}
        act = book.standing.of(one.id)
        assert act is not None
        assert (act.failure_type, act.note) == ("ambiguous", "odd")
        assert (book.undo(6), book.undo(7), book.undo(8)) == (two, one, None)
        assert book.standing.last is None
    assert labels(tmp_path) == []
    assert len((tmp_path / "labels/acts/annotator.jsonl").read_text().splitlines()) == 8


def test_the_table_holds_whole_rows_with_their_numbers_as_they_came(cases: list[Case], tmp_path: Path) -> None:
    with open_book(cases, tmp_path) as book:
        book.label(cases[2], 0, "invalid", "wrong_answer")
        book.label(cases[0], 0, "valid")
    rows = labels(tmp_path)
    assert [row["id"] for row in rows] == ["quad", "big"]
    assert rows[1]["value"] == 10**40
    assert rows[1]["answer"] == CASES[2]["answer"]
    assert (rows[1]["label"], rows[1]["failure_type"], rows[1]["annotator"]) == ("invalid", "wrong_answer", "annotator")


def test_a_page_that_is_out_of_date_changes_nothing(cases: list[Case], tmp_path: Path) -> None:
    with open_book(cases, tmp_path) as book:
        book.label(cases[0], 0, "valid")
        with pytest.raises(StaleError):
            book.label(cases[0], 0, "invalid")
        with pytest.raises(StaleError):
            book.undo(0)
    assert [row["label"] for row in labels(tmp_path)] == ["valid"]


def test_a_torn_last_line_is_dropped_and_another_bad_line_is_named(cases: list[Case], tmp_path: Path) -> None:
    with open_book(cases, tmp_path) as book:
        book.label(cases[0], 0, "valid")
    path = tmp_path / "labels/acts/annotator.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:-10])
    for case in cases[1:]:
        with open_book(cases, tmp_path) as book:
            book.label(case, 0, "valid")
    assert [row["id"] for row in labels(tmp_path)] == [case["id"] for case in CASES]
    path.write_bytes(whole + b'{"kind":"praise"}\n')
    with pytest.raises(InputError, match="line 2 is no act"):
        open_book(cases, tmp_path)
    path.write_bytes(whole)
    open_book(cases, tmp_path).__exit__()


def test_labels_never_pass_to_another_text_or_to_two_processes(cases: list[Case], tmp_path: Path) -> None:
    with open_book(cases, tmp_path) as book:
        book.label(cases[0], 0, "valid")
        with pytest.raises(InputError, match="in use by another curation label"):
            open_book(cases, tmp_path)
        open_book(cases, tmp_path, "other").__exit__()
    changed = read_cases(str(write_cases(tmp_path, [{**CASES[0], "answer": "25"}, *CASES[1:]])))
    with pytest.raises(InputError, match="of another text now"):
        open_book(changed, tmp_path)
    with pytest.raises(InputError, match="no longer among the cases"):
        open_book(cases[1:], tmp_path)
    more = read_cases(str(write_cases(tmp_path, [{"id": "new", "problem": "New?"}, *CASES])))
    with open_book(more, tmp_path) as book:
        assert book.next_open(0) == 2


@pytest.mark.parametrize("name", ["", "../ada", "a/b", ".hidden", "x" * 65, "a b"])
def test_a_name_that_is_no_file_name(cases: list[Case], tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="--annotator"):
        open_book(cases, tmp_path, name)
    assert not (tmp_path / "labels").exists()


def test_a_file_of_that_name_that_is_no_table_of_labels_stays(cases: list[Case], tmp_path: Path) -> None:
    theirs = write_cases(tmp_path)
    before = theirs.read_bytes()
    with pytest.raises(InputError, match="holds what no act of cases"):
        LabelBook(cases, tmp_path, "cases")
    assert theirs.read_bytes() == before


@pytest.mark.parametrize("named", [{"solution": "gone"}, {"columns": {"answer": "gone"}}])
def test_a_column_that_no_row_has(tmp_path: Path, named: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="gone: no row of "):
        read_cases(str(write_cases(tmp_path)), **named)


def test_rows_with_one_identifier_are_no_cases(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="stands twice"):
        read_cases(str(write_cases(tmp_path, [CASES[0], CASES[0]])))
