"""Commands that are told to end: by an interrupt while they load, by SIGTERM in the midst of their work."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from curation import __main__ as entry


def test_an_interrupt_while_the_program_loads_gives_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "curation.cli", Interrupted("curation.cli"))
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit) as ended:
            entry.run()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended.value.code == 130


def test_a_request_to_end_leaves_nothing_half_written(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    line = '{"problem": "Find the sum of 3 and 4 in as few steps as you can.", "answer": "7"}\n'
    rows.write_text(line * 300_000)
    out = tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "curation",
        "filter",
        rows,
        "--out",
        out / "kept.jsonl",
        "--dropped",
        out / "d.jsonl",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not list(out.glob(".partial-*")):
            assert process.poll() is None, "it ended before it was told to"
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 143
    assert "Traceback" not in said
    assert list(out.iterdir()) == []
