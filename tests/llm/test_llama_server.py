"""The embedded server with the real small model; in one group, so that only one of them runs at a time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from requests_for_tests import recipe

from curation.errors import InputError, OutsideError
from curation.llm.asking import ask
from curation.llm.engine import Message, Request
from curation.llm.engines import identify, open_engine
from curation.llm.llama_server import serve
from curation.llm.pool import open_pool
from curation.progress import Silent
from curation.recipe import ModelSection, Recipe, Sampler

pytestmark = pytest.mark.xdist_group("llama")
SMALL = {"engine": "llama.cpp", "model": "smollm2-135m-instruct", "concurrency": 2, "context_tokens": 512, "threads": 1}


def asking(home: Path, **changes: object) -> Recipe:
    return recipe(home, {"small": {**SMALL, **changes}})


def wanted(prompt: str, count: int, max_tokens: int) -> list[Request]:
    sampler = Sampler(temperature=0.7, max_tokens=max_tokens)
    return [Request("p", "solve", (Message("user", prompt),), sampler, index) for index in range(count)]


def server_processes() -> list[psutil.Process]:
    mine = psutil.Process().children(recursive=True)
    return [child for child in mine if "curation.llm.llama_server" in " ".join(child.cmdline())]


def test_real_model_answers_and_its_server_ends_with_the_block(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    asked = asking(tmp_path)
    with open_pool(tmp_path) as pool:
        with open_engine(asked, "small", Silent()) as engine:
            assert server_processes() == []
            ask(engine, pool, wanted("Say hello.", 3, 24), Silent())
            ask(engine, pool, wanted("Count up from one and never stop.", 1, 4), Silent())
            assert len(server_processes()) == 1
            too_long = ask(engine, pool, wanted("word " * 600, 1, 4), Silent())
            assert "refused: HTTP 400" in next(iter(too_long.failures.values()))
        assert server_processes() == []
        responses = list(pool.iterate())
        assert len(responses) == 4
        assert all(response.text and response.completion_tokens for response in responses)
        assert [response.finish_reason for response in responses if response.completion_tokens == 4] == ["length"]
        assert {response.model_revision for response in responses} == {identify(asked, "small").revision}
        with open_engine(asked, "small", Silent()) as engine:
            known = ask(engine, pool, wanted("Say hello.", 3, 24), Silent())
            assert (known.known, known.stored) == (3, 0)
            assert server_processes() == []


HOLDER = """
import sys
from pathlib import Path
from curation import assets
from curation.llm.llama_server import serve
from curation.progress import Silent
from curation.recipe import ModelSection

section = ModelSection(engine="llama.cpp", model="smollm2-135m-instruct", concurrency=1, context_tokens=256)
with serve(section, assets.locate(section.model, Path(), Silent())) as address:
    print(address, flush=True)
    sys.stdin.read()
"""


def test_server_dies_with_a_killed_parent() -> None:
    pytest.importorskip("xllamacpp")
    parent = subprocess.Popen([sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline().startswith(b"http://127.0.0.1:")
    (server,) = psutil.Process(parent.pid).children()
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 30
    while server.is_running() and server.status() != psutil.STATUS_ZOMBIE and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not server.is_running() or server.status() == psutil.STATUS_ZOMBIE


def test_file_that_is_no_model_and_one_that_is_not_there(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    (tmp_path / "broken.gguf").write_bytes(b"GGUF but not really")
    section = ModelSection.model_validate({**SMALL, "model": "broken.gguf"})
    with (
        pytest.raises(OutsideError, match=r"llama\.cpp did not start \(.+\): check the model file"),
        serve(section, tmp_path / "broken.gguf"),
    ):
        pass
    with pytest.raises(InputError, match="no such file: give a path"):
        identify(asking(tmp_path, model="nothing.gguf"), "small")


def test_own_file_is_known_by_its_content_not_its_place(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "own.gguf").write_bytes(b"weights")
    first = identify(asking(tmp_path, model="one/own.gguf"), "small")
    assert first == identify(asking(tmp_path, model=str(tmp_path / "two" / "own.gguf")), "small")
    (tmp_path / "one" / "own.gguf").write_bytes(b"other weights")
    assert identify(asking(tmp_path, model="one/own.gguf"), "small") != first


def test_missing_extra_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    (tmp_path / "own.gguf").write_bytes(b"weights")
    with (
        open_engine(asking(tmp_path, model="own.gguf"), "small", Silent()) as engine,
        pytest.raises(InputError, match=r"pip install 'curation\[demo\]'"),
    ):
        list(engine.answer(wanted("Hi", 1, 4)))


@pytest.mark.parametrize(
    ("engine", "message"), [("vllm", "choose engine http"), ("ray", "give the url of a server"), ("http", "needs url")]
)
def test_engine_that_cannot_be_used_says_what_to_do(tmp_path: Path, engine: str, message: str) -> None:
    with pytest.raises(InputError, match=message), open_engine(asking(tmp_path, engine=engine), "small", Silent()):
        pass
