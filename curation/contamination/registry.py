"""The registry of benchmarks: one TOML file each in ``sources/benchmarks``, and the user's pulled copies.

A registry file says where a benchmark is, under which licence, what its columns are called and which contest it is
from; its texts are fetched when they are wanted and kept in the user's data directory, which ``CURATION_HOME`` moves.
"""

from __future__ import annotations

import datetime
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from curation import bundled
from curation.errors import InputError


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ItemColumns(_Section):
    """What the benchmark's columns are called."""

    problem: str
    answer: str | None = None
    id: str | None = None


class RegisteredBenchmark(_Section):
    """One benchmark that the program knows."""

    title: str
    hub: str = Field(pattern=r"^[^/\s]+/[^/\s]+$", description="owner/name of the Hub data set")
    revision: str = Field(default="main", description="commit; a pulled copy records the commit it came from")
    config: str | None = None
    split: str = "train"
    files: tuple[str, ...] = Field(default=(), description="globs inside the data set; all data files by default")
    licence: str
    groups: tuple[str, ...] = ()
    contest: str | None = Field(default=None, description="contest and year, as in hmmt-feb-2025")
    date: datetime.date | None = Field(default=None, description="when the contest sat, not when it was published")
    items: int | None = Field(default=None, ge=1, description="how many items the revision has")
    domain: Literal["math", "code"] = "math"
    note: str | None = None
    columns: ItemColumns


def registry() -> Mapping[str, RegisteredBenchmark]:
    """Return all registered benchmarks by name, in the order of their names.

    Raises:
        InputError: a registry file says something that none can say; the message names file and key.
    """
    folder = bundled.folder("sources") / "benchmarks"
    return {path.stem: _read(path) for path in sorted(folder.glob("*.toml"))}


def groups(known: Mapping[str, RegisteredBenchmark]) -> Mapping[str, tuple[str, ...]]:
    """Return the names of the benchmarks of each group; ``all`` holds every one."""
    names = sorted({group for benchmark in known.values() for group in benchmark.groups})
    by_group = {group: tuple(name for name, one in known.items() if group in one.groups) for group in names}
    return {**by_group, "all": tuple(known)}


def home() -> Path:
    """Return the user's directory of pulled benchmarks; it may not exist yet."""
    given = os.environ.get("CURATION_HOME")
    base = Path(given) if given else platformdirs.user_data_path("curation")
    return base / "benchmarks"


def _read(path: Path) -> RegisteredBenchmark:
    try:
        return RegisteredBenchmark.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no TOML ({error}): mend the line") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{path}: {where}: {first['msg'].removeprefix('Value error, ')}") from None
