"""The atomic table writer: whole or absent, the same bytes however the rows arrive, no type by inference."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation import storage
from curation.storage import open_table, sha256_file, write_table

SCHEMA = pl.Schema({"id": pl.Int64(), "text": pl.String(), "list": pl.List(pl.String())})


def frame(rows: list[tuple[int, str | None]]) -> pl.DataFrame:
    """Return rows as a frame of the schema."""
    return pl.DataFrame([(number, text, [text]) for number, text in rows], schema=SCHEMA, orient="row")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.none() | st.text(max_size=50), max_size=40), st.lists(st.integers(0, 40), max_size=4))
def test_the_bytes_depend_on_the_rows_alone(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str | None], cuts: list[int]
) -> None:
    directory = tmp_path_factory.mktemp("tables")
    rows = list(enumerate(texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage, "ROW_GROUP_BYTES", 300)
        assert write_table(directory / "whole.parquet", frame(rows), SCHEMA) == len(rows)
        edges = [0, *sorted(cuts), len(rows)]
        with open_table(directory / "parts.parquet", SCHEMA) as table:
            for start, end in pairwise(edges):
                table.write(frame(rows[start:end]))
    assert sha256_file(directory / "whole.parquet") == sha256_file(directory / "parts.parquet")
    assert pl.read_parquet(directory / "whole.parquet").equals(frame(rows))


def _fail_half_way(path: Path) -> None:
    with open_table(path, SCHEMA) as table:
        table.write(frame([(1, "a")]))
        raise RuntimeError


def test_a_table_that_fails_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        _fail_half_way(tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_column_of_another_type_is_refused(tmp_path: Path) -> None:
    wrong = pl.DataFrame({"id": ["1"], "text": ["a"], "list": [["a"]]})
    with pytest.raises(pl.exceptions.SchemaError, match="'id'"):
        write_table(tmp_path / "a.parquet", wrong, SCHEMA)
    assert list(tmp_path.iterdir()) == []
