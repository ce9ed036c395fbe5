"""Where rows are: a file or folder on this machine, a data set on the Hub, or an address that fsspec opens."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

import fsspec
from huggingface_hub import HfApi, HfFileSystem, snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HFValidationError,
    IncompleteSnapshotError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from curation.errors import InputError, OutsideError
from curation.ingest.compression import COMPRESSED, without_suffix
from curation.ingest.file_marks import mark_of
from curation.ingest.readers import SUFFIXES, OpenFile
from curation.object_stores import client_errors

HUB = "hub://"
_ABOUT_THE_DATA = frozenset({"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json"})
_TIMEOUT_S = 30.0
_GONE = (404, 410)


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file of a place.

    Attributes:
        name: its path inside the place, for locations.
        open_file: opens it from its beginning.
        remote: whether reading it can fail because of the network.
    """

    name: str
    open_file: OpenFile
    remote: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where rows are.

    Attributes:
        address: ``hub://owner/name``, an address, or a path, for messages and tables.
        files: its data files in the order of reading.
        revision: the commit that is read; None where there are no revisions.
        folder: the folder on this machine; None where there is none.
        mark: for an address, what tells this version of its files from a later one; None elsewhere.
    """

    address: str
    files: tuple[DataFile, ...]
    revision: str | None = None
    folder: Path | None = None
    mark: str | None = None


def find_place(given: str, *, streaming: bool = False) -> Place:
    """Find what a user names: ``hub://owner/name[@revision]``, a local file or folder, or another address.

    Raises:
        InputError: it does not exist.
        OutsideError: the network failed.
    """
    if not given:
        raise InputError("no data set is named: give a file, a folder, hub://owner/name or another address")
    if given.startswith(HUB):
        name, _, revision = given.removeprefix(HUB).partition("@")
        return hub_place(name, revision or "main", (), streaming=streaming)
    if "://" in given:
        return url_place(given, ())
    return local_place(Path(given).expanduser(), given, ())


def local_place(path: Path, shown: str, globs: Sequence[str]) -> Place:
    """Find the files of a path.

    Args:
        path: a file or folder.
        shown: the path as the user wrote it.
        globs: which files of a folder, as patterns of their path inside it; all but hidden ones by default.

    Raises:
        InputError: there is no such file or folder, or no file fits.
    """
    try:
        is_file = path.is_file()
    except OSError as error:
        raise InputError(f"{shown} cannot be read ({error.strerror}): give a file or a folder") from None
    if is_file:
        return Place(shown, (DataFile(path.name, _local_opener(path)),))
    if not path.is_dir():
        raise InputError(f"{shown} does not exist: give a file, a folder, hub://owner/name or another address")
    found = {file.relative_to(path).as_posix(): file for file in path.rglob("*") if file.is_file()}
    files = tuple(DataFile(name, _local_opener(found[name])) for name in _chosen(found, globs))
    if not files:
        raise InputError(f"{shown} holds no file{' that fits ' + ', '.join(globs) if globs else ''}")
    return Place(shown, files, folder=path)


def hub_place(name: str, revision: str, globs: Sequence[str], *, streaming: bool) -> Place:
    """Find a data set of the Hub; without a network, in the Hub's cache on this machine.

    Args:
        name: ``owner/name``.
        revision: a branch, tag or commit; the place holds the commit.
        globs: which files, as patterns of their path; by default all whose name says that they hold rows.
        streaming: read files over the network as far as they are needed, instead of downloading them whole.

    Raises:
        InputError: the Hub has no such data set, revision or file, or does not show it to us.
        OutsideError: the Hub cannot be reached and the cache does not hold all files.
    """
    address = HUB + name
    try:
        info = HfApi().dataset_info(name, revision=revision, timeout=_TIMEOUT_S)
    except GatedRepoError:
        raise InputError(f"{address} is gated: ask for access on its page, then set HF_TOKEN") from None
    except RepositoryNotFoundError:
        raise InputError(f"{address} is no data set that the Hub shows: mend the name, or set HF_TOKEN") from None
    except RevisionNotFoundError:
        raise InputError(f"{address} has no revision {revision!r}: give a branch, tag or commit that it has") from None
    except HFValidationError as error:
        raise InputError(f"{address} is no name of a data set ({error}): write hub://owner/name") from None
    except client_errors() as error:
        return _cached_place(name, revision, globs, error)
    names = _chosen([entry.rfilename for entry in info.siblings or []], globs, only_data=True)
    if not names:
        raise InputError(f"{address} holds no {'file that fits ' + ', '.join(globs) if globs else 'data file'}")
    commit = info.sha or revision
    if streaming:
        files = HfFileSystem()
        openers = [_remote_opener(files, f"datasets/{name}@{commit}/{file}") for file in names]
        return Place(address, tuple(map(_remote_file, names, openers)), commit)
    try:
        # Under the name that was given, so that the cache knows it later; a branch may have moved meanwhile.
        folder = _downloaded(name, revision, names)
        folder = folder if folder.name == commit else _downloaded(name, commit, names)
    except client_errors() as error:
        raise OutsideError(f"{address} could not be downloaded ({_reason(error)}): run again to go on") from None
    return Place(address, tuple(DataFile(file, _local_opener(folder / file)) for file in names), commit, folder)


def hub_commit(name: str, revision: str) -> str | None:
    """Return the commit that a branch or tag of a data set names today; None where the Hub does not tell."""
    try:
        return HfApi().dataset_info(name, revision=revision, timeout=_TIMEOUT_S).sha
    except client_errors():
        return None


def url_place(url: str, globs: Sequence[str]) -> Place:
    """Find the files of an address that fsspec opens: ``https``, ``s3``, ``gs``, ...; a folder where it can list one.

    Raises:
        InputError: there is nothing, or the address needs a package that is not installed.
        OutsideError: the network failed.
    """
    try:
        files, path = fsspec.core.url_to_fs(url)
        info = files.info(path)
        is_file = info["type"] == "file"
        listed: dict[str, dict[str, object]] = {} if is_file else files.find(path, detail=True)
    except (ImportError, ValueError) as error:
        raise InputError(f"{url} cannot be opened: {error}") from None
    except client_errors() as error:
        # fsspec calls everything that HTTP answers a missing file, and keeps the answer as the cause.
        cause = error.__cause__
        if isinstance(error, FileNotFoundError) and (cause is None or getattr(cause, "status", None) in _GONE):
            raise InputError(f"{url} does not exist: mend the address") from None
        reason = _reason(cause if isinstance(cause, Exception) else error)
        raise OutsideError(f"{url} cannot be reached ({reason}): run again, or give a local copy") from None
    if is_file:
        file = _remote_file(PurePosixPath(path).name, _remote_opener(files, path))
        return Place(url, (file,), mark=mark_of([info]))
    inside = {name.removeprefix(path).lstrip("/"): name for name in listed}
    chosen = _chosen(inside, globs)
    if not chosen:
        raise InputError(f"{url} holds no file{' that fits ' + ', '.join(globs) if globs else ''}")
    found = tuple(_remote_file(name, _remote_opener(files, inside[name])) for name in chosen)
    return Place(url, found, mark=mark_of(listed[inside[name]] for name in chosen))


def _downloaded(
    name: str, revision: str, files: list[str], unasked: list[str] | None = None, *, only_cached: bool = False
) -> Path:
    return Path(
        snapshot_download(
            name,
            repo_type="dataset",
            revision=revision,
            allow_patterns=files,
            ignore_patterns=unasked,
            local_files_only=only_cached,
        )
    )


def _cached_place(name: str, revision: str, globs: Sequence[str], why: Exception) -> Place:
    address = HUB + name
    asked = list(globs) or ["*.zip", *(f"*{suffix}{packed}" for suffix in SUFFIXES for packed in ("", *COMPRESSED))]
    unasked = None if globs else [start + name for name in (".*", *sorted(_ABOUT_THE_DATA)) for start in ("", "*/")]
    try:
        folder = _downloaded(name, revision, asked, unasked, only_cached=True)
    except IncompleteSnapshotError:
        raise _unreachable(f"{address} is only partly in the Hub's cache", why) from None
    except (LocalEntryNotFoundError, OSError):
        raise _unreachable(f"{address}@{revision} is not in the Hub's cache", why) from None
    found = [file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()]
    files = tuple(DataFile(file, _local_opener(folder / file)) for file in _chosen(found, globs, only_data=True))
    return Place(address, files, folder.name, folder)


def _unreachable(what: str, why: Exception) -> OutsideError:
    return OutsideError(f"{what} and the Hub cannot be reached ({_reason(why)}): connect, or give a local copy")


def _chosen(names: Iterable[str], globs: Sequence[str], *, only_data: bool = False) -> list[str]:
    if globs:
        return sorted(name for name in names if any(fnmatchcase(name, glob) for glob in globs))
    return sorted(name for name in names if not _is_about_the_data(name) and (not only_data or _is_data(name)))


def _is_about_the_data(name: str) -> bool:
    parts = name.split("/")
    return parts[-1] in _ABOUT_THE_DATA or any(part.startswith(".") for part in parts)


def _is_data(name: str) -> bool:
    return name.lower().endswith(".zip") or PurePosixPath(without_suffix(name)).suffix.lower() in SUFFIXES


def _local_opener(path: Path) -> OpenFile:
    return functools.partial(_open_local, path)


def _open_local(path: Path) -> BinaryIO:
    return path.open("rb")


def _remote_opener(files: fsspec.AbstractFileSystem, path: str) -> OpenFile:
    return lambda: cast(BinaryIO, files.open(path, "rb"))


def _remote_file(name: str, open_file: OpenFile) -> DataFile:
    return DataFile(name, open_file, remote=True)


def _reason(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
