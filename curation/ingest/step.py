"""The step ``ingest``: reads the recipe's sources into problems, tests and submissions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import polars as pl

from curation import records, storage
from curation.errors import CurationError, InputError
from curation.ingest.catalog import FoundSource, Location, find_source
from curation.ingest.files import read_place
from curation.ingest.place import Place, hub_commit, hub_place, local_place, url_place
from curation.ingest.problems import MappedRow, RowMapper
from curation.ingest.readers import BadRow, Rows
from curation.ingest.revisions import LOCK, RevisionLock
from curation.ingest.rows_beside import with_rows_beside
from curation.ingest.tables import IngestTables, open_tables
from curation.ledger import Drop
from curation.progress import Reporter
from curation.recipe import Recipe
from curation.steps import KEPT, StepContext, StepReport

SOURCE_SCHEMA = pl.Schema(
    {
        "source": pl.String,
        "title": pl.String,
        "location": pl.String,
        "revision": pl.String,
        "licence": pl.String,
        "attribution": pl.String,
        "url": pl.String,
        "rows_read": pl.Int64,
        "kept": pl.Int64,
        "dropped": pl.Int64,
        "expected_rows": pl.Int64,
    }
)
"""A row for each source: ``revision`` is the commit that was read, ``expected_rows`` what its publisher counts."""

_ROWS_COUNTED = 500
_NOTICES_SHOWN = 12


class Ingest:
    """Reads every source of the recipe; each of their rows becomes one problem or one entry of the ledger."""

    name = "ingest"
    logic_version = 2
    keeps = KEPT
    needs: dict[str, frozenset[str]] = {}
    writes = {
        KEPT: frozenset(records.PROBLEM_SCHEMA.names()),
        "tests": frozenset(records.TEST_SCHEMA.names()),
        "submissions": frozenset(records.SUBMISSION_SCHEMA.names()),
        "checkers": frozenset(records.CHECKER_SCHEMA.names()),
        "sources": frozenset(SOURCE_SCHEMA.names()),
    }

    def configuration(self, recipe: Recipe) -> object:
        """Return each source's use with the hashes of its file and of the local data it names.

        What stands at addresses is not looked at here, so that a run goes on without a network; see `is_current`.
        """
        sources = [
            {
                "use": found.use.model_dump(mode="json"),
                "file": storage.sha256_file(found.file),
                "data": _hashes(found),
            }
            for found in _found_sources(recipe)
        ]
        return {"row_counts": recipe.ingest.row_counts, "sources": sources}

    def is_current(self, recipe: Recipe, run_directory: Path) -> bool:
        """Return whether the addresses still hold what was read; where one cannot be reached, it is taken to."""
        lock = RevisionLock(run_directory)
        return all(_is_as_read(found.source.location, lock) for found in _found_sources(recipe) if found.path is None)

    def execute(self, context: StepContext) -> StepReport:
        """Read the sources one after the other, in the recipe's order.

        Raises:
            InputError: a source has no reader yet, its data cannot be used, or it has another number of rows than
                published and the recipe does not allow that.
            OutsideError: the network failed.
        """
        sources = _found_sources(context.recipe)
        for found in sources:
            _refuse_unreadable(found)
        lock = RevisionLock(context.run_directory)
        done: list[_Read] = []
        with open_tables(context.output) as tables:
            for found in sources:
                caps = [cap for cap in (found.use.limit, context.limit) if cap is not None]
                place = _place(found, lock, context.reporter, streaming=bool(caps))
                beside = _place_beside(found, place)
                done.append(_read_source(found, place, beside, min(caps, default=None), tables, context.reporter))
                _check_count(done[-1], context.recipe, context.reporter)
        rows = pl.DataFrame([read.row() for read in done], schema=SOURCE_SCHEMA, orient="row")
        storage.write_table(context.output / "sources.parquet", rows, SOURCE_SCHEMA)
        return StepReport(added=None, findings=_findings(done))


@dataclass
class _Read:
    """A source that was read."""

    found: FoundSource
    place: Place
    limit: int | None
    kept: int = 0
    dropped: int = 0
    repeated: int = 0
    notices: Counter[str] = field(default_factory=Counter)

    def other_count(self) -> str | None:
        """Return how many rows there are and how many there should be; None where that is the same or not known."""
        rows, expected = self.kept + self.dropped, self.found.source.expected_rows
        if self.limit is not None or expected in (None, rows):
            return None
        return f"{rows:,} rows read, {expected:,} published"

    def row(self) -> dict[str, object]:
        source = self.found.source
        return {
            "source": source.name,
            "title": source.title,
            "location": self.place.address,
            "revision": self.place.revision,
            "licence": source.licence,
            "attribution": source.attribution,
            "url": source.url,
            "rows_read": self.kept + self.dropped,
            "kept": self.kept,
            "dropped": self.dropped,
            "expected_rows": source.expected_rows,
        }


class _Identifiers:
    """Gives each row of a source an identifier of its own."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: Counter[str] = Counter()

    def own(self, wanted: str) -> str:
        """Return ``wanted``, or with ``#2``, ``#3``, ... behind it where an earlier row has it."""
        identifier = wanted
        while identifier in self._taken:
            self._next[wanted] += 1
            identifier = f"{wanted}#{self._next[wanted] + 1}"
        self._taken.add(identifier)
        return identifier


def _found_sources(recipe: Recipe) -> list[FoundSource]:
    sources = [find_source(use, recipe.directory, recipe.archives) for use in recipe.sources]
    names = [found.source.name for found in sources]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two sources of the recipe are called {twice!r}: give one of them a name")
    return sources


def _refuse_unreadable(found: FoundSource) -> None:
    obstacle = found.obstacle()
    if obstacle is not None:
        raise InputError(f"source {found.source.name!r} cannot be read: {obstacle}")


def _hashes(found: FoundSource) -> dict[str, str] | None:
    if found.path is None or found.source.reader_missing is not None:
        return None
    location = found.source.location
    globs = location.files if location.beside is None or not location.files else (*location.files, location.beside.glob)
    place = local_place(found.path, str(found.path), globs)
    return {
        file.name: storage.sha256_file(place.folder / file.name if place.folder else found.path) for file in place.files
    }


def _place(found: FoundSource, lock: RevisionLock, reporter: Reporter, *, streaming: bool) -> Place:
    location = found.source.location
    if found.path is not None:
        return local_place(found.path, location.path or str(found.path), location.files)
    if location.hub is not None:
        named = location.revision or "main"
        wanted = lock.revision(location.hub, named)
        place = hub_place(location.hub, wanted, location.files, streaming=streaming)
        read = place.revision or wanted
        lock.keep(location.hub, named, read)
        if read != named:
            newest = read if wanted == named else hub_commit(location.hub, named)
            reporter.note(_of_branch(found.source.name, named, read, newest, first=wanted == named))
        return place
    place = url_place(location.url or found.source.url, location.files)
    lock.keep_mark(place.address, place.mark or "")
    return place


def _of_branch(name: str, named: str, read: str, newest: str | None, *, first: bool) -> str:
    """Say which commit of a branch is read, and whether the branch has moved since the run read it first."""
    if first:
        return f"{name}: {named} is no commit; it stands at {read} now, which this run keeps to ({LOCK})"
    if newest in (None, read):
        return f"{name}: reading {read}, as {named} was when this run read it first"
    return (
        f"warning: {name}: {named} has moved to {newest} since this run read {read}, which it keeps to: begin another"
        f" run to read the new one, or delete {LOCK}"
    )


def _place_beside(found: FoundSource, place: Place) -> Place | None:
    """Return where the files with the rest of the rows are: they can be hundreds of gigabytes, so none is copied."""
    location = found.source.location
    if location.beside is None:
        return None
    globs = (location.beside.glob,)
    if found.path is not None:
        return local_place(found.path, place.address, globs)
    if location.hub is not None:
        return hub_place(location.hub, place.revision or "main", globs, streaming=True)
    return url_place(location.url or found.source.url, globs)


def _is_as_read(location: Location, lock: RevisionLock) -> bool:
    mark = None if location.url is None else lock.mark(location.url)
    if mark is None:
        return True
    try:
        return url_place(location.url or "", location.files).mark == mark
    except CurationError:
        return True


def _check_count(read: _Read, recipe: Recipe, reporter: Reporter) -> None:
    """Tell of a whole source with another number of rows than its publisher counts."""
    difference = read.other_count()
    if difference is None:
        return
    name = read.found.source.name
    if recipe.ingest.row_counts == "fail":
        raise InputError(
            f"source {name!r}: {difference}: fetch it again, give the revision that was counted, or set [ingest]"
            ' row_counts = "report"'
        )
    reporter.note(f"warning: {name}: {difference}")


def _read_source(
    found: FoundSource,
    place: Place,
    beside: Place | None,
    limit: int | None,
    tables: IngestTables,
    reporter: Reporter,
) -> _Read:
    source = found.source
    read = _Read(found, place, limit)
    mapper, identifiers = RowMapper(source), _Identifiers()
    rows: Rows = islice(read_place(place, source.location.format, source.keys(), source.papers), limit)
    if source.location.beside is not None and beside is not None:
        rows = with_rows_beside(rows, source.location.beside, beside)
    sizes = [size for size in (limit, source.expected_rows) if size is not None]
    with reporter.task(f"reading {source.name}", min(sizes, default=None), "rows") as task:
        for number, row in enumerate(rows, start=1):
            mapped = row if isinstance(row, BadRow) else mapper.map_row(row, number)
            _store(mapped, read, identifiers, tables)
            if number % _ROWS_COUNTED == 0:
                task.advance(_ROWS_COUNTED)
        task.advance((read.kept + read.dropped) % _ROWS_COUNTED)
    if not read.kept + read.dropped:
        raise InputError(f"{place.address} holds no rows: give source {source.name!r} data, or leave it out")
    mapper.check_columns(place.address)
    read.notices = mapper.notices
    return read


def _store(mapped: MappedRow | BadRow, read: _Read, identifiers: _Identifiers, tables: IngestTables) -> None:
    source = read.found.source.name
    if isinstance(mapped, BadRow):
        problem_id = identifiers.own(f"{source}:{mapped.location}")
        evidence = dict(mapped.evidence)
        tables.drop(Drop(problem_id, source, Ingest.name, mapped.rule, mapped.reason, evidence, mapped.location))
        read.dropped += 1
        return
    problem_id = identifiers.own(mapped.problem.problem_id)
    if problem_id != mapped.problem.problem_id:
        read.repeated += 1
        mapped = mapped.renamed(problem_id)
    tables.keep(mapped)
    read.kept += 1


def _findings(done: Sequence[_Read]) -> dict[str, object]:
    notices = [
        f"{read.found.source.name}: {count:,} rows with {notice}"
        for read in done
        for notice, count in sorted(read.notices.items(), key=lambda item: (-item[1], item[0]))[:_NOTICES_SHOWN]
        if count
    ]
    other_counts = {read.found.source.name: count for read in done if (count := read.other_count()) is not None}
    findings: dict[str, object] = {
        "Revisions": {read.found.source.name: read.place.revision for read in done if read.place.revision},
        "Rows otherwise than published": other_counts,
        "Identifiers given twice, told apart by #2, #3, ...": {
            read.found.source.name: read.repeated for read in done if read.repeated
        },
        "Noticed": notices,
    }
    return {title: found for title, found in findings.items() if found}
