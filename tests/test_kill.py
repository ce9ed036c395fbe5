"""kill -9 at random moments of a rebuild with a real model: nothing stored is asked again, the bytes are the same."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from curation import assets, storage
from curation.json_reader import dumps, loads
from curation.llm.engine import Request
from curation.llm.llama_server import serve
from curation.llm.pool import Pool
from curation.progress import Silent
from curation.recipe import ModelSection, Sampler

pytestmark = [pytest.mark.xdist_group("model"), pytest.mark.timeout(900)]

KILLS = 20
RECIPE = """
extends = "demo"
[arithmetic]
count = 4
[models.small]
engine = "http"
url = "{url}/v1"
[vote]
votes = 2
required = 2
[proposer]
samples = 2
above = 0
below = 1
code_sampler = {{ temperature = 0.7, max_tokens = 24, seed = 2 }}
[pool]
samples = 8
[stage1]
messages_low = 4
messages_high = 8
[stage2]
samples = 2
"""


class CountingProxy(ThreadingHTTPServer):
    """Stands before the model server and remembers every request it let through."""

    daemon_threads = True

    def __init__(self, behind: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind = httpx.Client(base_url=behind, timeout=120, trust_env=False)
        self.asked: list[tuple[str, int]] = []
        self.answered = 0
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: CountingProxy

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        document = loads(body.decode())
        key = (storage.sha256_text(dumps(document["messages"])), int(document["seed"]))
        with self.server.lock:
            self.server.asked.append(key)
        answer = self.server.behind.post(self.path, content=body, headers={"Content-Type": "application/json"})
        with self.server.lock:
            self.server.answered += 1
        try:
            self.send_response(answer.status_code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture(scope="module")
def proxy() -> Iterator[CountingProxy]:
    model = assets.locate("smollm2-135m-instruct", Path(), Silent())
    section = ModelSection(engine="llama.cpp", model="smollm2-135m-instruct", context_tokens=2048)
    with serve(section, model) as address, CountingProxy(address) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


def stored(run: Path) -> set[tuple[str, int]]:
    """Return what the pool of a run holds, as the proxy sees requests."""
    if not (run / "pool").is_dir():
        return set()
    copy = run.with_name("pool-as-it-stood")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(run / "pool", copy)
    found = set()
    for response in Pool(copy).iterate():
        request = Request("", "", (), Sampler.model_validate(loads(response.sampler)), response.sample_index)
        found.add((response.prompt_sha256, request.seed))
    return found


def rebuild(recipe: Path, run: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "curation", "rebuild", str(recipe), "--run", str(run), "--limit", "2"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)


def wait_for_answers(process: subprocess.Popen[bytes], proxy: CountingProxy, wanted: int) -> None:
    """Wait until the model has given so many answers in all, or the process has ended."""
    while proxy.answered < wanted and process.poll() is None:
        time.sleep(0.02)


def finish(process: subprocess.Popen[bytes]) -> None:
    output, _ = process.communicate(timeout=600)
    assert process.returncode == 0, output.decode()


def export_bytes(run: Path) -> dict[str, str]:
    files = [path for path in (run / "export").rglob("*") if path.is_file()]
    return {path.relative_to(run).as_posix(): storage.sha256_file(path) for path in files}


@pytest.mark.takes_minutes
def test_kill_nine_at_twenty_random_moments(proxy: CountingProxy, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(RECIPE.format(url=proxy.url))
    disturbed, undisturbed = tmp_path / "disturbed", tmp_path / "undisturbed"
    seed = int.from_bytes(os.urandom(4))
    moments = random.Random(seed)
    message = f"random seed {seed}"
    asked_again: set[tuple[str, int]] = set()
    done: set[tuple[str, int]] = set()
    cut_off = 0
    for _ in range(KILLS):
        before = len(proxy.asked)
        process = rebuild(recipe, disturbed)
        # Most moments lie where responses come in, however long a process takes to start; some where it starts.
        if moments.random() < 0.75:
            wait_for_answers(process, proxy, proxy.answered + moments.randint(1, 4))
        time.sleep(moments.uniform(0.0, 1.0))
        cut_off += process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        asked_again |= done.intersection(proxy.asked[before:])
        done = stored(disturbed)
    assert done, message
    before = len(proxy.asked)
    finish(rebuild(recipe, disturbed))
    asked_again |= done.intersection(proxy.asked[before:])
    assert cut_off >= KILLS // 2, message
    assert not asked_again, message
    assert not list(disturbed.rglob(f"{storage.TEMPORARY_MARK}*")), message
    assert not list((disturbed / "pool" / "journals").glob("*")), message
    shutil.copytree(disturbed / "pool", undisturbed / "pool")
    count = len(proxy.asked)
    finish(rebuild(recipe, undisturbed))
    assert len(proxy.asked) == count, "a run on a full pool asked the model"
    assert export_bytes(undisturbed) == export_bytes(disturbed), message
    assert len(export_bytes(disturbed)) >= 4
