"""The registry of benchmarks: one TOML file each, bundled in ``sources/benchmarks`` or the user's own.

A registry file says where a benchmark is, under which licence, what its columns are called and which contest it is
from; its texts are fetched when they are wanted. The user's directory, which ``CURATION_HOME`` moves, holds pulled
copies in ``benchmarks/`` and the user's own registry files in ``registry/``.
"""

from __future__ import annotations

import datetime
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from curation import bundled
from curation.errors import InputError
from curation.validation import first_fault


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
    hub: str | None = Field(default=None, pattern=r"^[^/\s]+/[^/\s]+$", description="owner/name of the Hub data set")
    path: str | None = Field(default=None, description="a file or folder; a relative one starts at the registry file")
    revision: str = Field(default="main", description="commit; a pulled copy records the commit it came from")
    config: str | None = None
    split: str = "train"
    files: tuple[str, ...] = Field(default=(), description="globs inside the data set; all data files by default")
    licence: str | None = None
    groups: tuple[str, ...] = ()
    contest: str | None = Field(default=None, description="contest and year, as in hmmt-feb-2025")
    date: datetime.date | None = Field(default=None, description="when the contest sat, not when it was published")
    items: int | None = Field(default=None, ge=1, description="how many items the revision has")
    fingerprint: str | None = Field(
        default=None, pattern=r"^[0-9a-f]{64}$", description="SHA-256 over the items; a pulled copy records its own"
    )
    domain: Literal["math", "code"] = "math"
    note: str | None = None
    not_text: str | None = Field(default=None, description="why its problems cannot be compared as text")
    columns: ItemColumns | None = Field(default=None, description="found by their names where it is not given")

    @model_validator(mode="after")
    def _has_one_place(self) -> RegisteredBenchmark:
        if (self.hub is None) == (self.path is None):
            raise ValueError("give one of hub = 'owner/name' and path = 'file'")
        return self

    @property
    def address(self) -> str:
        """Where it is, for tables and messages."""
        return f"hub://{self.hub}" if self.hub is not None else str(self.path)


def registry() -> Mapping[str, RegisteredBenchmark]:
    """Return all registered benchmarks by name, the bundled ones first, each kind in the order of names.

    Raises:
        InputError: a registry file says something that none can say, or one of the user's has the name of a bundled
            benchmark; the message names the file.
    """
    known = {path.stem: read_entry(path) for path in sorted((bundled.folder("sources") / "benchmarks").glob("*.toml"))}
    for path in sorted(own_registry().glob("*.toml")):
        if path.stem in known:
            raise InputError(f"{path} has the name of a bundled benchmark: rename the file")
        known[path.stem] = read_entry(path)
    return known


def groups(known: Mapping[str, RegisteredBenchmark]) -> Mapping[str, tuple[str, ...]]:
    """Return the names of the benchmarks of each group; ``all`` holds every one."""
    names = sorted({group for benchmark in known.values() for group in benchmark.groups})
    by_group = {group: tuple(name for name, one in known.items() if group in one.groups) for group in names}
    return {**by_group, "all": tuple(known)}


def home() -> Path:
    """Return the user's directory of pulled benchmarks; it may not exist yet."""
    return _base() / "benchmarks"


def own_registry() -> Path:
    """Return the directory of the user's own registry files; it may not exist yet."""
    return _base() / "registry"


def read_entry(path: Path) -> RegisteredBenchmark:
    """Read one registry file; a relative path in it starts where the file is.

    Raises:
        InputError: it says something that none can say; the message names file and key.
    """
    try:
        entry = RegisteredBenchmark.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): give a registry file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no TOML ({error}): mend the line") from None
    except ValidationError as error:
        raise InputError(f"{path}: {first_fault(error, 'the benchmark')}") from None
    if entry.path is None:
        return entry
    return entry.model_copy(update={"path": str(path.parent / Path(entry.path).expanduser())})


def _base() -> Path:
    given = os.environ.get("CURATION_HOME")
    return Path(given) if given else platformdirs.user_data_path("curation")
