"""`curation audit`, its two-word commands and `curation benchmarks` as a user calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from command_line import Done, curation

BARS = r"A jeweller melts $35$ rings of $12$ grams and casts bars of $28$ grams. How many bars does the jeweller cast?"
Command = Callable[..., Done]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("CURATION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "diff").mkdir()
    (tmp_path / "diff" / "rows.jsonl").write_text(json.dumps({"id": "r1", "problem": "Name a bird."}) + "\n")
    (tmp_path / "later.jsonl").write_text(json.dumps({"id": "r1", "problem": BARS}) + "\n")
    (tmp_path / "cup.jsonl").write_text(json.dumps({"nr": "bars", "task": BARS, "result": "15"}) + "\n")
    return partial(curation, directory=tmp_path)


def test_benchmarks_are_added_and_audits_compared(command: Command, tmp_path: Path) -> None:
    done = command("benchmarks", "add", "cup.jsonl", "--name", "cup", "--problem", "task", "--answer", "result")
    assert done.returncode == 0, done.stderr
    assert "--against cup" in done.stdout
    rows = {row["name"]: row for row in json.loads(command("benchmarks", "list", "--json").stdout)}
    assert (rows["cup"]["copy"], rows["cup"]["items"]) == ("file", 1)
    assert (rows["aime_2025"]["copy"], rows["kangaroo_2025_1_2"]["copy"]) == ("-", "no text")
    # Options may stand first, and a data set may have the name of a command.
    assert command("audit", "--out", "a", "--against", "cup", "./diff").returncode == 0
    assert command("audit", "later.jsonl", "--out", "b", "--against", "cup", "--fail-on", "any").returncode == 1
    assert json.loads((tmp_path / "b" / "matches.jsonl").read_text())["benchmark"] == "cup"
    same = command("audit", "diff", "a", "b")
    assert same.returncode == 0, same.stderr
    assert "appeared" in same.stdout
    new = command("audit", "diff", "a", "b", "--fail-on", "exact", "--json")
    assert (new.returncode, json.loads(new.stdout)["hits"][0]["change"]) == (1, "appeared")
    gone = command("audit", "diff", "a", "nowhere")
    assert (gone.returncode, gone.stderr.count("\n")) == (2, 1)


def test_a_self_test_alone_and_with_an_audit(command: Command, tmp_path: Path) -> None:
    alone = command("audit", "selftest", "./diff", "--out", "t", "--against", "cup.jsonl", "--seed", "3", "--json")
    assert alone.returncode == 2
    assert "no problems" in alone.stderr
    (tmp_path / "own.jsonl").write_text(json.dumps({"id": "bars", "problem": BARS, "answer": "15"}) + "\n")
    alone = command("audit", "selftest", "./diff", "--out", "t", "--against", "own.jsonl", "--seed", "3")
    assert alone.returncode == 0, alone.stderr
    assert "95 % interval" in alone.stdout
    assert "not planted: translated" in alone.stdout
    written = json.loads((tmp_path / "t" / "selftest.json").read_text())
    assert (written["seed"], written["canaries"][0]["found"]) == (3, 1)
    beside = command(
        "audit", "./diff", "--out", "u", "--against", "own.jsonl", "--selftest", "--canaries", "1", "--json"
    )
    assert beside.returncode == 0, beside.stderr
    assert json.loads(beside.stdout)["selftest"]["canaries"][0]["planted"] == 1
    assert not json.loads(beside.stdout)["failed"]
