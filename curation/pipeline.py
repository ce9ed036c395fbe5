"""The steps of `rebuild` in their order, and the whole run as one function."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from curation import recipe as recipes
from curation import run as runs
from curation.arithmetic import Arithmetic
from curation.contamination.step import Decontaminate
from curation.dedup import Deduplicate
from curation.errors import InputError
from curation.export.step import Export
from curation.filters.step import Filter
from curation.funnel import SELECTIONS, Funnel, build
from curation.ingest.step import Ingest
from curation.judging.step import Judge
from curation.llm.proposer import FillPool, Propose
from curation.llm.votes import Vote
from curation.llm.writer import ModelWriterService
from curation.progress import Reporter, Silent
from curation.recipe import Recipe
from curation.report.run_report import write_report
from curation.run import Run
from curation.selection import StageOne, StageTwo
from curation.steps import KEPT, Step


def steps() -> tuple[Step, ...]:
    """Return all steps of a rebuild in their order."""
    return (
        Ingest(),
        Filter(),
        Deduplicate(),
        Decontaminate(),
        Arithmetic(),
        Vote(),
        Judge(ModelWriterService()),
        Propose(),
        FillPool(),
        StageOne(),
        StageTwo(),
        Export(),
    )


@dataclass(frozen=True)
class Rebuilt:
    """A run that went to its end or to ``until``.

    Attributes:
        run: the run directory and its records.
        funnel: rows in, kept and dropped.
        export: the exported data set; None where the run stopped before.
        report: the HTML report.
    """

    run: Run
    funnel: Funnel
    export: Path | None
    report: Path


def rebuild(
    recipe: str | Path | Recipe,
    run: str | Path,
    *,
    until: str | None = None,
    limit: int | None = None,
    reporter: Reporter | None = None,
) -> Rebuilt:
    """Build a data set from its sources to the export; go on where an earlier call was cut off.

    Args:
        recipe: a recipe, its path, or the name of a bundled one.
        run: the run directory.
        until: the last step to do.
        limit: rows read of each source at most.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the recipe or an input cannot be used.
        OutsideError: a server or tool failed; the same call resumes.
        LedgerError: a step lost or invented rows.
    """
    if not str(run):
        raise InputError("the run directory has no name: give one, or . for the working directory")
    wanted = recipe if isinstance(recipe, Recipe) else recipes.load(str(recipe))
    done = runs.execute(steps(), wanted, Path(run), reporter or Silent(), until=until, limit=limit)
    report = write_report(done)
    exported = any(record.name == Export.name for record in done.records)
    return Rebuilt(done, funnel_of(done), done.directory / "export" if exported else None, report)


def funnel_of(run: Run) -> Funnel:
    """Count the rows of a run's finished steps."""
    found = {name: run.newest(name) for name in (KEPT, *SELECTIONS)}
    return build(run.earlier(), {name: path for name, path in found.items() if path is not None})


def open_run(directory: str | Path) -> Run:
    """Open a run directory that `rebuild` wrote.

    Raises:
        InputError: there is no run in it.
    """
    return runs.open_run(Path(directory), steps())
