"""A real Ray cluster of two nodes: the same bytes as here, both nodes at work, lost workers and nodes lose nothing."""

from __future__ import annotations

import dataclasses
import importlib.util
import itertools
import json
import logging
import os
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import psutil
import pytest
import ray
import run_parts
from ray.cluster_utils import Cluster as LocalCluster

from curation import assets, records
from curation.answers.files import grade_file
from curation.cli import main
from curation.cluster import Cluster, connected
from curation.contamination.audit import audit
from curation.contamination.step import Decontaminate
from curation.dedup.step import Deduplicate
from curation.errors import InputError, OutsideError
from curation.filters.files import filter_file
from curation.filters.step import Filter
from curation.llm import pool_problems
from curation.llm.asking import ask
from curation.llm.engine import Message, Request
from curation.llm.engines import open_engine
from curation.llm.grading import Grader, Ungraded
from curation.llm.llama_server import serve
from curation.llm.pool import open_pool
from curation.llm.standalone import SMALLEST_MODEL
from curation.parallel import Preparation, Workers
from curation.progress import Silent
from curation.recipe import JudgeSection, ModelSection, Recipe, Sampler
from curation.steps import Step

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

    def standing(self) -> set[Any]:
        """Return the nodes that are there."""
        return set(self._cluster.list_all_nodes())

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
            remove(Path(directory))


def remove(directory: Path) -> None:
    """Remove what a cluster wrote; its last processes may still write while they end."""
    deadline = time.monotonic() + 30
    while directory.exists() and time.monotonic() < deadline:
        shutil.rmtree(directory, ignore_errors=True)
        time.sleep(0.05)
    assert not directory.exists()


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


def recorded(record: str, batch: list[int]) -> list[int]:
    """Write down that the batch was worked on, then take a moment."""
    with Path(record).open("a") as file:
        file.write(f"{batch[0]}\n")
    time.sleep(0.05)
    return batch


def dies_once(record: str, batch: list[int]) -> list[int]:
    """End the process from outside when batch 9 comes for the first time."""
    recorded(record, batch)
    if batch[0] == 9 and Path(record).read_text().split().count("9") == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return batch


def held_on(node: str, held: str, record: str, batch: list[int]) -> list[int]:
    """Never come to an end on one of the nodes."""
    if ray.get_runtime_context().get_node_id() == node:
        with Path(held).open("a") as file:
            file.write(f"{batch[0]}\n")
        time.sleep(600)
    return recorded(record, batch)


def remove_when(nodes: Nodes, node: Any, held: Path) -> None:
    """Take a node away once it holds a batch."""
    deadline = time.monotonic() + 240
    while not held.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    nodes.remove(node)


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


def test_a_batch_that_kills_every_process_ends_the_work_with_a_sentence(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curation.cluster.RETRIES", 1)
    with (
        pytest.raises(OutsideError, match="that dies was lost 2 times"),
        Workers("dies", Cluster(nodes.address)) as workers,
    ):
        list(workers.map(die, [[1]]))


def test_a_killed_worker_loses_and_repeats_nothing_that_came_back(nodes: Nodes, tmp_path: Path) -> None:
    record = tmp_path / "record"
    with Workers("dies once", Cluster(nodes.address)) as workers:
        results = [result for _, result in workers.map(partial(dies_once, str(record)), [[n] for n in range(30)])]
    assert results == [[number] for number in range(30)]
    times = Counter(record.read_text().split())
    assert times.pop("9") == 2
    assert set(times.values()) == {1}


def test_a_lost_node_loses_and_repeats_nothing_that_came_back(
    nodes: Nodes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record, held = tmp_path / "record", tmp_path / "held"
    third = nodes.add()
    breaking = threading.Thread(target=remove_when, args=(nodes, third, held))
    breaking.start()
    with (
        caplog.at_level(logging.INFO, "curation.cluster"),
        Workers("goes on", Cluster(nodes.address)) as workers,
    ):
        work = partial(held_on, third.node_id, str(held), str(record))
        results = [result for _, result in workers.map(work, [[number] for number in range(40)])]
    breaking.join()
    assert results == [[number] for number in range(40)]
    lost, times = set(held.read_text().split()), Counter(record.read_text().split())
    assert lost
    # What the lost node had in hand is done by the others; what came back is not done again.
    assert times == Counter(str(number) for number in range(40))
    assert working(caplog) == {node.node_id for node in nodes.standing()}


def statement(number: int) -> str:
    """Return a problem: every ninth is a benchmark's, and some no checker can decide."""
    if number % 4 == 1:
        return f"Prove that {number} is a number."
    return (ITEM if number % 9 == 0 else EXERCISE).replace("35", str(35 + number % 3))


def data_set(path: Path, rows: int) -> str:
    """Write rows of problems with answers."""
    lines = (json.dumps({"id": str(n), "problem": statement(n), "answer": str(n)}) + "\n" for n in range(rows))
    path.write_text("".join(lines))
    return str(path)


ITEM = "A jeweller melts $35$ rings of $12$ grams and casts bars of $28$ grams. How many bars does the jeweller cast?"
EXERCISE = "A gardener plants 35 rows of tulips with 12 bulbs each. How many bulbs does the gardener plant in all?"


def contents(directory: Path) -> dict[str, bytes]:
    """Return the bytes of every file under a directory."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize("command", ["audit", "filter", "grade"])
def test_a_command_writes_the_same_bytes_over_the_cluster(
    command: str, nodes: Nodes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = data_set(tmp_path / "data.jsonl", 2_500)
    benchmark = tmp_path / "own.jsonl"
    benchmark.write_text(json.dumps({"id": "bars", "problem": ITEM, "answer": "15"}) + "\n")
    cases = tmp_path / "cases.jsonl"
    cases.write_text(
        "".join(
            json.dumps({"gold": rf"\frac{{{n}}}{{2}}", "pred": f"So it is {n / 2} or \\boxed{{{n / 2}}}"}) + "\n"
            for n in range(750)
        )
    )
    cluster = Cluster(nodes.address)
    wrote: list[dict[str, bytes]] = []
    with caplog.at_level(logging.INFO, "curation.cluster"):
        for name, where in (("here", None), ("there", cluster)):
            out = tmp_path / name
            if command == "audit":
                audit(data, out, [str(benchmark)], cluster=where)
            elif command == "filter":
                filter_file(data, out / "kept.jsonl", out / "dropped.jsonl", workers=where)
            else:
                grade_file(str(cases), out / "graded.jsonl", workers=where)
            wrote.append(contents(out))
            assert (working(caplog) == set()) == (where is None)
    assert wrote[0] == wrote[1]
    assert all(wrote[0].values())
    assert len(working(caplog)) == 2


@pytest.mark.parametrize("step", [Filter(), Deduplicate(), Decontaminate()], ids=lambda step: step.name)
def test_a_step_of_a_run_writes_the_same_bytes_over_the_cluster(step: Step, nodes: Nodes, tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text(json.dumps({"id": "bars", "problem": ITEM, "answer": "15"}) + "\n")
    problems = [run_parts.problem(str(n), str(n), statement=statement(n)) for n in range(60)]
    parts = run_parts.build(tmp_path, problems, {})
    given = {"decontaminate": {"against": [str(tmp_path / "own.jsonl")]}}
    here = run_parts.recipe(**given)
    there = run_parts.recipe(**given, cluster={"address": nodes.address})
    reports = [step.execute(parts.context(recipe, name)) for name, recipe in (("here", here), ("there", there))]
    assert reports[0] == reports[1]
    assert contents(tmp_path / "here") == contents(tmp_path / "there")
    assert 0 < pl.read_parquet(tmp_path / "there" / "ledger.parquet").height < 60
    assert step.configuration(here) == step.configuration(there)


def test_responses_are_graded_the_same_on_the_nodes_each_in_its_own_sandbox(nodes: Nodes, tmp_path: Path) -> None:
    program = "Here it is.\n```python\nprint(2 * int(input()))\n```"
    wrong = program.replace("2 *", "3 *")
    case = records.TestCase("own:c", "1", "stdio", "4\n", "8\n")
    tests = records.to_frame([case], records.TEST_SCHEMA)
    math, code = vars_of(run_parts.problem("m", "7/2")), vars_of(run_parts.problem("c", None, domain="code"))
    items = [
        Ungraded(problem, tests, run_parts.response(problem["problem_id"], index, text, reason))
        for index, (problem, text, reason) in enumerate(
            [
                (math, r"So \boxed{3.5}", "stop"),
                (math, r"So \boxed{3.6}", "stop"),
                (math, r"So \boxed{3.5}", "length"),
                (code, program, "stop"),
                (code, wrong, "stop"),
            ]
            * 8
        )
    ]
    graded = []
    for where in (None, Cluster(nodes.address)):
        with Grader(JudgeSection(), tmp_path / str(where is None), cluster=where) as grader:
            graded.append(grader.grade(items))
    assert graded[0] == graded[1]
    assert [one.grade for one in graded[1][:5]] == ["right", "wrong", "unknown", "right", "wrong"]


def test_a_selection_writes_the_same_bytes_over_the_cluster(
    nodes: Nodes, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [run_parts.problem(f"p{number}", str(number)) for number in range(12)]
    for name in ("here", "there"):
        with open_pool(tmp_path / name) as pool:
            for number, sample in itertools.product(range(12), range(6)):
                said = rf"So it is \boxed{{{number + (sample > number % 6)}}}."
                pool.add(run_parts.response(f"own:p{number}", sample, said))
        pool_problems.keep(tmp_path / name, [records.to_frame(known, records.PROBLEM_SCHEMA)])
    options = ["--math-below", "0.9", "--messages-low", "2", "--messages-high", "4", "--json"]
    wrote: list[dict[str, bytes]] = []
    with caplog.at_level(logging.INFO, "curation.cluster"):
        for name, where in (("here", []), ("there", ["--ray", nodes.address])):
            out = tmp_path / f"{name}-out"
            monkeypatch.setattr(
                "sys.argv", ["curation", "select", str(tmp_path / name), "--out", str(out), *options, *where]
            )
            with pytest.raises(SystemExit) as ended:
                main()
            assert not ended.value.code
            wrote.append(contents(out))
            assert (working(caplog) == set()) == (not where)
    assert wrote[0] == wrote[1]
    assert 0 < pl.read_parquet(tmp_path / "there-out" / "stage1.parquet").height < len(known)


def vars_of(problem: records.Problem) -> dict[str, object]:
    """Return a problem as a row."""
    return dataclasses.asdict(problem)


def test_an_address_without_a_cluster_is_told_in_a_sentence(nodes: Nodes) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        silent = f"127.0.0.1:{taken.getsockname()[1]}"
        for address, kind, sentence in (
            (silent, OutsideError, rf"no Ray cluster answers at {silent} \(Connection refused\): start one"),
            ("nowhere", InputError, "nowhere: no address of a Ray cluster"),
        ):
            with pytest.raises(kind, match=sentence), Workers("waits", Cluster(address)) as workers:
                list(workers.map(multiplied, [[1]]))


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with (
        pytest.raises(InputError, match=r"pip install 'curation\[ray\]'"),
        Workers("waits", Cluster("auto")) as workers,
    ):
        list(workers.map(multiplied, [[1]]))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A llama.cpp server with the smallest model."""
    pytest.importorskip("xllamacpp")
    small = {"engine": "llama.cpp", "model": SMALLEST_MODEL, "concurrency": 4, "context_tokens": 512, "threads": 1}
    model = assets.locate(SMALLEST_MODEL, Path(), Silent())
    with serve(ModelSection.model_validate(small), model) as address:
        yield f"{address}/v1"


def asking(nodes: Nodes, server: str, **changes: object) -> Recipe:
    model = {
        "engine": "ray",
        "model": SMALLEST_MODEL,
        "revision": "r1",
        "url": server,
        "concurrency": 2,
        "timeout_s": 120,
        **changes,
    }
    return run_parts.recipe(models={"m": model}, cluster={"address": nodes.address})


def wanted(prompt: str, count: int, max_tokens: int) -> list[Request]:
    sampler = Sampler(temperature=0.7, max_tokens=max_tokens)
    return [Request("p", "solve", (Message("user", prompt),), sampler, index) for index in range(count)]


def test_the_engine_asks_for_what_is_missing_and_survives_a_killed_worker(
    nodes: Nodes, server: str, tmp_path: Path
) -> None:
    asked = asking(nodes, server)
    direct = run_parts.recipe(models={"m": {**asked.models["m"].model_dump(), "engine": "http"}})
    story = wanted("Tell a long story.", 10, 8)
    others = [*wanted("Count up from one and never stop.", 1, 4), *wanted("word " * 600, 1, 4)]
    with open_pool(tmp_path) as pool, open_engine(direct, "m", Silent()) as engine:
        ask(engine, pool, story[:4], Silent())
    with open_pool(tmp_path) as pool, open_engine(asked, "m", Silent()) as engine:
        killed: list[int] = []
        breaking = threading.Thread(target=kill_a_worker, args=(killed,))
        breaking.start()
        done = ask(engine, pool, [*story, *others], Silent())
        breaking.join()
    assert killed
    # Where and how the model is asked is no part of a response's key.
    assert (done.known, done.stored) == (4, 7)
    assert [reason.startswith("refused: ") for reason in done.failures.values()] == [True]
    with open_pool(tmp_path) as pool:
        responses = list(pool.iterate())
    assert Counter(response.engine for response in responses) == {"http": 4, "ray": 7}
    assert all(response.text and response.completion_tokens for response in responses)
    assert [response.finish_reason for response in responses if response.completion_tokens == 4] == ["length"]


def kill_a_worker(killed: list[int]) -> None:
    """Kill the first worker that asks the server."""
    deadline = time.monotonic() + 240
    while not killed and time.monotonic() < deadline:
        for process in psutil.process_iter(["cmdline"]):
            if (process.info["cmdline"] or [""])[0].startswith("ray::MapWorker(MapBatches(HttpRequest"):
                process.kill()
                killed.append(process.pid)
                break
        time.sleep(0.05)
