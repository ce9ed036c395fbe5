"""A run directory: fingerprints, resume, the ledger's proof, and what a cut-off run leaves behind."""

from __future__ import annotations

import fcntl
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from curation import ledger, storage
from curation.errors import InputError, LedgerError, OutsideError
from curation.progress import Silent
from curation.recipe import Recipe, SourceUse
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, Problem, to_frame
from curation.run import check_chain, execute, open_run
from curation.steps import StepContext, StepReport

COLUMNS = {"problems": frozenset(PROBLEM_SCHEMA.names())}


def problem(number: int) -> Problem:
    return Problem(
        problem_id=f"own:{number}",
        domain="math",
        group="opensource_math",
        source="own",
        source_id=str(number),
        statement=f"What is {number} + {number}?",
        licence="CC0-1.0",
        answer=str(2 * number),
    )


@dataclass
class Source:
    count: int
    executed: list[str]
    name: str = "ingest"
    logic_version: int = 1
    keeps: str = "problems"

    def __post_init__(self) -> None:
        self.needs = {}
        self.writes = COLUMNS

    def configuration(self, recipe: Recipe) -> object:
        return {"count": self.count}

    def execute(self, context: StepContext) -> StepReport:
        self.executed.append(self.name)
        rows = to_frame([problem(number) for number in range(self.count)], PROBLEM_SCHEMA)
        storage.write_table(context.output / "problems.parquet", rows, PROBLEM_SCHEMA)
        storage.write_table(context.output / "ledger.parquet", ledger.to_frame([]), LEDGER_SCHEMA)
        return StepReport(added=None, findings={"count": self.count})


@dataclass
class Cut:
    """Drops the problems whose number is in ``numbers``; can lose, invent or double rows on request."""

    numbers: tuple[int, ...]
    executed: list[str]
    name: str = "cut"
    logic_version: int = 1
    keeps: str = "problems"
    fault: str = ""

    def __post_init__(self) -> None:
        self.needs = COLUMNS
        self.writes = COLUMNS

    def configuration(self, recipe: Recipe) -> object:
        return {"numbers": list(self.numbers)}

    def execute(self, context: StepContext) -> StepReport:
        self.executed.append(self.name)
        if self.fault == "server":
            (context.output / "half.parquet").write_bytes(b"half")
            raise OutsideError("the server is gone")
        rows = storage.read_table(context.tables["problems"], PROBLEM_SCHEMA)
        ids = [f"own:{number}" for number in self.numbers]
        kept = rows.filter(~pl.col("problem_id").is_in(ids))
        drops = [ledger.Drop(name, "own", self.name, "cut", "it was listed") for name in ids]
        if self.fault == "lose":
            drops = drops[1:]
        if self.fault == "invent":
            drops.append(ledger.Drop("own:99", "own", self.name, "cut", "it was never there"))
        if self.fault == "both":
            kept = rows
        if self.fault == "twice":
            drops += drops[:1]
        storage.write_table(context.output / "problems.parquet", kept, PROBLEM_SCHEMA)
        storage.write_table(context.output / "ledger.parquet", ledger.to_frame(drops), LEDGER_SCHEMA)
        return StepReport()


RECIPE = Recipe(name="own", sources=(SourceUse(use="x"),))


def go(directory: Path, executed: list[str], first: tuple[int, ...] = (1,), second: tuple[int, ...] = (2,), **faults):
    steps = (
        Source(6, executed),
        Cut(first, executed, "first"),
        Cut(second, executed, "second", **faults),
        Cut((5,), executed, "third"),
    )
    return steps, execute(steps, RECIPE, directory, Silent())


def test_an_unchanged_run_does_nothing_and_a_changed_step_reruns_with_all_that_follows(tmp_path: Path) -> None:
    executed: list[str] = []
    _, run = go(tmp_path, executed)
    assert executed == ["ingest", "first", "second", "third"]
    assert [(record.rows_in, record.kept, record.dropped) for record in run.records] == [
        (6, 6, 0), (6, 5, 1), (5, 4, 1), (4, 3, 1),
    ]  # fmt: skip
    executed.clear()
    go(tmp_path, executed)
    assert executed == []
    go(tmp_path, executed, second=(3,))
    assert executed == ["second", "third"]


def test_a_step_that_failed_is_done_again_and_leaves_nothing_half(tmp_path: Path) -> None:
    executed: list[str] = []
    with pytest.raises(OutsideError):
        go(tmp_path, executed, fault="server")
    assert not list(tmp_path.rglob(f"{storage.TEMPORARY_MARK}*"))
    assert not list(tmp_path.rglob("half.parquet"))
    executed.clear()
    steps, run = go(tmp_path, executed)
    assert executed == ["second", "third"]
    assert open_run(tmp_path, steps).records == run.records


def test_a_damaged_table_is_made_again(tmp_path: Path) -> None:
    executed: list[str] = []
    _, run = go(tmp_path, executed)
    run.table("first", "problems").write_bytes(b"PAR1 not any more")
    executed.clear()
    _, again = go(tmp_path, executed)
    assert executed == ["first", "second", "third"]
    assert again.records[-1].outputs == run.records[-1].outputs


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("lose", "1 rows are lost: own:2"),
        ("invent", "1 rows came from nowhere: own:99"),
        ("both", "both kept and dropped: own:2"),
        ("twice", "dropped more than once: own:2"),
    ],
)
def test_a_step_that_loses_or_invents_a_row_fails_the_run_by_name(tmp_path: Path, fault: str, sentence: str) -> None:
    with pytest.raises(LedgerError, match=sentence):
        go(tmp_path, [], fault=fault)


def test_a_column_that_no_earlier_step_writes_is_named_before_the_start(tmp_path: Path) -> None:
    late = Cut((), [], "late")
    late.needs = {"votes": frozenset({"vote"})}
    with pytest.raises(InputError, match="step late needs column 'vote' of table 'votes'"):
        check_chain((Source(1, []), late))


def test_until_stops_and_the_rest_follows_later(tmp_path: Path) -> None:
    executed: list[str] = []
    steps = (Source(3, executed), Cut((1,), executed, "first"))
    with pytest.raises(InputError, match="no such step, choose one of ingest, first"):
        execute(steps, RECIPE, tmp_path, Silent(), until="frist")
    execute(steps, RECIPE, tmp_path, Silent(), until="ingest")
    assert executed == ["ingest"]
    execute(steps, RECIPE, tmp_path, Silent())
    assert executed == ["ingest", "first"]


def test_two_processes_cannot_work_on_one_run(tmp_path: Path) -> None:
    with (tmp_path / "run.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(OutsideError, match="another process works on"):
            execute((Source(1, []),), RECIPE, tmp_path, Silent())


def test_same_rows_same_bytes_however_they_were_split(tmp_path: Path) -> None:
    rows = to_frame([problem(number) for number in range(1_000)], PROBLEM_SCHEMA)
    storage.write_table(tmp_path / "whole.parquet", rows, PROBLEM_SCHEMA)
    storage.write_table(
        tmp_path / "split.parquet", (rows[place : place + 7] for place in range(0, 1_000, 7)), PROBLEM_SCHEMA
    )
    assert (tmp_path / "whole.parquet").read_bytes() == (tmp_path / "split.parquet").read_bytes()
