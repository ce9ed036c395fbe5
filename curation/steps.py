"""What a step of a run is. `curation.run` puts the steps in order; each step's package says what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from upath import UPath

from curation.cluster import Cluster
from curation.cluster import of as cluster_of
from curation.progress import Reporter
from curation.recipe import Recipe

KEPT = "problems"
"""The name of the problem table that every step reads and writes."""

DROPPED = "ledger"
"""The name of the ledger that every step writes."""


@dataclass(frozen=True)
class EarlierStep:
    """What a finished step left: its counts, its ledger and its findings, for the card and the report."""

    name: str
    rows_in: int
    kept: int
    dropped: int
    ledger: Path
    findings: Mapping[str, object]


@dataclass(frozen=True)
class StepContext:
    """What a step is given.

    Attributes:
        recipe: the run's recipe.
        tables: the newest version of each table that earlier steps wrote, by name, as Parquet files.
        output: an empty directory; the step writes ``ledger.parquet`` and its tables there, ``problems.parquet`` if it
            changes or drops problems. A table it does not write passes on as it was.
        run_directory: the run, for what outlives a step (the response pool, the judge's results).
        limit: read at most so many rows of each source.
        reporter: where progress goes.
        earlier: the steps before this one, in order.
        pool: the response pool; that of the run where None.
        stored_only: whether no model is asked, so that a response which the pool lacks is a failure.
    """

    recipe: Recipe
    tables: Mapping[str, Path]
    output: Path
    run_directory: Path
    limit: int | None
    reporter: Reporter
    earlier: tuple[EarlierStep, ...] = ()
    pool: Path | UPath | None = None
    stored_only: bool = False

    @property
    def responses(self) -> Path | UPath:
        """The response pool."""
        return self.pool if self.pool is not None else self.run_directory / "pool"

    @property
    def cluster(self) -> Cluster | None:
        """The recipe's cluster; None where the processes of this machine do the work."""
        return cluster_of(self.recipe)


@dataclass(frozen=True)
class StepReport:
    """What a step tells about itself, beyond its tables.

    Attributes:
        added: identifiers of problems that the step made; None for a step that starts from outside.
        findings: numbers and sentences for the report, by title; JSON kinds only and the same on every run.
        published: files and directories the step put into the run directory itself, for the user.
    """

    added: frozenset[str] | None = frozenset()
    findings: Mapping[str, object] = field(default_factory=dict)
    published: tuple[Path, ...] = ()


@runtime_checkable
class ReadsAddresses(Protocol):
    """A step whose inputs lie where they can change without a word in its configuration."""

    def is_current(self, recipe: Recipe, run_directory: Path) -> bool:
        """Return whether what the step read in this run directory is what it would read now."""


class Step(Protocol):
    """One part of a run. Implementations hold no state between calls; what is a property here is a class constant."""

    @property
    def name(self) -> str:
        """Its name in the recipe, the run directory and the ledger."""

    @property
    def logic_version(self) -> int:
        """Raised whenever the step's logic changes what it writes."""

    @property
    def needs(self) -> Mapping[str, frozenset[str]]:
        """The columns it reads, by table."""

    @property
    def writes(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table it writes, by table, without the ledger."""

    @property
    def keeps(self) -> str:
        """The table whose ``problem_id`` says who went on: ``problems``, or ``stage1`` for a step that selects."""

    def configuration(self, recipe: Recipe) -> object:
        """Return everything of the recipe that changes the step's output, as JSON kinds.

        Contents of files that the recipe names (templates, benchmarks, sources, own rules) belong in it as hashes.
        """

    def execute(self, context: StepContext) -> StepReport:
        """Do the work.

        Raises:
            InputError: the recipe or a file it names cannot be used.
            OutsideError: a server or tool failed; what was finished is stored and the step can be run again.
        """
