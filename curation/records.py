"""The rows: what a problem, a test, a response and a verdict are, and their column schemas. Start reading here.

Answers and test data are text from the first byte to the last. Schemas are always given to readers and writers, never
inferred. Tables are keyed by ``problem_id``; tests, submissions and responses are tables of their own so that a
statement table of a million rows stays small.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import ClassVar, Literal

import polars as pl

Domain = Literal["math", "code"]
Group = Literal["opensource_math", "public_mathcontest", "synthetic_math", "code"]
Grade = Literal["right", "wrong", "unknown"]
Equality = Literal["equal", "different", "unknown"]
Vote = Literal["valid", "invalid", "abstain"]
JudgeVerdict = Literal["AC", "WA", "PE", "TLE", "MLE", "OLE", "RTE", "CE", "PARTIAL", "JE"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One question with a checkable answer.

    Attributes:
        problem_id: stable over runs: ``source:source_id``.
        domain: what answers it: a value or a program.
        group: PaCoRe's name for where it comes from.
        source: the name of the source file that brought it.
        source_id: the source's own identifier, or the row number where it has none.
        url: where a reader finds it.
        licence: the SPDX identifier of the source's licence, or a sentence where there is none.
        contest: a contest's identifier (``aime``, ``hmmt-feb``), lower case.
        year: the contest's year.
        statement: the question.
        answer: the answer as text; None for code.
        answer_type: what kind of value the answer is (``integer``, ``rational``, ``text``, ...).
        tests: ``problem_id`` of its rows in the test table; None for math.
        time_limit_s: CPU seconds a submission may use.
        memory_limit_mb: MiB a submission may use.
        checker: how outputs are compared: ``tokens FLAGS`` of the built-in comparison; ``checkers:NAME`` for one that
            comes with the program; ``testlib:SHA256``, ``python:SHA256`` or ``validator:SHA256 FLAGS`` for one of the
            source, whose text is in the table of checkers; ``unknown`` where the problem needs one and the source does
            not have it. None for the default.
        attribution: whom to name when the row is published.
    """

    problem_id: str
    domain: Domain
    group: Group
    source: str
    source_id: str
    statement: str
    licence: str
    url: str | None = None
    contest: str | None = None
    year: int | None = None
    answer: str | None = None
    answer_type: str | None = None
    tests: str | None = None
    time_limit_s: float | None = None
    memory_limit_mb: int | None = None
    checker: str | None = None
    attribution: str | None = None


@dataclass(frozen=True, slots=True)
class TestCase:
    """One test of a code problem.

    Attributes:
        name: unique within the problem (``sample-1``, ``secret-03``).
        kind: ``stdio`` (input and output are streams), ``call`` (input is a JSON array of arguments, output the JSON
            result of ``function``), or ``assert`` (input is Python text that raises when the submission is wrong).
    """

    # pytest takes classes called Test... for tests of its own, wherever they are imported.
    __test__: ClassVar[bool] = False

    problem_id: str
    name: str
    kind: Literal["stdio", "call", "assert"]
    input: str
    output: str
    function: str | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """A program somebody wrote for a problem.

    Attributes:
        language: ``python3``, ``cpp17``, ... as labelled by the source.
        expected: ``correct``, ``incorrect``, or None where the source does not say.
    """

    problem_id: str
    submission_id: str
    language: str
    code: str
    expected: Literal["correct", "incorrect"] | None = None


CheckerKind = Literal["testlib", "python", "validator"]

UNKNOWN_CHECKER = "unknown"
"""A problem's checker where several outputs are right and nothing says which."""


@dataclass(frozen=True, slots=True)
class CheckerSource:
    """A checker that came with a problem: a program that says whether an output is right.

    Attributes:
        sha256: of the source, as UTF-8.
        kind: ``testlib`` (C++ with testlib.h), ``python`` (a program that prints ``1`` for a right output), or
            ``validator`` (an output validator of the ICPC problem package format).
        source: its text; for a validator a JSON object from the names of its files to their texts, the one to start
            with first.
    """

    sha256: str
    kind: CheckerKind
    source: str

    @classmethod
    def of(cls, kind: CheckerKind, source: str) -> CheckerSource:
        """Return the checker with this source."""
        return cls(hashlib.sha256(source.encode()).hexdigest(), kind, source)


@dataclass(frozen=True, slots=True)
class Response:
    """What a model wrote, with everything that could have changed it.

    Attributes:
        response_id: SHA-256 over prompt, model, revision, sampler and sample index.
        prompt_sha256: of the exact prompt bytes as sent.
        sampler: the sampler's fields as canonical JSON.
        sample_index: 0-based; also moves the seed.
        text: what was written, without the reasoning where the server sends that apart.
        finish_reason: ``stop``, ``length`` or what else the server said; None for a failure.
        failure: why there is no response; None where there is one.
        statement: the question, for a response from an imported log, whose prompt nobody knows; None for our own.
        key_rest: what the key holds beside the columns, as a JSON list: the schema of a structured response, and the
            form of asking where it is not chat; None for neither.
        logprobs: where they were asked for, a JSON list with ``[token, logprob, {other: logprob}]`` for each token.
        versions: as a JSON object, what the engine and the server say of themselves.
    """

    response_id: str
    problem_id: str
    purpose: str
    prompt_sha256: str
    model: str
    model_revision: str
    sampler: str
    sample_index: int
    text: str | None
    reasoning: str | None
    finish_reason: str | None
    failure: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_s: float | None
    engine: str
    statement: str | None = None
    key_rest: str | None = None
    logprobs: str | None = None
    versions: str | None = None


PROBLEM_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String,
        "domain": pl.String,
        "group": pl.String,
        "source": pl.String,
        "source_id": pl.String,
        "url": pl.String,
        "licence": pl.String,
        "contest": pl.String,
        "year": pl.Int32,
        "statement": pl.String,
        "answer": pl.String,
        "answer_type": pl.String,
        "tests": pl.String,
        "time_limit_s": pl.Float64,
        "memory_limit_mb": pl.Int32,
        "checker": pl.String,
        "attribution": pl.String,
    }
)

TEST_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String,
        "name": pl.String,
        "kind": pl.String,
        "input": pl.String,
        "output": pl.String,
        "function": pl.String,
    }
)

SUBMISSION_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String,
        "submission_id": pl.String,
        "language": pl.String,
        "code": pl.String,
        "expected": pl.String,
    }
)

CHECKER_SCHEMA = pl.Schema({"sha256": pl.String, "kind": pl.String, "source": pl.String})

RESPONSE_SCHEMA = pl.Schema(
    {
        "response_id": pl.String,
        "problem_id": pl.String,
        "purpose": pl.String,
        "prompt_sha256": pl.String,
        "model": pl.String,
        "model_revision": pl.String,
        "sampler": pl.String,
        "sample_index": pl.Int32,
        "text": pl.String,
        "reasoning": pl.String,
        "finish_reason": pl.String,
        "failure": pl.String,
        "prompt_tokens": pl.Int32,
        "completion_tokens": pl.Int32,
        "latency_s": pl.Float64,
        "engine": pl.String,
        "statement": pl.String,
        "key_rest": pl.String,
        "logprobs": pl.String,
        "versions": pl.String,
    }
)

GRADE_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String,
        "response_id": pl.String,
        "sample_index": pl.Int32,
        "grade": pl.String,
        "why": pl.String,
        "grader": pl.String,
    }
)

VOTE_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String,
        "question": pl.String,
        "response_id": pl.String,
        "sample_index": pl.Int32,
        "vote": pl.String,
        "why": pl.String,
    }
)

ACCURACY_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String,
        "right": pl.Int32,
        "wrong": pl.Int32,
        "unknown": pl.Int32,
        "accuracy": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
    }
)
"""``accuracy`` = right / (right + wrong); null where no response could be graded.

``low`` and ``high`` are its 95 % interval (Wilson). Where sampling stopped early, accuracy and interval are of the
samples that were asked for.
"""

LEDGER_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String,
        "source": pl.String,
        "step": pl.String,
        "rule": pl.String,
        "reason": pl.String,
        "evidence": pl.String,
        "location": pl.String,
    }
)

Record = Problem | TestCase | Submission | CheckerSource | Response


def to_frame(
    records: list[Problem] | list[TestCase] | list[Submission] | list[CheckerSource] | list[Response],
    schema: pl.Schema,
) -> pl.DataFrame:
    """Return the records as a frame of ``schema``; an empty list gives an empty frame with all columns."""
    columns = {name: [getattr(record, name) for record in records] for name in schema}
    return pl.DataFrame(columns, schema=schema)
