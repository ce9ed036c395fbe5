"""Source files: where a source is, its licence, how its columns become a Problem; Pydantic models of the TOML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from curation import bundled
from curation.errors import InputError
from curation.ingest.code_section import RowChecker, RowsBeside, Submissions, Tests
from curation.ingest.fetch.section import Fetch
from curation.ingest.papers.layout import Papers
from curation.ingest.sections import Column, Constant, PathExpression, Renamed, Section
from curation.recipe import SourceUse
from curation.records import Domain, Group
from curation.validation import first_fault

_NAME = r"^[a-z0-9][a-z0-9._-]*$"

Format = Literal["auto", "jsonl", "json", "csv", "parquet", "arrow", "papers", "packages", "usaco"]


class Location(Section):
    """Where the rows are: on the Hub, at an address, or in a file or folder. Without any, a recipe must give a path."""

    hub: str | None = Field(default=None, pattern=r"^[^/\s]+/[^/\s]+$", description="owner/name of a Hub data set")
    revision: str | None = Field(default=None, description="commit of the Hub data set; main by default")
    config: str | None = Field(default=None, description="the Hub's name for the part we take, for the reader's eye")
    split: str | None = Field(default=None, description="the split we take, for the reader's eye")
    files: tuple[str, ...] = Field(default=(), description="globs inside the Hub data set or folder; all by default")
    url: str | None = Field(default=None, description="the address of a file or folder that fsspec opens")
    path: str | None = Field(
        default=None,
        description="file or folder, seen from the file that names it; sources: starts at the bundled ones",
    )
    format: Format = "auto"
    beside: RowsBeside | None = None

    @model_validator(mode="before")
    @classmethod
    def _newest(cls, given: object) -> object:
        return {"revision": "main", **given} if isinstance(given, dict) and "hub" in given else given

    @model_validator(mode="after")
    def _one_place(self) -> Location:
        if sum(place is not None for place in (self.hub, self.url, self.path)) > 1:
            raise ValueError("give one of hub, url and path")
        return self


class Columns(Section):
    """How each column of a Problem comes out of a row."""

    statement: Column
    answer: Column | None = None
    source_id: Column | None = None
    url: Column | None = None
    contest: Column | None = None
    year: Column | None = None
    licence: Column | None = None
    attribution: Column | None = None
    time_limit: Column | None = Field(default=None, description='seconds, or with a unit: "2.0 seconds", "500 ms"')
    memory_limit: Column | None = Field(default=None, description='megabytes, or with a unit: "256.0 megabytes"')
    checker: Column | None = None


class Peel(Section):
    """Fixed instructions around the text of every row; the first that fits is taken off at each end."""

    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()


class Where(Section):
    """Rows that the source itself marks as something else; those that fail go to the ledger.

    Exactly one of ``equals``, ``one_of``, ``not_equals``, ``none_of`` and ``missing``; a missing value equals nothing.
    """

    column: PathExpression
    equals: str | None = None
    one_of: tuple[str, ...] | None = None
    not_equals: str | None = None
    none_of: tuple[str, ...] | None = None
    missing: Literal[True] | None = Field(default=None, description="rows that have a value here do not stay")
    rule: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    reason: str

    @model_validator(mode="after")
    def _one_condition(self) -> Where:
        conditions = (self.equals, self.one_of, self.not_equals, self.none_of, self.missing)
        if sum(condition is not None for condition in conditions) != 1:
            raise ValueError("give exactly one of equals, one_of, not_equals, none_of, missing")
        return self

    def holds(self, value: str | None) -> bool:
        """Return whether a row with this value stays."""
        if self.missing:
            return value is None or not value.strip()
        if self.equals is not None:
            return value == self.equals
        if self.one_of is not None:
            return value in self.one_of
        if self.not_equals is not None:
            return value != self.not_equals
        return value not in (self.none_of or ())


class Unusable(Section):
    """Values that a source writes where it has none, like ``notfound`` for an answer."""

    column: Literal["statement", "answer"]
    values: tuple[str, ...] = Field(min_length=1)
    rule: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    reason: str


def _several(value: object) -> object:
    return () if value is None else (value,) if isinstance(value, dict) else value


PAPER_COLUMNS = {
    "statement": "problem",
    "answer": "answer",
    "source_id": "source_id",
    "contest": "contest",
    "year": "year",
    "url": "url",
}
"""The columns of `curation.ingest.papers.archive.read_archive`, for sources with ``[papers]``."""


class Source(Section):
    """One source file."""

    name: str = Field(pattern=_NAME)
    title: str
    domain: Domain
    group: Group
    licence: str = Field(description="SPDX identifier, or a sentence where there is none")
    attribution: str
    url: str
    expected_rows: int | None = Field(default=None, ge=0, description="the count its publisher states")
    notes: tuple[str, ...] = ()
    reader_missing: str | None = Field(default=None, description="one sentence: why this source cannot be read yet")
    location: Location = Location()
    papers: Papers | None = Field(default=None, description="how a contest archive's folder is read")
    fetch: Fetch | None = Field(default=None, description="where the archive's papers are, for curation fetch")
    columns: Columns | None = Field(default=None, description="given; an archive's papers have columns of their own")
    peel: dict[Literal["statement", "answer"], Peel] = {}
    where: tuple[Where, ...] = ()
    unusable: tuple[Unusable, ...] = ()
    tests: Annotated[tuple[Tests, ...], BeforeValidator(_several)] = ()
    checker: RowChecker = RowChecker()
    submissions: tuple[Submissions, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _columns_of_papers(cls, given: object) -> object:
        if not isinstance(given, dict) or "papers" not in given:
            return given
        location = {"format": "papers", **given.get("location", {})}
        return {"columns": dict(PAPER_COLUMNS), **given, "location": location}

    @model_validator(mode="after")
    def _readable(self) -> Source:
        if (self.location.format == "papers") != (self.papers is not None):
            raise ValueError("format papers and the section [papers] belong together")
        if self.columns is None and self.reader_missing is None:
            raise ValueError("[columns] is missing")
        return self

    @property
    def address(self) -> str:
        """Where the rows are, for a reader: ``hub://owner/name``, an address, a path, or the page that offers them."""
        if self.location.hub is not None:
            return f"hub://{self.location.hub}"
        return self.location.url or self.location.path or self.url

    def keys(self) -> frozenset[str] | None:
        """Return the keys of a row that the source's expressions start from; None where a row is a list."""
        expressions = [column.source for column in _columns(self) if isinstance(column, Renamed)]
        expressions += [condition.column for condition in self.where]
        expressions += [group.code for group in self.submissions]
        expressions += [part for tests in self.tests for part in tests.expressions()]
        expressions += self.checker.expressions()
        found = [expression.keys() for expression in expressions]
        known = [names for names in found if names is not None]
        beside = self.location.beside
        named = frozenset() if beside is None else beside.needs()
        return named.union(*known) if len(known) == len(found) else None


def _columns(source: Source) -> Iterator[Renamed | Constant]:
    if source.columns is not None:
        for name in Columns.model_fields:
            column = getattr(source.columns, name)
            if column is not None:
                yield column
    yield from (group.language for group in source.submissions)


@dataclass(frozen=True)
class FoundSource:
    """A source as a recipe uses it.

    Attributes:
        use: what the recipe says.
        source: the source file with the recipe's name, licence, revision and path in place of its own.
        file: the source file.
        path: the local file or folder to read; None where the rows are on the Hub or at an address.
    """

    use: SourceUse
    source: Source
    file: Path
    path: Path | None

    def obstacle(self) -> str | None:
        """Return one sentence on why the source cannot be read now and what to do; None where it can be tried."""
        source = self.source
        if source.reader_missing is not None:
            return source.reader_missing
        if self.path is not None:
            return None if self.path.exists() else f"{self.path} does not exist: give a file or folder that does"
        if source.location.hub is not None or source.location.url is not None:
            return None
        if source.papers is None:
            return (
                f"it has no address that a program can read: fetch it from {source.url} and give its path in the recipe"
            )
        name = self.use.use if source.fetch is not None else None
        by_program = f"run curation fetch {name} --into DIR --accept-terms {name}, or " if name else ""
        return (
            f"it needs a folder of papers: {by_program}download them by hand from {source.url}; then give the folder as"
            " the source's path in the recipe, or as DIR/NAME with --archives DIR; or leave the source out"
        )


def find_source(use: SourceUse, directory: Path, archives: Path | None = None) -> FoundSource:
    """Read a source file by path, by a path relative to ``directory``, or by bundled name.

    Args:
        use: what the recipe says.
        directory: where relative paths of the recipe start.
        archives: a folder that has contest archives in folders of their names, for those that the recipe gives no path.

    Raises:
        InputError: the file is missing, no TOML, or says something that no source can say; names the key.
    """
    beside = bundled.resolve(use.use, directory)
    file = beside if beside.is_file() else bundled.find("sources", use.use, ".toml")
    source = _read(file)
    location = source.location
    given = use.path
    if given is None and archives is not None and source.papers is not None:
        fetched = directory / archives / source.name
        given = str(fetched.resolve()) if fetched.is_dir() else None
    base = file.parent if given is None else directory
    if use.name is not None and re.fullmatch(_NAME, use.name) is None:
        raise InputError(
            f"the source name {use.name!r} may only have small letters, digits, dots, - and _: mend the recipe"
        )
    changes: dict[str, object] = {"name": use.name or source.name}
    if given is not None:
        location = Location(path=given, files=location.files, format=location.format, beside=location.beside)
        # What lacks a reader is the original; a local copy is of a kind that there is one for.
        changes["reader_missing"] = None if source.columns is not None else source.reader_missing
        # Data under a name of its own only has the source's shape, not its number of rows.
        changes["expected_rows"] = source.expected_rows if use.name is None else None
    elif use.revision is not None:
        if location.hub is None:
            raise InputError(
                f"source {use.use!r} is not on the Hub and has no revisions: take revision out of the recipe"
            )
        location = location.model_copy(update={"revision": use.revision})
    # What the recipe says of the rows replaces the source's columns as well as its constants.
    said = {name: value for name in ("licence", "attribution") if (value := getattr(use, name)) is not None}
    changes.update(said)
    if said and source.columns is not None:
        changes["columns"] = source.columns.model_copy(update=dict.fromkeys(said))
    changes["location"] = location
    path = bundled.resolve(location.path, base) if location.path is not None else None
    return FoundSource(use, source.model_copy(update=changes), file, path)


def load_source(use: SourceUse, directory: Path) -> Source:
    """Return the source of `find_source`, with the recipe's changes.

    Raises:
        InputError: as `find_source`.
    """
    return find_source(use, directory).source


def _read(path: Path) -> Source:
    try:
        document = tomllib.loads(path.read_bytes().decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} is no TOML ({error}): mend the line") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    try:
        return Source.model_validate(document)
    except ValidationError as error:
        raise InputError(f"{path}: {first_fault(error, 'the source')}") from None
