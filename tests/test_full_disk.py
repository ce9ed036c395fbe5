"""A disk that fills up, here a small one in memory: one sentence that names the file, and nothing half written."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROWS = 3_000


def _small_disk(directory: Path, command: list[str]) -> list[str]:
    return ["bwrap", "--dev-bind", "/", "/", "--size", str(128 << 10), "--tmpfs", str(directory), "--", *command]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "csv"])
def test_a_full_disk_is_told_with_the_file_that_does_not_fit(tmp_path: Path, suffix: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if (
        not shutil.which("bwrap")
        or subprocess.run(_small_disk(disk, ["true"]), capture_output=True, check=False).returncode
    ):
        pytest.skip("a small disk wants bubblewrap and a kernel that lets it mount")
    rows = tmp_path / "rows.jsonl"
    line = '{{"problem": "Find the sum of {0} and {1} in as few steps as you can.", "answer": "{2}"}}\n'
    rows.write_text("".join(line.format(number, number * number, number * number + number) for number in range(ROWS)))
    kept = disk / f"kept.{suffix}"
    command = [sys.executable, "-m", "curation", "filter", rows, "--out", kept, "--dropped", tmp_path / "dropped.jsonl"]
    look = ["sh", "-c", '"$@"; code=$?; ls -A "$0"; exit $code', str(disk), *map(str, command)]
    done = subprocess.run(_small_disk(disk, look), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 3, done.stderr
    assert done.stderr.splitlines()[-1].startswith(f"curation: {kept} cannot be written (No space left on device)")
    assert "Traceback" not in done.stderr
    assert done.stdout == "", "something half written stayed"
    assert not (tmp_path / "dropped.jsonl").exists()
