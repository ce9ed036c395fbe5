"""The engine for any server with the OpenAI interface: vLLM, SGLang, llama.cpp, hosted ones.

httpx carries the requests because it keeps many connections open at once and leaves every time limit to us; tenacity
repeats them because its waits can follow what the server asks for. One try has exactly one time limit, ``timeout_s``.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import re
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx
import tenacity
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from curation.errors import InputError, OutsideError
from curation.json_reader import JsonNumber, JsonTextError, dumps, loads
from curation.llm.engine import Answer, ModelIdentity, Request, as_json, failed, written
from curation.recipe import ModelSection

_LARGEST_BODY = 64 << 20
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 30.0
_EXCERPT = 160
_FAILURES_IN_A_ROW = 8
_COUNT = re.compile(r"\d{1,9}")
_ABORTED = frozenset({"abort", "error"})
"""Finish reasons by which vLLM and SGLang say that they gave the request up."""


class _Message(BaseModel):
    model_config = ConfigDict(strict=True)

    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(BaseModel):
    model_config = ConfigDict(strict=True)

    message: _Message
    finish_reason: str


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: object = None

    def tokens(self, name: str) -> int | None:
        """Return a count of ``usage``; None where the server gives none that can be read."""
        count = self.usage.get(name) if isinstance(self.usage, dict) else None
        return int(count) if isinstance(count, JsonNumber) and _COUNT.fullmatch(count) else None


class _MayPassError(Exception):
    """A try failed in a way that another try may not."""

    def __init__(self, reason: str, retry_after_s: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after_s = retry_after_s


class _RefusedError(Exception):
    """The server will not answer this request, however often it is asked."""


class HttpEngine:
    """Answers requests through ``POST {url}/chat/completions``, one response a request.

    A try that meets a dead connection, HTTP 408, 425, 429 or 5xx, or an answer that is no completion is repeated
    ``attempts`` times with growing waits; ``Retry-After`` is honoured up to the time limit of a request.
    """

    def __init__(self, section: ModelSection, identity: ModelIdentity, url: str, name: str = "http") -> None:
        """Take the model section of a recipe, the identity for the keys and the base address with ``/v1``.

        Raises:
            InputError: the address is none, or the variable that should hold the key is not set.
        """
        self._section, self._identity, self._name = section, identity, name
        self._url = f"{url.rstrip('/')}/chat/completions"
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise InputError(f"url = {url!r} is no http address: give the server's base address, with /v1")
        self._key = _api_key(section)

    @property
    def identity(self) -> ModelIdentity:
        """The model as the recipe names it."""
        return self._identity

    @property
    def failures_allowed(self) -> float:
        """From the recipe."""
        return self._section.failures_allowed

    def answer(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Answer the requests, at most ``concurrency`` in flight.

        Raises:
            OutsideError: as many requests in a row failed as are in flight at most (and at least eight), or the server
                does not know us or the model; all answers that finished were yielded before.
        """
        source = iter(requests)
        limit = max(_FAILURES_IN_A_ROW, self._section.concurrency)
        in_a_row = 0
        last_failure: str | None = None
        with _event_loop() as loop, self._client(loop) as client:
            in_flight: set[concurrent.futures.Future[Answer]] = set()
            while True:
                while len(in_flight) < self._section.concurrency and (request := next(source, None)) is not None:
                    in_flight.add(asyncio.run_coroutine_threadsafe(self._answer(client, request), loop))
                if not in_flight:
                    return
                done, in_flight = concurrent.futures.wait(in_flight, return_when=concurrent.futures.FIRST_COMPLETED)
                errors = [error for future in done if (error := future.exception()) is not None]
                for answer in (future.result() for future in done if future.exception() is None):
                    in_a_row = in_a_row + 1 if answer.may_pass else 0
                    last_failure = answer.response.failure
                    yield answer
                if errors:
                    raise errors[0]
                if in_a_row >= limit:
                    raise OutsideError(
                        f"{in_a_row} requests in a row to {self._url} failed ({last_failure}): check the server and "
                        "rerun, what finished is stored"
                    )

    @contextmanager
    def _client(self, loop: asyncio.AbstractEventLoop) -> Iterator[httpx.AsyncClient]:
        # A proxy from the environment is for the outside, never for a server on this machine.
        local = urlsplit(self._url).hostname in ("127.0.0.1", "localhost", "::1")
        client = httpx.AsyncClient(
            timeout=None,  # noqa: S113 - one try is limited as a whole, in `_try`
            trust_env=not local,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=self._section.concurrency),
            headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
        )
        try:
            yield client
        finally:
            asyncio.run_coroutine_threadsafe(client.aclose(), loop).result()

    async def _answer(self, client: httpx.AsyncClient, request: Request) -> Answer:
        attempts = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(self._is_worth_another_try),
            stop=tenacity.stop_after_attempt(self._section.attempts),
            wait=_wait,
            reraise=True,
        )
        try:
            return await attempts(self._try, client, request)
        except _MayPassError as error:
            reason = f"{error.reason} ({self._section.attempts} tries)"
            return Answer(request, failed(request, self._identity, self._name, reason), may_pass=True)
        except _RefusedError as error:
            return Answer(request, failed(request, self._identity, self._name, f"refused: {error}"))

    def _is_worth_another_try(self, error: BaseException) -> bool:
        if not isinstance(error, _MayPassError):
            return False
        return error.retry_after_s is None or error.retry_after_s <= self._section.timeout_s

    async def _try(self, client: httpx.AsyncClient, request: Request) -> Answer:
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._section.timeout_s):
                status, headers, body = await self._post(client, request)
        except TimeoutError:
            raise _MayPassError(f"no answer within {self._section.timeout_s:g} s") from None
        except httpx.RequestError as error:
            raise _MayPassError(f"the connection failed: {error or type(error).__name__}") from None
        if status != httpx.codes.OK:
            self._refuse(status, headers, body)
        completion = _completion(body)
        choice = completion.choices[0]
        if choice.finish_reason in _ABORTED:
            raise _MayPassError(f"the server gave up: finish_reason {choice.finish_reason}")
        response = written(
            request,
            self._identity,
            self._name,
            text=choice.message.content or "",
            reasoning=choice.message.reasoning_content or choice.message.reasoning,
            finish_reason=choice.finish_reason,
            prompt_tokens=completion.tokens("prompt_tokens"),
            completion_tokens=completion.tokens("completion_tokens"),
            latency_s=round(time.monotonic() - began, 3),
        )
        return Answer(request, response)

    async def _post(self, client: httpx.AsyncClient, request: Request) -> tuple[int, httpx.Headers, bytes]:
        sampler = request.sampler
        payload = {
            "model": self._section.model,
            "messages": as_json(request.messages),
            "temperature": sampler.temperature,
            "top_p": sampler.top_p,
            "max_tokens": sampler.max_tokens,
            "seed": request.seed,
            **({"stop": list(sampler.stop)} if sampler.stop else {}),
            **({"response_format": _format(request.schema)} if request.schema is not None else {}),
        }
        content, headers = dumps(payload).encode(), {"Content-Type": "application/json"}
        async with client.stream("POST", self._url, content=content, headers=headers) as reply:
            body = bytearray()
            async for chunk in reply.aiter_bytes():
                body += chunk
                if len(body) > _LARGEST_BODY:
                    raise _MayPassError(f"the answer is longer than {_LARGEST_BODY >> 20} MiB")
            return reply.status_code, reply.headers, bytes(body)

    def _refuse(self, status: int, headers: httpx.Headers, body: bytes) -> None:
        excerpt = " ".join(body[: 4 * _EXCERPT].decode(errors="replace").split())[:_EXCERPT]
        if self._key:
            excerpt = excerpt.replace(self._key, "***")
        reason = f"HTTP {status} {excerpt}".strip()
        if status in (408, 425, 429) or status >= 500:
            raise _MayPassError(reason, _retry_after(headers))
        if status in (400, 413, 422):
            raise _RefusedError(reason)
        raise OutsideError(
            f"{self._url} answers {reason}: check url, model {self._section.model!r} and the key "
            f"({self._section.api_key_variable or 'no api_key_variable given'})"
        )


def _format(schema: str) -> dict[str, object]:
    return {"type": "json_schema", "json_schema": {"name": "response", "strict": True, "schema": loads(schema)}}


def _api_key(section: ModelSection) -> str | None:
    if section.api_key_variable is None:
        return None
    key = os.environ.get(section.api_key_variable)
    if not key:
        raise InputError(f"the environment variable {section.api_key_variable} is not set: put the server's key there")
    return key


def _completion(body: bytes) -> _Completion:
    if not body.strip():
        raise _MayPassError("the answer is empty")
    try:
        return _Completion.model_validate(loads(body.decode()))
    except (UnicodeDecodeError, JsonTextError) as error:
        raise _MayPassError(f"the answer is no JSON: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the answer"
        raise _MayPassError(f"the answer is no completion: {where}: {first['msg']}") from None


def _wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome is not None else None
    if isinstance(error, _MayPassError) and error.retry_after_s is not None:
        return error.retry_after_s
    return tenacity.wait_random_exponential(multiplier=_FIRST_WAIT_S, max=_LONGEST_WAIT_S)(state)


def _retry_after(headers: httpx.Headers) -> float | None:
    text = headers.get("Retry-After", "").strip()
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


@contextmanager
def _event_loop() -> Iterator[asyncio.AbstractEventLoop]:
    # A thread of its own: answers go on arriving while the caller works, and the caller may run a loop itself.
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="http engine", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        asyncio.run_coroutine_threadsafe(_cancel_all(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _cancel_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
