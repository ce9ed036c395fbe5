"""What an engine is: it answers a stream of requests and yields each answer as it finishes.

The key of a response holds everything that could change its text: the exact prompt bytes, the model with its revision,
all sampler fields, the sample index, the schema of a structured response, and the form of asking where it is not chat
with the model's own template. Address, concurrency, retries and the kind of engine never enter it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from curation.json_reader import dumps, loads
from curation.recipe import Sampler
from curation.records import Response
from curation.storage import sha256_text

_SEED_BITS = 31
"""Servers take a signed 32-bit seed; llama.cpp reads 2^32 - 1 as "random"."""

UNSTATED = "unstated"
"""The finish reason of a response from an imported log that states none."""

COMPLETE = frozenset({"stop", UNSTATED})
"""Finish reasons of a response that is whole, as far as anybody knows."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which model writes, and in what form it is asked.

    Attributes:
        model: its name.
        revision: the revision or hash of its weights; empty where nobody knows it.
        form: empty for chat with the model's own template; else what the prompt is put into instead.
    """

    model: str
    revision: str
    form: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One response that is wanted.

    Attributes:
        problem_id: the problem it is about.
        purpose: ``solve``, ``vote``, ``synthesis``, or what is written: ``validator``, ``generator``, ``attack``,
            ``checker``.
        messages: the prompt.
        sampler: how to sample.
        sample_index: 0-based; moves the seed.
        statement: the problem's question, by which the `replay` engine matches imported logs; no part of the key.
        schema: the JSON schema, as canonical JSON, that the server holds the response to; None for free text.
        prompt_sha256: of the prompt's exact bytes.
    """

    problem_id: str
    purpose: str
    messages: tuple[Message, ...]
    sampler: Sampler
    sample_index: int
    statement: str | None = None
    schema: str | None = None
    prompt_sha256: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "prompt_sha256", sha256_text(dumps(as_json(self.messages))))

    @property
    def seed(self) -> int:
        """The seed of this one request, from the sampler's seed and the sample index."""
        digest = hashlib.sha256(f"{self.sampler.seed}:{self.sample_index}".encode()).digest()
        return int.from_bytes(digest[:4]) >> (32 - _SEED_BITS)

    def key(self, identity: ModelIdentity) -> str:
        """Return the ``response_id`` of the answer that ``identity`` gives."""
        parts = [
            self.prompt_sha256,
            identity.model,
            identity.revision,
            sampler_json(self.sampler),
            str(self.sample_index),
            *self.key_rest(identity),
        ]
        return sha256_text(dumps(parts))

    def key_rest(self, identity: ModelIdentity) -> list[str]:
        """Return what the key holds beside the columns of a response: a schema, and a form of asking."""
        return [part for part in (self.schema, identity.form) if part]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request.

    Attributes:
        response: the response, or the failure with its reason.
        may_pass: a failure that another try later may not meet: a dead or overloaded server.
    """

    request: Request
    response: Response
    may_pass: bool = False


class Engine(Protocol):
    """Answers requests. A server of its own starts with the first one; `curation.llm.engines.open_engine` ends it."""

    @property
    def identity(self) -> ModelIdentity:
        """The model that answers; known before any server runs."""

    @property
    def failures_allowed(self) -> float:
        """The share of requests that may fail for good before the run stops."""

    def answer(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Answer the requests, a bounded number in flight, in the order in which they finish.

        Raises:
            InputError: the engine cannot be used as configured.
            OutsideError: the server is dead or refuses everything; what finished was yielded before.
        """


def as_json(messages: Iterable[Message]) -> list[dict[str, str]]:
    """Return the messages as the JSON that servers take."""
    return [{"role": message.role, "content": message.content} for message in messages]


def sampler_json(sampler: Sampler) -> str:
    """Return all sampler fields as canonical JSON."""
    return dumps(dict(sorted(sampler.model_dump(mode="json").items())))


def written(
    request: Request,
    identity: ModelIdentity,
    engine: str,
    *,
    text: str,
    finish_reason: str,
    reasoning: str | None = None,
    prompt_tokens: int | None = None,
    completion_tokens: int | None = None,
    latency_s: float | None = None,
    logprobs: str | None = None,
    versions: str | None = None,
) -> Response:
    """Return the response to ``request`` that a model wrote."""
    rest = request.key_rest(identity)
    return Response(
        response_id=request.key(identity),
        problem_id=request.problem_id,
        purpose=request.purpose,
        prompt_sha256=request.prompt_sha256,
        model=identity.model,
        model_revision=identity.revision,
        sampler=sampler_json(request.sampler),
        sample_index=request.sample_index,
        text=text,
        reasoning=reasoning,
        finish_reason=finish_reason,
        failure=None,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        latency_s=latency_s,
        engine=engine,
        key_rest=dumps(rest) if rest else None,
        logprobs=logprobs,
        versions=versions,
    )


def recomputed_key(response: Response) -> str:
    """Return the key that the columns of a response of our own give, by which damage is found.

    Raises:
        JsonTextError: ``key_rest`` is no JSON.
    """
    rest = loads(response.key_rest) if response.key_rest else []
    parts = [response.prompt_sha256, response.model, response.model_revision, response.sampler]
    return sha256_text(dumps([*parts, str(response.sample_index), *(rest if isinstance(rest, list) else [])]))


def failed(request: Request, identity: ModelIdentity, engine: str, failure: str) -> Response:
    """Return the failure that stands in for the response to ``request``."""
    return replace(
        written(request, identity, engine, text="", finish_reason=""), text=None, finish_reason=None, failure=failure
    )
