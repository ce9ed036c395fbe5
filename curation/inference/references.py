"""Synthesis accuracy of a checkpoint on rows that bring their references: the triples of an export, or of PaCoRe.

A row's last user message is put into the synthesis template with the row's ``responses`` as references, as training
does; the answers are graded against ``ground_truth``: text for math, the export's document for code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from curation import records, storage
from curation.errors import InputError
from curation.inference.evaluation import POOL, section_of
from curation.inference.worth import Worth, worth_of
from curation.ingest.user_rows import InputRow, read_rows
from curation.json_reader import JsonNumber, JsonValue, as_text, dumps
from curation.judging.ground_truth import read_ground_truth
from curation.llm import engines, prompts
from curation.llm.asking import ask
from curation.llm.engine import Engine, Message, Request
from curation.llm.grading import Grader, accuracies
from curation.llm.key_grades import grade_keys
from curation.llm.pool import open_pool
from curation.llm.prompts import Prompt
from curation.llm.verdicts import open_verdicts
from curation.problem_tests import tests_in_order
from curation.progress import Reporter, Silent
from curation.recipe import InferSection, Recipe
from curation.records import (
    ACCURACY_SCHEMA,
    CHECKER_SCHEMA,
    GRADE_SCHEMA,
    PROBLEM_SCHEMA,
    TEST_SCHEMA,
    CheckerSource,
    Problem,
    TestCase,
)
from curation.selection.synthesis import PURPOSE, conversation_with_references

SUMMARY, ACCURACY, GRADES = "synthesis.json", "synthesis_accuracy.parquet", "synthesis_grades.parquet"
_SOURCE, _UNSTATED = "rows", "unstated"
_CONVERSATIONS = ("conversation", "messages", "prompt")
_ROWS_AT_ONCE = 64


@dataclass(frozen=True)
class SynthesisSummary:
    """What `synthesis_accuracy` found.

    Attributes:
        model: who answered.
        pool: where the responses are kept.
        rows: rows that were asked about.
        samples: answers a row.
        references: of all rows.
        stored: responses that are new.
        worth: the accuracy; ``sometimes`` is what a stage 2 would keep of them.
        unknown: why answers could not be graded.
        histogram: rows by accuracy: exactly 0, the tenths between, exactly 1.
        prompt_tokens, completion_tokens: as far as the server counts.
        accuracy: a table of `records.ACCURACY_SCHEMA`.
        bad: location and reason of each row that could not be asked about.
    """

    model: str
    pool: Path
    rows: int
    samples: int
    references: int
    stored: int
    worth: Worth
    unknown: Mapping[str, int]
    histogram: Mapping[str, int]
    prompt_tokens: int
    completion_tokens: int
    accuracy: Path
    bad: tuple[tuple[str, str], ...]


def synthesis_accuracy(
    source: str,
    out: Path,
    recipe: Recipe,
    *,
    prompt: str | None = None,
    limit: int | None = None,
    reporter: Reporter | None = None,
) -> SynthesisSummary:
    """Ask a checkpoint the synthesis prompt of every row and grade what it answers.

    Responses are kept in ``out/pool`` as they finish; the same call goes on where one was cut off.

    Args:
        source: rows with ``conversation`` (or a statement), ``responses``, and ``ground_truth`` or ``answer``.
        out: the directory of the pool and the tables.
        recipe: holds the section ``infer`` and its model; from `curation.llm.standalone.one_section`.
        prompt: a template of `statement` that the last user message is put into first; None to leave it as it stands.
        limit: rows to read at most.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the source, the model or a template cannot be used.
        OutsideError: the server failed; what was answered is stored.
    """
    section, told, directory = section_of(recipe), reporter or Silent(), out / POOL
    with storage.writing(directory):
        directory.mkdir(parents=True, exist_ok=True)
    synthesis = prompts.load(section.synthesis_prompt, recipe.directory)
    statement = prompts.load(prompt, recipe.directory) if prompt is not None else None
    with TemporaryDirectory(prefix="curation-synthesis-") as place, open_pool(directory) as pool:
        before, rows = len(pool), _Rows(section, synthesis, statement, Path(place))
        with (
            engines.open_engine(recipe, section.model, told, directory) as engine,
            rows.written(),
        ):
            asked = ask(engine, pool, rows.requests(source, limit, engine), told, description="synthesis")
            model = engine.identity.model
        if not rows.keys:
            raise InputError(f"{source}: no row has responses and an answer: give the rows of an export")
        references = storage.read_table(rows.problems, pl.Schema({"tests": PROBLEM_SCHEMA["tests"]}))["tests"]
        (Path(place) / "sorting").mkdir()
        tests = tests_in_order(rows.tests, references, Path(place) / "sorting")
        problems = (
            row
            for frame in storage.iterate_table(rows.problems, PROBLEM_SCHEMA, _ROWS_AT_ONCE)
            for row in frame.iter_rows(named=True)
        )
        with (
            open_verdicts(directory, recipe.judge) as verdicts,
            Grader(recipe.judge, directory, verdicts, rows.checkers) as grader,
        ):
            graded = grade_keys(problems, tests, rows.keys, pool, asked.failures, grader)
            storage.write_table(out / GRADES, graded, GRADE_SCHEMA)
        storage.write_table(out / ACCURACY, accuracies(out / GRADES), ACCURACY_SCHEMA)
        grades = storage.read_table(out / GRADES, GRADE_SCHEMA)
        spent = pool.keys().join(grades.select("response_id").unique(), on="response_id", how="semi")
        found = SynthesisSummary(
            model=model,
            pool=directory,
            rows=len(rows.keys),
            samples=section.samples,
            references=rows.references,
            stored=len(pool) - before,
            worth=worth_of(grades),
            unknown=dict(grades.filter(pl.col("grade") == "unknown")["why"].value_counts(sort=True).iter_rows()),
            histogram=histogram(storage.read_table(out / ACCURACY, ACCURACY_SCHEMA)["accuracy"].drop_nulls()),
            prompt_tokens=int(spent["prompt_tokens"].cast(pl.Int64).sum()),
            completion_tokens=int(spent["completion_tokens"].cast(pl.Int64).sum()),
            accuracy=out / ACCURACY,
            bad=tuple(rows.bad),
        )
    document = {key: value for key, value in asdict(found).items() if key not in ("pool", "stored", "accuracy")}
    storage.write_text(out / SUMMARY, dumps(document) + "\n")
    return found


def histogram(accuracies_: pl.Series) -> dict[str, int]:
    """Count accuracies: exactly 0, ten equal bins between, exactly 1."""
    inner = accuracies_.filter((accuracies_ > 0) & (accuracies_ < 1))
    bins = {f"to {(place + 1) / 10:.1f}": int(((inner * 10).ceil() == place + 1).sum()) for place in range(10)}
    return {"0": int((accuracies_ <= 0).sum()), **bins, "1": int((accuracies_ >= 1).sum())}


class _Rows:
    """Reads rows once, makes their requests, and keeps on disk what grading needs of them."""

    def __init__(self, section: InferSection, synthesis: Prompt, statement: Prompt | None, directory: Path) -> None:
        self._section, self._synthesis, self._statement = section, synthesis, statement
        self.problems, self.tests = directory / "problems.parquet", directory / "tests.parquet"
        self.checkers = directory / "checkers.parquet"
        self._sources: dict[str, CheckerSource] = {}
        self._seen: set[str] = set()
        self.keys: list[list[str]] = []
        self.references = 0
        self.bad: list[tuple[str, str]] = []

    @contextmanager
    def written(self) -> Iterator[None]:
        """Open the tables; they are there when the block ends."""
        with (
            storage.open_table(self.problems, PROBLEM_SCHEMA) as self._problem_rows,
            storage.open_table(self.tests, TEST_SCHEMA) as self._test_rows,
        ):
            yield
        checkers = records.to_frame(list(self._sources.values()), CHECKER_SCHEMA)
        storage.write_table(self.checkers, checkers, CHECKER_SCHEMA)

    def requests(self, source: str, limit: int | None, engine: Engine) -> Iterator[Request]:
        """Yield the requests of all rows; a row that has none is told of in ``bad``."""
        for row in read_rows(source, limit=limit, on_bad=lambda bad: self.bad.append((bad.location, bad.reason))):
            try:
                problem, tests = self._problem(row)
                references = _texts(row.raw.get("responses"))
            except InputError as error:
                self.bad.append((row.location, str(error)))
                continue
            asked = conversation_with_references(self._conversation(row), self._synthesis, references)
            sampler = (self._section.code_sampler if problem.domain == "code" else None) or self._section.sampler
            requests = [
                Request(problem.problem_id, PURPOSE, asked, sampler, index, row.statement)
                for index in range(self._section.samples)
            ]
            self._problem_rows.write(records.to_frame([problem], PROBLEM_SCHEMA))
            self._test_rows.write(records.to_frame(list(tests), TEST_SCHEMA))
            self.keys.append([request.key(engine.identity) for request in requests])
            self.references += len(references)
            yield from requests

    def _conversation(self, row: InputRow) -> tuple[Message, ...]:
        given = next((found for name in _CONVERSATIONS if isinstance(found := row.raw.get(name), list)), None)
        messages = [one for one in given or [] if isinstance(one, dict)]
        turns = [Message(as_text(one.get("role")) or "user", as_text(one.get("content")) or "") for one in messages]
        if not any(turn.role == "user" for turn in turns):
            turns = [Message("user", row.statement)]
        if self._statement is not None:
            last = max(place for place, turn in enumerate(turns) if turn.role == "user")
            turns[last] = Message("user", self._statement.render(statement=turns[last].content))
        return tuple(turns)

    def _problem(self, row: InputRow) -> tuple[Problem, tuple[TestCase, ...]]:
        problem_id = as_text(row.raw.get("problem_id")) or row.id
        if problem_id in self._seen:
            raise InputError(f"the identifier {problem_id!r} stands twice")
        gold = as_text(row.raw.get("ground_truth")) or row.answer
        if gold is None:
            raise InputError("the row has neither ground_truth nor answer")
        self._seen.add(problem_id)
        math = Problem(
            problem_id=problem_id,
            domain="math",
            group="opensource_math",
            source=_SOURCE,
            source_id=row.id,
            statement=row.statement,
            licence=_UNSTATED,
            answer=gold,
        )
        if not _is_document(gold):
            return math, ()
        truth = read_ground_truth(gold)
        if truth.source is not None:
            self._sources[truth.source.sha256] = truth.source
        problem = replace(
            math,
            domain="code",
            group="code",
            answer=None,
            tests=problem_id,
            time_limit_s=truth.time_limit_s,
            memory_limit_mb=truth.memory_limit_mb,
            checker=truth.checker,
        )
        return problem, tuple(replace(test, problem_id=problem_id) for test in truth.tests)


def _is_document(gold: str) -> bool:
    # An answer of math may begin with a brace, as sets do; the export's document names its tests.
    return gold.lstrip().startswith("{") and '"tests"' in gold


def _texts(value: JsonValue) -> list[str]:
    if not isinstance(value, list) or not value:
        raise InputError("the row has no responses")
    if not all(isinstance(one, str) and not isinstance(one, JsonNumber) for one in value):
        raise InputError("responses is no list of texts")
    return [str(one) for one in value]
