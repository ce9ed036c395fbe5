"""The step ``export``: the stages as triples, their companion rows, the card and the manifest, in RUN/export."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl

from curation import bundled, funnel, storage
from curation.export import card
from curation.export.folder import CARD
from curation.export.rows import STAGES
from curation.export.stages import Chosen, Written, chosen_problems, write_manifest, write_stages
from curation.judging.weighing import weigh
from curation.recipe import Recipe
from curation.records import GRADE_SCHEMA, LEDGER_SCHEMA, PROBLEM_SCHEMA, TEST_SCHEMA
from curation.selection.messages import STAGE_SCHEMA
from curation.steps import DROPPED, KEPT, StepContext, StepReport

DIRECTORY = "export"


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
        """Return the recipe, which the card describes, without where the work is done, and the card's template."""
        template = bundled.folder("templates") / card.TEMPLATE
        return {
            "recipe": storage.sha256_text(recipe.model_dump_json(exclude={"directory", "cluster"})),
            "template": storage.sha256_file(template),
        }

    def execute(self, context: StepContext) -> StepReport:
        """Write RUN/export whole, or leave the one that is there.

        Raises:
            InputError: the pool or a table lacks something that was chosen.
        """
        stages = {name: storage.read_table(context.tables[name], STAGE_SCHEMA) for name in STAGES}
        chosen = Chosen(
            stages,
            context.tables[KEPT],
            context.tables["tests"],
            context.tables["pool_grades"],
            context.run_directory / "pool",
            context.recipe.stage1.marker,
            context.tables.get("checkers"),
            _rewards(context, stages),
        )
        home = context.run_directory / DIRECTORY
        with storage.atomic_directory(home) as directory:
            written = write_stages(chosen, directory, context.reporter)
            _write_card(context, directory, stages, written)
            write_manifest(context.recipe.name, context.recipe.seed, directory, written.shards)
        storage.write_table(context.output / f"{DROPPED}.parquet", pl.DataFrame(schema=LEDGER_SCHEMA), LEDGER_SCHEMA)
        counts = {name: stage.height for name, stage in stages.items()}
        return StepReport(findings={"Rows": counts}, published=(home,))


def _rewards(context: StepContext, stages: dict[str, pl.DataFrame]) -> Path | None:
    """Write the kill groups of what is exported, where the recipe asks for them."""
    most = context.recipe.export.kill_submissions
    if most == 0:
        return None
    table = context.output / "rewards.parquet"
    weigh(context, chosen_problems(stages, context.tables[KEPT]), most, table)
    return table


def _write_card(context: StepContext, directory: Path, stages: dict[str, pl.DataFrame], written: Written) -> None:
    counted = Counter(
        written.grades.get(message, "unknown")
        for stage in stages.values()
        for chosen in stage["messages"]
        for message in chosen
    )
    counts = funnel.build(
        context.earlier, {KEPT: context.tables[KEPT], **{name: context.tables[name] for name in STAGES}}
    )
    section = context.recipe.export
    text = card.text(context.recipe, context.earlier, counts, written.configs, written.problems, counted, context.limit)
    storage.write_text(directory / CARD, f"{card.metadata(written.configs, section.title, section.licence)}\n{text}")
