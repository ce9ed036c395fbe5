"""The commands that ask a model, as a user calls them; the embedded model where it is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from scripted_server import ScriptedServer, completion, running

from curation.cli import app
from curation.errors import InputError

ROWS = [
    {"id": "one", "problem": "What is 1 + 1?", "answer": "2", "label": "valid"},
    {"id": "two", "problem": "What is 1 + 2?", "answer": "7", "label": "invalid", "failure_type": "wrong_answer"},
]
SMALL = ("--threads", "1", "--concurrency", "2", "--context-tokens", "512")


def curation(*arguments: str | Path, directory: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "curation", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=directory, timeout=240, check=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


@pytest.mark.xdist_group("llama")
def test_the_embedded_model_fills_a_pool_that_is_selected_from_and_replayed(home: Path) -> None:
    pytest.importorskip("xllamacpp")
    ask = ("sample", "rows.jsonl", "--pool", "pool", "--prompt", "solve_brief", "--samples", "3", "--max-tokens", "12")
    done = curation(*ask, *SMALL, "--json", directory=home)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["stored"], told["known"], told["failed"]) == (6, 0, 0)
    again = json.loads(curation(*ask, *SMALL, "--json", directory=home).stdout)
    assert (again["stored"], again["known"]) == (0, 6)
    chosen = curation("select", "pool", "--out", "out", "--messages-low", "1", "--messages-high", "2", directory=home)
    assert chosen.returncode == 0, chosen.stderr
    assert (home / "out/export/README.md").is_file()
    replay = ("sample", "rows.jsonl", "--pool", "other", "--prompt", "solve_brief", "--samples", "3")
    replayed = curation(
        *replay, "--max-tokens", "12", "--engine", "replay", "--model", "pool", "--json", directory=home
    )
    assert json.loads(replayed.stdout)["stored"] == 6, replayed.stderr


@pytest.mark.xdist_group("llama")
def test_the_embedded_model_votes_with_an_object(home: Path) -> None:
    pytest.importorskip("xllamacpp")
    vote = ("rows.jsonl", "--prompt", "validity_vote_brief", "--structured", "--votes", "1", "--retries", "0")
    done = curation(
        "vote", *vote[:1], "--out", "voted.jsonl", *vote[1:], "--max-tokens", "40", *SMALL, "--json", directory=home
    )
    assert done.returncode in (0, 1), done.stderr
    told = json.loads(done.stdout)
    assert told["rows"] == 2
    # The server holds even this model to the form of a vote.
    assert "the response is no JSON" not in told["abstentions"]
    assert told["votes"].get("abstain", 0) < 2
    assert done.returncode == (0 if told["valid"] == 2 else 1)


def test_exit_codes_of_votes(home: Path) -> None:
    with running(ScriptedServer(write=lambda _: completion("Verdict: VALID"))) as server:
        call = ("vote", "rows.jsonl", "--server", server.url, "--model", "m", "--votes", "2")
        done = curation(*call, "--out", "voted.csv", directory=home)
        assert done.returncode == 0, done.stderr
        assert "voted.csv.pool" in done.stdout
        assert (home / "voted.csv").read_text().count("valid") >= 2
        server.write = lambda payload: completion(
            "Verdict: INVALID" if "1 + 2" in payload["messages"][0]["content"] else "Verdict: VALID"
        )
        assert curation(*call, "--out", "voted.csv", "--seed", "9", directory=home).returncode == 1
        bad = curation(*call, "--out", "voted.txt", directory=home)
        assert (bad.returncode, bad.stderr.count("\n")) == (2, 1), bad.stderr
    dead = curation(*call, "--out", "voted.jsonl", directory=home)
    assert dead.returncode == 3
    assert not (home / "voted.jsonl").exists()


def test_calibrate_is_a_command_of_two_words(home: Path) -> None:
    def write(payload: dict[str, object]) -> bytes:
        return completion("Verdict: INVALID (wrong_answer)" if "1 + 2" in str(payload) else "Verdict: VALID")

    with running(ScriptedServer(write=write)) as server:
        call = ("vote", "calibrate", "rows.jsonl", "--server", server.url, "--model", "m", "--votes", "2")
        done = curation(*call, "--out", "report", directory=home)
        assert done.returncode == 0, done.stderr
        assert "1.00" in done.stdout
        assert (home / "report/calibration.html").is_file()
        told = json.loads(curation(*call, "--out", "report", "--json", directory=home).stdout)
        assert told["prompts"][0]["counts"][0]["agreement"]["f1"]["value"] == 1
        two = curation(*call, "--prompt", "validity_vote", "--prompt", "validity_vote_brief", directory=home)
        assert "Best F1" in two.stdout, two.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("sample", "rows.jsonl", "--pool", "pool", "--engine", "http"), "--server URL"),
        (("sample", "gone.jsonl", "--pool", "pool"), "gone.jsonl"),
        (("sample", "rows.jsonl", "--pool", "pool", "--below", "x"), "math_below"),
        (("sample", "rows.jsonl", "--pool", "pool", "--tests", "rows.jsonl"), "rows.jsonl"),
        (("sample", "rows.jsonl", "--pool", "rows.jsonl"), "rows.jsonl"),
        (("sample", "rows.jsonl", "--pool", "pool", "--column", "body"), "--column body"),
        (("select", "gone", "--out", "out"), "no response pool"),
        (("select", "gone", "--out", "out", "--messages-low", "30"), "messages_low"),
        (("vote", "rows.jsonl", "--out", "o.jsonl", "--prompt", "no-such-template"), "no-such-template"),
        (("vote", "rows.jsonl", "--out", "o.jsonl", "--votes", "1", "--required", "2"), "required is larger"),
        (("vote", "rows.jsonl", "--out", "o.jsonl", "--recipe", "demo", "--question", "x"), "[vote.x]"),
        (("vote calibrate", "rows.jsonl", "--propose", "2", "--search"), "--propose needs --search, and --out"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(home)
    with pytest.raises(InputError) as caught:
        app(list(arguments), standalone_mode=False)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (home / "o.jsonl").exists()
    assert not list(home.rglob(".partial-*"))
