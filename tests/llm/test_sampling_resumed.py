"""`curation sample` on several servers, killed in the middle and run again; what makes another response."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scripted_server import ScriptedServer, running

from curation.llm.pool_verify import verify
from curation.llm.sampling import sample
from curation.llm.standalone import Options, one_section

PROBLEMS, SAMPLES = 50, 8


def rows_in(home: Path, problems: int) -> Path:
    rows = [{"id": f"p{n}", "problem": f"What is 1 + {n}?", "answer": str(n + 1)} for n in range(problems)]
    path = home / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_killed_at_half_and_run_again_it_asks_for_one_in_a_hundred_more_at_most(tmp_path: Path) -> None:
    rows, pool = rows_in(tmp_path, PROBLEMS), tmp_path / "pool"
    servers: list[ScriptedServer] = []
    killed = threading.Event()

    def write(payload: dict[str, Any]) -> str:
        # From half on nobody is answered before the kill, however late it comes.
        if sum(len(server.payloads) for server in servers) > PROBLEMS * SAMPLES // 2:
            killed.wait()
        return f"\\boxed{{{payload['seed'] % 3}}}"

    with ExitStack() as stack:
        stack.callback(killed.set)
        servers += [stack.enter_context(running(ScriptedServer(write=write))) for _ in range(3)]
        command = [sys.executable, "-m", "curation", "sample", str(rows), "--pool", str(pool), "--model", "m"]
        command += ["--samples", str(SAMPLES), "--concurrency", "1", "--json"]
        for server in servers:
            command += ["--server", server.url]
        child = subprocess.Popen(command, stdout=subprocess.PIPE)
        while sum(len(server.payloads) for server in servers) <= PROBLEMS * SAMPLES // 2:
            assert child.poll() is None
            time.sleep(0.001)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        killed.set()
        model = {"url": [server.url for server in servers], "model": "m", "concurrency": 1}
        told = sample(str(rows), pool, one_section(Options(model=model, section={"samples": SAMPLES}), "pool"))
        asked = [payload for server in servers for payload in server.payloads]
        assert all(len(server.payloads) > PROBLEMS for server in servers)
    total = PROBLEMS * SAMPLES
    assert told.known + told.stored == total
    assert told.known >= total // 2 - len(servers)
    assert total <= len(asked) <= total * 1.01
    counted = Counter((payload["messages"][0]["content"], payload["seed"]) for payload in asked)
    assert len(counted) == total
    assert verify(pool).defects == []
    assert pl.read_parquet(pool / "responses/*.parquet")["response_id"].n_unique() == total


@pytest.mark.parametrize(
    ("change", "asked_again"),
    [
        ({"section": {"prompt": "solve_brief"}}, True),
        ({"model": {"model": "another"}}, True),
        ({"model": {"revision": "2"}}, True),
        ({"sampler": {"temperature": 0.5}}, True),
        ({"sampler": {"max_tokens": 7}}, True),
        ({"sampler": {"seed": 7}}, True),
        ({"model": {"concurrency": 7}}, False),
        ({"host": True}, False),
        ({"engine": "replay"}, False),
    ],
)
def test_what_could_change_a_response_is_asked_again_and_nothing_else(
    tmp_path: Path, change: dict[str, Any], asked_again: bool
) -> None:
    rows = str(rows_in(tmp_path, 1))
    with running(ScriptedServer()) as server, running(ScriptedServer()) as other:

        def fill(changed: dict[str, Any]) -> tuple[int, int]:
            url = other.url if changed.get("host") else server.url
            model = {"url": url, "model": "m", **changed.get("model", {})}
            if changed.get("engine"):
                model = {"model": str(tmp_path / "pool")}
            section = {"samples": 2, **changed.get("section", {})}
            options = Options(
                engine=changed.get("engine"), model=model, sampler=changed.get("sampler", {}), section=section
            )
            done = sample(rows, tmp_path / "pool", one_section(options, "pool"))
            return done.known, done.stored

        assert fill({}) == (0, 2)
        assert fill(change) == ((0, 2) if asked_again else (2, 0))
