"""Asks hosts for pages and files: slowly, as robots.txt allows, again after a failure, on where it was cut off.

httpx carries the requests, because redirects have to be followed by hand to stay on the allowed hosts; tenacity repeats
them, because its waits can follow what a server asks for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from urllib.parse import urljoin, urlsplit

import httpx
import tenacity

from curation.errors import OutsideError
from curation.ingest.fetch.robots import ALLOW_ALL, FORBID_ALL, LARGEST, OUR_NAME, Robots
from curation.ingest.fetch.section import Fetch

_ATTEMPTS = 5
_FIRST_WAIT_S = 1.0
_LONGEST_WAIT_S = 300.0
_REDIRECTS = 5
_TIMEOUT_S = 60.0
_MAY_PASS = frozenset({408, 425, 429})
_REDIRECTED = frozenset({301, 302, 303, 307, 308})


class DisallowedError(Exception):
    """The host's robots.txt forbids the address; the message is the address."""


class OffHostError(Exception):
    """A redirect leads away from the allowed hosts; the message is where to."""


class MayPassError(Exception):
    """A try failed in a way that another one may not."""

    def __init__(self, reason: str, retry_after_s: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


@dataclass
class _Host:
    robots: Robots
    next_s: float = 0.0


@dataclass
class Client:
    """A connection to an archive's hosts.

    Attributes:
        fetch: which hosts, and how fast.
        http: the connection.
        clock: seconds from any start.
        sleep: waits so many seconds.
    """

    fetch: Fetch
    http: httpx.Client
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _hosts: dict[str, _Host] = field(default_factory=dict)

    def trying(self) -> Iterator[tenacity.AttemptManager]:
        """Give attempts for a block that raises `MayPassError` or an httpx transport error where it may be repeated.

        Raises:
            OutsideError: from the last attempt.
        """
        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(_ATTEMPTS),
            wait=_wait,
            retry=tenacity.retry_if_exception_type((MayPassError, httpx.TransportError)),
            sleep=self.sleep,
            retry_error_callback=_give_up,
        )
        yield from retrying

    @contextmanager
    def ask(self, url: str, headers: dict[str, str]) -> Iterator[httpx.Response]:
        """Ask for an address and give its answer before its content is read.

        Raises:
            DisallowedError: robots.txt forbids it.
            OffHostError: it redirects to a host that is not allowed.
            MayPassError: the host is overloaded or failed.
            httpx.TransportError: the connection failed.
        """
        for _ in range(_REDIRECTS + 1):
            host = self._host(url)
            if host.robots.forbids(url):
                raise DisallowedError(url)
            self._await_turn(host)
            with self._stream(url, headers) as response:
                if response.status_code not in _REDIRECTED:
                    _refuse_failure(response)
                    yield response
                    return
                url = urljoin(url, response.headers.get("location", ""))
            if not self.fetch.allows(url):
                raise OffHostError(url)
        raise OutsideError(f"{url} redirects more than {_REDIRECTS} times: download the paper by hand")

    def _host(self, url: str) -> _Host:
        parts = urlsplit(url)
        if parts.netloc not in self._hosts:
            host = self._hosts[parts.netloc] = _Host(FORBID_ALL)
            for attempt in self.trying():
                with attempt:
                    host.robots = self._robots(f"{parts.scheme}://{parts.netloc}/robots.txt", host)
            if not host.robots.delay_s <= _LONGEST_WAIT_S:
                delay = host.robots.delay_s
                host.robots = FORBID_ALL
                raise OutsideError(f"{parts.netloc} wants {delay:.0f} seconds between requests: download by hand")
        return self._hosts[parts.netloc]

    def _robots(self, url: str, host: _Host) -> Robots:
        for _ in range(_REDIRECTS + 1):
            self._await_turn(host)
            with self._stream(url, {}) as response:
                if response.status_code in _REDIRECTED:
                    url = urljoin(url, response.headers.get("location", ""))
                    if not self.fetch.allows(url):
                        return FORBID_ALL
                    continue
                _refuse_failure(response)
                # The standard: a host that has no such file allows everything.
                return Robots(_start(response, LARGEST)) if response.status_code == httpx.codes.OK else ALLOW_ALL
        return ALLOW_ALL

    def _await_turn(self, host: _Host) -> None:
        now = self.clock()
        if now < host.next_s:
            self.sleep(host.next_s - now)
        host.next_s = max(now, host.next_s) + max(self.fetch.seconds_between, host.robots.delay_s)

    @contextmanager
    def _stream(self, url: str, headers: dict[str, str]) -> Iterator[httpx.Response]:
        # Compressed content has no ranges that a cut-off file could go on from.
        ours = {"User-Agent": f"{OUR_NAME}/{version('curation')}", "Accept-Encoding": "identity"}
        with self.http.stream("GET", url, headers=ours | headers, timeout=_TIMEOUT_S) as response:
            yield response


def _start(response: httpx.Response, size: int) -> str:
    content = b""
    for chunk in response.iter_bytes():
        content += chunk
        if len(content) >= size:
            break
    return content[:size].decode(errors="replace")


def _refuse_failure(response: httpx.Response) -> None:
    status = response.status_code
    if status in _MAY_PASS or status >= httpx.codes.INTERNAL_SERVER_ERROR:
        wait = _retry_after(response.headers.get("retry-after"))
        if wait is not None and wait > _LONGEST_WAIT_S:
            raise OutsideError(f"{response.url} asks to wait {wait:.0f} seconds: run again then")
        raise MayPassError(f"{response.url} answers {status}", wait)


def _retry_after(text: str | None) -> float | None:
    if text is None:
        return None
    if text.strip().isdecimal():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (when - datetime.now(UTC)).total_seconds()) if when.tzinfo else None


def _wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after_s if isinstance(error, MayPassError) else None
    growing = _FIRST_WAIT_S * 2 ** (state.attempt_number - 1)
    return growing if asked is None else max(asked, 0.0)


def _give_up(state: tenacity.RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome else None
    raise OutsideError(f"the archive cannot be fetched now ({error}): run again to go on") from None
