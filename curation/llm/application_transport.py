"""Calls to a web application in this process: httpx's requests, without a socket.

The application (ASGI 3, https://asgi.readthedocs.io/en/latest/specs/www.html) runs in an event loop of its own, which
outlives the loops of those who call it. Unlike httpx's own transport for applications this one passes the pieces of an
answer on as they come.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Future
from typing import Any

import httpx

Event = Mapping[str, Any]
Application = Callable[[Event, Callable[[], Awaitable[Event]], Callable[[Event], Awaitable[None]]], Awaitable[None]]


class ApplicationTransport(httpx.AsyncBaseTransport):
    """Carries requests to an application."""

    def __init__(
        self, application: Application, loop: asyncio.AbstractEventLoop, obituary: Callable[[], str | None]
    ) -> None:
        """Take the application, the running loop that it lives in, and what tells why it answers no more.

        ``obituary`` gives None as long as the application lives.
        """
        self._application, self._loop, self._obituary = application, loop, obituary

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; the answer's pieces follow as they come.

        Raises:
            httpx.ConnectError: the application is dead.
            httpx.ReadError: it broke off.
        """
        self._look(request)
        call = _Call(self._application, _scope(request), await request.aread(), self._loop)
        try:
            start = await call.next()
            if start is None:
                self._look(request)
                raise httpx.ReadError("the application gave no answer", request=request)
        except BaseException:
            call.cancel()
            raise
        return httpx.Response(start["status"], headers=start.get("headers", []), stream=_Pieces(call))

    def _look(self, request: httpx.Request) -> None:
        reason = self._obituary()
        if reason is not None:
            raise httpx.ConnectError(reason, request=request)


class _Call:
    """One call: it runs in the application's loop, and its events are taken in the caller's."""

    def __init__(self, application: Application, scope: Event, body: bytes, loop: asyncio.AbstractEventLoop) -> None:
        self._here = asyncio.get_running_loop()
        self._events: asyncio.Queue[Event | BaseException | None] = asyncio.Queue()
        self._running = asyncio.run_coroutine_threadsafe(self._run(application, scope, body), loop)
        self._running.add_done_callback(self._ended)

    async def next(self) -> Event | None:
        """Return the next event of the answer; None at its end."""
        event = await self._events.get()
        if isinstance(event, BaseException):
            raise httpx.ReadError(f"the application broke off: {type(event).__name__}: {event}")
        return event

    def cancel(self) -> None:
        """Give the call up, by which the application stops working on it."""
        self._running.cancel()

    async def _run(self, application: Application, scope: Event, body: bytes) -> None:
        given = False

        async def receive() -> Event:
            nonlocal given
            if not given:
                given = True
                return {"type": "http.request", "body": body, "more_body": False}
            # Whoever calls stays until the call is cancelled.
            await asyncio.Event().wait()
            return {"type": "http.disconnect"}

        async def send(event: Event) -> None:
            self._tell(event)

        await application(scope, receive, send)

    def _ended(self, done: Future[None]) -> None:
        self._tell(None if done.cancelled() else done.exception())

    def _tell(self, event: Event | BaseException | None) -> None:
        # The caller's loop is closed where it gave the call up and went.
        if not self._here.is_closed():
            self._here.call_soon_threadsafe(self._events.put_nowait, event)


class _Pieces(httpx.AsyncByteStream):
    def __init__(self, call: _Call) -> None:
        self._call = call

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (event := await self._call.next()) is not None:
            if event["type"] == "http.response.body":
                yield event.get("body", b"")
                if not event.get("more_body", False):
                    return

    async def aclose(self) -> None:
        self._call.cancel()


def _scope(request: httpx.Request) -> Event:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.url.scheme,
        "path": request.url.path,
        "raw_path": request.url.raw_path,
        "query_string": request.url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "server": (request.url.host, request.url.port),
        "client": None,
    }
