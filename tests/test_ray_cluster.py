"""A real Ray cluster of two nodes: the same bytes as here, both nodes at work, lost workers and nodes lose nothing."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ray.cluster_utils import Cluster as LocalCluster

from curation.cluster import Cluster, connected
from curation.errors import InputError, OutsideError
from curation.parallel import Preparation, Workers

pytestmark = pytest.mark.xdist_group("ray")

_OBJECT_STORE_BYTES = 80 << 20
_FACTOR = [1]


class Nodes:
    """The cluster: a head that works with one processor, and nodes that come and go."""

    def __init__(self, directory: str) -> None:
        self._cluster = LocalCluster()
        self._settings: dict[str, Any] = {"num_cpus": 1, "object_store_memory": _OBJECT_STORE_BYTES}
        self._cluster.add_node(include_dashboard=False, temp_dir=directory, **self._settings)
        self.address: str = self._cluster.address
        self.add()

    def add(self, **more: Any) -> Any:
        """Add a node of one processor."""
        return self._cluster.add_node(**self._settings, **more)

    def remove(self, node: Any) -> None:
        """Take a node away at once, as a machine that breaks down goes."""
        self._cluster.remove_node(node, allow_graceful=False)

    def end(self) -> None:
        """End all nodes."""
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Two nodes, to which this process is connected as long as the tests of this file run."""
    # Sockets lie in it, whose paths may have a hundred letters.
    directory = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        # The workers import the functions of this file.
        environment.setenv("PYTHONPATH", str(Path(__file__).parent))
        cluster = Nodes(directory)
        try:
            with connected(Cluster(cluster.address)):
                yield cluster
        finally:
            cluster.end()
            shutil.rmtree(directory)


def multiply_by(factor: int) -> None:
    """Set what `multiplied` multiplies by."""
    _FACTOR[0] = factor


def multiplied(batch: list[int]) -> list[int]:
    """Take longest for the first batch."""
    time.sleep(0.2 if batch[0] == 0 else 0.02)
    return [_FACTOR[0] * item for item in batch]


def refuse(batch: list[int]) -> None:
    """Raise on the third batch."""
    if batch[0] == 2:
        raise InputError("the third batch cannot be used")


def die(batch: list[int]) -> None:
    """End the process from outside."""
    os.kill(os.getpid(), signal.SIGKILL)


def working(caplog: pytest.LogCaptureFixture) -> set[str]:
    """Return the nodes that the pools of a test say worked."""
    return {str(record.args[0]) for record in caplog.records if record.name == "curation.cluster" and record.args}


def test_results_come_in_order_from_both_nodes(nodes: Nodes, caplog: pytest.LogCaptureFixture) -> None:
    batches = [[number, number + 100] for number in range(40)]
    expected = [(batch, [7 * item for item in batch]) for batch in batches]
    with (
        caplog.at_level(logging.INFO, "curation.cluster"),
        Workers("multiplies", Cluster(nodes.address), preparation=Preparation(multiply_by, (7,))) as workers,
    ):
        assert list(workers.map(multiplied, batches)) == expected
    assert _FACTOR == [1]
    assert len(working(caplog)) == 2


def test_what_a_function_raises_is_raised_here(nodes: Nodes) -> None:
    with (
        pytest.raises(InputError, match=r"^the third batch cannot be used$"),
        Workers("refuses", Cluster(nodes.address)) as workers,
    ):
        list(workers.map(refuse, [[number] for number in range(6)]))


def test_a_batch_that_kills_every_process_ends_the_work_with_a_sentence(nodes: Nodes) -> None:
    with (
        pytest.raises(OutsideError, match="that dies was lost 4 times"),
        Workers("dies", Cluster(nodes.address)) as workers,
    ):
        list(workers.map(die, [[1]]))
