"""The store of judged tests: several threads write, and a torn line costs only the test it belonged to."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from curation.judging.store import Store, StoredResult

RESULT = StoredResult(verdict="AC", cpu_s=0.1, memory_mb=3.0, message="", isolation="bubblewrap", share=1.0)


def test_threads_that_write_after_a_torn_line_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = Store(tmp_path).results("ab")
    results.add("first", RESULT)
    (path,) = tmp_path.rglob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-20])
    write = os.write

    def slow_to_end_the_torn_line(descriptor: int, data: bytes) -> int:
        if data.startswith(b"\n"):
            time.sleep(0.2)
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", slow_to_end_the_torn_line)
    reopened = Store(tmp_path).results("ab")
    threads = [threading.Thread(target=reopened.add, args=(f"test{number}", RESULT)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(Store(tmp_path).results("ab").known) == ["test0", "test1", "test2", "test3"]
