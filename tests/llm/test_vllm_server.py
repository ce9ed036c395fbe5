"""The engine `vllm`: its command, its start and its end, with a stand-in that takes vLLM's place under its name."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from requests_for_tests import recipe, request

from curation.errors import InputError, OutsideError
from curation.llm.engines import fingerprint, identify, open_engine
from curation.llm.vllm_server import command
from curation.progress import Silent
from curation.recipe import ModelSection

STAND_IN = """
import json, os, subprocess, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

options = dict(argument[2:].split("=", 1) for argument in sys.argv[1:] if "=" in argument)
if options["model"] == "broken":
    sys.exit("out of memory")
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
Path(os.environ["STAND_IN_NOTES"]).write_text(json.dumps([os.getpid(), child.pid, sys.argv[1:]]))

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        choice = {"index": 0, "message": {"content": asked["model"]}, "finish_reason": "stop"}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"choices": [choice]}).encode())

    def log_message(self, *_):
        pass

ThreadingHTTPServer((options["host"], int(options["port"])), Handler).serve_forever()
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "packages/vllm/entrypoints/openai"
    package.mkdir(parents=True)
    for directory in (package, package.parent, package.parent.parent):
        (directory / "__init__.py").touch()
    (package / "api_server.py").write_text(STAND_IN)
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"), prepend=os.pathsep)
    monkeypatch.setenv("STAND_IN_NOTES", str(tmp_path / "notes.json"))
    return tmp_path / "notes.json"


def alive(process: int) -> bool:
    return Path(f"/proc/{process}/stat").exists() and Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"


def test_engine_starts_with_the_first_request_and_ends_with_the_block(stand_in: Path, tmp_path: Path) -> None:
    wanted = recipe(tmp_path, {"m": {"engine": "vllm", "model": "owner/name", "revision": "abc"}})
    with open_engine(wanted, "m", Silent()) as engine:
        assert list(engine.answer([])) == []
        assert not stand_in.exists()
        answers = list(engine.answer([request("p", index) for index in range(3)]))
        process = int(stand_in.read_text().split(",")[0][1:])
        assert alive(process)
        list(engine.answer([request("q")]))
        assert int(stand_in.read_text().split(",")[0][1:]) == process
    assert [answer.response.text for answer in answers] == ["owner/name"] * 3
    assert {answer.response.engine for answer in answers} == {"vllm"}
    deadline = time.monotonic() + 20
    while alive(process) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(process)


def test_no_child_of_the_server_outlives_a_killed_run(stand_in: Path, tmp_path: Path) -> None:
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
        server, child = json.loads(stand_in.read_text())[:2]
        assert alive(server)
        assert alive(child)
        run.kill()
    deadline = time.monotonic() + 60
    while (alive(server) or alive(child)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(server)
    assert not alive(child)


def test_server_that_ends_tells_why(stand_in: Path, tmp_path: Path) -> None:
    wanted = recipe(tmp_path, {"m": {"engine": "vllm", "model": "broken"}})
    with (
        open_engine(wanted, "m", Silent()) as engine,
        pytest.raises(OutsideError, match=r"vLLM ended with 1 \(out of memory\)"),
    ):
        list(engine.answer([request("p")]))


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
    told = command(section, tmp_path, 1234)
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
