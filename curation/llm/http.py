"""The engine for OpenAI-compatible servers, one or many: vLLM, SGLang, llama.cpp, hosted ones.

httpx carries the requests because it keeps many connections open at once and leaves every time limit to us. Each server
has a limit of its own (`curation.llm.server_load`); whoever has the most room gets the next request, so that none is
idle while there is work. What one server could not do goes to another.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import queue
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from urllib.parse import urlsplit

import httpx

from curation.errors import InputError, OutsideError
from curation.json_reader import dumps
from curation.llm.engine import Answer, ModelIdentity, Request, failed, written
from curation.llm.one_try import Answered, Caller, RefusedError
from curation.llm.server_load import ServerLoad, TroubleError, pause_s
from curation.recipe import ModelSection


@dataclass(slots=True)
class _Call:
    """A call that is wanted: requests that differ in their sample index alone.

    Attributes:
        tries: those that failed for a reason that may lie with the request.
        ready_at: it is not tried before.
        failed_at: the server that failed last; another one is better.
    """

    requests: tuple[Request, ...]
    tries: int = 0
    ready_at: float = 0.0
    failed_at: str | None = None

    def best_of(self, servers: list[ServerLoad]) -> ServerLoad:
        """Return the server to send it to, of those that have room."""
        return min(servers, key=lambda server: (server.url == self.failed_at, server.fullness()))


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of one try of a call."""

    call: _Call
    server: ServerLoad
    began: float
    result: Answered | TroubleError | RefusedError | BaseException


class HttpEngine:
    """Answers requests through the chat or completion endpoint of one server or several with the same model.

    What may pass is tried again: what a server cannot take now (HTTP 429 and 503, a refused connection) as long as any
    server lives; an answer that is none (other 5xx, a torn or unreadable one, a stall, one out of time) ``attempts``
    times. ``Retry-After`` is honoured up to ``timeout_s``.
    """

    def __init__(
        self,
        section: ModelSection,
        identity: ModelIdentity,
        urls: str | Iterable[str],
        name: str = "http",
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        versions: Mapping[str, str] | None = None,
    ) -> None:
        """Say who is asked.

        Args:
            section: the model section of a recipe.
            identity: for the keys.
            urls: the base addresses with ``/v1``.
            name: the engine's, stored with each response.
            transport: what carries the calls; None for the network.
            versions: of what answers, stored with each response.

        Raises:
            InputError: there is no address, or one is none, or the variable that should hold the key is not set.
        """
        self._section, self._identity, self._name = section, identity, name
        self._urls = list(dict.fromkeys([urls] if isinstance(urls, str) else urls))
        for url in self._urls:
            if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
                raise InputError(f"url = {url!r} is no http address: give the server's base address, with /v1")
        self._key = _api_key(section)
        self._versions = {"curation": version("curation"), **(versions or {})}
        self._transport = transport

    @property
    def identity(self) -> ModelIdentity:
        """The model as the recipe names it."""
        return self._identity

    @property
    def failures_allowed(self) -> float:
        """From the recipe."""
        return self._section.failures_allowed

    def answer(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Answer the requests, at most ``concurrency`` in flight at each server.

        Raises:
            OutsideError: no server lives, or one does not know us or the model; all answers that finished were yielded
                before.
        """
        with _event_loop() as loop:
            servers = [ServerLoad(url, self._section.concurrency, self._section.attempts) for url in self._urls]
            with _callers(loop, self._section, self._urls, self._key, self._transport) as callers:
                yield from _Dispatch(self, loop, dict(zip(self._urls, callers, strict=True)), servers).run(requests)

    def answers(self, call: _Call, answered: Answered) -> Iterator[Answer]:
        """Yield the answers to those requests of a call for which there is a choice."""
        reply = answered.reply
        for request, choice in zip(call.requests, reply.choices.values(), strict=False):
            yield Answer(
                request,
                written(
                    request,
                    self._identity,
                    self._name,
                    text=choice.text,
                    reasoning=choice.reasoning,
                    finish_reason=choice.finish_reason,
                    prompt_tokens=reply.prompt_tokens,
                    completion_tokens=choice.tokens,
                    latency_s=round(answered.ended - answered.began, 3),
                    logprobs=choice.logprobs,
                    versions=dumps({**self._versions, **reply.versions}),
                ),
            )

    def failures(self, call: _Call, reason: str, may_pass: bool) -> Iterator[Answer]:
        """Yield the failures of a call."""
        for request in call.requests:
            yield Answer(request, failed(request, self._identity, self._name, reason), may_pass)

    @property
    def section(self) -> ModelSection:
        """What the recipe says of the model."""
        return self._section


class _Dispatch:
    """Gives the requests of one stream to the servers, and takes in what comes of them, in the caller's thread."""

    def __init__(
        self,
        engine: HttpEngine,
        loop: asyncio.AbstractEventLoop,
        callers: dict[str, Caller],
        servers: list[ServerLoad],
    ) -> None:
        self._engine, self._loop, self._callers, self._servers = engine, loop, callers, servers
        self._again: deque[_Call] = deque()
        self._outcomes: queue.SimpleQueue[_Outcome] = queue.SimpleQueue()
        self._in_flight = 0
        self._source: Iterator[_Call] = iter(())
        self._exhausted = False

    def run(self, requests: Iterable[Request]) -> Iterator[Answer]:
        self._source = _calls(requests, self._engine.section.choices)
        while True:
            self._send_all()
            if not self._in_flight and not self._again and self._exhausted:
                return
            if not self._in_flight and all(server.dead for server in self._servers):
                raise OutsideError(self._obituary())
            try:
                outcome = self._outcomes.get(timeout=self._longest_wait())
            except queue.Empty:
                continue
            self._in_flight -= 1
            yield from self._taken_in(outcome)

    def _send_all(self) -> None:
        while True:
            now = time.monotonic()
            free = [server for server in self._servers if server.has_room(now)]
            # A dead server is tried with work only where a living one could do that work if need be.
            if not free or all(server.dead for server in self._servers):
                return
            call = self._next(now)
            if call is None:
                return
            self._send(call, call.best_of(free))

    def _next(self, now: float) -> _Call | None:
        for _ in range(len(self._again)):
            call = self._again.popleft()
            if call.ready_at <= now:
                return call
            self._again.append(call)
        if not self._exhausted:
            new = next(self._source, None)
            self._exhausted = new is None
            return new
        return None

    def _send(self, call: _Call, server: ServerLoad) -> None:
        began = time.monotonic()
        server.began()
        self._in_flight += 1
        future = asyncio.run_coroutine_threadsafe(self._callers[server.url].call(call.requests), self._loop)

        def arrived(done: concurrent.futures.Future[Answered]) -> None:
            error = concurrent.futures.CancelledError() if done.cancelled() else done.exception()
            self._outcomes.put(_Outcome(call, server, began, done.result() if error is None else error))

        future.add_done_callback(arrived)

    def _taken_in(self, outcome: _Outcome) -> Iterator[Answer]:
        call, server, result, now = outcome.call, outcome.server, outcome.result, time.monotonic()
        if isinstance(result, Answered):
            server.answered(outcome.began, now, result.first_token_s)
            yield from self._engine.answers(call, result)
            # A server that gives fewer choices than it was asked for is asked for the others one by one.
            self._again.extend(_Call((request,)) for request in call.requests[len(result.reply.choices) :])
        elif isinstance(result, RefusedError):
            server.answered(outcome.began, now)
            yield from self._engine.failures(call, f"refused: {result}", may_pass=False)
        elif isinstance(result, TroubleError):
            yield from self._troubled(outcome, result, now)
        else:
            raise result

    def _troubled(self, outcome: _Outcome, trouble: TroubleError, now: float) -> Iterator[Answer]:
        call, section = outcome.call, self._engine.section
        about = call.requests[0].prompt_sha256, call.requests[0].sample_index
        outcome.server.troubled(outcome.began, now, trouble, about)
        call.failed_at = outcome.server.url
        if trouble.retry_after_s is not None and trouble.retry_after_s > section.timeout_s:
            outcome.server.give_up()
        if trouble.kind in ("odd", "slow"):
            call.tries += 1
            if call.tries >= section.attempts:
                yield from self._engine.failures(call, f"{trouble.reason} ({call.tries} tries)", may_pass=True)
                return
            call.ready_at = now + pause_s(call.tries)
        self._again.append(call)

    def _longest_wait(self) -> float | None:
        """Return the seconds until a pause ends for which work waits; None where only an outcome brings any."""
        now = time.monotonic()
        paused = [server.paused_until for server in self._servers if server.paused_until > now]
        moments = [call.ready_at for call in self._again if call.ready_at > now] + paused
        if not self._again and self._exhausted:
            return None
        return max(0.0, min(moments) - now) + _TICK_S if moments else None

    def _obituary(self) -> str:
        told = "; ".join(f"{server.url}: {server.reason}" for server in self._servers)
        count = len(self._servers)
        who = "the server does not answer" if count == 1 else f"none of the {count} servers answers"
        return f"{who} ({told}): check the server and rerun, what finished is stored"


_TICK_S = 0.005


def _calls(requests: Iterable[Request], choices: int) -> Iterator[_Call]:
    """Group requests that follow each other and differ in their sample index alone, at most ``choices`` together."""
    if choices == 1:
        for request in requests:
            yield _Call((request,))
        return
    group: list[Request] = []
    for request in requests:
        if group and (len(group) == choices or _asks(group[0]) != _asks(request)):
            yield _Call(tuple(group))
            group = []
        group.append(request)
    if group:
        yield _Call(tuple(group))


def _asks(request: Request) -> tuple[object, ...]:
    return request.prompt_sha256, request.sampler, request.schema


def _api_key(section: ModelSection) -> str | None:
    if section.api_key_variable is None:
        return None
    key = os.environ.get(section.api_key_variable)
    if not key:
        raise InputError(f"the environment variable {section.api_key_variable} is not set: put the server's key there")
    return key


@contextmanager
def _callers(
    loop: asyncio.AbstractEventLoop,
    section: ModelSection,
    urls: list[str],
    key: str | None,
    transport: httpx.AsyncBaseTransport | None,
) -> Iterator[list[Caller]]:
    async def made() -> list[Caller]:
        return [Caller(section, url, key, transport) for url in urls]

    async def closed() -> None:
        await _cancel_all()
        for caller in callers:
            await caller.close()

    callers = asyncio.run_coroutine_threadsafe(made(), loop).result()
    for caller in callers:
        asyncio.run_coroutine_threadsafe(caller.watch.run(), loop)
    try:
        yield callers
    finally:
        asyncio.run_coroutine_threadsafe(closed(), loop).result()


@contextmanager
def _event_loop() -> Iterator[asyncio.AbstractEventLoop]:
    # A thread of its own: answers go on arriving while the caller works, and the caller may run a loop itself.
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="http engine", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _cancel_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
