"""The command line as a user meets it: exit codes, one clear sentence, JSON for scripts, nothing lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import curation

PROBLEM = {"id": "a", "problem": "What is $17 + 25$?", "answer": "42"}


def test_a_run_of_our_own_recipe_up_to_a_step_its_story_and_its_report(tmp_path: Path) -> None:
    rows = [PROBLEM, {"id": "b", "problem": "Prove that $2$ is prime.", "answer": "proof"}, {"id": "c", "answer": "3"}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\ntitle = "Mine"\ndomain = "math"\ngroup = "opensource_math"\nlicence = "CC0-1.0"\n'
        'attribution = "me"\nurl = "https://example.org"\n[location]\npath = "rows.jsonl"\n'
        '[columns]\nstatement = "problem"\nanswer = "answer"\nsource_id = "id"\n'
    )
    (tmp_path / "recipe.toml").write_text(
        'name = "own"\n[[sources]]\nuse = "mine.toml"\n[decontaminate]\nagainst = ["rows-of-a-benchmark.jsonl"]\n'
        "[arithmetic]\ncount = 3\n"
    )
    (tmp_path / "rows-of-a-benchmark.jsonl").write_text(json.dumps({"problem": "How many primes?", "answer": "4"}))
    run = tmp_path / "run"
    done = curation("rebuild", tmp_path / "recipe.toml", "--run", run, "--until", "arithmetic", "--json")
    assert done.returncode == 0, done.stderr
    funnel = json.loads(done.stdout)["funnel"]
    assert [(row["step"], row["rows_in"], row["kept"]) for row in funnel["steps"]] == [
        ("ingest", 3, 2), ("filter", 2, 1), ("dedup", 1, 1), ("decontaminate", 1, 1), ("arithmetic", 4, 4),
    ]  # fmt: skip
    story = json.loads(curation("explain", run, "mine:b", "--json").stdout)
    assert [event["outcome"] for event in story["events"]] == ["made", "dropped"]
    assert story["events"][-1]["rule"] == "proof"
    assert "mine:b" in curation("explain", run, "mine:b").stdout
    unknown = curation("explain", run, "mine:zz")
    assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)
    (run / "report.html").unlink()
    assert curation("report", run).returncode == 0
    assert "mine:b" in (run / "report.html").read_text()


@pytest.mark.parametrize(
    ("recipe", "sentence"),
    [
        ("name = ", "is no TOML"),
        ('name = "x"\nsources = []\n', "sources"),
        ('name = "x"\n[[sources]]\nuse = "limo"\n[dedupp]\n', "dedupp"),
        ('name = "x"\n[[sources]]\nuse = "no-such-source"\n', "no-such-source"),
        ('extends = "recipe.toml"\n', "extends itself"),
        ('name = "x"\n[[sources]]\nuse = "limo"\n[vote]\nmodel = "nobody"\n', "nobody"),
        ('name = "x"\n[[sources]]\nuse = "limo"\npath = "gone.jsonl"\n', "gone.jsonl"),
        ('name = "x"\n[[sources]]\nuse = "hmmt"\n', "needs a folder of papers"),
        ('name = "x"\n[[sources]]\nuse = "limo"\npath = ""\n', "sources.0.path"),
        ('name = "x"\n[[sources]]\nuse = "limo"\n[judge]\ntime_factor = inf\n', "judge.time_factor"),
        ('name = "x"\n[[sources]]\nuse = "limo"\n[arithmetic]\noperations = { addition = nan }\n', "finite"),
        ('name = "x"\n[[sources]]\nuse = "limo"\n[stage1]\nabove = 0.5\n', "no accuracy lies between"),
        ('name = "x"\n[[sources]]\nuse = "limo"\n[filter]\nlanguages = ["en", "xx"]\n', "'xx' is no language"),
    ],
)
def test_a_recipe_that_cannot_be_used_is_one_sentence_and_exit_code_two(
    tmp_path: Path, recipe: str, sentence: str
) -> None:
    (tmp_path / "recipe.toml").write_text(recipe)
    done = curation("rebuild", tmp_path / "recipe.toml", "--run", tmp_path / "run")
    assert done.returncode == 2, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("curation: ")
    assert sentence in last
    assert "Traceback" not in done.stderr


def test_the_plan_of_the_full_recipe_names_every_source_and_what_is_missing() -> None:
    done = curation("rebuild", "pacore-train-8k", "--plan", "--json")
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    assert len(plan["sources"]) == 28
    for source in plan["sources"]:
        assert source["address"]
        assert source["licence"]
    not_ready = {source["name"]: source["ready"] for source in plan["sources"] if source["ready"] != "ready"}
    assert "curation fetch hmmt --into DIR --accept-terms hmmt" in not_ready["hmmt"]
    assert not_ready["cmimc"].startswith("it needs a folder of papers: download them by hand")
    assert {row[0] for row in plan["missing"]} >= {f"source {name}" for name in not_ready}
    published = {row["group"]: row["before"] for row in plan["groups"]}
    assert published["opensource_math"] == 695_000
    assert {row["step"] for row in plan["model_work"]} == {"vote", "propose", "pool", "stage2"}
    assert all(row["gpu_hours"] > 0 and row["tokens"] > 0 for row in plan["model_work"])
    assert "1,791,700" in curation("rebuild", "pacore-train-8k", "--plan").stdout


def test_a_process_ends_with_the_exit_code_and_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "curation", "report", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith("curation: ")


def test_usage_errors(tmp_path: Path) -> None:
    assert curation("rebuild", "demo").returncode == 2
    assert curation("rebuild", "demo", "--run", tmp_path, "--limit", "0").returncode == 2
    assert curation("report", tmp_path).returncode == 2
    assert curation("push", tmp_path / "nowhere", "me/data", "--dry-run").returncode == 2
    assert curation("no-such-command").returncode == 2
    assert curation("rebuild", "demo", "--run", "", directory=tmp_path).returncode == 2
    (tmp_path / "rows.jsonl").write_text(json.dumps(PROBLEM))
    files = ["--out", tmp_path / "kept.jsonl", "--dropped", tmp_path / "dropped.jsonl"]
    asked = curation("filter", tmp_path / "rows.jsonl", *files, "--language", "xx")
    assert (asked.returncode, asked.stderr.count("\n")) == (2, 1)
    assert "'xx' is no language" in asked.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_the_doctor_names_the_isolation_and_never_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_not_to_be_shown")
    done = curation("doctor", "--json")
    assert done.returncode == 0, done.stderr
    checks = {check["name"]: check for check in json.loads(done.stdout)}
    assert checks["sandbox"]["status"] in {"ok", "weaker", "missing"}
    assert "hf_not_to_be_shown" not in done.stdout + curation("doctor").stdout


@pytest.mark.parametrize(
    "place", ["a-file/out.jsonl", "a-folder.jsonl", "/proc/out.jsonl", "/proc/out.parquet", f"{'x' * 300}.jsonl"]
)
@pytest.mark.parametrize("command", ["audit", "filter", "grade"])
def test_a_place_that_takes_no_output_is_one_sentence(tmp_path: Path, place: str, command: str) -> None:
    (tmp_path / "a-file").touch()
    (tmp_path / "a-folder.jsonl" / "matches.jsonl").mkdir(parents=True)
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({**PROBLEM, "gold": "1", "pred": "1"}) + "\n")
    options = {
        "audit": ("--out", tmp_path / place, "--against", rows),
        "filter": ("--out", tmp_path / place, "--dropped", tmp_path / "dropped.jsonl"),
        "grade": ("--out", tmp_path / place),
    }
    done = curation(command, rows, *options[command])
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("curation: ")
    assert "cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.rglob(".partial-*"))


@pytest.mark.parametrize("name", ["", "x" * 5_000])
def test_a_data_set_that_no_path_can_be_is_one_sentence(tmp_path: Path, name: str) -> None:
    done = curation("grade", name, "--out", tmp_path / "out.jsonl", directory=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


def test_a_run_whose_tables_are_gone_or_cut_off_says_which(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        'name = "own"\n[[sources]]\nuse = "limo"\npath = "rows.jsonl"\n'
        "[decontaminate]\nagainst = []\n[arithmetic]\ncount = 2\n"
    )
    (tmp_path / "rows.jsonl").write_text(json.dumps({"question": "What is $17 + 25$?", "answer": "42"}) + "\n")
    run = tmp_path / "run"
    rebuild = ("rebuild", recipe, "--run", run, "--until", "ingest")
    assert curation(*rebuild).returncode == 0
    ledger = run / "steps" / "01-ingest" / "ledger.parquet"
    for damage in (lambda: ledger.write_bytes(ledger.read_bytes()[:100]), ledger.unlink):
        damage()
        for command in (("report", run), ("explain", run, "limo:1")):
            done = curation(*command)
            assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
            assert "ledger.parquet" in done.stderr
        assert curation(*rebuild).returncode == 0
        assert curation("report", run).returncode == 0


def test_what_the_machine_refuses_in_the_middle_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "run" / "steps").mkdir(parents=True)
    (tmp_path / "run" / "steps" / "01-ingest.json").mkdir()
    done = curation("rebuild", "demo", "--run", tmp_path / "run", "--until", "ingest")
    assert done.returncode == 3
    assert "01-ingest.json: Is a directory" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.jsonl", b""),
        ("not-utf-8.jsonl", b'{"problem": "\xff\xfe"}\n'),
        ("cut.parquet", b"PAR1 and no more"),
        ("cut.jsonl.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00"),
        ("no-array.json", b'"text"'),
        ("columns.jsonl", b'{"count": 3}\n'),
    ],
)
@pytest.mark.parametrize("command", ["audit", "filter"])
def test_input_that_cannot_be_read_is_one_sentence_with_the_file(
    tmp_path: Path, name: str, content: bytes, command: str
) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / "benchmark.jsonl").write_text(json.dumps(PROBLEM) + "\n")
    options = {
        "audit": ("--out", tmp_path / "out", "--against", tmp_path / "benchmark.jsonl"),
        "filter": ("--out", tmp_path / "kept.jsonl", "--dropped", tmp_path / "dropped.jsonl"),
    }
    done = curation(command, tmp_path / name, *options[command])
    assert done.returncode == 2, done.stderr + done.stdout
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("curation: ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "kept.jsonl").exists()
