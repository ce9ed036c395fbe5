"""What the workers of a Ray cluster ask an OpenAI-compatible server, by the HTTP processor of Ray's LLM batch API."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
from pydantic import TypeAdapter
from pydantic_core import to_json

from curation.errors import InputError
from curation.llm.engine import Answer, ModelIdentity, Request, failed, written
from curation.llm.openai_protocol import AnswerReader, Reply, UnreadableError, path, payload
from curation.recipe import ModelSection

if TYPE_CHECKING:
    from ray.data.llm import Processor

_REFUSALS = (400, 413, 422)
"""Statuses by which a server says that it will never answer this."""

_PROCESSORS_A_WORKER = 0.05
"""Workers wait for the server most of the time."""

_BODY = TypeAdapter(dict[str, Any])
_ERROR = TypeAdapter(dict[str, dict[str, Any]])


@dataclass(frozen=True)
class ServerForm:
    """Requests to one server; see `curation.llm.ray_engine.Form`."""

    section: ModelSection
    identity: ModelIdentity
    engine: str

    def processor(self) -> Processor:
        """Return what sends the requests, so many at a time as the section's ``concurrency``."""
        from ray.data.llm import HttpRequestProcessorConfig, build_processor

        workers = self.section.concurrency
        key = os.environ.get(self.section.api_key_variable) if self.section.api_key_variable else None
        config = HttpRequestProcessorConfig(
            url=f"{self.section.url[0].rstrip('/')}/{path(self.section)}",
            headers={"Authorization": f"Bearer {key}"} if key else None,
            batch_size=1,
            concurrency=(workers, workers),
            max_retries=self.section.attempts - 1,
            session_factory=_Sessions(self.section.timeout_s),
            http_request_stage={"num_cpus": _PROCESSORS_A_WORKER},
        )
        # One process for each way, or Ray would start as many as a node's processors have twentieths.
        little = {"num_cpus": _PROCESSORS_A_WORKER, "concurrency": 1}
        return build_processor(config, _sent, _received, preprocess_map_kwargs=little, postprocess_map_kwargs=little)

    def given(self, request: Request) -> str:
        """Return the body of the call.

        Raises:
            InputError: a conversation is to be sent to the completion endpoint.
        """
        whole = self.section.model_copy(update={"stream": False})
        return to_json(payload(whole, [request])).decode()

    def answer(self, request: Request, came: str) -> Answer:
        """Read what the server said."""
        reader = AnswerReader(self.section.logprobs is not None)
        try:
            reader.feed(came.encode())
            reply = reader.finish()
        except UnreadableError as error:
            refused = _code(came) in _REFUSALS
            reason = f"refused: {error}" if refused else str(error)
            return Answer(request, failed(request, self.identity, self.engine, reason), may_pass=not refused)
        return Answer(request, self._response(request, reply))

    def _response(self, request: Request, reply: Reply) -> Any:
        choice = reply.choices[min(reply.choices)]
        return written(
            request,
            self.identity,
            self.engine,
            text=choice.text,
            reasoning=choice.reasoning,
            finish_reason=choice.finish_reason,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=choice.tokens,
            logprobs=choice.logprobs,
            versions=to_json(reply.versions).decode() if reply.versions else None,
        )


def check(section: ModelSection) -> None:
    """Check what the section says of the server.

    Raises:
        InputError: the engine cannot do that.
    """
    if len(section.url) > 1:
        raise InputError("engine ray asks one server: give one url, or choose engine http, which shares work out")
    if section.api_key_variable and not os.environ.get(section.api_key_variable):
        raise InputError(f"environment variable {section.api_key_variable} holds no key: set it, or leave it out")


@dataclass(frozen=True)
class _Sessions:
    """Opens a worker's connection; it travels to the worker."""

    timeout_s: float

    def __call__(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(self.timeout_s))


def _sent(row: dict[str, Any]) -> dict[str, Any]:
    return {"payload": _BODY.validate_json(row["given"])}


def _received(row: dict[str, Any]) -> dict[str, Any]:
    # Ray turns lists into arrays on the way.
    came = to_json(row["http_response"], fallback=lambda array: array.tolist())
    return {"place": row["place"], "came": came.decode()}


def _code(came: str) -> object:
    error = _BODY.validate_json(came).get("error")
    return error.get("code") if isinstance(error, dict) else None
