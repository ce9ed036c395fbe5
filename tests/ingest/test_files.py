"""Every format, compressed and in folders, gives the same rows with the same text; what is broken is named."""

from __future__ import annotations

import bz2
import functools
import gzip
import io
import json
import lzma
import threading
import zipfile
from collections.abc import Callable
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from curation.errors import InputError, OutsideError
from curation.ingest.files import read_place
from curation.ingest.place import find_place
from curation.ingest.readers import BadRow, RawRow
from curation.json_reader import JsonNumber, JsonValue, dumps

BIG = "7" * 5_000
TEXTS: dict[str, str | None] = {
    "big": BIG,
    "zeros": "007",
    "power": "1e5",
    "date": "2025-01-01",
    "null": None,
    "empty": "",
    "latex": r"\frac{1}{2} \times \text{a}",
    "separator": "one\u2028two\u2029three\x85four\x0bfive",
    "cjk": "已知三角形，求「面积」。𝔽",
    "lines": 'a "quoted", b\nc\r\nd',
}
LINE = dumps(TEXTS).encode()


def rows(path: Path | str) -> list[JsonValue]:
    """Return all rows of a place, none of which may be bad."""
    found = list(read_place(find_place(str(path))))
    assert not [row for row in found if isinstance(row, BadRow)]
    return [row.value for row in found if isinstance(row, RawRow)]


def both(path: Path | str) -> tuple[list[JsonValue], list[tuple[str, str]]]:
    """Return the good rows, and the places and rules of the bad ones."""
    found = list(read_place(find_place(str(path))))
    bad = [(row.location, row.rule) for row in found if isinstance(row, BadRow)]
    return [row.value for row in found if isinstance(row, RawRow)], bad


def _csv(table: dict[str, str | None]) -> bytes:
    def cell(text: str | None) -> str:
        return "" if text is None else '"' + text.replace('"', '""') + '"'

    return (",".join(table) + "\n" + ",".join(cell(text) for text in table.values()) + "\n").encode()


def _arrow(write: Callable[[pa.Table, io.BytesIO], object]) -> bytes:
    sink = io.BytesIO()
    write(pa.Table.from_pylist([TEXTS], pa.schema([(name, pa.string()) for name in TEXTS])), sink)
    return sink.getvalue()


def _ipc(table: pa.Table, sink: io.BytesIO) -> None:
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


def _zip(name: str, content: bytes) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/", b"")
        archive.writestr(f"folder/{name}", content)
        archive.writestr(f"__MACOSX/{name}", b"x")
    return sink.getvalue()


FORMATS = {
    "a.jsonl": LINE + b"\n",
    "a.ndjson": b"\xef\xbb\xbf" + LINE + b"\r\n\r\n",
    "a.json": b"[\n" + LINE + b"\n]\n",
    "wrapped.json": b'{"version": 1, "data": [' + LINE + b"]}",
    "lines.json": LINE + b"\n",
    "a.csv": _csv(TEXTS),
    "a.parquet": _arrow(pq.write_table),
    "a.feather": _arrow(pyarrow.feather.write_feather),
    "a.arrow": _arrow(_ipc),
}
PACKERS: dict[str, Callable[[str, bytes], bytes]] = {
    "": lambda name, content: content,
    ".gz": lambda name, content: gzip.compress(content, mtime=0),
    ".bz2": lambda name, content: bz2.compress(content),
    ".xz": lambda name, content: lzma.compress(content),
    ".zst": lambda name, content: pa.compress(content, "zstd", asbytes=True),
    ".zip": _zip,
}


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("name", FORMATS)
def test_text_survives_every_format(tmp_path: Path, name: str, suffix: str) -> None:
    path = tmp_path / (name + suffix)
    path.write_bytes(PACKERS[suffix](name, FORMATS[name]))
    assert rows(path) == [TEXTS]


def test_compression_is_told_by_content(tmp_path: Path) -> None:
    (tmp_path / "named.jsonl").write_bytes(gzip.compress(LINE))
    (tmp_path / "plain.jsonl.gz").write_bytes(LINE)
    (tmp_path / "table.json").write_bytes(FORMATS["a.parquet"])
    assert rows(tmp_path) == [TEXTS, TEXTS, TEXTS]
    assert rows(tmp_path / "named.jsonl") == [TEXTS]


def test_numbers_stay_as_written(tmp_path: Path) -> None:
    text = '{"a": ' + "1234567890" * 6 + ', "b": 1e5, "c": 1.10, "d": -0, "e": [1e400]}'
    for name, content in (("a.jsonl", text), ("b.json", f"[{text}]"), ("c.json", f'{{"rows": [{text}, {text}]}}')):
        (tmp_path / name).write_text(content)
        row = rows(tmp_path / name)[0]
        assert dumps(row) == text.replace(": ", ":").replace(", ", ",")
        assert isinstance(row, dict)
        assert isinstance(row["a"], JsonNumber)


def test_lines_end_at_newlines_only(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"a":"1\u2028{"}\n\n  \n{"a":"2\x85\x0c"}\r\n{"a":"3"}'.encode())
    found = list(read_place(find_place(str(path))))
    assert [row.location for row in found] == ["a.jsonl:1", "a.jsonl:4", "a.jsonl:5"]


def test_tabs_separate_cells_in_tsv(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text('a\tb\n1,5\t"x\ty"\n')
    assert rows(tmp_path / "a.tsv") == [{"a": "1,5", "b": "x\ty"}]


def test_csv_tells_an_empty_cell_from_an_empty_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'\xef\xbb\xbfa,b\r\n007,\r\n,""\r\n2025-01-01,"x ""y"""\r\n')
    assert rows(tmp_path / "a.csv") == [
        {"a": "007", "b": None},
        {"a": None, "b": ""},
        {"a": "2025-01-01", "b": 'x "y"'},
    ]


def test_an_object_of_rows(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"p1": {"x": 1}, "p2": {"x": 2, "key": "own"}}')
    assert rows(tmp_path / "a.json") == [{"key": "p1", "x": "1"}, {"key": "own", "x": "2"}]


def test_an_object_that_is_a_row(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('\n\n{"problem": "Q",\n "tags": ["a"]}\n')
    assert rows(tmp_path / "a.json") == [{"problem": "Q", "tags": ["a"]}]


def test_rows_can_be_lists(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[[{"value": "Q"}, {"x": 1}], [{"value": "R"}]]')
    assert rows(tmp_path / "a.json") == [[{"value": "Q"}, {"x": "1"}], [{"value": "R"}]]


def test_a_folder_is_read_in_order_and_unknown_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "2.csv").write_text("a\n2\n")
    (tmp_path / "b" / "1.jsonl").write_text('{"a": "1"}\n')
    (tmp_path / "a.json").write_text('[{"a": "0"}]')
    (tmp_path / "README.md").write_text("[badge] and more")
    (tmp_path / ".hidden").write_text("x")
    (tmp_path / "dataset_info.json").write_text("{}")
    assert both(tmp_path) == ([{"a": "0"}, {"a": "1"}, {"a": "2"}], [("README.md", "unknown_file")])


def test_a_file_of_unknown_name_is_read_when_it_is_given_itself(tmp_path: Path) -> None:
    (tmp_path / "test.txt").write_text('{"a": "1"}\n{"a": "2"}\n')
    assert rows(tmp_path / "test.txt") == [{"a": "1"}, {"a": "2"}]


def test_bad_rows_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lone = rb'{"a": "\ud800"}'
    path.write_bytes(
        b'{"a": 1}\n{"a": \n7\n"x"\n' + lone + b'\n{"a": "\xff"}\n{"a": NaN}\n' + b"[" * 100_000 + b'\n{"a": 2'
    )
    good, bad = both(path)
    assert good == [{"a": "1"}]
    assert bad == [
        ("a.jsonl:2", "broken_json"),
        ("a.jsonl:3", "no_object"),
        ("a.jsonl:4", "no_object"),
        ("a.jsonl:5", "broken_json"),
        ("a.jsonl:6", "not_utf8"),
        ("a.jsonl:7", "broken_json"),
        ("a.jsonl:8", "broken_json"),
        ("a.jsonl:9", "broken_json"),
    ]


def test_bad_rows_of_a_csv(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'a,b\n1,2,3\n4,5\n\xff,6\n7\n8,5" pipe\n9,"cut\noff\n')
    good, bad = both(path)
    assert good == [{"a": "4", "b": "5"}, {"a": "8", "b": '5" pipe'}]
    assert sorted(bad) == [
        ("a.csv:row 1", "uneven_row"),
        ("a.csv:row 3", "not_utf8"),
        ("a.csv:row 4", "uneven_row"),
        ("a.csv:row 6", "cut_off"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'a,b\n1,2\n"x,3\n4,5\n6,7\n',
            [("row 2", "cut_off"), ("row 2, line 2", "inside_quote"), ("row 2, line 3", "inside_quote")],
        ),
        (
            'a,b\r\n1,2\r\n3,"x\r\n4,5\r\n6,7\r\n',
            [("row 2", "cut_off"), ("row 2, line 2", "inside_quote"), ("row 2, line 3", "inside_quote")],
        ),
        (
            'a,b\n1,2\n"x,3\n4,"5"\n6,7\n',
            [("row 2", "uneven_row"), ("row 2, line 2", "inside_quote")],
        ),
        ('a,b\n1,2\n"two\nlines"\n6,7\n', [("row 2", "uneven_row")]),
    ],
)
def test_rows_inside_a_quote_of_a_csv_are_counted(tmp_path: Path, text: str, expected: list[tuple[str, str]]) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode())
    good, bad = both(tmp_path / "a.csv")
    assert bad == [(f"a.csv:{place}", rule) for place, rule in expected]
    assert len(good) == (1 if expected[0][1] == "cut_off" else 2)


def test_a_long_cell_that_is_cut_off(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'a,b\n1,2\n3,"' + b"x\ny;z" * 40_000)
    assert both(tmp_path / "a.csv") == ([{"a": "1", "b": "2"}], [("a.csv:row 2", "cut_off")])
    (tmp_path / "b.csv").write_bytes(b'a,b\n1,2\n3,"' + b"x\ny,z" * 40_000 + b'"')
    assert len(rows(tmp_path / "b.csv")) == 2


HOSTILE: dict[str, tuple[bytes, str]] = {
    "empty.jsonl": (b"", "empty.jsonl is empty"),
    "empty.parquet": (b"", "empty.parquet is empty"),
    "empty.jsonl.gz": (gzip.compress(b""), "empty.jsonl.gz is empty"),
    "wide.jsonl": ('{"a": "1"}'.encode("utf-16"), "wide.jsonl is UTF-16, not UTF-8"),
    "wide.csv": ("a,b\n1,2".encode("utf-16"), "wide.csv is UTF-16, not UTF-8"),
    "latin.jsonl": ('{"a": "é"}\n'.encode("latin-1"), "latin.jsonl has no row that can be read; latin.jsonl:1: byte 8"),
    "latin.json": ('[{"a": "1"}, {"a": "é"}]'.encode("latin-1"), "latin.json: about row 1: the file is not UTF-8"),
    "latin2.json": ('{"a": "é"}'.encode("latin-1"), "latin2.json: byte 8 is no UTF-8"),
    "cut.json": (b'[{"a": 1}, {"a": 2', "cut.json: row 2: the array ends inside an element"),
    "open.json": (b'[{"a": 1}, {"a": 2}', "open.json: row 3: the array ends without its bracket"),
    "tail.json": (b'[{"a": 1}] x', "tail.json: row 2: the text goes on after the array"),
    "cut2.json": (b'{"rows": [{"a": 1}, {', "cut2.json is no JSON"),
    "scalar.json": (b"7", "scalar.json holds no rows"),
    "words.jsonl": (
        b"not json\nat all\n",
        "words.jsonl has no row that can be read; words.jsonl:1: the line is no JSON",
    ),
    "cut.jsonl.gz": (gzip.compress(LINE * 50, mtime=0)[:-40], "cut.jsonl.gz is damaged or cut off"),
    "cut.jsonl.xz": (lzma.compress(LINE * 50)[:-40], "cut.jsonl.xz is damaged or cut off"),
    "cut.jsonl.bz2": (bz2.compress(LINE * 50)[:-10], "cut.jsonl.bz2"),
    "cut.jsonl.zst": (pa.compress(LINE * 50, "zstd", asbytes=True)[:-10], "cut.jsonl.zst"),
    "bad.jsonl.gz": (b"\x1f\x8b\x08\x00" + b"x" * 40, "bad.jsonl.gz"),
    "cut.zip": (_zip("a.jsonl", LINE)[:-30], "cut.zip is damaged or cut off"),
    "cut.parquet": (FORMATS["a.parquet"][:-20], "cut.parquet cannot be read as Parquet"),
    "text.parquet": (b"not a table", "text.parquet cannot be read as Parquet"),
    "cut.arrow": (FORMATS["a.arrow"][:200], "cut.arrow cannot be read as Arrow"),
    "cut.feather": (FORMATS["a.feather"][:-20], "cut.feather cannot be read as Arrow"),
    "twice.csv": (b"a,a\n1,2\n", "twice.csv: two columns are called 'a'"),
    "blank.csv": (b"\n\n", "blank.csv cannot be read as CSV"),
    "pointer.parquet": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
    "picture.png": (b"\x89PNG\r\n", "picture.png holds no JSONL, JSON, CSV, Parquet or Arrow file"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_cannot_be_used_is_one_sentence(tmp_path: Path, name: str) -> None:
    content, message = HOSTILE[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        list(read_place(find_place(str(path))))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_damaged_inside_gives_what_came_before_and_then_stops(tmp_path: Path) -> None:
    content = bytearray(gzip.compress(b"".join(b'{"a": %d}\n' % index for index in range(200_000)), mtime=0))
    content[-6] ^= 255
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(content)
    found: list[RawRow | BadRow] = []
    with pytest.raises(InputError, match=r"a\.jsonl\.gz"):
        found.extend(read_place(find_place(str(path))))
    assert len(found) > 1_000


def test_what_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        find_place(str(tmp_path / "nothing"))
    with pytest.raises(InputError, match="holds no file"):
        find_place(str(tmp_path))
    with pytest.raises(InputError, match="cannot be opened"):
        find_place("nowhere://a/b.jsonl")


def test_a_zip_with_a_password(tmp_path: Path) -> None:
    content = bytearray(_zip("a.jsonl", LINE))
    for entry in range(len(content)):
        if content[entry : entry + 4] == b"PK\x01\x02":
            content[entry + 8] |= 1
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(InputError, match="has a password"):
        list(read_place(find_place(str(tmp_path / "a.zip"))))


def test_columns_that_are_not_needed_are_not_read(tmp_path: Path) -> None:
    table = pa.table({"a": ["1"], "long": ["x" * 1000]})
    pq.write_table(table, tmp_path / "a.parquet")
    with pa.ipc.new_file(tmp_path / "b.arrow", table.schema) as writer:
        writer.write_table(table)
    found = list(read_place(find_place(str(tmp_path)), keys=frozenset({"a", "b"})))
    assert [row.value for row in found if isinstance(row, RawRow)] == [{"a": "1"}, {"a": "1"}]


def test_a_json_file_of_lines_and_one_of_one_long_line(tmp_path: Path) -> None:
    many = [{"a": str(index), "text": "x" * 1000} for index in range(3_000)]
    (tmp_path / "array.json").write_text(json.dumps(many))
    (tmp_path / "lines.json").write_text("\n".join(json.dumps(row) for row in many))
    assert rows(tmp_path / "array.json") == many
    assert rows(tmp_path / "lines.json") == many


def test_an_address_of_fsspec(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(LINE))
    (tmp_path / "b.csv").write_bytes(FORMATS["a.csv"])
    assert rows(f"file://{tmp_path}/a.jsonl.gz") == [TEXTS]
    assert rows(f"file://{tmp_path}") == [TEXTS, TEXTS]
    with pytest.raises(InputError, match="does not exist"):
        find_place(f"file://{tmp_path}/nothing")


def test_an_address_on_the_web(tmp_path: Path) -> None:
    pytest.importorskip("aiohttp")
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(LINE))
    (tmp_path / "b.parquet").write_bytes(FORMATS["a.parquet"])
    handler = functools.partial(_Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        assert rows(f"{address}/a.jsonl.gz") == [TEXTS]
        assert rows(f"{address}/b.parquet") == [TEXTS]
        with pytest.raises(InputError, match="does not exist"):
            find_place(f"{address}/nothing.jsonl")
        server.shutdown()
    with pytest.raises(OutsideError, match="cannot be reached"):
        find_place(f"{address}/a.jsonl.gz")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""
