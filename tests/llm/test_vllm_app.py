"""The engine `vllm`: its start, calls and end in this process, with a stand-in that has the names of vLLM's modules."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from requests_for_tests import recipe, request

from curation import end_guard
from curation.errors import InputError, OutsideError
from curation.llm.application_transport import ApplicationTransport
from curation.llm.engines import fingerprint, identify, open_engine
from curation.llm.vllm_app import options
from curation.progress import Silent
from curation.recipe import ModelSection

STAND_IN = {
    "utils/argparse_utils": "from argparse import ArgumentParser as FlexibleArgumentParser",
    "entrypoints/launchers/cli_args": """
def make_arg_parser(parser):
    for name in ("model", "served-model-name", "max-model-len", "max-num-seqs", "tensor-parallel-size",
                 "data-parallel-size", "gpu-memory-utilization", "stream-interval"):
        parser.add_argument("--" + name)
    for name in ("enable-prefix-caching", "disable-log-stats"):
        parser.add_argument("--" + name, action="store_true")
    return parser


def validate_parsed_serve_args(arguments):
    if arguments.model == "no-template":
        raise ValueError("the template is none")
""",
    "engine": """
import json, os, subprocess, sys, time

print("said by the engine", flush=True)
if sys.argv[1] == "broken":
    print("(EngineCore pid=7) ERROR 01-01 [core.py:1] ValueError: out of memory", file=sys.stderr)
    sys.exit(1)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(os.environ["STAND_IN_NOTES"], "a") as notes:
    notes.write(json.dumps([os.getpid(), child.pid]) + chr(10))
time.sleep(600)
""",
    "entrypoints/launchers/api_server/entry": """
import asyncio, os, subprocess, sys
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace


@asynccontextmanager
async def build_async_engine_client(arguments):
    os.write(1, b"said by the client")
    notes = Path(os.environ["STAND_IN_NOTES"])
    engine = subprocess.Popen([sys.executable, "-m", "vllm.engine", arguments.model])
    while not notes.exists() or not notes.read_text().endswith(chr(10)):
        await asyncio.sleep(0.01)
        if engine.poll() is not None:
            raise RuntimeError("Engine core initialization failed. See root cause above.")

    async def get_supported_tasks():
        return ("generate",)

    yield SimpleNamespace(errored=False, model_config=None, get_supported_tasks=get_supported_tasks)
    engine.kill()
    engine.wait()
""",
    "entrypoints/launchers/app": """
import json
from types import SimpleNamespace


class App:
    def __init__(self):
        self.state = SimpleNamespace()

    async def __call__(self, scope, receive, send):
        asked = json.loads((await receive())["body"])
        if asked["messages"][0]["content"] == "die":
            self.state.client.errored = True
            self.state.server.should_exit = True
            raise RuntimeError("EngineDeadError")
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for delta, reason in (({"content": asked["model"]}, None), ({}, "stop")):
            event = {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
            body = f"data: {json.dumps(event)}".encode() + bytes([10, 10])
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b"data: [DONE]" + bytes([10, 10])})


def build_app(arguments, tasks, model_config):
    return App()
""",
    "entrypoints/launchers/api_server/app_state": """
async def init_app_state(client, state, arguments, tasks):
    state.client = client
""",
}


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    package = tmp_path / "packages/vllm"
    for name, text in STAND_IN.items():
        module = package / f"{name}.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text(text)
        for directory in [module.parent, *module.parent.parents]:
            if directory.is_relative_to(package):
                (directory / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"), prepend=os.pathsep)
    monkeypatch.setenv("STAND_IN_NOTES", str(tmp_path / "notes"))
    # Set again by the engine, and taken back with the test.
    for name in ("VLLM_WORKER_MULTIPROC_METHOD", "VLLM_LOGGING_STREAM", "VLLM_NO_USAGE_STATS"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("VLLM_ENGINE_READY_TIMEOUT_S", "1")
    yield tmp_path / "notes"
    for name in [name for name in sys.modules if name.partition(".")[0] == "vllm"]:
        del sys.modules[name]


def alive(process: int) -> bool:
    return Path(f"/proc/{process}/stat").exists() and Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"


def engines(notes: Path) -> list[list[int]]:
    return [json.loads(line) for line in notes.read_text().splitlines()]


def wait_until_dead(processes: list[int]) -> None:
    deadline = time.monotonic() + 60
    while any(map(alive, processes)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(alive, processes))


def test_engine_starts_with_the_first_request_and_ends_with_the_block(
    stand_in: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    wanted = recipe(tmp_path, {"m": {"engine": "vllm", "model": "owner/name"}})
    with open_engine(wanted, "m", Silent()) as engine:
        assert list(engine.answer([])) == []
        assert not stand_in.exists()
        answers = list(engine.answer([request("p", index) for index in range(30)]))
        list(engine.answer([request("q")]))
        ((process, child),) = engines(stand_in)
        assert alive(process)
        assert alive(child)
    assert [answer.response.text for answer in answers] == ["owner/name"] * 30
    assert {answer.response.engine for answer in answers} == {"vllm"}
    assert json.loads(answers[0].response.versions or "")["vllm"] == "vllm"
    wait_until_dead([process, child])
    assert capfd.readouterr().out == ""


def test_no_process_of_vllm_outlives_a_killed_run(stand_in: Path, tmp_path: Path) -> None:
    program = """
from pathlib import Path
from requests_for_tests import recipe, request
from curation.llm.engines import open_engine
from curation.progress import Silent

with open_engine(recipe(Path(), {"m": {"engine": "vllm", "model": "owner/name"}}), "m", Silent()) as engine:
    list(engine.answer([request("p")]))
    print("answered", flush=True)
    input()
"""
    paths = os.pathsep.join([os.environ["PYTHONPATH"], str(Path(__file__).parent)])
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
        cwd=tmp_path,
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"answered\n"
        (left,) = engines(stand_in)
        assert all(map(alive, left))
        run.kill()
    wait_until_dead(left)


def test_only_a_file_that_nobody_else_can_have_names_processes_to_end(tmp_path: Path) -> None:
    with Path(os.devnull).open("wb") as device, (tmp_path / "log").open("wb") as log, TemporaryFile() as nameless:
        for file in (device, log, nameless):
            with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=file) as child:
                assert end_guard.writers(file.fileno()) == [child.pid] * (file is nameless)
                child.kill()


@pytest.mark.parametrize(
    ("model", "arguments", "kind", "told"),
    [
        ("broken", [], OutsideError, r"^vLLM did not start \(ValueError: out of memory\): check the model"),
        ("owner/name", ["--no-such-option"], InputError, "unrecognized arguments: --no-such-option: mend the recipe"),
        ("no-template", [], InputError, "the template is none: mend the recipe"),
    ],
)
def test_start_that_fails_tells_why(
    stand_in: Path, tmp_path: Path, model: str, arguments: list[str], kind: type[Exception], told: str
) -> None:
    wanted = recipe(tmp_path, {"m": {"engine": "vllm", "model": model, "vllm": {"arguments": arguments}}})
    with open_engine(wanted, "m", Silent()) as engine, pytest.raises(kind, match=told):
        list(engine.answer([request("p")]))


def test_engine_that_dies_is_told_after_what_finished(stand_in: Path, tmp_path: Path) -> None:
    wanted = recipe(tmp_path, {"m": {"engine": "vllm", "model": "owner/name", "concurrency": 1, "attempts": 2}})
    asked = [request("p"), request("q"), request("r", prompt="die"), request("s")]
    finished: list[str] = []
    with open_engine(wanted, "m", Silent()) as engine, pytest.raises(OutsideError, match="its engine died"):
        finished.extend(answer.request.problem_id for answer in engine.answer(asked))
    assert finished == ["p", "q"]


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    thread = threading.Thread(target=made.run_forever)
    thread.start()
    yield made
    made.call_soon_threadsafe(made.stop)
    thread.join()
    made.close()


def test_pieces_of_an_answer_come_as_they_are_written_and_a_call_can_be_given_up(
    loop: asyncio.AbstractEventLoop,
) -> None:
    seen = SimpleNamespace(asked="", ended=threading.Event())

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.asked = f"{scope['method']} {scope['path']} {(await receive())['body'].decode()}"
        await send({"type": "http.response.start", "status": 201, "headers": [(b"a", b"b")]})
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        try:
            await asyncio.sleep(600)
        finally:
            seen.ended.set()

    async def call() -> None:
        transport = ApplicationTransport(application, loop, lambda: None)
        async with (
            httpx.AsyncClient(transport=transport) as client,
            client.stream("POST", "http://here/v1/x?y=1", content=b"body") as reply,
        ):
            assert (reply.status_code, reply.headers["a"]) == (201, "b")
            async for piece in reply.aiter_bytes():
                assert piece == b"first"
                break
        assert seen.ended.wait(20)

    asyncio.run(asyncio.wait_for(call(), 30))
    assert seen.asked == "POST /v1/x body"


def test_application_that_breaks_off_or_is_dead_is_an_error_of_the_connection(loop: asyncio.AbstractEventLoop) -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/late":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"some", "more_body": True})
        if scope["path"] != "/silent":
            raise ValueError("it broke")

    async def call(path: str, reason: str | None = None) -> None:
        transport = ApplicationTransport(application, loop, lambda: reason)
        async with httpx.AsyncClient(transport=transport) as client:
            await client.post(f"http://here{path}")

    for path, told in (("/early", "ValueError: it broke"), ("/late", "it broke"), ("/silent", "no answer")):
        with pytest.raises(httpx.ReadError, match=told):
            asyncio.run(call(path))
    with pytest.raises(httpx.ConnectError, match="out of memory"):
        asyncio.run(call("/early", "out of memory"))


def test_settings_reach_vllm(tmp_path: Path) -> None:
    (tmp_path / "checkpoint").mkdir()
    settings = {
        "tensor_parallel": 4,
        "data_parallel": 2,
        "memory_share": 0.8,
        "prefix_caching": False,
        "chat_template": "own.jinja",
        "reasoning_parser": "deepseek_r1",
        "arguments": ["--quantization=fp8"],
    }
    section = ModelSection.model_validate(
        {"engine": "vllm", "model": "./checkpoint", "context_tokens": 4096, "concurrency": 256, "vllm": settings}
    )
    told = options(section, tmp_path)
    for option in (
        f"--model={tmp_path / 'checkpoint'}",
        "--served-model-name=./checkpoint",
        "--max-model-len=4096",
        "--max-num-seqs=256",
        "--tensor-parallel-size=4",
        "--data-parallel-size=2",
        "--gpu-memory-utilization=0.8",
        "--no-enable-prefix-caching",
        f"--chat-template={tmp_path / 'own.jinja'}",
        "--reasoning-parser=deepseek_r1",
        "--quantization=fp8",
    ):
        assert option in told
    assert not any("revision" in option for option in told)


def test_own_chat_template_is_part_of_the_key_and_the_engine_is_not(tmp_path: Path) -> None:
    (tmp_path / "own.jinja").write_text("{{ messages }}")
    models = {
        "plain": {"engine": "vllm", "model": "m", "concurrency": 9, "vllm": {"reasoning_parser": "x"}},
        "http": {"engine": "http", "model": "m", "url": ["http://a/v1", "http://b/v1"]},
        "own": {"engine": "vllm", "model": "m", "vllm": {"chat_template": "own.jinja"}},
        "gone": {"engine": "vllm", "model": "m", "vllm": {"chat_template": "gone.jinja"}},
    }
    wanted = recipe(tmp_path, models)
    keys = {name: request().key(identify(wanted, name)) for name in ("plain", "http", "own")}
    assert keys["plain"] == keys["http"] != keys["own"]
    assert fingerprint(wanted, "own") != fingerprint(wanted, "plain") == fingerprint(wanted, "http")
    with pytest.raises(InputError, match=r"gone\.jinja"):
        identify(wanted, "gone")


@pytest.mark.skipif(importlib.util.find_spec("vllm") is not None, reason="vLLM is installed")
def test_missing_engines_say_what_to_do(tmp_path: Path) -> None:
    wanted = recipe(tmp_path, {"v": {"engine": "vllm", "model": "m"}, "r": {"engine": "ray", "model": "m"}})
    for name, told in (
        ("v", r"pip install 'curation\[vllm\]', or choose engine http"),
        ("r", "give the url of a server"),
    ):
        with pytest.raises(InputError, match=told), open_engine(wanted, name, Silent()):
            raise AssertionError("no engine should open")
