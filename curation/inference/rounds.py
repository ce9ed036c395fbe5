"""The loop of PaCoRe (arXiv 2601.05593, section 2): parallel responses, compact messages, synthesis, until one answer.

A vector K of [32, 4] means 32 responses to the problem; 4 to the problem with the 32 messages of these as references;
and a last one with the 4 messages of those, which is the answer. Sample s of a problem goes through rounds of its own:
in a round of k its responses have the sample indexes from s * k on, and so seeds of their own. A round starts when the
one before has ended, so that the prompts depend on nothing but the responses themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from curation import storage
from curation.llm.asking import ask
from curation.llm.engine import Engine, Request
from curation.llm.pool import Pool
from curation.llm.prompts import Prompt
from curation.llm.solving import PURPOSE, ProblemRow, Solving
from curation.progress import Reporter
from curation.recipe import StageOneSection
from curation.records import PROBLEM_SCHEMA, Response
from curation.selection.messages import message
from curation.selection.synthesis import conversation_with_references

SYNTHESIS_PURPOSE = "inference"
"""The purpose of responses to prompts with references: no synthesis of stage 2, whose references are drawn."""

_PROBLEMS_AT_ONCE = 16


@dataclass(frozen=True)
class Asking:
    """How a model is asked.

    Attributes:
        solving: prompts and samplers.
        synthesis: the template that puts references beside a problem.
        messages: what a message is, and whether truncated responses have one.
    """

    solving: Solving
    synthesis: Prompt
    messages: StageOneSection

    def references(self, responses: Sequence[Response | None]) -> list[str]:
        """Return the messages of responses; one that failed, or was cut where such are left out, has none."""
        leave_out = self.messages.truncated == "leave_out"
        return [
            message(response.text, self.messages.marker)
            for response in responses
            if response is not None and response.text and not (leave_out and response.finish_reason == "length")
        ]

    def requests(self, problem: ProblemRow, references: Sequence[str], indexes: range) -> list[Request]:
        """Return the requests for these samples of a problem, with references where there are any.

        Raises:
            InputError: a template uses a name that is not given.
        """
        conversation = conversation_with_references(self.solving.conversation(problem), self.synthesis, references)
        sampler = self.solving.code_sampler if problem["domain"] == "code" else self.solving.sampler
        purpose = SYNTHESIS_PURPOSE if references else PURPOSE
        return [
            Request(problem["problem_id"], purpose, conversation, sampler, index, problem["statement"])
            for index in indexes
        ]


@dataclass(frozen=True)
class Round:
    """One round of all problems.

    Attributes:
        width: responses of a sample side by side.
        keys: for each problem the ``response_id`` of each response, sample by sample.
        failures: why responses are missing, by ``response_id``.
    """

    width: int
    keys: list[list[str]]
    failures: dict[str, str]


def go_through(
    rounds: Sequence[int],
    samples: int,
    asking: Asking,
    problems: Path,
    pool: Pool,
    engine: Engine,
    reporter: Reporter,
) -> list[Round]:
    """Go through the rounds and the last answer; what the pool holds is not asked for again.

    Args:
        rounds: the vector K; empty for answers without references.
        samples: final answers a problem.
        asking: how the model is asked.
        problems: a table of `records.PROBLEM_SCHEMA`.
        pool: the response pool.
        engine: who answers.
        reporter: where progress goes.

    Raises:
        InputError: a template uses a name that is not given.
        OutsideError: the server failed; what was answered is stored.
    """
    done: list[Round] = []
    rows = int(pq.read_metadata(problems).num_rows)
    for number, width in enumerate((*rounds, 1), start=1):
        keys: list[list[str]] = []
        requests = _requests(width, samples, asking, problems, pool, engine, done[-1] if done else None, keys)
        name = f"K = {shown(rounds)}, round {number} of {len(rounds) + 1}"
        total = rows * samples * width
        asked = ask(engine, pool, requests, reporter, description=name, total=total)
        done.append(Round(width, keys, dict(asked.failures)))
    return done


def shown(rounds: Sequence[int]) -> str:
    """Return a vector K as people write it: ``[32, 4]``."""
    return f"[{', '.join(map(str, rounds))}]"


def _requests(
    width: int,
    samples: int,
    asking: Asking,
    problems: Path,
    pool: Pool,
    engine: Engine,
    before: Round | None,
    keys: list[list[str]],
) -> Iterator[Request]:
    place = 0
    for frame in storage.iterate_table(problems, PROBLEM_SCHEMA, _PROBLEMS_AT_ONCE):
        rows = list(frame.iter_rows(named=True))
        earlier = before.keys[place : place + len(rows)] if before is not None else [[] for _ in rows]
        found = pool.read([key for own in earlier for key in own])
        for problem, own in zip(rows, earlier, strict=True):
            wanted: list[Request] = []
            for sample in range(samples):
                last = before.width if before is not None else 0
                responses = [found.get(key) for key in own[sample * last : (sample + 1) * last]]
                indexes = range(sample * width, (sample + 1) * width)
                wanted += asking.requests(problem, asking.references(responses), indexes)
            keys.append([request.key(engine.identity) for request in wanted])
            yield from wanted
        place += len(rows)
