"""Arrow values as exact text: no integer passes through a float, nested values keep their shape."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.errors import InputError
from curation.ingest.arrow_tables import values
from curation.ingest.files import read_place
from curation.ingest.place import find_place
from curation.ingest.readers import BadRow
from curation.json_reader import JsonNumber, JsonValue

MOMENT = datetime.datetime(2025, 1, 1, 3, 4, 5, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (pa.array([2**53 + 1, -(2**63), None]), ["9007199254740993", "-9223372036854775808", None]),
        (pa.array([2**64 - 1], pa.uint64()), ["18446744073709551615"]),
        (pa.array([Decimal("1.50"), Decimal("-123456789012345678901234567890.10")]), None),
        (pa.array([Decimal(10) ** 60], pa.decimal256(61)), ["1" + "0" * 60]),
        (pa.array([0.1, 1e20, 2.0, float("nan"), None]), ["0.1", "1e+20", "2.0", None, None]),
        (pa.array([0.1, 16777216.0], pa.float32()), ["0.1", "16777216"]),
        (pa.array([float("inf")]), ["inf"]),
        (pa.array([True, None]), [True, None]),
        (pa.array(["007", "", None, "1e5"]), ["007", "", None, "1e5"]),
        (pa.array(["x"], pa.large_string()), ["x"]),
        (pa.array(["x"], pa.string_view()), ["x"]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ["a", "b", "a"]),
        (pa.array([datetime.date(2025, 1, 1)]), ["2025-01-01"]),
        (pa.array([MOMENT], pa.timestamp("s", "UTC")), ["2025-01-01 03:04:05Z"]),
        (pa.array([b"text", b"\xff"]), ["text", None]),
        (pa.nulls(2), [None, None]),
        (pa.array([[1, 2], None, [], [3]]).slice(1, 3), [None, [], ["3"]]),
        (pa.array([[[1], [2, 3]], [None]]), [[["1"], ["2", "3"]], [None]]),
        (pa.array([[1, 2], None], pa.list_(pa.int32(), 2)), [["1", "2"], None]),
        (pa.array([[1], None, [2, 3]], pa.list_view(pa.int64())), [["1"], None, ["2", "3"]]),
        (pa.array([{"a": [{"b": 1}]}, None, {"a": None}]), [{"a": [{"b": "1"}]}, None, {"a": None}]),
        (pa.array([{"a": [1]}, None, {"a": [2]}]).slice(1, 2), [None, {"a": ["2"]}]),
        (pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int64())), [[{"key": "k", "value": "1"}], None]),
    ],
)
def test_values(array: pa.Array, expected: list[JsonValue] | None) -> None:
    assert values(array) == (expected or ["1.50", "-123456789012345678901234567890.10"])


def test_numbers_are_marked_as_numbers_and_texts_are_not() -> None:
    for array in (pa.array([1]), pa.array([1.5]), pa.array([Decimal("1.5")])):
        assert isinstance(values(array)[0], JsonNumber)
    for array in (pa.array(["1"]), pa.array([datetime.date(2025, 1, 1)])):
        assert not isinstance(values(array)[0], JsonNumber)


@given(st.lists(st.fixed_dictionaries({"t": st.none() | st.text(), "l": st.none() | st.lists(st.none() | st.text())})))
def test_text_comes_back_whatever_it_is(table: list[dict[str, JsonValue]]) -> None:
    kind = pa.struct([("t", pa.string()), ("l", pa.list_(pa.string()))])
    assert values(pa.array(table, kind)) == table


def test_rows_of_parquet_and_arrow_files_in_many_batches(tmp_path: Path) -> None:
    table = pa.table({"id": list(range(10_000)), "text": [f"t{index}" for index in range(10_000)]})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=3_000)
    with pa.ipc.new_file(tmp_path / "b.arrow", table.schema) as writer:
        writer.write_table(table, max_chunksize=6_000)
    found = [row.value for row in read_place(find_place(str(tmp_path))) if not isinstance(row, BadRow)]
    assert found == [{"id": str(index), "text": f"t{index}"} for index in range(10_000)] * 2


def test_a_text_that_is_no_utf8_is_one_bad_row(tmp_path: Path) -> None:
    texts = pa.Array.from_buffers(
        pa.string(), 3, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0"), pa.py_buffer(b"a\xffb")]
    )
    with pa.ipc.new_file(tmp_path / "a.arrow", pa.schema([("text", pa.string())])) as writer:
        writer.write_table(pa.table({"text": texts}))
    found = list(read_place(find_place(str(tmp_path / "a.arrow"))))
    assert [(row.location, row.rule if isinstance(row, BadRow) else row.value) for row in found] == [
        ("a.arrow:row 1", {"text": "a"}),
        ("a.arrow:row 2", "not_utf8"),
        ("a.arrow:row 3", {"text": "b"}),
    ]


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
def test_two_columns_of_one_name_are_refused(tmp_path: Path, name: str) -> None:
    table = pa.Table.from_arrays([pa.array(["first"]), pa.array(["second"])], names=["problem", "problem"])
    if name == "a.parquet":
        pq.write_table(table, tmp_path / name)
    else:
        with pa.ipc.new_file(tmp_path / name, table.schema) as writer:
            writer.write_table(table)
    with pytest.raises(InputError, match=f"{name}: two columns are called 'problem'"):
        list(read_place(find_place(str(tmp_path / name))))


def test_a_damaged_page_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"problem": ["x" * 50, "y" * 50]}), path)
    content = bytearray(path.read_bytes())
    content[4:44] = bytes(40)
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"a\.parquet cannot be read .*: fetch it again") as told:
        list(read_place(find_place(str(path))))
    assert "\n" not in str(told.value)
