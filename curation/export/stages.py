"""Writes stages as a data set: the triples of each, their companion rows, and the manifest."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import datasets
import polars as pl

from curation import storage
from curation.errors import InputError
from curation.export import card
from curation.export.folder import CARD, MANIFEST, Manifest, ManifestFile
from curation.export.rows import COMPANION_SCHEMA, TRIPLE_SCHEMA, companion, triple
from curation.export.shards import Shard, write_split
from curation.judging.named_checkers import read_checkers
from curation.judging.weighing import read_rewards_table
from curation.llm.places import PoolPath
from curation.problem_tests import tests_in_order
from curation.progress import Reporter, tracked
from curation.records import GRADE_SCHEMA, PROBLEM_SCHEMA
from curation.selection.texts import message_texts

_COMPANION = "rows"
_WHAT = {
    "stage1": "training triples of stage 1: conversation, responses, ground_truth",
    "stage2": "training triples of stage 2: conversation, responses, ground_truth",
    _COMPANION: "where each triple is from: problem_id, source, licence, the grade of each response",
}
_GRADES = pl.Schema({name: GRADE_SCHEMA[name] for name in ("response_id", "grade")})


@dataclass(frozen=True)
class Chosen:
    """What is exported.

    Attributes:
        stages: by name, of `selection.messages.STAGE_SCHEMA`.
        problems: a table of `records.PROBLEM_SCHEMA` that holds every chosen problem.
        tests: a table of `records.TEST_SCHEMA`.
        grades: a table of `records.GRADE_SCHEMA` with the grades of the messages.
        pool: the response pool.
        marker: a message is what follows its last occurrence in a response.
        checkers: a table of `records.CHECKER_SCHEMA`; None for none.
        rewards: a table of `judging.weighing.REWARD_SCHEMA`; None for none.
    """

    stages: Mapping[str, pl.DataFrame]
    problems: Path
    tests: Path
    grades: Path
    pool: PoolPath
    marker: str
    checkers: Path | None = None
    rewards: Path | None = None


@dataclass(frozen=True)
class Written:
    """What was written.

    Attributes:
        shards: the Parquet files of each config.
        configs: the configs as a card declares them.
        problems: the exported problems, of `records.PROBLEM_SCHEMA`.
        grades: the grade of each exported response, by ``response_id``.
    """

    shards: Mapping[str, list[Shard]]
    configs: list[card.Config]
    problems: pl.DataFrame
    grades: Mapping[str, str]


def write_stages(chosen: Chosen, directory: Path, reporter: Reporter) -> Written:
    """Write the Parquet files of every stage and of the companion rows.

    Args:
        chosen: what to write.
        directory: the data set's directory.
        reporter: where progress goes.

    Raises:
        InputError: the pool or a table lacks something that was chosen.
    """
    problems = chosen_problems(chosen.stages, chosen.problems)
    grades = _grades_of(chosen)
    shards = {name: _write_stage(chosen, name, problems, directory, reporter) for name in chosen.stages}
    rows = _companions(chosen.stages, problems, grades)
    shards[_COMPANION] = write_split(directory / _COMPANION, "train", rows, COMPANION_SCHEMA)
    return Written(shards, _configs(shards), problems, grades)


def chosen_problems(stages: Mapping[str, pl.DataFrame], problems: Path) -> pl.DataFrame:
    """Return the rows of the problems that the stages chose, of `records.PROBLEM_SCHEMA`.

    Raises:
        InputError: the table lacks one.
    """
    ids = pl.concat([stage["problem_id"] for stage in stages.values()]).unique().implode()
    found = (
        pl.scan_parquet(problems, glob=False)
        .filter(pl.col("problem_id").is_in(ids))
        .select(PROBLEM_SCHEMA.names())
        .collect(engine="streaming")
    )
    if found.height < ids.explode().len():
        raise InputError(f"{problems} lacks problems that a stage chose: run again from the start")
    return found


def write_manifest(name: str, seed: int, directory: Path, shards: Mapping[str, list[Shard]]) -> None:
    """Write the manifest over the files of `write_stages` and the card."""
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
    counts = {config: sum(shard.rows for shard in written) for config, written in shards.items()}
    manifest = Manifest(name=name, seed=seed, rows=counts, files=tuple(files))
    storage.write_text(directory / MANIFEST, manifest.model_dump_json(indent=1) + "\n")


def _grades_of(chosen: Chosen) -> dict[str, str]:
    wanted = frozenset(identifier for stage in chosen.stages.values() for identifier in stage["messages"].explode())
    found: dict[str, str] = {}
    for frame in storage.iterate_table(chosen.grades, _GRADES):
        found.update(frame.filter(pl.col("response_id").is_in(wanted)).iter_rows())
    return found


def _write_stage(chosen: Chosen, name: str, problems: pl.DataFrame, directory: Path, reporter: Reporter) -> list[Shard]:
    stage = chosen.stages[name]
    with tempfile.TemporaryDirectory(prefix=storage.TEMPORARY_MARK, dir=directory.parent) as workspace:
        rows = _triples(chosen, stage, problems, Path(workspace))
        counted = tracked(rows, reporter, f"export {name}", stage.height, "rows")
        return write_split(directory / name, "train", counted, TRIPLE_SCHEMA)


def _triples(
    chosen: Chosen, stage: pl.DataFrame, problems: pl.DataFrame, workspace: Path
) -> Iterator[dict[str, object]]:
    places = {problem_id: place for place, problem_id in enumerate(problems["problem_id"])}
    for name in ("messages", "tests"):
        (workspace / name).mkdir()
    messages = message_texts(chosen.pool, stage, chosen.marker, workspace / "messages")
    references = stage.join(problems, on="problem_id", how="left", maintain_order="left")["tests"]
    tests = tests_in_order(chosen.tests, references, workspace / "tests")
    checkers, rewards = read_checkers(chosen.checkers), read_rewards_table(chosen.rewards)
    for problem_id, texts, cases in zip(stage["problem_id"], messages, tests, strict=True):
        yield triple(
            problems.row(places[problem_id], named=True), cases.to_dicts(), texts, checkers, rewards.get(problem_id)
        )


def _companions(
    stages: Mapping[str, pl.DataFrame], problems: pl.DataFrame, grades: Mapping[str, str]
) -> Iterator[dict[str, object]]:
    places = {problem_id: place for place, problem_id in enumerate(problems["problem_id"])}
    for name, stage in stages.items():
        for row, chosen in enumerate(stage.iter_rows(named=True)):
            problem = problems.row(places[chosen["problem_id"]], named=True)
            yield companion(
                name, row, problem, chosen, [grades.get(message, "unknown") for message in chosen["messages"]]
            )


def _configs(shards: Mapping[str, list[Shard]]) -> list[card.Config]:
    schemas = {_COMPANION: COMPANION_SCHEMA}
    return [
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
