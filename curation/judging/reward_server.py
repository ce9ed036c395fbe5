"""Rewards over HTTP: ``POST /score`` with JSON in and out, ``GET /healthz``.

A request is one object, or ``{"items": [...]}``, of

    {"ground_truth": "...", "response": "...", "finish_reason": "stop", "mode": "binary"}

where the last two may be left out; the answer is ``{"rewards": [...]}`` in the same order, each with ``reward`` (null
for unknown), ``verdict``, ``passed``, ``tests``, ``why`` and ``isolation``. What a client sends is hostile: bodies,
items and waiting work are bounded, and a bad item is that item's unknown, or 400 where the request itself is none.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import cast, get_args

from aiohttp import web

from curation.errors import OutsideError
from curation.json_reader import JsonNumber, JsonTextError, JsonValue, dumps, loads
from curation.judging.reward import Asked, CodeReward, Mode, Reward

_LOG = logging.getLogger(__name__)
_RETRY_AFTER_S = "5"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a server takes on.

    Attributes:
        body_mb: MiB of one request.
        items: items of one request.
        waiting: items that are judged or wait for it, of all requests; beyond, requests are refused with 503.
        requests: requests that are read or judged at a time; others wait.
        body_s: seconds in which a body has to arrive, so that clients that send nothing block nobody.
        shutdown_s: seconds that requests in progress get when the server is told to end.
    """

    body_mb: int = 64
    items: int = 512
    waiting: int = 4096
    requests: int = 64
    body_s: float = 60.0
    shutdown_s: float = 60.0


class _RefusalError(Exception):
    """A request that is answered with a status and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class RewardServer:
    """Answers requests with an open `CodeReward`.

    Args:
        scorer: what scores; the caller's to close after the server has ended.
        bounds: what the server takes on.
    """

    def __init__(self, scorer: CodeReward, bounds: Bounds | None = None) -> None:
        self._scorer = scorer
        self._bounds = bounds or Bounds()
        self._waiting = 0

    def application(self) -> web.Application:
        """Return the application, for `aiohttp.web.run_app`."""
        application = web.Application(client_max_size=self._bounds.body_mb << 20)
        application.add_routes([web.post("/score", self._score), web.get("/healthz", self._health)])
        application.cleanup_ctx.append(self._with_threads)
        return application

    async def _with_threads(self, application: web.Application) -> AsyncIterator[None]:
        self._threads = ThreadPoolExecutor(self._bounds.requests, thread_name_prefix="reward")
        self._turn = asyncio.Semaphore(self._bounds.requests)
        yield
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def _health(self, request: web.Request) -> web.Response:
        isolation = self._scorer.bench.isolation
        told = {"status": "ok", "isolation": isolation.level, "workers": self._scorer.bench.workers}
        return _answer(200, {**told, "waiting": self._waiting})

    async def _score(self, request: web.Request) -> web.Response:
        try:
            async with self._turn:
                return await self._scored(request)
        except _RefusalError as refused:
            return _answer(refused.status, {"error": str(refused)})
        except web.HTTPRequestEntityTooLarge:
            return _answer(413, {"error": f"the body has more than {self._bounds.body_mb} MiB: send fewer items"})
        except OutsideError as error:
            _LOG.warning("scoring failed: %s", error)
            return _answer(503, {"error": str(error)})

    async def _scored(self, request: web.Request) -> web.Response:
        try:
            async with asyncio.timeout(self._bounds.body_s):
                body = await request.read()
        except TimeoutError:
            raise _RefusalError(408, f"the body did not arrive in {self._bounds.body_s:g} s") from None
        loop = asyncio.get_running_loop()
        asked = await loop.run_in_executor(self._threads, _read, body, self._bounds.items)
        if self._waiting + len(asked) > self._bounds.waiting:
            raise _RefusalError(503, f"{self._waiting} items wait already: try again later")
        self._waiting += len(asked)
        try:
            rewards = await loop.run_in_executor(self._threads, self._rewards, asked)
        finally:
            self._waiting -= len(asked)
        return _answer(200, {"rewards": [dataclasses.asdict(reward) for reward in rewards]})

    def _rewards(self, asked: list[Asked]) -> list[Reward]:
        return list(self._scorer.score_each(asked))


def serve(scorer: CodeReward, host: str, port: int, bounds: Bounds | None = None) -> None:
    """Serve until SIGINT or SIGTERM; requests in progress are answered first.

    Args:
        scorer: what scores; the caller's to close.
        host: the address to listen at.
        port: the port; 0 for a free one.
        bounds: what the server takes on.
    """
    chosen = bounds or Bounds()
    application = RewardServer(scorer, chosen).application()
    web.run_app(application, host=host, port=port, shutdown_timeout=chosen.shutdown_s, access_log=None)


def _read(body: bytes, most: int) -> list[Asked]:
    try:
        value = loads(body.decode())
    except UnicodeDecodeError:
        raise _RefusalError(400, "the body is not UTF-8") from None
    except JsonTextError as error:
        raise _RefusalError(400, f"the body is no JSON ({error})") from None
    if not isinstance(value, dict):
        raise _RefusalError(400, "the body is no JSON object")
    items = value.get("items", [value])
    if not isinstance(items, list):
        raise _RefusalError(400, "items is no list")
    if len(items) > most:
        raise _RefusalError(413, f"{len(items)} items are more than {most}: send fewer")
    return [_item(item, place) for place, item in enumerate(items)]


def _item(value: JsonValue, place: int) -> Asked:
    if not isinstance(value, dict):
        raise _RefusalError(400, f"item {place} is no object")
    for name, needed in (("ground_truth", True), ("response", True), ("finish_reason", False), ("mode", False)):
        found = value.get(name)
        if (found is None and needed) or isinstance(found, JsonNumber) or not isinstance(found, str | None):
            raise _RefusalError(400, f"item {place}: {name} is {'missing or ' if needed else ''}no text")
    mode = value.get("mode")
    if mode is not None and mode not in get_args(Mode):
        raise _RefusalError(400, f"item {place}: mode is {' or '.join(get_args(Mode))}")
    finish_reason = value.get("finish_reason")
    return Asked(
        ground_truth=str(value["ground_truth"]),
        response=str(value["response"]),
        finish_reason=None if finish_reason is None else str(finish_reason),
        mode=None if mode is None else cast(Mode, mode),
    )


def _answer(status: int, value: dict[str, object]) -> web.Response:
    headers = {"Retry-After": _RETRY_AFTER_S} if status == 503 else None
    # A message may quote a program's output, which need not be Unicode.
    body = dumps(value).encode(errors="replace")
    return web.Response(status=status, body=body, content_type="application/json", headers=headers)
