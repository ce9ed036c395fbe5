"""Rows of any order come back group by group, through any number of buckets."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from curation import problem_tests, records, regroup, storage

SCHEMA = pl.Schema({"group": pl.Int64(), "text": pl.String()})


def frames(rows: list[tuple[int, str]], size: int) -> list[pl.DataFrame]:
    return [pl.DataFrame(rows[at : at + size], schema=SCHEMA, orient="row") for at in range(0, len(rows), size)]


@pytest.mark.parametrize(("groups", "buckets"), [(1, 1), (10, 1), (10, 3), (10, 10), (10, 50), (97, 7)])
def test_each_group_gets_its_rows_in_the_order_they_came(tmp_path: Path, groups: int, buckets: int) -> None:
    order = random.Random(groups)
    rows = [(order.randrange(groups), f"{number}") for number in range(300)]
    rows = [(group, text) for group, text in rows if group % 5 != 3]
    found = {
        group: frame["text"].to_list()
        for group, frame in regroup.grouped(frames(rows, 17), SCHEMA, groups, buckets * regroup.BUCKET_BYTES, tmp_path)
    }
    assert list(found) == list(range(groups))
    assert found == {group: [text for own, text in rows if own == group] for group in range(groups)}
    assert not list(tmp_path.iterdir())


def test_without_groups_nothing_is_read(tmp_path: Path) -> None:
    assert list(regroup.grouped(iter(()), SCHEMA, 0, 0, tmp_path)) == []


def test_tests_follow_the_problems_that_refer_to_them(tmp_path: Path) -> None:
    cases = [records.TestCase(owner, name, "stdio", "", "") for name in "12" for owner in ("c", "a", "b")]
    table = tmp_path / "tests.parquet"
    storage.write_table(table, records.to_frame(cases, records.TEST_SCHEMA), records.TEST_SCHEMA)
    workspace = tmp_path / "work"
    workspace.mkdir()
    references = pl.Series(["b", None, "c", "b", "none"], dtype=pl.String())
    found = [
        frame.select("problem_id", "name").rows()
        for frame in problem_tests.tests_in_order(table, references, workspace)
    ]
    assert found == [[("b", "1"), ("b", "2")], [], [("c", "1"), ("c", "2")], [("b", "1"), ("b", "2")], []]
    assert [frame.schema for frame in problem_tests.tests_in_order(table, references[:1], workspace)] == [
        records.TEST_SCHEMA
    ]


def test_text_bytes_are_those_of_the_named_columns(tmp_path: Path) -> None:
    rows = pl.DataFrame({"group": [1, 2], "text": ["x" * 5_000, "y" * 5_000]}, schema=SCHEMA)
    storage.write_table(tmp_path / "t.parquet", rows, SCHEMA)
    footer = pq.read_metadata(tmp_path / "t.parquet")
    assert 10_000 <= regroup.text_bytes(footer, ["text"]) < 11_000
    assert regroup.text_bytes(footer, []) == 0
