"""Compressed files, told by their first bytes and not by their names: gzip, bzip2, xz, zstd, and zip with its members.

zstd comes with PyArrow; the others are the standard library's.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, BinaryIO, Protocol

import pyarrow as pa

from curation.errors import InputError
from curation.ingest.readers import OpenFile

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zstd", ".zip")
"""Suffixes that say that a file is compressed."""

_ZIP = b"PK\x03\x04"
_MAGIC_BYTES = 6
_BUFFER = 1 << 20

DAMAGE = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile)
"""What the readers of compressed data raise where it is damaged or cut off; bz2 and zstd raise a plain OSError."""


def first_bytes(open_file: OpenFile, count: int) -> bytes:
    """Return at most ``count`` bytes from the beginning of a file."""
    with open_file() as stream:
        return stream.read(count)


def without_suffix(name: str) -> str:
    """Return a file's name without a suffix of compression: ``a.jsonl`` for ``a.jsonl.gz``."""
    suffix = next((suffix for suffix in COMPRESSED if name.lower().endswith(suffix)), "")
    return name[: len(name) - len(suffix)]


def decompressed(open_file: OpenFile, name: str) -> Iterator[tuple[str, OpenFile]]:
    """Yield the files inside a file with their names: its decompressed self, a zip's members, or the file as it is.

    Raises:
        InputError: a zip's list of members cannot be read, or it has a password.
    """
    magic = first_bytes(open_file, _MAGIC_BYTES)
    if magic.startswith(_ZIP):
        yield from _members(open_file, name)
        return
    start = next((start for start in _DECOMPRESSORS if magic.startswith(start)), None)
    yield name, open_file if start is None else _opener(open_file, _DECOMPRESSORS[start])


def seekable(open_file: OpenFile) -> BinaryIO:
    """Open a file for readers that jump about in it; what cannot be jumped in is copied to a temporary file first."""
    stream = open_file()
    return stream if stream.seekable() else _copied(stream)


def local_copy(open_file: OpenFile) -> BinaryIO:
    """Open a file of the operating system: the file itself, or a temporary one with what a stream gives."""
    stream = open_file()
    return stream if isinstance(stream, io.BufferedReader) and isinstance(stream.raw, io.FileIO) else _copied(stream)


def _copied(stream: BinaryIO) -> BinaryIO:
    copy = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    with stream:
        shutil.copyfileobj(stream, copy, _BUFFER)
    copy.flush()
    copy.seek(0)
    return copy


class _Closable(Protocol):
    def close(self) -> None: ...


class _Readable(_Closable, Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class _Decompressed(io.RawIOBase):
    """What a decompressor gives; closes it and the file below it."""

    def __init__(self, decompressor: _Readable, source: _Closable) -> None:
        self._decompressor, self._source = decompressor, source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._decompressor.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._decompressor.close()
            self._source.close()
        super().close()


def _opener(open_file: OpenFile, decompressor: Callable[[IO[bytes]], _Readable]) -> OpenFile:
    def open_decompressed() -> BinaryIO:
        source = open_file()
        return io.BufferedReader(_Decompressed(decompressor(source), source), _BUFFER)

    return open_decompressed


def _zstd(source: IO[bytes]) -> _Readable:
    stream: _Readable = pa.CompressedInputStream(pa.PythonFile(source), "zstd")
    return stream


_DECOMPRESSORS: dict[bytes, Callable[[IO[bytes]], _Readable]] = {
    b"\x1f\x8b": lambda source: gzip.GzipFile(fileobj=source),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _zstd,
}


def _members(open_file: OpenFile, name: str) -> Iterator[tuple[str, OpenFile]]:
    try:
        with seekable(open_file) as stream, zipfile.ZipFile(stream) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
    except zipfile.BadZipFile as error:
        raise InputError(f"{name} is damaged or cut off ({error}): fetch it again") from None
    for info in sorted(members, key=lambda info: info.filename):
        if info.flag_bits & 1:
            raise InputError(f"{name} has a password: unpack it and give the files")
        if not info.filename.startswith("__MACOSX/"):
            yield from decompressed(_member(open_file, info.filename), f"{name}/{info.filename}")


def _member(open_file: OpenFile, member: str) -> OpenFile:
    def open_member() -> BinaryIO:
        archive = zipfile.ZipFile(seekable(open_file))
        return io.BufferedReader(_Decompressed(archive.open(member), archive), _BUFFER)

    return open_member
