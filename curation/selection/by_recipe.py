"""What a rebuild of a recipe selects from a pool: its own steps pool, stage1 and stage2, without asking a model.

A response counts if its key is that of a request which the recipe makes: of its model and revision, prompts, samplers
and sample indexes. Whatever else the pool holds is not looked at, so that the tables of both stages are those of
`rebuild`, byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from curation import storage
from curation.errors import InputError
from curation.llm import places, pool_problems
from curation.llm.places import PoolPath
from curation.llm.pool import check_pool, open_pool
from curation.llm.proposer import FillPool
from curation.progress import Reporter
from curation.recipe import Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, TEST_SCHEMA
from curation.selection.from_pool import Selected, rules
from curation.selection.stage_one import StageOne
from curation.selection.stage_two import StageTwo
from curation.steps import DROPPED, KEPT, StepContext

_KEPT_TABLES = {
    "pool_grades": "grades",
    "pool_accuracy": "accuracy",
    "stage1": "stage1",
    "stage2": "stage2",
    "synthesis_grades": "synthesis_grades",
    "synthesis_accuracy": "synthesis_accuracy",
}


def select_by_recipe(
    pool: PoolPath,
    directory: Path,
    recipe: Recipe,
    *,
    problems: Path | None,
    tests: Path | None,
    checkers: Path | None,
    reporter: Reporter,
) -> Selected:
    """Choose the problems of both stages and draw their messages, as a rebuild does.

    Args:
        pool: a response pool.
        directory: an empty directory for the tables.
        recipe: with a section ``pool``.
        problems: a table of `records.PROBLEM_SCHEMA`; those that the pool keeps by default.
        tests: a table of `records.TEST_SCHEMA` for code problems.
        checkers: a table of `records.CHECKER_SCHEMA`, the checkers that came with them.
        reporter: where progress goes.

    Raises:
        InputError: there is no pool, or it holds nothing that the recipe asks for.
        OutsideError: programs were to be run, and the machine isolates none.
    """
    home = places.home(pool)
    check_pool(pool)
    known = storage.read_table(problems, PROBLEM_SCHEMA) if problems is not None else pool_problems.problems_of(pool)
    if known.is_empty():
        raise InputError(f"{pool} keeps no problems: give them with --problems")
    tables = {KEPT: directory / "problems.parquet", "tests": tests or directory / "tests.parquet"}
    tables |= {"checkers": checkers} if checkers is not None else {}
    storage.write_table(tables[KEPT], known, PROBLEM_SCHEMA)
    if tests is None:
        storage.write_table(tables["tests"], pl.DataFrame(schema=TEST_SCHEMA), TEST_SCHEMA)
    model = ""
    ledgers: dict[str, Path] = {}
    with TemporaryDirectory(prefix=storage.TEMPORARY_MARK, dir=directory) as place:
        for step in (FillPool(), StageOne(), StageTwo()):
            output = Path(place) / step.name
            output.mkdir()
            context = StepContext(recipe, tables, output, home, None, reporter, pool=pool, stored_only=True)
            report = step.execute(context)
            model = model or str(report.findings["Model"])
            written = {path.stem: path for path in output.glob("*.parquet")}
            ledgers[step.name] = written.pop(DROPPED)
            tables |= written
        # An earlier selection stays as it is where this one has nothing to choose from.
        responses, syntheses = (_stored(pool, tables[name]) for name in ("pool_grades", "synthesis_grades"))
        if not responses:
            raise InputError(
                f"{pool} holds no response that the recipe asks {model} for: model, revision, prompts and samplers "
                "must be those with which the pool was filled"
            )
        for stage in ("stage1", "stage2"):
            drops = pl.concat([storage.read_table(ledgers[name], LEDGER_SCHEMA) for name in (FillPool.name, stage)])
            storage.write_table(directory / f"{stage}_{DROPPED}.parquet", drops, LEDGER_SCHEMA)
        for table, name in _KEPT_TABLES.items():
            tables[table].replace(directory / f"{name}.parquet")
    return Selected(
        directory,
        (model,),
        known.height,
        responses,
        syntheses,
        _rows(directory / "stage1.parquet"),
        _rows(directory / "stage2.parquet"),
        _dropped(directory),
    )


def _stored(pool: PoolPath, grades: Path) -> int:
    asked = pl.read_parquet(grades, columns=["response_id"], glob=False)["response_id"]
    with open_pool(pool) as opened:
        return sum(response_id in opened for response_id in asked)


def _rows(table: Path) -> int:
    return pl.read_parquet(table, columns=["problem_id"], glob=False).height


def _dropped(directory: Path) -> Mapping[str, Mapping[str, int]]:
    return {stage: rules(directory / f"{stage}_{DROPPED}.parquet") for stage in ("stage1", "stage2")}
