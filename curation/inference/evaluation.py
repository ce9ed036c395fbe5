"""What rounds of parallel responses are worth on a data set: accuracy with its interval, and tokens by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from curation import storage
from curation.errors import InputError
from curation.filters.output import open_rows
from curation.inference.rounds import Asking, Round, go_through
from curation.inference.worth import Worth, worth_of
from curation.ingest.user_rows import Field
from curation.json_reader import JsonNumber, JsonValue, dumps
from curation.llm import engines, pool_problems, prompts, solving
from curation.llm.engine import ModelIdentity
from curation.llm.grading import NOT_GRADED, Grader
from curation.llm.key_grades import grade_keys
from curation.llm.majority import outcome, rival_of
from curation.llm.pool import Pool, open_pool
from curation.llm.problem_rows import TakenIn, checked_checkers, take_in
from curation.llm.verdicts import open_verdicts
from curation.problem_tests import tests_in_order
from curation.progress import Reporter, Silent
from curation.recipe import InferSection, Recipe
from curation.records import GRADE_SCHEMA, PROBLEM_SCHEMA

POOL, SUMMARY = "pool", "inference.json"
_GRADES = ("right", "wrong", "unknown")
_DOMAINS = pl.Schema({name: PROBLEM_SCHEMA[name] for name in ("problem_id", "domain")})


@dataclass(frozen=True)
class RoundCounts:
    """One round: its responses by grade, how many were cut or failed, and their tokens.

    ``accuracy`` is the share of the graded ones that are right; None where none is.
    """

    round: int
    responses: int
    right: int
    wrong: int
    unknown: int
    accuracy: float | None
    truncated: int
    failed: int
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True)
class Evaluated:
    """One vector K.

    Attributes:
        k: the vector.
        worth: of the final answers.
        majority: of a majority vote of the first round, for math; None for answers without references.
        unknown: why final answers could not be graded.
        rounds: the last one is that of the final answers.
        prompt_tokens, completion_tokens: of all rounds, as far as the server counts.
        tokens_per_problem: of prompts and responses.
        uncounted: responses whose tokens the server did not count.
        answers: a file with a row a final answer: id, sample, verdict, why, tokens, response_id.
    """

    k: tuple[int, ...]
    worth: Worth
    majority: Worth | None
    unknown: Mapping[str, int]
    rounds: tuple[RoundCounts, ...]
    prompt_tokens: int
    completion_tokens: int
    tokens_per_problem: float
    uncounted: int
    answers: Path


@dataclass(frozen=True)
class Inference:
    """What `infer` did.

    Attributes:
        model: who answered.
        pool: where the responses are kept.
        problems: rows that were asked about.
        samples: final answers a problem.
        stored: responses that are new.
        evaluated: one a vector K.
        bad: location and reason of each row that could not be asked about.
    """

    model: str
    pool: Path
    problems: int
    samples: int
    stored: int
    evaluated: tuple[Evaluated, ...]
    bad: tuple[tuple[str, str], ...]


def infer(
    source: str,
    out: Path,
    recipe: Recipe,
    *,
    columns: Mapping[Field, str] | None = None,
    tests: Path | None = None,
    checkers: Path | None = None,
    limit: int | None = None,
    reporter: Reporter | None = None,
) -> Inference:
    """Answer every row by rounds of parallel responses and their synthesis, and grade the answers.

    Responses are kept in ``out/pool`` as they finish; the same call goes on where one was cut off.

    Args:
        source: a file, a folder, ``hub://owner/name`` or another address.
        out: the directory of the pool, the answers and ``inference.json``.
        recipe: holds the section ``infer`` and its model; from `curation.llm.standalone.one_section`.
        columns: what stands in other columns than the usual ones.
        tests: a table of `records.TEST_SCHEMA` for code problems.
        checkers: a table of `records.CHECKER_SCHEMA`, the checkers that came with them.
        limit: rows to read at most.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the source, the model or a template cannot be used.
        OutsideError: the server failed; what was answered is stored.
    """
    section, told, directory = section_of(recipe), reporter or Silent(), out / POOL
    with storage.writing(directory):
        directory.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="curation-infer-") as place:
        taken = take_in(source, Path(place), columns=columns, tests=tests, limit=limit)
        pool_problems.keep(directory, storage.iterate_table(taken.problems, PROBLEM_SCHEMA))
        asking = Asking(
            solving.prepare(recipe, section, taken.tests),
            prompts.load(section.synthesis_prompt, recipe.directory),
            recipe.stage1,
        )
        evaluated: list[Evaluated] = []
        with open_pool(directory) as pool:
            before = len(pool)
            with (
                engines.open_engine(recipe, section.model, told, directory) as engine,
                open_verdicts(directory, recipe.judge) as verdicts,
                Grader(recipe.judge, directory, verdicts, checked_checkers(checkers)) as grader,
            ):
                evaluator = _Evaluator(taken, pool, grader, out, Path(place))
                for rounds in dict.fromkeys(section.rounds):
                    done = go_through(rounds, section.samples, asking, taken.problems, pool, engine, told)
                    evaluated.append(evaluator.evaluate(rounds, done))
                identity: ModelIdentity = engine.identity
            stored = len(pool) - before
    found = Inference(identity.model, directory, taken.rows, section.samples, stored, tuple(evaluated), taken.bad)
    storage.write_text(out / SUMMARY, dumps(_plain(found)) + "\n")
    return found


def section_of(recipe: Recipe) -> InferSection:
    """Return the section ``infer``.

    Raises:
        InputError: there is none.
    """
    if recipe.infer is None:
        raise InputError("the recipe has no [infer] section: add one")
    return recipe.infer


def _plain(found: Inference) -> dict[str, object]:
    # What was new this time, and where, says nothing about the model: the file is the same after every resumption.
    document = asdict(found)
    del document["stored"], document["pool"]
    for one in document["evaluated"]:
        one["answers"] = one["answers"].name
    return document


@dataclass(frozen=True)
class _Evaluator:
    """Grades and counts what rounds brought."""

    taken: TakenIn
    pool: Pool
    grader: Grader
    out: Path
    workspace: Path

    def evaluate(self, rounds: tuple[int, ...], done: Sequence[Round]) -> Evaluated:
        """Count one vector's rounds, and write its answers."""
        table = self._responses(done)
        last = table.filter(pl.col("round") == len(done))
        spent = table.group_by("problem_id", "sample").agg(pl.col("prompt_tokens", "completion_tokens").sum())
        answers = last.select("problem_id", "sample", "grade", "why", "response_id").join(
            spent, on=("problem_id", "sample"), maintain_order="left"
        )
        path = self.out / f"answers-{'-'.join(map(str, rounds)) or 'alone'}.jsonl"
        with open_rows(path) as rows:
            for problem_id, sample, grade, why, response_id, asked, said in answers.iter_rows():
                told: dict[str, JsonValue] = {"id": problem_id, "sample": JsonNumber(sample), "verdict": grade}
                tokens: dict[str, JsonValue] = {
                    "prompt_tokens": JsonNumber(asked),
                    "completion_tokens": JsonNumber(said),
                }
                rows.write({**told, "why": why, **tokens, "response_id": response_id})
        unknown = last.filter(pl.col("grade") == "unknown")["why"].value_counts(sort=True)
        counts = tuple(_counts(number, table.filter(pl.col("round") == number)) for number in range(1, len(done) + 1))
        prompt, completion = (int(table[name].sum()) for name in ("prompt_tokens", "completion_tokens"))
        return Evaluated(
            rounds,
            worth_of(last),
            self._majority(table) if rounds else None,
            dict(unknown.iter_rows()),
            counts,
            prompt,
            completion,
            round((prompt + completion) / max(1, self.taken.rows), 1),
            int(table["uncounted"].sum()),
            path,
        )

    def _responses(self, done: Sequence[Round]) -> pl.DataFrame:
        """Return a row a response, of all rounds: problem_id, round, sample, grade, why, response_id and its tokens."""
        flat = [[key for one in done for key in one.keys[place]] for place in range(self.taken.rows)]
        problems = storage.read_table(self.taken.problems, PROBLEM_SCHEMA)
        failures = {key: why for one in done for key, why in one.failures.items()}
        with TemporaryDirectory(dir=self.workspace) as place:
            tests = tests_in_order(self.taken.tests, problems["tests"], Path(place))
            graded = grade_keys(problems.iter_rows(named=True), tests, flat, self.pool, failures, self.grader)
            grades = pl.concat([pl.DataFrame(schema=GRADE_SCHEMA), *graded])
        places = [
            (number, index // one.width)
            for place in range(self.taken.rows)
            for number, one in enumerate(done, start=1)
            for index in range(len(one.keys[place]))
        ]
        where = pl.DataFrame(places, schema={"round": pl.Int64, "sample": pl.Int64}, orient="row")
        keys = self.pool.keys().select("response_id", "finish_reason", "prompt_tokens", "completion_tokens")
        counted = pl.col("completion_tokens").is_not_null()
        return (
            pl.concat([grades, where], how="horizontal")
            .join(keys, on="response_id", how="left", maintain_order="left")
            .with_columns((pl.col("finish_reason").is_not_null() & ~counted).alias("uncounted"))
            .with_columns(pl.col("prompt_tokens", "completion_tokens").cast(pl.Int64).fill_null(0))
        )

    def _majority(self, table: pl.DataFrame) -> Worth:
        """Return what a majority vote of the first round is worth; a tie, and a program, is unknown."""
        domains = storage.read_table(self.taken.problems, _DOMAINS)
        math = table.filter(pl.col("round") == 1).join(
            domains.filter(pl.col("domain") == "math"), on="problem_id", how="semi"
        )
        rows: list[tuple[str, str]] = []
        for (problem_id, _), own in math.group_by("problem_id", "sample", maintain_order=True):
            wrong = own.filter(pl.col("grade") == "wrong")["response_id"].to_list()
            right = int((own["grade"] == "right").sum())
            found = self.pool.read(wrong, without=NOT_GRADED) if right and right <= len(wrong) else {}
            rival = rival_of([response.text or "" for response in found.values()]) if found else len(wrong)
            vote = outcome(right, rival)
            rows.append((str(problem_id), "unknown" if vote == "tied" else vote))
        return worth_of(pl.DataFrame(rows, schema={"problem_id": pl.String, "grade": pl.String}, orient="row"))


def _counts(number: int, responses: pl.DataFrame) -> RoundCounts:
    right, wrong, unknown = (int((responses["grade"] == name).sum()) for name in _GRADES)
    return RoundCounts(
        number,
        responses.height,
        right,
        wrong,
        unknown,
        round(right / (right + wrong), 4) if right + wrong else None,
        int((responses["finish_reason"] == "length").sum()),
        int(responses["finish_reason"].is_null().sum()),
        int(responses["prompt_tokens"].sum()),
        int(responses["completion_tokens"].sum()),
    )
