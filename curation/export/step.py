"""The step ``export``: the stages as triples, their companion rows, the card and the manifest, in RUN/export."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import datasets
import polars as pl

from curation import bundled, funnel, storage
from curation.errors import InputError
from curation.export import card
from curation.export.folder import CARD, MANIFEST, Manifest, ManifestFile
from curation.export.rows import COMPANION_SCHEMA, STAGES, TRIPLE_SCHEMA, companion, triple
from curation.export.shards import Shard, write_split
from curation.problem_tests import tests_in_order
from curation.progress import tracked
from curation.recipe import Recipe
from curation.records import GRADE_SCHEMA, LEDGER_SCHEMA, PROBLEM_SCHEMA, TEST_SCHEMA
from curation.selection.messages import STAGE_SCHEMA
from curation.selection.texts import message_texts
from curation.steps import DROPPED, KEPT, StepContext, StepReport

DIRECTORY = "export"
_COMPANION = "rows"
_WHAT = {
    "stage1": "training triples of stage 1: conversation, responses, ground_truth",
    "stage2": "training triples of stage 2: conversation, responses, ground_truth",
    _COMPANION: "where each triple is from: problem_id, source, licence, the grade of each response",
}
_GRADES = pl.Schema({name: GRADE_SCHEMA[name] for name in ("response_id", "grade")})


class Export:
    """The step ``export``. Drops nothing."""

    name = "export"
    logic_version = 1
    needs = {
        KEPT: frozenset(PROBLEM_SCHEMA.names()),
        "tests": frozenset(TEST_SCHEMA.names()),
        "pool_grades": frozenset(GRADE_SCHEMA.names()),
        **{stage: frozenset(STAGE_SCHEMA.names()) for stage in STAGES},
    }
    writes: dict[str, frozenset[str]] = {}
    keeps = KEPT

    def configuration(self, recipe: Recipe) -> object:
        """Return the whole recipe, which the card describes, and the card's template."""
        template = bundled.folder("templates") / card.TEMPLATE
        return {
            "recipe": storage.sha256_text(recipe.model_dump_json(exclude={"directory"})),
            "template": storage.sha256_file(template),
        }

    def execute(self, context: StepContext) -> StepReport:
        """Write RUN/export whole, or leave the one that is there.

        Raises:
            InputError: the pool or a table lacks something that was chosen.
        """
        stages = {name: storage.read_table(context.tables[name], STAGE_SCHEMA) for name in STAGES}
        ids = pl.concat([stage["problem_id"] for stage in stages.values()]).unique().implode()
        problems = (
            pl.scan_parquet(context.tables[KEPT], glob=False)
            .filter(pl.col("problem_id").is_in(ids))
            .select(PROBLEM_SCHEMA.names())
            .collect(engine="streaming")
        )
        if problems.height < ids.explode().len():
            raise InputError(f"{context.tables[KEPT]} lacks problems that a stage chose: run again from the start")
        grades = _grades_of(context.tables["pool_grades"], stages)
        home = context.run_directory / DIRECTORY
        with storage.atomic_directory(home) as directory:
            shards = {name: _write_stage(context, directory, name, stages[name], problems) for name in STAGES}
            rows = _companions(stages, problems, grades)
            shards[_COMPANION] = write_split(directory / _COMPANION, "train", rows, COMPANION_SCHEMA)
            _write_card(context, directory, shards, problems, stages, grades)
            _write_manifest(context.recipe, directory, shards)
        storage.write_table(context.output / f"{DROPPED}.parquet", pl.DataFrame(schema=LEDGER_SCHEMA), LEDGER_SCHEMA)
        counts = {name: sum(shard.rows for shard in shards[name]) for name in STAGES}
        return StepReport(findings={"Rows": counts}, published=(home,))


def _grades_of(path: Path, stages: dict[str, pl.DataFrame]) -> dict[str, str]:
    wanted = frozenset(identifier for stage in stages.values() for identifier in stage["messages"].explode())
    found: dict[str, str] = {}
    for frame in storage.iterate_table(path, _GRADES):
        found.update(frame.filter(pl.col("response_id").is_in(wanted)).iter_rows())
    return found


def _write_stage(
    context: StepContext, directory: Path, name: str, stage: pl.DataFrame, problems: pl.DataFrame
) -> list[Shard]:
    with tempfile.TemporaryDirectory(prefix=storage.TEMPORARY_MARK, dir=context.output) as workspace:
        rows = _triples(context, stage, problems, Path(workspace))
        counted = tracked(rows, context.reporter, f"export {name}", stage.height, "rows")
        return write_split(directory / name, "train", counted, TRIPLE_SCHEMA)


def _triples(
    context: StepContext, stage: pl.DataFrame, problems: pl.DataFrame, workspace: Path
) -> Iterator[dict[str, object]]:
    places = {problem_id: place for place, problem_id in enumerate(problems["problem_id"])}
    for name in ("messages", "tests"):
        (workspace / name).mkdir()
    pool = context.run_directory / "pool"
    messages = message_texts(pool, stage, context.recipe.stage1.marker, workspace / "messages")
    references = stage.join(problems, on="problem_id", how="left", maintain_order="left")["tests"]
    tests = tests_in_order(context.tables["tests"], references, workspace / "tests")
    for problem_id, texts, cases in zip(stage["problem_id"], messages, tests, strict=True):
        yield triple(problems.row(places[problem_id], named=True), cases.to_dicts(), texts)


def _companions(
    stages: dict[str, pl.DataFrame], problems: pl.DataFrame, grades: dict[str, str]
) -> Iterator[dict[str, object]]:
    places = {problem_id: place for place, problem_id in enumerate(problems["problem_id"])}
    for name, stage in stages.items():
        for row, chosen in enumerate(stage.iter_rows(named=True)):
            problem = problems.row(places[chosen["problem_id"]], named=True)
            yield companion(
                name, row, problem, chosen, [grades.get(message, "unknown") for message in chosen["messages"]]
            )


def _write_card(
    context: StepContext,
    directory: Path,
    shards: dict[str, list[Shard]],
    problems: pl.DataFrame,
    stages: dict[str, pl.DataFrame],
    grades: dict[str, str],
) -> None:
    schemas = {_COMPANION: COMPANION_SCHEMA}
    configs = [
        card.Config(
            name=name,
            what=_WHAT[name],
            features=datasets.Features.from_arrow_schema(storage.arrow_schema(schemas.get(name, TRIPLE_SCHEMA))),
            rows=sum(shard.rows for shard in written),
            file_bytes=sum(shard.path.stat().st_size for shard in written),
            text_bytes=sum(shard.text_bytes for shard in written),
        )
        for name, written in shards.items()
    ]
    counted = Counter(
        grades.get(message, "unknown")
        for stage in stages.values()
        for chosen in stage["messages"]
        for message in chosen
    )
    counts = funnel.build(
        context.earlier, {KEPT: context.tables[KEPT], **{name: context.tables[name] for name in STAGES}}
    )
    section = context.recipe.export
    text = card.text(context.recipe, context.earlier, counts, configs, problems, counted, context.limit)
    storage.write_text(directory / CARD, f"{card.metadata(configs, section.title, section.licence)}\n{text}")


def _write_manifest(recipe: Recipe, directory: Path, shards: dict[str, list[Shard]]) -> None:
    rows = {shard.path: shard.rows for written in shards.values() for shard in written}
    files = [
        ManifestFile(
            path=path.relative_to(directory).as_posix(),
            bytes=path.stat().st_size,
            sha256=storage.sha256_file(path),
            rows=rows.get(path),
        )
        for path in [*rows, directory / CARD]
    ]
    manifest = Manifest(
        name=recipe.name,
        seed=recipe.seed,
        rows={name: sum(shard.rows for shard in written) for name, written in shards.items()},
        files=tuple(files),
    )
    storage.write_text(directory / MANIFEST, manifest.model_dump_json(indent=1) + "\n")
