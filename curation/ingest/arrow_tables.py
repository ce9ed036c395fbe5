"""Rows out of Parquet and Arrow files, with every value as exact text: no integer passes through a float or a limit."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from curation.errors import InputError
from curation.ingest.compression import seekable
from curation.ingest.readers import BadRow, OpenFile, RawRow, Rows
from curation.json_reader import JsonNumber, JsonValue

_BATCH_BYTES = 32 << 20
_BATCH_ROWS = 4_096
_FILE_MAGIC = b"ARROW1"


def read_parquet(open_file: OpenFile, name: str, keys: frozenset[str] | None) -> Rows:
    """Read the rows of a Parquet file.

    Args:
        open_file: opens the file.
        name: what to call it in locations.
        keys: the columns to read where they exist; None for all.

    Raises:
        InputError: the file is cut off, damaged or no Parquet, or two columns share a name.
    """
    with seekable(open_file) as stream:
        try:
            # A thread of Arrow's that still holds a Python stream when the program ends would abort it.
            with pq.ParquetFile(stream, pre_buffer=False) as file:
                names = file.schema_arrow.names
                _refuse_twice(names, name)
                columns = None if keys is None else [column for column in names if column in keys]
                rows = _batch_rows(file.metadata)
                yield from _rows(file.iter_batches(batch_size=rows, columns=columns, use_threads=False), name)
        except pa.ArrowException as error:
            raise InputError(f"{name} cannot be read as Parquet ({_first_line(error)}): fetch it again") from None


def read_arrow(open_file: OpenFile, name: str, keys: frozenset[str] | None) -> Rows:
    """Read the rows of an Arrow file, in the file or the stream format. Arguments and errors as `read_parquet`."""
    with seekable(open_file) as stream:
        try:
            start = stream.read(len(_FILE_MAGIC))
            stream.seek(0)
            yield from _rows(_arrow_batches(stream, name, start == _FILE_MAGIC, keys), name)
        except pa.ArrowException as error:
            raise InputError(f"{name} cannot be read as Arrow ({_first_line(error)}): fetch it again") from None


def _arrow_batches(stream: object, name: str, is_file: bool, keys: frozenset[str] | None) -> Iterator[pa.RecordBatch]:
    reader = pa.ipc.open_file(stream) if is_file else pa.ipc.open_stream(stream)
    _refuse_twice(reader.schema.names, name)
    parts = (reader.get_batch(index) for index in range(reader.num_record_batches)) if is_file else reader
    wanted = [column for column in reader.schema.names if keys is None or column in keys]
    for part in parts:
        chosen = part.select(wanted)
        step = max(1, min(_BATCH_ROWS, _BATCH_BYTES * max(1, chosen.num_rows) // max(1, chosen.nbytes)))
        for start in range(0, chosen.num_rows, step):
            yield chosen.slice(start, step)


def _batch_rows(metadata: pq.FileMetaData) -> int:
    sizes = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    largest = max((group.total_byte_size / max(1, group.num_rows) for group in sizes), default=1.0)
    return max(1, min(_BATCH_ROWS, int(_BATCH_BYTES / max(1.0, largest))))


def _rows(batches: Iterator[pa.RecordBatch], name: str) -> Rows:
    number = 0
    for batch in batches:
        names = batch.schema.names
        try:
            columns = [values(column) for column in batch.columns]
        except UnicodeDecodeError:
            yield from _one_by_one(batch, name, number)
        else:
            for offset in range(batch.num_rows):
                row = {key: column[offset] for key, column in zip(names, columns, strict=True)}
                yield RawRow(f"{name}:row {number + offset + 1}", row)
        number += batch.num_rows


def _one_by_one(batch: pa.RecordBatch, name: str, before: int) -> Rows:
    for offset in range(batch.num_rows):
        location = f"{name}:row {before + offset + 1}"
        try:
            cells = [values(column.slice(offset, 1))[0] for column in batch.columns]
        except UnicodeDecodeError:
            yield BadRow(location, "not_utf8", "a text of the row is no UTF-8")
        else:
            yield RawRow(location, dict(zip(batch.schema.names, cells, strict=True)))


def values(array: pa.Array) -> list[JsonValue]:
    """Return an array's values as JSON values.

    Integers, decimals and floats become `JsonNumber` with all their digits, dates and times ISO text, nested lists and
    structs lists and objects, NaN and bytes that are no text null.

    Raises:
        UnicodeDecodeError: a text holds bytes that are no UTF-8.
    """
    kind = array.type
    if isinstance(kind, pa.BaseExtensionType):
        return values(array.storage)
    if pa.types.is_dictionary(kind):
        return values(array.dictionary_decode())
    if pa.types.is_struct(kind):
        return _structs(array)
    if pa.types.is_map(kind) or _is_list(kind):
        return _lists(array)
    if pa.types.is_floating(kind):
        return [_float(value, kind) for value in array.to_pylist()]
    if pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        return [None if text is None else JsonNumber(text) for text in array.cast(pa.string()).to_pylist()]
    if pa.types.is_temporal(kind):
        texts: list[JsonValue] = array.cast(pa.string()).to_pylist()
        return texts
    if _is_binary(kind):
        return [_decoded(value) for value in array.to_pylist()]
    plain: list[JsonValue] = array.to_pylist()
    return plain


def _structs(array: pa.StructArray) -> list[JsonValue]:
    names = [field.name for field in array.type]
    columns = [values(child) for child in array.flatten()]
    present = array.is_valid().to_pylist()
    return [
        {key: column[index] for key, column in zip(names, columns, strict=True)} if there else None
        for index, there in enumerate(present)
    ]


def _lists(array: pa.Array) -> list[JsonValue]:
    if pa.types.is_map(array.type):
        array = array.cast(pa.list_(pa.struct([("key", array.type.key_type), ("value", array.type.item_type)])))
    elements = iter(values(array.flatten()))
    lengths = array.value_lengths().to_pylist()
    return [None if length is None else [next(elements) for _ in range(length)] for length in lengths]


def _is_list(kind: pa.DataType) -> bool:
    checks = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    views = (pa.types.is_list_view, pa.types.is_large_list_view)
    return any(check(kind) for check in checks + views)


def _is_binary(kind: pa.DataType) -> bool:
    checks = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_binary_view)
    return any(check(kind) for check in checks)


def _float(value: float | None, kind: pa.DataType) -> JsonValue:
    if value is None or value != value:
        return None
    if value in (float("inf"), float("-inf")):
        return str(value)
    # The shortest text that gives the same number back in its own width.
    return JsonNumber(repr(value) if pa.types.is_float64(kind) else pa.scalar(value, kind).cast(pa.string()).as_py())


def _decoded(value: bytes | None) -> str | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return None


def _refuse_twice(names: list[str], name: str) -> None:
    twice = next((column for column in names if names.count(column) > 1), None)
    if twice is not None:
        raise InputError(f"{name}: two columns are called {twice!r}: give one of them another name")


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
