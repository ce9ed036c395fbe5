"""Finds streams, and whole servers, that write no more although the connection and the health check are fine.

A stream that wrote before and brings nothing new for ``stall_s`` seconds is given up alone; one that waits for its
first token may stand in the server's queue, so it is given up only when the server writes to nobody for as long.
Keep-alives are no tokens.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal


class StreamStalledError(Exception):
    """The stream, or its server, stalled."""

    def __init__(self, whose: Literal["stream", "server"], stall_s: float) -> None:
        super().__init__(f"no token {'in this answer' if whose == 'stream' else 'from the server'} for {stall_s:g} s")
        self.whose = whose


class Stream:
    """A streamed answer under watch. Made by `StallWatch.watched`."""

    def __init__(self, watch: StallWatch, began: float) -> None:
        self._watch = watch
        self.began = began
        self.limit = asyncio.timeout(None)
        self.first_token_at: float | None = None
        self.last_token_at: float | None = None
        self.stalled: Literal["stream", "server"] | None = None

    def wrote(self) -> None:
        """A token arrived."""
        self.last_token_at = self._watch.last_token_at = asyncio.get_running_loop().time()
        if self.first_token_at is None:
            self.first_token_at = self.last_token_at


class StallWatch:
    """Watches the streams of one server; `run` must be running in their loop."""

    def __init__(self, stall_s: float) -> None:
        self._stall_s = stall_s
        self._streams: set[Stream] = set()
        self.last_token_at = float("-inf")

    @asynccontextmanager
    async def watched(self, stream: Stream) -> AsyncIterator[None]:
        """Watch a stream for the length of the block.

        Raises:
            StreamStalledError: it stalled; whatever the block waited for is cancelled.
        """
        self._streams.add(stream)
        try:
            async with stream.limit:
                yield
        except TimeoutError:
            if stream.stalled is None:
                raise
            raise StreamStalledError(stream.stalled, self._stall_s) from None
        finally:
            self._streams.discard(stream)

    async def run(self) -> None:
        """Look at the streams again and again, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._stall_s / 4)
            now = loop.time()
            if not self._streams:
                continue
            silent_since = max(self.last_token_at, min(stream.began for stream in self._streams))
            for stream in self._streams:
                if now - silent_since > self._stall_s:
                    stream.stalled = "server"
                elif stream.last_token_at is not None and now - stream.last_token_at > self._stall_s:
                    stream.stalled = "stream"
                if stream.stalled is not None:
                    stream.limit.reschedule(now)
