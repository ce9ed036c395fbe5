"""A run directory: the steps in order, their fingerprints, resume after any interruption, and the manifest.

RUN/run.json                the manifest: recipe, versions, seeds, fingerprints, hashes
RUN/steps/05-vote/          the tables one step wrote, among them its ledger
RUN/steps/05-vote.json      the step's record; written last, so a step without one did not finish
RUN/pool/                   the response pool, which outlives every step
RUN/export/, RUN/report.html
"""

from __future__ import annotations

import fcntl
import importlib.metadata
import platform
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, ValidationError

from curation import storage
from curation.errors import InputError, OutsideError
from curation.json_reader import dumps, loads
from curation.ledger import reconcile
from curation.progress import Reporter
from curation.recipe import Recipe
from curation.steps import DROPPED, KEPT, EarlierStep, ReadsAddresses, Step, StepContext, StepReport

MANIFEST = "run.json"
_STEPS = "steps"
_LOCK = "run.lock"
_PACKAGES = ("curation", "polars", "pyarrow", "datasets", "huggingface-hub", "math-verify", "sympy")


class StepRecord(BaseModel):
    """What is known of a finished step."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    fingerprint: str
    rows_in: int
    kept: int
    dropped: int
    outputs: dict[str, str]
    """SHA-256 of each table, by table name."""
    published: dict[str, int]
    """Size in bytes of each file that the step put into the run directory, by path relative to it."""
    findings: dict[str, object]
    seconds: float


@dataclass(frozen=True)
class Run:
    """A run directory as it stands.

    Attributes:
        directory: the run directory.
        recipe: what the run was asked to do.
        names: the step names in order.
        records: the finished steps' records, in order, up to the first unfinished one.
    """

    directory: Path
    recipe: Recipe
    names: tuple[str, ...]
    records: tuple[StepRecord, ...]

    def table(self, step: str, table: str) -> Path:
        """Return where a step's table lies, whether or not it is there."""
        return step_directory(self.directory, self.names.index(step), step) / f"{table}.parquet"

    def newest(self, table: str) -> Path | None:
        """Return the newest version of a table among the finished steps; None where no step wrote it."""
        for record in reversed(self.records):
            if table in record.outputs:
                return self.table(record.name, table)
        return None

    def earlier(self) -> tuple[EarlierStep, ...]:
        """Return the finished steps as a later step sees them."""
        return tuple(_earlier(self.directory, place, record) for place, record in enumerate(self.records))


def step_directory(run_directory: Path, index: int, name: str) -> Path:
    """Return the directory of the step at a 0-based place."""
    return run_directory / _STEPS / f"{index + 1:02d}-{name}"


def check_chain(steps: Sequence[Step]) -> None:
    """Check that every column a step needs is written by an earlier one.

    Raises:
        InputError: a column is missing; names step, table and column.
    """
    columns: dict[str, frozenset[str]] = {}
    for step in steps:
        for table, needed in step.needs.items():
            missing = sorted(needed - columns.get(table, frozenset()))
            if missing:
                raise InputError(
                    f"step {step.name} needs column {missing[0]!r} of table {table!r}, which no earlier step writes: "
                    "change the order of the steps"
                )
        columns.update(step.writes)


def fingerprints(steps: Sequence[Step], recipe: Recipe, limit: int | None) -> list[str]:
    """Return each step's fingerprint: its configuration, its logic's version and the fingerprint of the step before."""
    chain: list[str] = []
    for step in steps:
        parts = {
            "step": step.name,
            "logic_version": str(step.logic_version),
            "configuration": step.configuration(recipe),
            "before": chain[-1] if chain else {"seed": str(recipe.seed), "limit": limit},
        }
        chain.append(storage.sha256_text(dumps(parts)))
    return chain


def open_run(directory: Path, steps: Sequence[Step]) -> Run:
    """Read the records of a run.

    Raises:
        InputError: there is no run in the directory, or a table of a finished step is gone or damaged.
    """
    recipe = _recipe_of(directory)
    names = tuple(step.name for step in steps)
    records: list[StepRecord] = []
    for index, name in enumerate(names):
        record = _read_record(directory, index, name)
        if record is None:
            break
        for table in record.outputs:
            _check_table(step_directory(directory, index, name) / f"{table}.parquet")
        records.append(record)
    return Run(directory, recipe, names, tuple(records))


def _check_table(path: Path) -> None:
    try:
        pq.read_metadata(path)
    except (OSError, pa.ArrowException) as error:
        reason = "it is gone" if isinstance(error, FileNotFoundError) else "it is damaged or cut off"
        raise InputError(f"{path} cannot be read ({reason}): run `curation rebuild` on the run again") from None


def execute(
    steps: Sequence[Step],
    recipe: Recipe,
    directory: Path,
    reporter: Reporter,
    *,
    until: str | None = None,
    limit: int | None = None,
) -> Run:
    """Bring a run to its end or to a step: skip what is unchanged, rerun what changed and all that follows.

    Args:
        steps: all steps in order.
        recipe: what to do.
        directory: the run directory; made where it does not exist.
        reporter: where progress goes.
        until: the last step to do.
        limit: rows read of each source at most.

    Raises:
        InputError: the chain does not fit, or ``until`` is no step.
        OutsideError: another process works on the directory, or a server or tool failed.
        LedgerError: a step lost or invented rows.
    """
    names = [step.name for step in steps]
    if until is not None and until not in names:
        raise InputError(f"--until {until}: there is no such step, choose one of {', '.join(names)}")
    check_chain(steps)
    with _exclusive(directory):
        storage.remove_leftovers(directory)
        prints = fingerprints(steps, recipe, limit)
        last = names.index(until) if until is not None else len(steps) - 1
        records: list[StepRecord] = []
        tables: dict[str, Path] = {}
        changed = False
        _write_manifest(directory, recipe, limit, records)
        for index, step in enumerate(steps[: last + 1]):
            record = None if changed else _read_record(directory, index, step.name)
            if record is not None and not _still_good(directory, index, record, prints[index]):
                record = None
            if record is not None and isinstance(step, ReadsAddresses) and not step.is_current(recipe, directory):
                reporter.note(f"{step.name}: what was read from an address has changed there")
                record = None
            if record is None:
                if not changed:
                    _forget(directory, steps, index)
                changed = True
                earlier = tuple(_earlier(directory, place, done) for place, done in enumerate(records))
                record = _execute_step(index, step, prints[index], recipe, directory, tables, limit, reporter, earlier)
            else:
                reporter.note(f"{step.name}: unchanged, {record.kept:,} of {record.rows_in:,} rows kept")
            records.append(record)
            for table in record.outputs:
                tables[table] = step_directory(directory, index, step.name) / f"{table}.parquet"
            _write_manifest(directory, recipe, limit, records)
    return Run(directory, recipe, tuple(names), tuple(records))


def _forget(directory: Path, steps: Sequence[Step], first: int) -> None:
    for index in range(first, len(steps)):
        _record_path(directory, index, steps[index].name).unlink(missing_ok=True)


def _execute_step(
    index: int,
    step: Step,
    fingerprint: str,
    recipe: Recipe,
    directory: Path,
    tables: dict[str, Path],
    limit: int | None,
    reporter: Reporter,
    earlier: tuple[EarlierStep, ...],
) -> StepRecord:
    home = step_directory(directory, index, step.name)
    reporter.note(f"{step.name} ...")
    began = time.monotonic()
    with storage.atomic_directory(home) as output:
        context = StepContext(recipe, dict(tables), output, directory, limit, reporter, earlier)
        report = step.execute(context)
        rows = _reconcile_step(step, output, tables, report)
        outputs = {path.stem: storage.sha256_file(path) for path in sorted(output.glob("*.parquet"))}
    record = StepRecord(
        name=step.name,
        fingerprint=fingerprint,
        rows_in=rows[0],
        kept=rows[1],
        dropped=rows[2],
        outputs=outputs,
        published=_published(directory, report),
        findings=dict(report.findings),
        seconds=round(time.monotonic() - began, 3),
    )
    storage.write_text(_record_path(directory, index, step.name), record.model_dump_json(indent=1) + "\n")
    reporter.note(f"{step.name}: {record.kept:,} of {record.rows_in:,} rows kept, {record.seconds:.1f} s")
    return record


def _reconcile_step(step: Step, output: Path, tables: dict[str, Path], report: StepReport) -> tuple[int, int, int]:
    ledger = output / f"{DROPPED}.parquet"
    kept = output / f"{step.keeps}.parquet"
    if not kept.is_file():
        kept = tables[step.keeps]
    return reconcile(step.name, tables.get(KEPT), kept, ledger, report.added)


def _published(directory: Path, report: StepReport) -> dict[str, int]:
    files: dict[str, int] = {}
    for place in report.published:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file():
                files[path.relative_to(directory).as_posix()] = path.stat().st_size
    return files


def _recipe_of(directory: Path) -> Recipe:
    path = directory / MANIFEST
    try:
        manifest = loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{directory} holds no run: give the directory that `curation rebuild --run` wrote") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read ({error}): run `curation rebuild` on it again") from None
    recipe = manifest.get("recipe") if isinstance(manifest, dict) else None
    try:
        return Recipe.model_validate(recipe)
    except ValidationError:
        raise InputError(f"{path} was written by another version: run `curation rebuild` on it again") from None


def _earlier(directory: Path, index: int, record: StepRecord) -> EarlierStep:
    ledger = step_directory(directory, index, record.name) / f"{DROPPED}.parquet"
    return EarlierStep(record.name, record.rows_in, record.kept, record.dropped, ledger, record.findings)


def _record_path(directory: Path, index: int, name: str) -> Path:
    home = step_directory(directory, index, name)
    return home.with_name(home.name + ".json")


def _read_record(directory: Path, index: int, name: str) -> StepRecord | None:
    try:
        return StepRecord.model_validate_json(_record_path(directory, index, name).read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError:
        # A record of another version: the step is done again.
        return None


def _still_good(directory: Path, index: int, record: StepRecord, fingerprint: str) -> bool:
    if record.fingerprint != fingerprint:
        return False
    home = step_directory(directory, index, record.name)
    for table, digest in record.outputs.items():
        path = home / f"{table}.parquet"
        if not path.is_file() or storage.sha256_file(path) != digest:
            return False
    return all(
        (directory / name).is_file() and (directory / name).stat().st_size == size
        for name, size in record.published.items()
    )


@contextmanager
def _exclusive(directory: Path) -> Iterator[None]:
    try:
        storage.on_this_machine(directory).mkdir(parents=True, exist_ok=True)
        lock = (directory / _LOCK).open("wb")
    except OSError as error:
        raise InputError(f"--run {directory}: cannot be written ({error.strerror}): choose another directory") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutsideError(f"another process works on {directory}: wait for it or give another --run") from None
        yield


def _write_manifest(directory: Path, recipe: Recipe, limit: int | None, records: list[StepRecord]) -> None:
    manifest = {
        "program": {name: importlib.metadata.version(name) for name in _PACKAGES},
        "python": platform.python_version(),
        "recipe": recipe.model_dump(mode="json", exclude={"directory", "cluster"}),
        "seed": recipe.seed,
        "limit": limit,
        "steps": [record.model_dump(mode="json") for record in records],
    }
    storage.write_text(directory / MANIFEST, dumps(manifest) + "\n")
