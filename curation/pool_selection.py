"""`curation select`: message sets, stage 1 and stage 2 from a pool, and their export, without a model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from curation import storage
from curation.export import card
from curation.export.folder import CARD
from curation.export.stages import Chosen, write_manifest, write_stages
from curation.llm.places import PoolPath
from curation.llm.problem_rows import checked_checkers, take_in
from curation.progress import Reporter, Silent
from curation.recipe import ClusterSection
from curation.selection.by_recipe import select_by_recipe
from curation.selection.from_pool import Selected, Wanted, select_from_pool
from curation.selection.messages import STAGE_SCHEMA

EXPORT = "export"


@dataclass(frozen=True)
class Selection:
    """What `select` wrote.

    Attributes:
        selected: the tables and their counts.
        export: a directory that `datasets.load_dataset` reads, with the configs ``stage1``, ``stage2`` and ``rows``.
    """

    selected: Selected
    export: Path


def select(
    pool: PoolPath,
    out: Path,
    wanted: Wanted | None = None,
    *,
    problems: str | None = None,
    tests: Path | None = None,
    checkers: Path | None = None,
    title: str = "Selected from a response pool",
    reporter: Reporter | None = None,
) -> Selection:
    """Choose both stages from a pool and export them; the same pool and options give the same bytes.

    Args:
        pool: a response pool.
        out: the directory to write; replaced as a whole.
        wanted: which responses count, thresholds, sizes and seed.
        problems: a file, a folder or another address with the problems; those that the pool keeps by default.
        tests: a table of `records.TEST_SCHEMA` for code problems.
        checkers: a table of `records.CHECKER_SCHEMA`, the checkers that came with them.
        title: of the data-set card.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the pool or the problems cannot be used.
        OutsideError: the network failed, there is no such cluster, or programs were to be run and the machine isolates
            none.
    """
    told, wanted = reporter or Silent(), wanted or Wanted()
    with storage.atomic_directory(out) as directory:
        with TemporaryDirectory(prefix=storage.TEMPORARY_MARK, dir=directory) as place:
            taken = take_in(problems, Path(place), tests=tests) if problems is not None else None
            table = taken.problems if taken is not None else None
            own = checked_checkers(checkers)
            recipe = wanted.recipe
            if recipe is not None:
                if wanted.cluster is not None:
                    recipe = recipe.model_copy(update={"cluster": ClusterSection(address=wanted.cluster.address)})
                selected = select_by_recipe(
                    pool, directory, recipe, problems=table, tests=tests, checkers=own, reporter=told
                )
            else:
                selected = select_from_pool(
                    pool, directory, wanted, problems=table, tests=tests, checkers=own, reporter=told
                )
        stages = {
            name: storage.read_table(directory / f"{name}.parquet", STAGE_SCHEMA) for name in ("stage1", "stage2")
        }
        test_table = tests or directory / "tests.parquet"
        chosen = Chosen(
            stages,
            directory / "problems.parquet",
            test_table,
            directory / "grades.parquet",
            pool,
            wanted.stage1.marker,
            checkers,
        )
        export = directory / EXPORT
        export.mkdir()
        written = write_stages(chosen, export, told)
        licences = written.problems["licence"].unique().sort().to_list()
        counts = ", ".join(f"{name} {stage.height:,} rows" for name, stage in stages.items())
        text = (
            f"# {title}\n\nTriples of conversation, responses and ground truth, chosen from a response pool without "
            f"asking a model: {counts}. Responses by {', '.join(selected.models)}. Licences of the rows: "
            f"{'; '.join(licences) or 'none'}.\n"
        )
        storage.write_text(export / CARD, f"{card.metadata(written.configs, title, 'other')}\n{text}")
        write_manifest(title, wanted.seed, export, written.shards)
        (directory / "tests.parquet").unlink(missing_ok=True)
    return Selection(replace(selected, directory=out), out / EXPORT)
