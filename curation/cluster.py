"""A Ray cluster in place of the processes of this machine: the same functions of the same batches, on every node.

What travels are functions of modules that hold no state between batches, so Ray may run one again whose worker or node
was lost. Every node has Python, Ray and this program in the versions of this machine, and reads the files that a recipe
names under the same paths.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import logging
import os
import secrets
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from curation.errors import CurationError, InputError, OutsideError
from curation.recipe import Recipe

if TYPE_CHECKING:
    import ray

Item = TypeVar("Item")
Result = TypeVar("Result")

AUTO = "auto"
"""The address of the cluster that this machine is a node of."""

RETRIES = 3
"""How often a batch is done again whose worker or node was lost, before the work stops."""

_CONNECT_S = 10.0
_SECONDS_BETWEEN_LOOKS = 5.0
_BATCHES_A_PROCESSOR = 3
_LOG = logging.getLogger(__name__)

_BEGUN: ContextVar[str] = ContextVar("begun", default="")
"""For which pool a worker process of the cluster has begun; changed when another pool sends it a batch."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Ray cluster.

    Attributes:
        address: ``auto`` where this machine is one of its nodes, ``HOST:PORT`` of its head, or ``ray://HOST:PORT``.
    """

    address: str = AUTO


def of(recipe: Recipe) -> Cluster | None:
    """Return the recipe's cluster; None where the processes of this machine do the work."""
    return None if recipe.cluster is None else Cluster(recipe.cluster.address)


def check() -> None:
    """Say what is missing.

    Raises:
        InputError: Ray is not installed.
    """
    if importlib.util.find_spec("ray") is None:
        raise InputError("a Ray cluster needs Ray: pip install 'curation[ray]', or leave --ray or [cluster] out")


@contextmanager
def connected(cluster: Cluster) -> Iterator[None]:
    """Be connected to the cluster; a connection that stands is used, and outlives the block.

    Raises:
        InputError: Ray is not installed, or the address is none.
        OutsideError: no cluster answers there.
    """
    check()
    import ray

    _knock(cluster.address)
    if ray.is_initialized():
        yield
        return
    # Ray counts the uses of its programs for its makers, unless told otherwise.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init(cluster.address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise OutsideError(
            f"no Ray cluster answers at {cluster.address} ({_first_line(error)}): start one with `ray start --head`, "
            "or give the address of its head"
        ) from None
    try:
        yield
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Look whether anybody listens, for Ray itself tries for minutes."""
    if address == AUTO:
        return
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port or parts.scheme not in ("", "ray"):
        raise InputError(f"--ray {address}: no address of a Ray cluster: give auto, HOST:PORT or ray://HOST:PORT")
    try:
        socket.create_connection((host, port), timeout=_CONNECT_S).close()
    except OSError as error:
        raise OutsideError(
            f"no Ray cluster answers at {address} ({error.strerror or error}): start one with `ray start --head`, or "
            "give the address of its head"
        ) from None


class ClusterPool:
    """The worker processes of a cluster, one a processor; Ray starts and ends them."""

    def __init__(self, work: str, cluster: Cluster, begin: Callable[[], None]) -> None:
        """Connect to the cluster.

        Args:
            work: what a process does, for messages: ``filters rows``.
            cluster: which.
            begin: what each process does before its first batch; it travels to each node once.

        Raises:
            InputError: Ray is not installed, or the address is none.
            OutsideError: no cluster answers there.
        """
        self._work = work
        self._resources = ExitStack()
        self._resources.enter_context(connected(cluster))
        import ray

        self._token = secrets.token_hex(8)
        # In a list, or Ray would fetch it for every batch.
        self._begin = [ray.put(begin)]
        # SPREAD, because Ray's usual way is to fill one node before it uses the next.
        self._do: Any = ray.remote(num_cpus=1, max_retries=RETRIES, scheduling_strategy="SPREAD")(_do)
        self._waiting: dict[Future[Any], ray.ObjectRef[Any]] = {}
        self._batches: Counter[str] = Counter()
        self._room, self._looked = 0, 0.0

    @property
    def room(self) -> int:
        """How many batches may be in flight: a few for each processor that the cluster has now."""
        if not self._looked or time.monotonic() > self._looked + _SECONDS_BETWEEN_LOOKS:
            self._room = _BATCHES_A_PROCESSOR * max(1, int(_resources().get("CPU", 1)))
            self._looked = time.monotonic()
        return self._room

    def submit(self, function: Callable[[list[Item]], Result], batch: list[Item]) -> Future[Any]:
        """Send a batch; give what comes back to `result`."""
        version = importlib.metadata.version("curation")
        reference = self._do.remote(self._token, version, self._begin, function, batch)
        # A future fetches what comes back as soon as it is there, so that a node that is lost takes nothing along.
        future: Future[Any] = reference.future()
        self._waiting[future] = reference
        return future

    def result(self, future: Future[Any]) -> Any:
        """Return what the function returned.

        Raises:
            OutsideError: its worker was lost again and again, or a node lacks this program. What the function raises
                is raised here as well.
        """
        from ray.exceptions import RayError, RayTaskError

        try:
            node, result = future.result()
        except RayTaskError as error:
            raise self._cause(error) from None
        except RayError as error:
            raise OutsideError(
                f"a process of the cluster that {self._work} was lost {RETRIES + 1} times ({type(error).__name__}; out "
                "of memory?): look at the cluster's log and run again"
            ) from None
        finally:
            self._waiting.pop(future, None)
        self._batches[node] += 1
        return result

    def close(self) -> None:
        """Call off what is in flight, and leave the cluster."""
        import ray

        for reference in self._waiting.values():
            ray.cancel(reference)
        self._waiting.clear()
        for node, batches in sorted(self._batches.items()):
            _LOG.info("node %s %s: %d batches", node, self._work, batches)
        self._resources.close()

    def _cause(self, error: ray.exceptions.RayTaskError) -> BaseException:
        cause = error.cause
        if isinstance(cause, CurationError) or not isinstance(cause, ImportError | RuntimeError):
            return cause
        return OutsideError(
            f"a node of the cluster cannot work ({_first_line(cause)}): install this program there, pip install "
            "'curation[ray]' in the version of this machine"
        )


def _do(
    token: str,
    version: str,
    begin: list[ray.ObjectRef[Callable[[], None]]],
    function: Callable[[list[Item]], Result],
    batch: list[Item],
) -> tuple[str, Result]:
    """Work on a batch in a process of the cluster; give the node's name with what comes of it."""
    import ray

    if _BEGUN.get() != token:
        installed = importlib.metadata.version("curation")
        if installed != version:
            raise OutsideError(f"a node of the cluster has curation {installed}, this machine {version}: install one")
        ray.get(begin[0])()
        _BEGUN.set(token)
    return ray.get_runtime_context().get_node_id(), function(batch)


def _resources() -> dict[str, float]:
    import ray

    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return resources


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
