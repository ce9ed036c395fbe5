"""An engine on a server of our own: a child process, or an application in this one, until `OwnServerEngine.close`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field

import httpx

from curation.llm.engine import Answer, ModelIdentity, Request
from curation.llm.http import HttpEngine
from curation.recipe import ModelSection


@dataclass(frozen=True, slots=True)
class OwnServer:
    """A server that answers.

    Attributes:
        address: its base address with ``/v1``.
        transport: what carries calls to it; None for the network.
        versions: of what answers, stored with each response.
    """

    address: str
    transport: httpx.AsyncBaseTransport | None = None
    versions: Mapping[str, str] = field(default_factory=dict)


class OwnServerEngine:
    """An `HttpEngine` to a server that starts with the first request."""

    def __init__(
        self,
        section: ModelSection,
        identity: ModelIdentity,
        start: Callable[[], AbstractContextManager[OwnServer]],
        name: str,
    ) -> None:
        """Take the model section, the identity for the keys, what starts the server, and the engine's name.

        ``start`` gives the server once it answers, and stops it on leaving.
        """
        self._section, self._identity, self._start, self._name = section, identity, start, name
        self._resources = ExitStack()
        self._http: HttpEngine | None = None

    @property
    def identity(self) -> ModelIdentity:
        """The model that answers."""
        return self._identity

    @property
    def failures_allowed(self) -> float:
        """From the recipe."""
        return self._section.failures_allowed

    def answer(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Answer the requests; the server starts when there is one.

        Raises:
            InputError: what runs the server is not installed, or there is no such model.
            OutsideError: the model cannot be downloaded, or the server does not start, or died.
        """
        source = iter(requests)
        first = next(source, None)
        if first is None:
            return
        if self._http is None:
            server = self._resources.enter_context(self._start())
            self._http = HttpEngine(
                self._section,
                self._identity,
                server.address,
                self._name,
                transport=server.transport,
                versions=server.versions,
            )

        def all_requests() -> Iterator[Request]:
            yield first
            yield from source

        yield from self._http.answer(all_requests())

    def close(self) -> None:
        """Stop the server."""
        self._http = None
        self._resources.close()
