"""The registry, pulled copies, and benchmarks of the user's own."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import polars as pl
import pytest

from curation.contamination.benchmarks import load, sources_of
from curation.contamination.item_rows import fingerprint
from curation.contamination.items import BenchmarkItem
from curation.contamination.registry import groups, home, registry
from curation.errors import InputError
from curation.progress import Silent

BIG = "7" * 400


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))


def test_every_registry_file_is_readable_and_the_groups_hold_them() -> None:
    known = registry()
    assert {"aime_2025", "hmmt_feb_2025", "hmmt_nov_2025", "brumo_2025", "smt_2025", "cmimc_2025"} <= set(known)
    by_group = groups(known)
    assert "apex_shortlist" in by_group["matharena"]
    assert set(by_group["all"]) == set(known)
    matharena = [known[name] for name in by_group["matharena"]]
    assert all(one.hub is not None and one.hub.startswith("MathArena/") for one in matharena)
    assert all((one.columns is None) == (one.not_text is not None) for one in known.values())
    assert all(re.fullmatch("main|[0-9a-f]{40}", one.revision) and one.licence for one in known.values())


def test_a_pulled_copy_needs_no_hub() -> None:
    folder = home() / "aime_2025"
    folder.mkdir(parents=True)
    (folder / "items.jsonl").write_text(json.dumps({"id": "1", "problem": "Add 1.", "answer": "007"}) + "\n")
    lock = {"revision": "abc", "fingerprint": fingerprint([BenchmarkItem("aime_2025", "1", "Add 1.", "007")])}
    (folder / "benchmark.json").write_text(json.dumps(lock))
    loaded = load(["aime_2025"], Path(), Silent())
    assert [(one.origin, one.revision, one.items[0].answer) for one in loaded.found] == [("pulled copy", "abc", "007")]
    assert loaded.contests() == ["aime-2025"]


def test_a_benchmark_that_cannot_be_had_is_named() -> None:
    loaded = load(["brumo_2025"], Path(), Silent())
    assert [one.name for one in loaded.missing] == ["brumo_2025"]
    assert loaded.missing[0].reason
    assert loaded.contests() == ["brumo-2025"]


def test_a_benchmark_of_pictures_is_known_by_its_contest_alone() -> None:
    loaded = load(["kangaroo_2025_1_2"], Path(), Silent())
    assert (loaded.found, loaded.missing) == ((), ())
    assert [one.name for one in loaded.without_text] == ["kangaroo_2025_1_2"]
    assert loaded.contests() == ["kangaroo-2025"]


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "parquet"])
def test_a_file_of_the_users_in_any_form(tmp_path: Path, suffix: str) -> None:
    rows = [{"id": "a", "question": "What is $1+1$?", "answer": BIG}, {"id": "b", "question": "加法", "answer": "2"}]
    path = tmp_path / f"own.{suffix}"
    if suffix == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif suffix == "json":
        path.write_text(json.dumps(rows))
    elif suffix == "csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, ["id", "question", "answer"])
            writer.writeheader()
            writer.writerows(rows)
    else:
        pl.DataFrame(rows).write_parquet(path)
    [own] = load([path.name], tmp_path, Silent()).found
    assert own.name == "own"
    assert [(item.benchmark_id, item.text, item.answer) for item in own.items] == [
        ("a", "What is $1+1$?", BIG),
        ("b", "加法", "2"),
    ]
    assert own.fingerprint == fingerprint(own.items)


def test_a_contest_folder_with_tex_and_answers(tmp_path: Path) -> None:
    problems = tmp_path / "cup_2031" / "problems"
    problems.mkdir(parents=True)
    for number in (1, 2, 10):
        (problems / f"{number}.tex").write_text(f"Problem {number}\n")
    (tmp_path / "cup_2031" / "answers.csv").write_text('id,answer\n1,"3, 4"\n2,005\n10,x\n')
    [own] = load([str(tmp_path / "cup_2031")], Path(), Silent()).found
    assert own.name == "cup_2031"
    assert [(item.benchmark_id, item.answer) for item in own.items] == [("1", "3, 4"), ("2", "005"), ("10", "x")]


def test_bundled_files_and_groups_are_found() -> None:
    loaded = load(["sources:demo/benchmark.jsonl"], Path("/nowhere"), Silent())
    assert loaded.found[0].items


def test_nested_answers_and_chat_prompts_are_detected(tmp_path: Path) -> None:
    row = {
        "prompt": [{"role": "user", "content": "Compute 2 times 3."}],
        "reward_model": {"ground_truth": "6"},
        "extra_info": {"index": "4"},
    }
    (tmp_path / "own.jsonl").write_text(json.dumps(row) + "\n")
    [own] = load(["own.jsonl"], tmp_path, Silent()).found
    assert (own.items[0].text, own.items[0].answer) == ("Compute 2 times 3.", "6")


def test_what_identifies_a_benchmark_changes_with_its_content(tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text('{"problem": "a"}\n')
    before = sources_of(["own.jsonl", "aime_2024_I"], tmp_path)
    (tmp_path / "own.jsonl").write_text('{"problem": "b"}\n')
    after = sources_of(["own.jsonl", "aime_2024_I"], tmp_path)
    assert before["own.jsonl"] != after["own.jsonl"]
    assert before["aime_2024_I"] == after["aime_2024_I"] == "MathArena/aime_2024_I@main"


@pytest.mark.parametrize(
    ("content", "message"),
    [('{"problem": \n', "own"), ("", "own"), ('{"other": 1}\n', "own"), ("3\n", "own")],
)
def test_a_file_that_is_no_benchmark_is_refused_by_name(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "own.jsonl").write_text(content)
    with pytest.raises(InputError, match=message):
        load(["own.jsonl"], tmp_path, Silent())


def test_a_row_that_is_no_item_is_named(tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text('{"problem": "a"}\n{"problem": \n{"problem": ""}\n3\n')
    [own] = load(["own.jsonl"], tmp_path, Silent()).found
    assert [item.text for item in own.items] == ["a"]
    assert [where.partition(": ")[0] for where in own.unreadable] == ["own.jsonl:2", "own.jsonl:3", "own.jsonl:4"]


def test_an_unknown_name_lists_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="aime_2025"):
        load(["aime_2052"], tmp_path, Silent())
