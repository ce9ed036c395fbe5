"""One try of a call at one server. Every time limit has one owner.

Opening a connection: httpx, ``_CONNECT_S``. The try as a whole: `Caller.call`, ``timeout_s``. A stream that writes no
more: `curation.llm.stalls`, ``stall_s``. Waits between tries: `curation.llm.server_load` and `curation.llm.http`.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NoReturn
from urllib.parse import urlsplit

import httpx

from curation.errors import OutsideError
from curation.json_reader import dumps
from curation.llm.engine import Request
from curation.llm.openai_protocol import AnswerReader, Reply, UnreadableError, path, payload
from curation.llm.server_load import TroubleError
from curation.llm.stalls import StallWatch, Stream, StreamStalledError
from curation.recipe import ModelSection

_CONNECT_S = 15.0
_EXCERPT = 160
_LONGEST_EXCERPT = 4 * _EXCERPT
_REFUSALS = (400, 413, 422)
_BUSY = (429, 503)
_MAY_PASS = (408, 425)


class RefusedError(Exception):
    """The server will not answer this request, however often it is asked."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply, and when it came: moments of the loop's clock."""

    reply: Reply
    began: float
    ended: float
    first_token_s: float | None


class Caller:
    """Calls one server. Use it inside one event loop, with `watch` running there, and close it there."""

    def __init__(
        self,
        section: ModelSection,
        url: str,
        key: str | None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Take the model section, the base address with ``/v1``, the key, and what carries calls but the network."""
        self._section, self._key = section, key
        self._address = f"{url.rstrip('/')}/{path(section)}"
        self.watch = StallWatch(section.stall_s)
        # A proxy from the environment is for the outside, never for a server on this machine.
        local = urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(None, connect=_CONNECT_S),
            trust_env=not local,
            transport=transport,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=section.concurrency),
            headers={"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})},
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def call(self, requests: Sequence[Request]) -> Answered:
        """Ask for a choice for each of the requests, which differ in their sample index alone.

        Raises:
            TroubleError: another try may succeed.
            RefusedError: none will.
            OutsideError: the server does not know us, or the model.
            InputError: the endpoint cannot take the prompt.
        """
        content = dumps(payload(self._section, requests)).encode()
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(self._section.timeout_s):
                reply, first_token_at = await self._read(content, began)
        except TimeoutError:
            raise TroubleError("slow", f"no answer within {self._section.timeout_s:g} s") from None
        except StreamStalledError as error:
            raise TroubleError("down" if error.whose == "server" else "odd", f"stalled: {error}") from None
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise TroubleError("down", f"the connection failed: {error or type(error).__name__}") from None
        except httpx.RequestError as error:
            raise TroubleError("odd", f"the connection failed: {error or type(error).__name__}") from None
        except UnreadableError as error:
            raise TroubleError("odd", str(error)) from None
        return Answered(reply, began, loop.time(), None if first_token_at is None else first_token_at - began)

    async def _read(self, content: bytes, began: float) -> tuple[Reply, float | None]:
        stream = Stream(self.watch, began)
        if not self._section.stream:
            return await self._post(content, stream)
        async with self.watch.watched(stream):
            return await self._post(content, stream)

    async def _post(self, content: bytes, stream: Stream) -> tuple[Reply, float | None]:
        reader = AnswerReader(self._section.logprobs is not None)
        async with self._client.stream("POST", self._address, content=content) as reply:
            if reply.status_code != httpx.codes.OK:
                self._refuse(reply, await _beginning(reply))
            async for chunk in reply.aiter_bytes():
                if reader.feed(chunk):
                    stream.wrote()
        return reader.finish(), stream.first_token_at

    def _refuse(self, reply: httpx.Response, body: bytes) -> NoReturn:
        excerpt = " ".join(body.decode(errors="replace").split())[:_EXCERPT]
        if self._key:
            excerpt = excerpt.replace(self._key, "***")
        status = reply.status_code
        reason = f"HTTP {status} {excerpt}".strip()
        if status in _BUSY:
            raise TroubleError("busy", reason, _retry_after(reply.headers))
        if status in _MAY_PASS or status >= httpx.codes.INTERNAL_SERVER_ERROR:
            raise TroubleError("odd", reason, _retry_after(reply.headers))
        if status in _REFUSALS:
            raise RefusedError(reason)
        raise OutsideError(
            f"{self._address} answers {reason}: check url, model {self._section.model!r} and the key "
            f"({self._section.api_key_variable or 'no api_key_variable given'})"
        )


async def _beginning(reply: httpx.Response) -> bytes:
    body = bytearray()
    async for chunk in reply.aiter_bytes():
        body += chunk
        if len(body) >= _LONGEST_EXCERPT:
            break
    return bytes(body[:_LONGEST_EXCERPT])


def _retry_after(headers: httpx.Headers) -> float | None:
    text = headers.get("Retry-After", "").strip()
    try:
        seconds = float(text)
        return max(0.0, seconds) if math.isfinite(seconds) else None
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
