"""Where response pools lie: in a directory, or in an object store or another file system that fsspec reaches.

A pool in a directory has its journals in it. One elsewhere (``s3://bucket/pool``) has them on the machine that writes,
in the user's data directory or ``CURATION_HOME``, because a finished response must be on a disk at once and an object
can only be written whole: they become parts when they have grown, every few minutes, and when the work ends. Whoever is
killed loses nothing as long as this machine's disk is there; the next command on this machine that opens the pool takes
its journals in. A machine that is lost with its disk loses what was not yet a part.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import fsspec
import platformdirs
import pyarrow.parquet as pq
from upath import UPath

from curation import storage
from curation.errors import InputError, OutsideError
from curation.object_stores import client_errors

PoolPath: TypeAlias = Path | UPath
"""A pool's place, or that of something in it: a `Path` on this machine, a `UPath` elsewhere."""

_LOCAL = frozenset({"file", "local"})
_WHOLE = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oci", "oss", "r2"})
"""Object stores, where a put appears whole or not at all."""

_EXTRAS = {"s3": "pip install 'curation[s3]'", "s3a": "pip install 'curation[s3]'"}


def pool_path(text: str) -> PoolPath:
    """Read where a pool lies: a path, or an address that fsspec knows (``s3://bucket/pool``).

    Raises:
        InputError: nothing reaches such an address; says what to install.
    """
    protocol, mark, rest = text.partition("://")
    if not mark:
        return Path(text)
    if protocol in _LOCAL:
        return Path(rest)
    try:
        fsspec.get_filesystem_class(protocol)
        return UPath(text)
    except ValueError:
        raise InputError(f"{text}: no file system is called {protocol}: give a path or an address like s3://") from None
    except ImportError as error:
        remedy = _EXTRAS.get(protocol, str(error))
        raise InputError(f"{text}: what reaches {protocol}:// is not installed: {remedy}") from None


def home(pool: PoolPath) -> Path:
    """Return the directory on this machine for a pool's journals, locks and judge; a pool that lies here is its own."""
    if isinstance(pool, Path):
        return storage.on_this_machine(pool)
    given = os.environ.get("CURATION_HOME")
    base = Path(given) if given else platformdirs.user_data_path("curation")
    address = str(pool).rstrip("/")
    return base / "pools" / f"{pool.name or 'pool'}-{storage.sha256_text(address)[:16]}"


def exists(pool: PoolPath) -> bool:
    """Tell whether there is a directory, or anything under an address.

    Raises:
        OutsideError: the file system cannot be reached.
    """
    if isinstance(pool, Path):
        return pool.is_dir()
    with _reaching(pool):
        pool.fs.invalidate_cache()
        return bool(pool.fs.exists(pool.path))


@contextmanager
def locked(pool: PoolPath) -> Iterator[None]:
    """Keep other processes of this machine from adding parts to a pool; the lock ends with the process at the latest.

    In a directory that several machines share it keeps those out too, where its file locks reach them. Elsewhere two
    machines may add parts at once, which get names of their own.
    """
    directory = home(pool)
    directory.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def files(directory: PoolPath, suffix: str) -> list[PoolPath]:
    """Return the files in a directory, in no order; none where it does not exist.

    Raises:
        OutsideError: the file system cannot be reached.
    """
    if isinstance(directory, Path):
        return list(directory.glob(f"[!.]*{suffix}"))
    with _reaching(directory):
        directory.fs.invalidate_cache()
        try:
            found = directory.fs.ls(directory.path, detail=False)
        except FileNotFoundError:
            return []
    names = (str(path).rstrip("/").rpartition("/")[2] for path in found)
    return [directory / name for name in names if name.endswith(suffix) and not name.startswith(".")]


@contextmanager
def parquet(path: PoolPath, *, checked: bool = False) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file; from elsewhere, only the row groups and columns that are read are fetched.

    Args:
        path: the file.
        checked: whether the checksums of the pages are compared.

    Raises:
        OSError: there is no such file.
        pyarrow.ArrowException: it is damaged; some damage is an OSError without ``errno``.
        OutsideError: the file system cannot be reached.
    """
    if isinstance(path, Path):
        with pq.ParquetFile(path, page_checksum_verification=checked, pre_buffer=False) as file:
            yield file
        return
    with (
        _reaching(path, damage_passes=True),
        pq.ParquetFile(path.path, filesystem=path.fs, page_checksum_verification=checked, pre_buffer=True) as file,
    ):
        yield file


def put(made: Path, target: UPath) -> None:
    """Copy a file to where others see it, so that it appears whole or not at all.

    Raises:
        OutsideError: the file system cannot be reached, or may not be written.
    """
    with _reaching(target):
        if target.protocol in _WHOLE:
            target.fs.put_file(str(made), target.path)
            return
        aside = f"{target.parent.path.rstrip('/')}/{storage.TEMPORARY_MARK}{os.getpid()}-{target.name}"
        target.fs.makedirs(target.parent.path, exist_ok=True)
        target.fs.put_file(str(made), aside)
        target.fs.mv(aside, target.path)


def remove(path: PoolPath) -> None:
    """Delete a file; one that is gone already is no error.

    Raises:
        OutsideError: the file system cannot be reached, or may not be written.
    """
    if isinstance(path, Path):
        path.unlink(missing_ok=True)
        return
    with _reaching(path):
        try:
            path.fs.rm_file(path.path)
        except FileNotFoundError:
            return


def size(path: PoolPath) -> int:
    """Return a file's bytes.

    Raises:
        OutsideError: the file system cannot be reached.
    """
    if isinstance(path, Path):
        return path.stat().st_size
    with _reaching(path):
        return int(path.fs.size(path.path))


@contextmanager
def _reaching(path: UPath, *, damage_passes: bool = False) -> Iterator[None]:
    try:
        yield
    except _failures() as error:
        if damage_passes and _is_damage(error):
            raise
        raise OutsideError(
            f"{path} cannot be reached ({type(error).__name__}: {error}): put it right and run the same again, what "
            "was stored stays"
        ) from None


def _failures() -> tuple[type[Exception], ...]:
    return (*client_errors(), ValueError)


def _is_damage(error: Exception) -> bool:
    """Tell what is said of a file that is damaged or gone from what is said of the way to it."""
    # Arrow says of a damaged file that it is an OSError without a number, or a ValueError, as which clients speak of an
    # address of theirs that is none.
    return isinstance(error, FileNotFoundError | ValueError) or (type(error) is OSError and error.errno is None)
