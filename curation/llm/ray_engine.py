"""The engine on a Ray cluster: Ray Data brings requests to workers and answers back, by Ray's LLM batch API.

Without ``url`` the workers are copies of the model on the cluster's nodes (`curation.llm.ray_vllm`); with it they ask a
server that the nodes reach (`curation.llm.ray_http`). Ray asks again for what a lost worker or node had in hand; what
came back is yielded, and stored, at once.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from curation import cluster
from curation.cluster import Cluster
from curation.errors import InputError, OutsideError
from curation.llm import ray_http, ray_vllm
from curation.llm.engine import Answer, ModelIdentity, Request, failed
from curation.progress import Reporter
from curation.recipe import ModelSection

if TYPE_CHECKING:
    from ray.data.llm import Processor

NAME = "ray"
_REQUESTS_AT_ONCE = 100_000
"""A model is loaded for so many requests, whose prompts this process holds meanwhile."""

_SCHEMA = pa.schema({"place": pa.int64(), "given": pa.large_string()})
_ERROR = "__inference_error__"


class Form(Protocol):
    """How requests travel to workers, and answers back."""

    def processor(self) -> Processor:
        """Return what takes rows of ``place`` and ``given`` to rows of ``place`` and ``came``."""

    def given(self, request: Request) -> str:
        """Return what a worker is given.

        Raises:
            InputError: the request cannot be put into this form.
        """

    def answer(self, request: Request, came: str) -> Answer:
        """Read what came back."""


class RayEngine:
    """Answers requests on a cluster, which is connected to from the first request until `close`."""

    def __init__(
        self, section: ModelSection, identity: ModelIdentity, where: Cluster, directory: Path, reporter: Reporter
    ) -> None:
        """Take the model section, the identity for the keys, the cluster, and where paths in the section begin.

        Raises:
            InputError: Ray is not installed, or its batch API cannot do what the section asks for.
        """
        cluster.check()
        self._section, self._identity, self._cluster, self._reporter = section, identity, where, reporter
        self._resources = ExitStack()
        self._connected = False
        self._form: Form
        if section.url:
            ray_http.check(section)
            self._form = ray_http.ServerForm(section, identity, NAME)
        else:
            ray_vllm.check(section)
            if importlib.util.find_spec("vllm") is None:
                raise InputError(
                    "engine ray needs vLLM on every node: pip install 'curation[ray,vllm]', or give the url of a server"
                )
            self._form = ray_vllm.VllmForm(section, identity, NAME, directory)

    @property
    def identity(self) -> ModelIdentity:
        """The model that answers."""
        return self._identity

    @property
    def failures_allowed(self) -> float:
        """From the recipe."""
        return self._section.failures_allowed

    def answer(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Answer the requests in the order in which their blocks finish.

        Raises:
            InputError: a request cannot be put into the form that the model takes.
            OutsideError: there is no cluster, or its workers failed; what finished was yielded before.
        """
        source = iter(requests)
        while asked := list(islice(source, _REQUESTS_AT_ONCE)):
            if not self._connected:
                self._resources.enter_context(cluster.connected(self._cluster))
                self._connected = True
                self._reporter.note(f"asking {self._section.model} on the cluster {self._cluster.address}")
            yield from self._answers(asked)

    def close(self) -> None:
        """Leave the cluster; Ray ends the workers."""
        self._connected = False
        self._resources.close()

    def _answers(self, asked: list[Request]) -> Iterator[Answer]:
        import ray.data
        from ray.exceptions import RayError

        size = 1 if self._section.url else ray_vllm.BLOCK
        given = [self._form.given(request) for request in asked]
        table = pa.table({"place": range(len(given)), "given": given}, _SCHEMA)
        blocks = [table.slice(first, size) for first in range(0, len(given), size)]
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        quiet = ray.data.DataContext.get_current().copy()
        quiet.enable_progress_bars = False
        try:
            with ray.data.DataContext.current(quiet):
                dataset = self._form.processor()(ray.data.from_arrow(blocks))
            for row in dataset.iter_rows():
                yield self._read(asked[row["place"]], row)
        except RayError as error:
            raise OutsideError(
                f"the cluster {self._cluster.address} gave up asking {self._section.model} ({_reason(error)}): look at "
                "its log and run again, what finished is stored"
            ) from None

    def _read(self, request: Request, row: dict[str, Any]) -> Answer:
        error = row.get(_ERROR)
        if error:
            return Answer(request, failed(request, self._identity, NAME, f"refused: {error}"))
        return self._form.answer(request, row["came"])


def _reason(error: BaseException) -> str:
    """Return the last line that says something: Ray puts the worker's traceback before it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:300] if lines else type(error).__name__
