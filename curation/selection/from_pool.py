"""Message sets, stage 1 and stage 2 from a response pool alone: no model is asked, whatever changes.

Responses are graded against the answers of the problems by today's comparison; verdicts that are known are taken from
the pool, new ones are added to it. A response whose problem has no answer keeps the verdict that came with its log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from curation import accuracy, storage
from curation.cluster import Cluster
from curation.errors import InputError
from curation.ledger import Drop
from curation.llm import places, pool_problems, solving, verdicts
from curation.llm.grading import NOT_GRADED, Grader, Ungraded, accuracies
from curation.llm.places import PoolPath
from curation.llm.pool import Pool, check_pool, open_pool
from curation.llm.solving import ProblemRow
from curation.llm.verdicts import Graded, open_verdicts
from curation.problem_tests import tests_in_order
from curation.progress import Reporter, Silent
from curation.recipe import JudgeSection, Recipe, StageOneSection
from curation.records import ACCURACY_SCHEMA, GRADE_SCHEMA, PROBLEM_SCHEMA, TEST_SCHEMA, Problem, to_frame
from curation.selection import synthesis
from curation.selection.messages import STAGE_SCHEMA
from curation.selection.stage_one import draw_messages, select, stored_responses, write_stage
from curation.text import fold

_ROWS_AT_ONCE = 10_000
_IMPORTED = "import"


@dataclass(frozen=True)
class Wanted:
    """Which responses count, and what becomes of them.

    Attributes:
        stage1: thresholds, and sizes of message sets.
        above, below: the band of stage 2.
        feeds: which problems stage 2 may take: ``pool`` or ``stage1``.
        seed: of the draws.
        models: only these models' responses; all by default.
        samplers: only responses with these samplers, as canonical JSON; all by default.
        mixed: whether responses of several models or samplers count as one pool.
        regrade: whether answers are compared; otherwise the verdicts that came with imported logs count.
        judge: how programs are run.
        cluster: where responses are graded; None for this machine.
        recipe: the recipe whose requests alone count; see `curation.selection.by_recipe`. None to count what
            the other fields say.
    """

    stage1: StageOneSection = field(default_factory=StageOneSection)
    above: float = 0.0
    below: float = 1.0
    feeds: str = "pool"
    seed: int = 0
    models: tuple[str, ...] = ()
    samplers: tuple[str, ...] = ()
    mixed: bool = False
    regrade: bool = True
    judge: JudgeSection = field(default_factory=JudgeSection)
    cluster: Cluster | None = None
    recipe: Recipe | None = None


@dataclass(frozen=True)
class Selected:
    """What a selection wrote: ``problems``, ``grades``, ``accuracy``, ``synthesis_grades``, ``synthesis_accuracy``, and
    ``stage1`` and ``stage2`` with a ledger each, as Parquet files.

    Attributes:
        directory: where they lie.
        models: whose responses count.
        problems: how many problems were looked at.
        responses: how many of their responses count for stage 1.
        syntheses: how many count for stage 2.
        stage1, stage2: how many problems were chosen.
        dropped: how many were not, by stage and rule.
    """

    directory: Path
    models: tuple[str, ...]
    problems: int
    responses: int
    syntheses: int
    stage1: int
    stage2: int
    dropped: Mapping[str, Mapping[str, int]]


def select_from_pool(
    pool: PoolPath,
    directory: Path,
    wanted: Wanted | None = None,
    *,
    problems: Path | None = None,
    tests: Path | None = None,
    checkers: Path | None = None,
    reporter: Reporter | None = None,
) -> Selected:
    """Choose the problems of both stages and draw their messages.

    Args:
        pool: a response pool.
        directory: an empty directory for the tables.
        wanted: which responses count, and thresholds and sizes; those of the paper by default.
        problems: a table of `records.PROBLEM_SCHEMA`; only its problems are looked at. By default those that the pool
            keeps, and the questions of imported logs.
        tests: a table of `records.TEST_SCHEMA` for code problems.
        checkers: a table of `records.CHECKER_SCHEMA`, the checkers that came with them.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: there is no pool, it holds nothing that counts, or it mixes samplers and nobody said that it may.
    """
    wanted = wanted or Wanted()
    with ExitStack() as resources:
        check_pool(pool)
        opened = resources.enter_context(open_pool(pool))
        keys = _counting(opened, pool, wanted)
        table = directory / "problems.parquet"
        known = storage.read_table(problems, PROBLEM_SCHEMA) if problems is not None else _kept(opened, pool, keys)
        storage.write_table(table, known, PROBLEM_SCHEMA)
        test_table = tests or _no_tests(directory)
        answers = _of_problems(opened, keys, known)
        known_verdicts = resources.enter_context(open_verdicts(pool, wanted.judge))
        grader = resources.enter_context(
            Grader(wanted.judge, places.home(pool), known_verdicts, checkers, wanted.cluster)
        )
        grading = _Grading(opened, known, test_table, grader, _log_verdicts(pool), wanted.regrade, reporter or Silent())
        counted = {}
        for purpose, name in ((solving.PURPOSE, ""), (synthesis.PURPOSE, "synthesis_")):
            rows = answers.filter(pl.col("purpose") == purpose)
            grades = directory / f"{name}grades.parquet"
            workspace = directory / f"{name}tests"
            workspace.mkdir()
            storage.write_table(grades, grading.grades(rows, workspace), GRADE_SCHEMA)
            workspace.rmdir()
            counted[purpose] = rows.height
            storage.write_table(directory / f"{name}accuracy.parquet", accuracies(grades), ACCURACY_SCHEMA)
    stage1 = _stage_one(known, directory, pool, wanted)
    stage2 = _stage_two(known, directory, pool, wanted, stage1, counted[synthesis.PURPOSE])
    return Selected(
        directory,
        tuple(keys["model"].unique().sort()),
        known.height,
        counted[solving.PURPOSE],
        counted[synthesis.PURPOSE],
        stage1.height,
        stage2.height,
        {name: rules(directory / f"{name}_ledger.parquet") for name in ("stage1", "stage2")},
    )


def _counting(pool: Pool, directory: PoolPath, wanted: Wanted) -> pl.DataFrame:
    keys = pool.keys()
    found = keys.filter(pl.col("purpose").is_in([solving.PURPOSE, synthesis.PURPOSE]))
    if wanted.models:
        # Stage 2 is another model's: the choice is among those that solve.
        found = found.filter((pl.col("purpose") == synthesis.PURPOSE) | pl.col("model").is_in(wanted.models))
    if wanted.samplers:
        found = found.filter((pl.col("purpose") == synthesis.PURPOSE) | pl.col("sampler").is_in(wanted.samplers))
    solved = found.filter(pl.col("purpose") == solving.PURPOSE)
    if solved.is_empty():
        models = ", ".join(keys["model"].unique().sort()) or "none"
        raise InputError(f"{directory} holds no response that counts: its models are {models}")
    kinds = solved.group_by("model", "model_revision", "sampler").len().sort("model", "model_revision", "sampler")
    if kinds.height > 1 and not wanted.mixed and not _one_model_with_a_sampler_a_domain(wanted, kinds):
        listed = "; ".join(f"{row['model']} with sampler {row['sampler']} ({row['len']:,})" for row in kinds.to_dicts())
        raise InputError(
            f"{directory} holds responses of several models or samplers ({listed}): choose with --model, --sampler or "
            "--recipe, or let them count as one with --mixed"
        )
    return found


def _one_model_with_a_sampler_a_domain(wanted: Wanted, kinds: pl.DataFrame) -> bool:
    """Tell whether somebody named each of several samplers of one model, as math and code have them in a recipe."""
    return len(wanted.samplers) > 1 and kinds.select("model", "model_revision").unique().height == 1


def _kept(pool: Pool, directory: PoolPath, keys: pl.DataFrame) -> pl.DataFrame:
    """Return the problems that the pool itself knows: those it keeps, and the questions of imported logs."""
    kept = pool_problems.problems_of(directory)
    asked = keys.join(pool.statements(), on="response_id").unique("problem_id", maintain_order=True)
    unknown = asked.filter(~pl.col("problem_id").is_in(kept["problem_id"].implode())).sort("problem_id")
    imported: list[Problem] = [
        Problem(
            problem_id=row["problem_id"],
            domain="math",
            group="opensource_math",
            source=_IMPORTED,
            source_id=row["problem_id"],
            statement=row["statement"],
            licence="unstated",
        )
        for row in unknown.iter_rows(named=True)
    ]
    known = pl.concat([kept, to_frame(imported, PROBLEM_SCHEMA)])
    missing = sorted(set(keys["problem_id"]) - set(known["problem_id"]))
    if missing:
        raise InputError(
            f"{directory} has responses to {len(missing):,} problems that it does not keep ({', '.join(missing[:3])}): "
            "give them with --problems"
        )
    return known


def _of_problems(pool: Pool, keys: pl.DataFrame, problems: pl.DataFrame) -> pl.DataFrame:
    """Return the keys of the responses to these problems, in their order, with the problem's place and identifier.

    A response of an imported log belongs to a problem with the same question, whatever the log calls it.
    """
    numbered = problems.select("problem_id").with_row_index("place")
    direct = keys.join(numbered, on="problem_id", how="inner")
    others = keys.join(numbered, on="problem_id", how="anti").join(pool.statements(), on="response_id")
    if others.height:
        folded = {fold(text): place for place, text in enumerate(problems["statement"])}
        found = pl.Series([folded.get(fold(text)) for text in others["statement"]], dtype=numbered["place"].dtype)
        same = others.drop("statement", "problem_id").with_columns(found.alias("place")).drop_nulls("place")
        direct = pl.concat([direct, same.join(numbered, on="place").select(direct.columns)])
    return direct.sort("place", "model", "sample_index", "response_id")


def _no_tests(directory: Path) -> Path:
    path = directory / "tests.parquet"
    storage.write_table(path, pl.DataFrame(schema=TEST_SCHEMA), TEST_SCHEMA)
    return path


def _log_verdicts(pool: PoolPath) -> dict[str, Graded]:
    columns = ("response_id", "grade", "why", "grader")
    return {row[0]: Graded(*row[1:]) for row in verdicts.of_logs(pool).select(columns).iter_rows()}


@dataclass(frozen=True)
class _Grading:
    """Grades responses, in constant memory and without the texts of those whose verdict is known."""

    pool: Pool
    problems: pl.DataFrame
    tests: Path
    grader: Grader
    logged: Mapping[str, Graded]
    regrade: bool
    reporter: Reporter

    def grades(self, rows: pl.DataFrame, workspace: Path) -> Iterator[pl.DataFrame]:
        """Yield frames of `records.GRADE_SCHEMA` for the responses of `_of_problems`, in their order.

        Args:
            rows: the keys of the responses.
            workspace: an empty directory.
        """
        with self.reporter.task("grading", rows.height, "responses") as task:
            graded = self._known(rows, workspace)
            unknown = [row for row, one in enumerate(graded) if one is None]
            task.advance(rows.height - len(unknown))
            for batch in self._read_and_graded(rows, unknown, workspace):
                for row, one in batch:
                    graded[row] = one
                task.advance(len(batch))
        for start in range(0, rows.height, _ROWS_AT_ONCE):
            keys = rows.slice(start, _ROWS_AT_ONCE).select("problem_id", "response_id", "sample_index").iter_rows()
            verdicts_on = (one for one in graded[start : start + _ROWS_AT_ONCE] if one is not None)
            lines = [(*key, one.grade, one.why, one.grader) for key, one in zip(keys, verdicts_on, strict=True)]
            yield pl.DataFrame(lines, schema=GRADE_SCHEMA, orient="row")
        yield pl.DataFrame(schema=GRADE_SCHEMA)

    def _known(self, rows: pl.DataFrame, workspace: Path) -> list[Graded | None]:
        """Return the verdicts that need no text, None for each other response."""
        known: list[Graded | None] = []
        for place, tests, group in self._with_tests(rows.select("place", "response_id"), workspace):
            problem = self.problems.row(place, named=True)
            decidable = self.regrade and (problem["answer"] is not None or tests.height > 0)
            for response_id in group["response_id"]:
                known.append(
                    self.grader.known(response_id, problem, tests) if decidable else self.logged.get(response_id)
                )
        return known

    def _read_and_graded(
        self, rows: pl.DataFrame, wanted: list[int], workspace: Path
    ) -> Iterator[list[tuple[int, Graded]]]:
        """Yield row and grade of those rows, a row group of the pool at a time, which is read once."""
        asked = rows.select("place", "response_id").with_row_index("row")[wanted]
        groups = pl.Series("row_group", self.pool.row_groups_of(asked["response_id"].to_list()), dtype=pl.Int64())
        asked = asked.with_columns(groups).sort("row_group", "place", maintain_order=True)
        batch: list[tuple[int, ProblemRow, pl.DataFrame, str]] = []
        now = -1
        for place, tests, group in self._with_tests(asked, workspace):
            if batch and group["row_group"][0] != now:
                yield self._graded(batch)
                batch = []
            now = group["row_group"][0]
            problem = self.problems.row(place, named=True)
            batch += [
                (row, problem, tests, response_id) for row, response_id in group.select("row", "response_id").rows()
            ]
        if batch:
            yield self._graded(batch)

    def _graded(self, batch: list[tuple[int, ProblemRow, pl.DataFrame, str]]) -> list[tuple[int, Graded]]:
        found = self.pool.read([response_id for _, _, _, response_id in batch], without=NOT_GRADED)
        items = [Ungraded(problem, tests, found.get(response_id)) for _, problem, tests, response_id in batch]
        return list(zip([row for row, _, _, _ in batch], self.grader.grade(items), strict=True))

    def _with_tests(self, rows: pl.DataFrame, workspace: Path) -> Iterator[tuple[int, pl.DataFrame, pl.DataFrame]]:
        """Yield place, tests and rows of each run of rows that have one ``place`` (and one ``row_group``)."""
        runs = rows.partition_by([name for name in ("row_group", "place") if name in rows.columns], maintain_order=True)
        ordinals = [int(run["place"][0]) for run in runs]
        with TemporaryDirectory(dir=workspace) as place_of_tests:
            tests = tests_in_order(self.tests, self.problems["tests"].gather(ordinals), Path(place_of_tests))
            yield from zip(ordinals, tests, runs, strict=True)


def _stage_one(problems: pl.DataFrame, directory: Path, pool: PoolPath, wanted: Wanted) -> pl.DataFrame:
    of_problems = storage.read_table(directory / "accuracy.parquet", ACCURACY_SCHEMA)
    who = problems.select("problem_id", "source", "domain")
    chosen, drops = select(who, of_problems, directory / "grades.parquet", pool, wanted.stage1, wanted.seed)
    _write(directory, "stage1", chosen, drops)
    return chosen


def _stage_two(
    problems: pl.DataFrame, directory: Path, pool: PoolPath, wanted: Wanted, stage1: pl.DataFrame, syntheses: int
) -> pl.DataFrame:
    """Choose by the pool's responses to synthesis prompts; it has none before a checkpoint was asked in a rebuild."""
    who = problems.select("problem_id", "source", "domain")
    if not syntheses:
        reason = "the pool holds no responses to synthesis prompts"
        empty = pl.DataFrame(schema=STAGE_SCHEMA)
        _write(
            directory, "stage2", empty, (Drop(row[0], row[1], "stage2", "no_syntheses", reason) for row in who.rows())
        )
        return empty
    left_out: list[Drop] = []
    if wanted.feeds == "stage1":
        reason = "stage 2 takes problems of stage 1 only"
        others = who.join(stage1, on="problem_id", how="anti")
        left_out = [Drop(row[0], row[1], "stage2", "not_in_stage1", reason) for row in others.rows()]
        who = who.join(stage1, on="problem_id", how="semi")
    of_problems = storage.read_table(directory / "synthesis_accuracy.parquet", ACCURACY_SCHEMA)
    judged = accuracy.judge(who, of_problems, wanted.above, pl.lit(wanted.below))
    inside = judged.filter(pl.col("rule").is_null())
    ids = frozenset(inside["problem_id"])
    stored = stored_responses(directory / "grades.parquet", pool, wanted.stage1, ids)
    chosen, short = draw_messages(inside, stored, wanted.stage1, wanted.seed, "stage2")
    _write(directory, "stage2", chosen, chain(left_out, accuracy.outside(judged, "stage2", "the synthesis"), short))
    return chosen


def _write(directory: Path, name: str, chosen: pl.DataFrame, drops: Iterator[Drop]) -> None:
    write_stage(directory, name, chosen, drops)
    (directory / "ledger.parquet").rename(directory / f"{name}_ledger.parquet")


def rules(ledger: Path) -> dict[str, int]:
    """Return how many problems each rule of a ledger dropped."""
    counts = pl.read_parquet(ledger, columns=["rule"], glob=False)["rule"].value_counts().sort("rule")
    return dict(counts.iter_rows())
