"""What a folder offers for a push: its Parquet files, its card, and what `datasets` makes of them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from datasets.exceptions import DatasetsError
from pydantic import BaseModel, ConfigDict, ValidationError

from curation import storage
from curation.errors import InputError, OutsideError
from curation.export import card
from curation.export.selftest_section import AUDIT, selftest_section

CARD = "README.md"
MANIFEST = "manifest.json"


class ManifestFile(BaseModel):
    """One file of an export."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    bytes: int
    sha256: str
    rows: int | None = None


class Manifest(BaseModel):
    """What an export holds. It names no time and no place, so that the same inputs give the same bytes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    seed: int
    rows: dict[str, int]
    files: tuple[ManifestFile, ...]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One file that a push sends.

    Attributes:
        path: its path in the repository.
        bytes: its size.
        sha256: of its bytes.
        rows: rows of a Parquet file; None for other files.
    """

    path: str
    bytes: int
    sha256: str
    rows: int | None


@dataclass(frozen=True, slots=True)
class ConfigFiles:
    """One config as `datasets` resolves it.

    Attributes:
        features: the columns and types that the card declares; None where it declares none.
        paths: the Parquet files, by path from the root.
    """

    features: datasets.Features | None
    paths: frozenset[str]


@dataclass(frozen=True)
class Folder:
    """A folder as it will stand on the Hub.

    Attributes:
        directory: where the files lie.
        card: the text of its README.md, its own or one made for it.
        files: the files to send, by path, without the card.
        configs: what `datasets` must see of it on the Hub.
    """

    directory: Path
    card: str
    files: tuple[Outgoing, ...]
    configs: Mapping[str, ConfigFiles]


def open_folder(directory: Path) -> Folder:
    """Read what a push of ``directory`` would send: Parquet files, the card and an export's manifest, nothing else.

    The card gets the result of a self-test that lies in the folder or in the run's ``audit`` directory.

    Args:
        directory: a run, an export, or any folder of Parquet files.

    Raises:
        InputError: there is nothing to push, a file is damaged, or a file is not what the export's manifest says.
    """
    directory = _data_directory(directory)
    files = [_outgoing(directory, path) for path in _parquet_files(directory)]
    manifest = directory / MANIFEST
    if manifest.is_file():
        _check_manifest(manifest, files)
        files.append(_outgoing(directory, manifest))
    configs = _resolve_here(directory.resolve())
    features = _with_columns(directory, configs)
    own = directory / CARD
    if own.is_file():
        text, declared = own.read_text(encoding="utf-8"), {name: config.features for name, config in configs.items()}
    else:
        text, declared = card.features_only(features), dict(features)
    in_a_run = (directory.parent / AUDIT,) if manifest.is_file() else ()
    if section := selftest_section((directory, *in_a_run)):
        text = f"{text.rstrip()}\n\n{section}"
    expected = {name: ConfigFiles(declared[name], config.paths) for name, config in configs.items()}
    return Folder(directory, text, tuple(files), expected)


def write_preview(folder: Folder) -> Path:
    """Write what a push would send beside the folder, as ``NAME-on-the-hub``, with links where the disk has them.

    Raises:
        OutsideError: the place cannot be written.
    """
    home = folder.directory.resolve()
    target = home.with_name(f"{home.name}-on-the-hub")
    try:
        with storage.atomic_directory(target) as directory:
            for file in folder.files:
                place = directory / file.path
                place.parent.mkdir(parents=True, exist_ok=True)
                _link_or_copy(home / file.path, place)
            storage.write_text(directory / CARD, folder.card)
    except OSError as error:
        raise OutsideError(f"{target} cannot be written ({error.strerror}): make room or move the folder") from None
    return target


def _link_or_copy(source: Path, place: Path) -> None:
    try:
        place.hardlink_to(source.resolve())
    except OSError:
        # Another file system, or one without hard links.
        shutil.copyfile(source, place)


def _data_directory(directory: Path) -> Path:
    export = directory / "export"
    if (directory / "run.json").is_file():
        if not (export / MANIFEST).is_file():
            raise InputError(f"{directory} has no export yet: bring the run to its end with `curation rebuild`")
        return export
    if not directory.is_dir():
        raise InputError(f"{directory} is no directory: give a run, its export, or a folder of Parquet files")
    if not _parquet_files(directory):
        raise InputError(f"{directory} holds no Parquet file: give a run, its export, or a folder of Parquet files")
    return directory


def _parquet_files(directory: Path) -> list[Path]:
    return sorted(
        path
        for path in directory.rglob("*.parquet")
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(directory).parts)
    )


def _outgoing(directory: Path, path: Path) -> Outgoing:
    rows = None
    if path.suffix == ".parquet":
        try:
            rows = pq.read_metadata(path).num_rows
        except (OSError, pa.ArrowInvalid) as error:
            raise InputError(f"{path} is no whole Parquet file ({error}): write it again or take it away") from None
    return Outgoing(path.relative_to(directory).as_posix(), path.stat().st_size, storage.sha256_file(path), rows)


def _check_manifest(path: Path, files: list[Outgoing]) -> None:
    try:
        manifest = Manifest.model_validate_json(path.read_bytes())
    except ValidationError:
        raise InputError(f"{path} is no manifest of an export: make the export again") from None
    told = {file.path: file.sha256 for file in manifest.files if file.path.endswith(".parquet")}
    found = {file.path: file.sha256 for file in files}
    changed = sorted(name for name in told.keys() | found.keys() if told.get(name) != found.get(name))
    if changed:
        raise InputError(f"{path.parent / changed[0]} is not as {path.name} says: make the export again")


def resolve(where: str, root: str, revision: str | None = None) -> dict[str, ConfigFiles]:
    """Ask `datasets` which configs, columns and files it sees.

    Args:
        where: a directory, or the id of a data set on the Hub.
        root: what the addresses of its files start with.
        revision: a commit on the Hub.
    """
    configs: dict[str, ConfigFiles] = {}
    with tempfile.TemporaryDirectory(prefix="curation-") as cache:
        for name in datasets.get_dataset_config_names(where, revision=revision):
            builder = datasets.load_dataset_builder(where, name, revision=revision, cache_dir=cache)
            split_files = (builder.config.data_files or {}).values()
            paths = frozenset(str(path).removeprefix(root).strip("/") for files in split_files for path in files)
            configs[name] = ConfigFiles(builder.info.features, paths)
    return configs


def _resolve_here(directory: Path) -> dict[str, ConfigFiles]:
    try:
        return resolve(str(directory), str(directory))
    except (yaml.YAMLError, DatasetsError, ValueError, TypeError, OSError) as error:
        first_line = str(error).partition("\n")[0]
        raise InputError(
            f"{directory / CARD} cannot be used by `datasets` ({first_line}): mend its YAML block, or take the file "
            "away and have one made"
        ) from None


def _with_columns(directory: Path, configs: Mapping[str, ConfigFiles]) -> dict[str, datasets.Features]:
    """Return each config's features: the declared ones, else those of its Parquet files, which must agree.

    Raises:
        InputError: two files of a config, or a file and the card, have different columns.
    """
    features: dict[str, datasets.Features] = {}
    for name, config in configs.items():
        for path in sorted(config.paths):
            held = datasets.Features.from_arrow_schema(pq.read_schema(directory / path))
            known = features.setdefault(name, config.features or held)
            agree = set(known) == set(held) if config.features else known == held
            if not agree:
                raise InputError(
                    f"{directory / path} has other columns than config {name!r}: give files of one kind a folder of "
                    f"their own and name it in the configs of {CARD}"
                )
    return features
