"""`curation benchmarks`: pulling from a stand-in of the Hub, copies that need no network, benchmarks of one's own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hub_server import HubServer, Repository

from curation.contamination.benchmarks import load
from curation.contamination.own_benchmarks import add
from curation.contamination.pulled import listed, read_copy
from curation.contamination.registry import ItemColumns, home, own_registry, registry
from curation.errors import InputError
from curation.progress import Silent

ITEMS = [
    {"problem_idx": 1, "problem": "How many bars of $28$ grams come out of $35$ rings of $12$ grams?", "answer": "15"},
    {"problem_idx": 2, "problem": "How many words of three letters over A, B, C, D repeat no neighbour?", "answer": 36},
]
Command = Callable[..., subprocess.CompletedProcess[str]]


def rows(items: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(item) + "\n" for item in items).encode()


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CURATION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    return tmp_path / "home"


@pytest.fixture
def command(hub: HubServer, tmp_path: Path) -> Command:
    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        environment = hub.environment(tmp_path / "hub-cache") | {"CURATION_HOME": str(tmp_path / "home")}
        command = [sys.executable, "-m", "curation", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)

    return run


@pytest.fixture
def contest(hub: HubServer) -> Repository:
    repository = Repository(private=False)
    repository.commit({"README.md": b"", "data/train.jsonl": rows(ITEMS)})
    hub.repositories["MathArena/hmmt_feb_2024"] = repository
    return repository


def test_a_pulled_benchmark_is_locked_listed_and_enough_without_a_network(
    command: Command, contest: Repository, tmp_path: Path
) -> None:
    done = command("benchmarks", "pull", "hmmt_feb_2024", "--json")
    assert done.returncode == 0, done.stderr
    [pulled] = json.loads(done.stdout)
    assert (pulled["state"], pulled["items"], pulled["revision"]) == ("new", 2, contest.head)
    assert "registry says 30" in pulled["detail"]
    [state] = [one for one in listed() if one.name == "hmmt_feb_2024"]
    assert (state.copy, state.fingerprint, state.items, state.revision) == ("pulled", "ok", 2, contest.head)
    [benchmark] = load(["hmmt_feb_2024"], Path(), Silent()).found
    assert (benchmark.origin, benchmark.contest) == ("pulled copy", "hmmt-feb-2024")
    assert benchmark.fingerprint == pulled["fingerprint"]
    assert [(item.benchmark_id, item.answer) for item in benchmark.items] == [("1", "15"), ("2", "36")]
    assert benchmark.surprise == "2 items, the registry says 30"


def test_pulling_again_tells_what_changed(command: Command, contest: Repository) -> None:
    assert command("benchmarks", "pull", "hmmt_feb_2024").returncode == 0
    [again] = json.loads(command("benchmarks", "pull", "hmmt_feb_2024", "--json").stdout)
    assert again["state"] == "unchanged"
    old = contest.head
    contest.commit({"data/train.jsonl": rows(ITEMS[:1])})
    [changed] = json.loads(command("benchmarks", "pull", "hmmt_feb_2024", "--json").stdout)
    assert (changed["state"], changed["items"]) == ("changed", 1)
    assert old in changed["detail"]


def test_one_failure_stops_nothing_and_keeps_the_old_copy(
    command: Command, contest: Repository, hub: HubServer
) -> None:
    assert command("benchmarks", "pull", "hmmt_feb_2024").returncode == 0
    hub.fail("GET", "/api/datasets/MathArena/hmmt_feb_2024", 404, times=9, X_Error_Code="RepoNotFound")
    done = command("benchmarks", "pull", "brumo_2025", "hmmt_feb_2024", "hmmt_feb_2023", "kangaroo_2025_1_2", "--json")
    assert done.returncode == 3, done.stderr
    states = {one["name"]: one["state"] for one in json.loads(done.stdout)}
    assert set(states.values()) == {"failed"}
    assert len(states) == 4
    assert read_copy("hmmt_feb_2024") is not None
    assert not list(home().glob(".partial-*"))


def test_a_pinned_revision_and_fingerprint_are_kept_to(command: Command, hub: HubServer, tmp_path: Path) -> None:
    repository = Repository(private=False)
    first = repository.commit({"rows.jsonl": rows(ITEMS[:1])})
    repository.commit({"rows.jsonl": rows(ITEMS)})
    hub.repositories["me/cup"] = repository
    done = command("benchmarks", "add", f"hub://me/cup@{first}", "--name", "cup", "--json")
    assert done.returncode == 0, done.stderr
    assert (json.loads(done.stdout)["items"], json.loads(done.stdout)["revision"]) == (1, first)
    [pulled] = json.loads(command("benchmarks", "pull", "cup", "--json").stdout)
    assert (pulled["items"], pulled["revision"], pulled["detail"]) == (1, first, None)
    file = own_registry() / "cup.toml"
    file.write_text(file.read_text().replace(pulled["fingerprint"], "0" * 64))
    refused = json.loads(command("benchmarks", "pull", "cup", "--json").stdout)[0]
    assert refused["state"] == "failed"
    assert "fingerprint" in refused["detail"]


def test_names_and_options_that_cannot_be_used(command: Command) -> None:
    for arguments in (("pull",), ("pull", "aime_2052"), ("pull", "--all", "aime_2025")):
        done = command("benchmarks", *arguments)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


def test_a_damaged_copy_is_said_to_be(command: Command, contest: Repository) -> None:
    assert command("benchmarks", "pull", "hmmt_feb_2024").returncode == 0
    file = home() / "hmmt_feb_2024" / "items.jsonl"
    file.write_text(file.read_text().replace("35", "36"))
    assert next(one.fingerprint for one in listed() if one.name == "hmmt_feb_2024") == "damaged"
    [missing] = load(["hmmt_feb_2024"], Path(), Silent()).missing
    assert "pull it again" in missing.reason
    assert command("benchmarks", "pull", "hmmt_feb_2024").returncode == 0
    assert load(["hmmt_feb_2024"], Path(), Silent()).found


def test_an_audit_without_a_network_uses_copies_and_names_the_rest(
    command: Command, contest: Repository, tmp_path: Path, hub: HubServer
) -> None:
    assert command("benchmarks", "pull", "hmmt_feb_2024").returncode == 0
    (tmp_path / "data.jsonl").write_text(json.dumps({"problem": ITEMS[0]["problem"]}) + "\n")
    hub.fail("GET", "/api/", 503, times=50)
    against = "hmmt_feb_2024,brumo_2025,kangaroo_2025_1_2"
    done = command("audit", tmp_path / "data.jsonl", "--out", tmp_path / "out", "--against", against, "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["hits_by_kind"] == {"exact": 1}
    assert [one["name"] for one in summary["not_checked"]] == ["brumo_2025", "kangaroo_2025_1_2"]
    assert summary["to_pull"] == ["brumo_2025"]
    assert "curation benchmarks pull brumo_2025" in (tmp_path / "out" / "report.html").read_text()


def test_a_file_of_ones_own_is_found_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "cup.csv").write_text('nr,task,result\nA1,"What is $1+1$?",007\nA2,,3\n')
    columns = ItemColumns(problem="task", answer="result", id="nr")
    added = add(str(tmp_path / "cup.csv"), "cup-2031", columns, licence="MIT", contest="hmmt-feb-2031")
    assert (added.items, len(added.unreadable), added.by_name) == (1, 1, True)
    entry = registry()["cup-2031"]
    assert (entry.licence, entry.contest, entry.items) == ("MIT", "hmmt-feb-2031", 2)
    loaded = load(["cup-2031"], Path("/nowhere"), Silent())
    assert [(item.benchmark_id, item.answer) for item in loaded.found[0].items] == [("A1", "007")]
    assert (loaded.found[0].surprise, loaded.contests()) == (None, ["hmmt-feb-2031"])
    (tmp_path / "cup.csv").write_text("nr,task,result\nA1,What is 2?,2\n")
    assert "fingerprint" in str(load(["cup-2031"], Path(), Silent()).found[0].surprise)
    (tmp_path / "cup.csv").unlink()
    with pytest.raises(InputError, match=r"cup\.csv is gone"):
        load(["cup-2031"], Path(), Silent())


def test_a_registry_file_elsewhere_is_given_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "cup.jsonl").write_text('{"problem": "What is $1+1$?", "answer": "2"}\n')
    added = add(str(tmp_path / "cup.jsonl"), "cup", into=tmp_path / "mine")
    assert not added.by_name
    assert "cup" not in registry()
    [own] = load([str(added.file)], Path(), Silent()).found
    assert (own.name, own.items[0].text) == ("cup", "What is $1+1$?")


def test_names_that_are_taken_or_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "cup.jsonl").write_text('{"problem": "What is $1+1$?"}\n')
    source = str(tmp_path / "cup.jsonl")
    for name in ("aime_2025", "matharena", "a/b", "", "../x", "x.toml"):
        with pytest.raises(InputError, match="--name"):
            add(source, name)
    add(source, "cup")
    with pytest.raises(InputError, match="--replace"):
        add(source, "cup")
    add(source, "cup", replace=True)
    with pytest.raises(InputError, match="holds no problems"):
        add(source, "other", ItemColumns(problem="task"))
