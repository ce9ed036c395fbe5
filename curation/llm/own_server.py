"""An engine on a server of our own: a child process from the first request until `OwnServerEngine.close`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack

from curation.llm.engine import Answer, ModelIdentity, Request
from curation.llm.http import HttpEngine
from curation.recipe import ModelSection


class OwnServerEngine:
    """An `HttpEngine` to a server that starts with the first request."""

    def __init__(
        self,
        section: ModelSection,
        identity: ModelIdentity,
        start: Callable[[], AbstractContextManager[str]],
        name: str,
    ) -> None:
        """Take the model section, the identity for the keys, what starts the server, and the engine's name.

        ``start`` gives the base address with ``/v1`` once the server answers, and stops the server on leaving.
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
            address = self._resources.enter_context(self._start())
            self._http = HttpEngine(self._section, self._identity, address, self._name)

        def all_requests() -> Iterator[Request]:
            yield first
            yield from source

        yield from self._http.answer(all_requests())

    def close(self) -> None:
        """Stop the server."""
        self._http = None
        self._resources.close()
