"""The local server of the label pages.

It answers on 127.0.0.1 alone, to those who know the random token in its address, under its own name: another page in
the same browser can neither read nor label anything, by a form, by a script, or by a name that it lets point here.
"""

from __future__ import annotations

import hmac
import logging
import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from aiohttp import web

from curation.errors import CurationError, InputError
from curation.labelling.book import LabelBook, StaleError, status
from curation.labelling.page import Pages
from curation.recipe import FAILURE_TYPES

_LOG = logging.getLogger(__name__)
_HOST = "127.0.0.1"
_BODY_BYTES = 64 << 10
_SHUTDOWN_S = 1.0
_TOKEN_BYTES = 24
_DIGITS = 9
_NO_FORM = "The form is not one of this server's.\n"
_FROM_HERE = frozenset({"same-origin", "none"})

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Address:
    """Where the pages are.

    Attributes:
        port: the port that listens.
        token: what only the annotator knows.
    """

    port: int
    token: str

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{_HOST}:{self.port}/{self.token}/"

    @property
    def hosts(self) -> frozenset[str]:
        """The names under which it may be asked."""
        return frozenset({f"{_HOST}:{self.port}", f"localhost:{self.port}"})


def serve(book: LabelBook, port: int, on_ready: Callable[[str], None]) -> None:
    """Serve the pages until SIGINT or SIGTERM.

    Args:
        book: an open book.
        port: the port; 0 for a free one.
        on_ready: gets the address to open.

    Raises:
        InputError: the port is taken.
    """
    try:
        listening = socket.create_server((_HOST, port))
    except OSError as error:
        raise InputError(f"--port {port}: {error.strerror}: choose another port, or 0 for a free one") from None
    # Who interrupts before the pages are up means the same as after.
    with listening, suppress(KeyboardInterrupt):
        address = Address(listening.getsockname()[1], secrets.token_urlsafe(_TOKEN_BYTES))
        on_ready(address.url)
        application = LabelServer(book, address).application()
        web.run_app(application, sock=listening, print=None, access_log=None, shutdown_timeout=_SHUTDOWN_S)


class LabelServer:
    """Answers requests about one book."""

    def __init__(self, book: LabelBook, address: Address) -> None:
        """Take an open book and the address under which it is shown."""
        self._book, self._address = book, address
        self._base = f"/{address.token}"
        self._pages = Pages(book, self._base)

    def application(self) -> web.Application:
        """Return the application, for `aiohttp.web.run_app`."""
        application = web.Application(client_max_size=_BODY_BYTES, middlewares=[self._guard])
        application.on_response_prepare.append(_protect)
        application.add_routes(
            [
                web.get("/{token}/", self._start),
                web.get("/{token}/case/{number}", self._show),
                web.post("/{token}/case/{number}", self._decide),
                web.post("/{token}/undo", self._undo),
                web.get("/{token}/jump", self._jump),
                web.get("/{token}/all", self._all),
            ]
        )
        return application

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        request["nonce"] = secrets.token_urlsafe(_TOKEN_BYTES)
        if request.headers.get("Host") not in self._address.hosts:
            return web.Response(status=421, text="This server answers under its own address alone.\n")
        token = request.path.split("/")[1]
        if not hmac.compare_digest(token.encode(), self._address.token.encode()):
            text = "There is nothing here. Open the address that curation label printed when it was last started.\n"
            return web.Response(status=404, text=text)
        if request.method != "GET" and not self._is_from_here(request):
            return web.Response(status=403, text="Only the pages of this server may label.\n")
        return await handler(request)

    def _is_from_here(self, request: web.Request) -> bool:
        origin, fetched = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
        own = {f"http://{host}" for host in self._address.hosts}
        return (origin is None or origin in own) and (fetched is None or fetched in _FROM_HERE)

    async def _start(self, request: web.Request) -> web.StreamResponse:
        return self._to_next(-1)

    async def _show(self, request: web.Request) -> web.StreamResponse:
        return self._case(request, self._place(request))

    async def _all(self, request: web.Request) -> web.StreamResponse:
        counts = self._book.counts()
        message = "" if counts["open"] + counts["skipped"] else "Every case has a label."
        return _page(self._pages.all_cases(request["nonce"], message))

    async def _decide(self, request: web.Request) -> web.StreamResponse:
        place = self._place(request)
        case = self._book.cases[place]
        form = await _form(request)
        decision, _, failure_type = str(form.get("decision", "")).partition(":")
        seen = _number(str(form.get("seen", "")))
        if seen is None or (failure_type and (decision != "invalid" or failure_type not in FAILURE_TYPES)):
            return web.Response(status=400, text=_NO_FORM)
        try:
            if decision == "skip":
                self._book.skip(case, seen)
            elif decision == "valid":
                self._book.label(case, seen, "valid", None, str(form.get("note", "")))
            elif decision == "invalid":
                self._book.label(case, seen, "invalid", failure_type or None, str(form.get("note", "")))
            else:
                return web.Response(status=400, text=_NO_FORM)
        except StaleError:
            now = status(self._book.standing.of(case.id))
            alert = f"Not saved: case {place + 1} changed elsewhere since this page was shown and is {now} now."
            return self._case(request, place, alert=alert, code=409)
        except (CurationError, OSError) as error:
            return self._not_saved(request, place, error)
        return self._to_next(place)

    async def _undo(self, request: web.Request) -> web.StreamResponse:
        form = await _form(request)
        seen, number = _number(str(form.get("acts", ""))), _number(str(form.get("number", "")))
        shown = min(max((number or 1) - 1, 0), len(self._book.cases) - 1)
        if seen is None:
            return web.Response(status=400, text=_NO_FORM)
        try:
            case = self._book.undo(seen)
        except StaleError:
            alert = "Nothing undone: there were other acts since this page was shown."
            return self._case(request, shown, alert=alert, code=409)
        except (CurationError, OSError) as error:
            return self._not_saved(request, shown, error)
        raise web.HTTPSeeOther(self._path(shown if case is None else self._book.place(case.id)))

    async def _jump(self, request: web.Request) -> web.StreamResponse:
        wanted = request.query.get("to", "").strip()
        place = self._book.find(wanted)
        if place is not None:
            raise web.HTTPSeeOther(self._path(place))
        alert = f"There is no case {wanted!r}: give a number from 1 to {len(self._book.cases)} or an id."
        return _page(self._pages.all_cases(request["nonce"], alert=alert), 404)

    def _place(self, request: web.Request) -> int:
        number = _number(request.match_info["number"])
        if number is None or not 1 <= number <= len(self._book.cases):
            raise web.HTTPNotFound(text=f"There is no such case: the cases are 1 to {len(self._book.cases)}.\n")
        return number - 1

    def _case(self, request: web.Request, place: int, alert: str = "", code: int = 200) -> web.Response:
        return _page(self._pages.case(place, request["nonce"], alert=alert), code)

    def _not_saved(self, request: web.Request, place: int, error: Exception) -> web.Response:
        _LOG.warning("an act could not be saved: %s", error)
        return self._case(request, place, alert=f"Not saved: {error}", code=507)

    def _to_next(self, place: int) -> web.StreamResponse:
        following = self._book.next_open(place)
        raise web.HTTPSeeOther(f"{self._base}/all" if following is None else self._path(following))

    def _path(self, place: int) -> str:
        return f"{self._base}/case/{place + 1}"


async def _protect(request: web.Request, response: web.StreamResponse) -> None:
    # Aiohttp asks for this of every response, also of those that it makes itself.
    nonce = request.get("nonce", "")
    own = f"'nonce-{nonce}'" if nonce else "'none'"
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; style-src {own}; script-src {own}; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"


async def _form(request: web.Request) -> Mapping[str, object]:
    try:
        return await request.post()
    except (ValueError, LookupError):
        # A body that is no form, or in no encoding that there is.
        raise web.HTTPBadRequest(text=_NO_FORM) from None


def _page(html: str, code: int = 200) -> web.Response:
    return web.Response(status=code, body=html.encode(), content_type="text/html", charset="utf-8")


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None
