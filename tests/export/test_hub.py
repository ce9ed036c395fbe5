"""Pushing to a stand-in of the Hub, with the real client in a process of its own."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hub_server import NEVER, TOKEN, HubServer

from curation import processes, storage
from curation.errors import InputError
from curation.export.folder import open_folder
from curation.export.hub import push
from curation.export.rows import TRIPLE_SCHEMA
from curation.progress import Silent

PUSH = """
import sys
from pathlib import Path
from rich.console import Console
from curation.errors import CurationError
from curation.export.hub import Retries, push
from curation.json_reader import dumps
from curation.progress import OnConsole
directory, repository, private = sys.argv[1:]
try:
    done = push(Path(directory), repository, private == "private", False, OnConsole(Console(stderr=True, width=300)),
                Retries(attempts=3, first_wait_s=0.01, longest_wait_s=0.01, silence_s=1.0))
except CurationError as error:
    print(dumps({"error": str(error), "exit_code": error.exit_code}))
else:
    print(dumps({"commit": done.commit, "url": done.url, "rows": done.rows, "repository": done.repository,
                 "files": [file.path for file in done.files], "deleted": list(done.deleted)}))
"""

LOAD = """
import sys
import datasets
from curation.json_reader import dumps
repository, config = sys.argv[1:]
eager = datasets.load_dataset(repository, config, split="train")
streamed = list(datasets.load_dataset(repository, config, split="train", streaming=True))
print(dumps({"rows": list(eager), "same": streamed == list(eager), "columns": eager.column_names,
             "strings": eager.features["ground_truth"].dtype == "string"}))
"""

Client = Callable[..., dict[str, Any]]


@pytest.fixture
def client(hub: HubServer, tmp_path: Path) -> Client:
    def run(script: str, *arguments: str, token: str | None = TOKEN) -> dict[str, Any]:
        done = processes.run(
            [sys.executable, "-c", script, *arguments],
            environment=hub.environment(tmp_path / "home", token),
            wall_limit_s=120,
        )
        assert done.exit_code == 0, done.error.decode()
        told: dict[str, Any] = json.loads(done.output.decode().splitlines()[-1])
        told["shown"] = done.error.decode() + done.output.decode()
        return told

    return run


def triples(*answers: str) -> pl.DataFrame:
    rows = [
        {"conversation": [{"role": "user", "content": f"Q{i}"}], "responses": ["a", ""], "ground_truth": answer}
        for i, answer in enumerate(answers)
    ]
    return pl.DataFrame(rows, schema=TRIPLE_SCHEMA, orient="row")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two configs, one of two shards, with a card that names them."""
    directory = tmp_path / "data"
    storage.write_table(directory / "one/train-00000-of-00002.parquet", triples("007", "1e5"), TRIPLE_SCHEMA)
    storage.write_table(directory / "one/train-00001-of-00002.parquet", triples("9" * 60), TRIPLE_SCHEMA)
    storage.write_table(directory / "two/train-00000-of-00001.parquet", triples("2025-01-01"), TRIPLE_SCHEMA)
    card = "---\nconfigs:\n" + "".join(
        f"- config_name: {name}\n  data_files: {name}/train-*.parquet\n" for name in ("one", "two")
    )
    (directory / "README.md").write_text(f"{card}---\nA card.\n")
    return directory


def test_one_commit_then_loaded_and_streamed(hub: HubServer, client: Client, folder: Path) -> None:
    (folder / ".env").write_text("SECRET=1")
    (folder / "notes.txt").write_text("mine")
    done = client(PUSH, str(folder), "tester/set", "private")
    assert done["rows"] == {"one": 3, "two": 1}
    assert [method for method, path in hub.requests if path.endswith("/commit/main")] == ["POST"]
    repository = hub.repositories["tester/set"]
    assert repository.private
    assert hub.parents == [repository.commits[0][0]]
    assert repository.head == done["commit"]
    files = repository.commits[-1][1]
    assert set(files) == {".gitattributes", *done["files"]}
    assert all(files[name] == (folder / name).read_bytes() for name in done["files"])
    loaded = client(LOAD, "tester/set", "one")
    assert [row["ground_truth"] for row in loaded["rows"]] == ["007", "1e5", "9" * 60]
    assert loaded["same"]
    assert loaded["strings"]
    assert loaded["columns"] == ["conversation", "responses", "ground_truth"]


def test_old_shards_go_with_the_next_push(hub: HubServer, client: Client, folder: Path) -> None:
    client(PUSH, str(folder), "tester/set", "public")
    old = folder / "one/train-00001-of-00002.parquet"
    old.unlink()
    (folder / "one/train-00000-of-00002.parquet").rename(folder / "one/train-00000-of-00001.parquet")
    done = client(PUSH, str(folder), "tester/set", "public")
    assert done["deleted"] == ["one/train-00000-of-00002.parquet", "one/train-00001-of-00002.parquet"]
    assert len(client(LOAD, "tester/set", "one")["rows"]) == 2


def test_folder_without_a_card_gets_one_with_features(hub: HubServer, client: Client, tmp_path: Path) -> None:
    storage.write_table(tmp_path / "plain/part.parquet", triples("1"), TRIPLE_SCHEMA)
    done = client(PUSH, str(tmp_path / "plain"), "plain", "public")
    assert done["repository"] == "tester/plain"
    card = hub.repositories["tester/plain"].commits[-1][1]["README.md"].decode()
    assert "name: ground_truth" in card
    assert not (tmp_path / "plain/README.md").exists()
    assert client(LOAD, "tester/plain", "default")["rows"][0]["ground_truth"] == "1"


@pytest.mark.parametrize(("status", "pattern"), [(412, "/commit/main"), (409, "/commit/main"), (503, "/commit/main")])
def test_one_refusal_is_tried_again(hub: HubServer, client: Client, folder: Path, status: int, pattern: str) -> None:
    hub.fail("POST", pattern, status)
    done = client(PUSH, str(folder), "tester/set", "public")
    assert done["commit"] == hub.repositories["tester/set"].head
    assert f"commit: HTTP {status}, try 2 of 3" in done["shown"]


@pytest.mark.parametrize("status", [412, 429, 500])
def test_lasting_refusal_ends_with_its_cause(hub: HubServer, client: Client, folder: Path, status: int) -> None:
    hub.fail("POST", "/commit/main", status, times=99)
    done = client(PUSH, str(folder), "tester/set", "public")
    assert done["exit_code"] == 3
    assert f"HTTP {status}" in done["error"]
    assert "\n" not in done["error"]
    assert len([path for _, path in hub.requests if path.endswith("/commit/main")]) == 3
    assert len(hub.repositories["tester/set"].commits) == 1


def test_rate_limit_waits_as_told(hub: HubServer, client: Client, folder: Path) -> None:
    hub.fail("POST", "/preupload/", 429, Retry_After="0")
    assert client(PUSH, str(folder), "tester/set", "public")["commit"]


def test_silent_hub_is_not_waited_for(hub: HubServer, client: Client, folder: Path) -> None:
    hub.fail("POST", "/commit/main", NEVER, times=99)
    done = client(PUSH, str(folder), "tester/set", "public")
    assert done["exit_code"] == 3
    assert "ReadTimeout" in done["error"]


def test_forbidden_is_not_tried_again(hub: HubServer, client: Client, folder: Path) -> None:
    hub.fail("POST", "/commit/main", 403)
    done = client(PUSH, str(folder), "tester/set", "public")
    assert "may not write" in done["error"]
    assert len([path for _, path in hub.requests if path.endswith("/commit/main")]) == 1


def test_other_bytes_on_the_hub_are_an_error(hub: HubServer, client: Client, folder: Path) -> None:
    hub.damage(r"^two/.*\.parquet$")
    done = client(PUSH, str(folder), "tester/set", "public")
    assert done["exit_code"] == 3
    assert "two/train-00000-of-00001.parquet came back with other bytes" in done["error"]


def test_token_is_needed_and_never_shown(hub: HubServer, client: Client, folder: Path) -> None:
    refused = client(PUSH, str(folder), "tester/set", "public", token=None)
    assert refused["exit_code"] == 3
    assert "HF_TOKEN" in refused["error"]
    assert not hub.requests
    wrong = client(PUSH, str(folder), "tester/set", "public", token="hf_wrong_but_secret")  # noqa: S106
    assert "does not accept the token" in wrong["error"]
    done = client(PUSH, str(folder), "tester/set", "public")
    for told in (refused, wrong, done):
        assert not re.search(r"hf_(stand|wrong)", told["shown"])
    assert f"Bearer {TOKEN}" in hub.authorizations


def test_private_push_to_a_public_repository_is_refused(hub: HubServer, client: Client, folder: Path) -> None:
    client(PUSH, str(folder), "tester/set", "public")
    done = client(PUSH, str(folder), "tester/set", "private")
    assert "public" in done["error"]
    assert len(hub.repositories["tester/set"].commits) == 2


def test_name_that_no_data_set_can_have(client: Client, folder: Path) -> None:
    assert client(PUSH, str(folder), "a/b/c", "public")["exit_code"] == 2


def test_dry_run_sends_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curation.export.hub.HfApi", None)
    result = push(folder, "tester/set", private=False, dry_run=True, reporter=Silent())
    assert result.commit is None
    assert result.card.endswith("A card.\n")
    assert [(file.path, file.bytes, file.rows) for file in result.files] == [
        (name, (folder / name).stat().st_size, rows)
        for name, rows in (
            ("one/train-00000-of-00002.parquet", 2),
            ("one/train-00001-of-00002.parquet", 1),
            ("two/train-00000-of-00001.parquet", 1),
            ("README.md", None),
        )
    ]
    assert result.written == folder.with_name(folder.name + "-on-the-hub")
    for file in result.files:
        assert (result.written / file.path).read_bytes() == (folder / file.path).read_bytes()
    assert len([path for path in result.written.rglob("*") if path.is_file()]) == len(result.files)


def test_what_cannot_be_pushed(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no Parquet file"):
        open_folder(tmp_path / "empty")
    with pytest.raises(InputError, match="no directory"):
        open_folder(tmp_path / "nowhere")
    (tmp_path / "run").mkdir()
    (tmp_path / "run/run.json").write_text("{}")
    with pytest.raises(InputError, match="no export yet"):
        open_folder(tmp_path / "run")
    (folder / "two/train-00000-of-00001.parquet").write_bytes(b"PAR1 and nothing more")
    with pytest.raises(InputError, match=r"two/train-00000-of-00001\.parquet is no whole Parquet file"):
        open_folder(folder)


@pytest.mark.parametrize(
    "block",
    ["configs: [", "configs: 3", "- a", "configs:\n- config_name: x\n  data_files: nothing/*.parquet"],
)
def test_card_that_datasets_cannot_use(folder: Path, block: str) -> None:
    (folder / "README.md").write_text(f"---\n{block}\n---\n")
    with pytest.raises(InputError, match=r"README\.md cannot be used by `datasets`") as refused:
        open_folder(folder)
    assert "\n" not in str(refused.value)


def test_files_of_one_config_must_agree(tmp_path: Path) -> None:
    storage.write_table(tmp_path / "d/a.parquet", triples("1"), TRIPLE_SCHEMA)
    other = pl.Schema({"ground_truth": pl.Int64()})
    storage.write_table(tmp_path / "d/b.parquet", pl.DataFrame({"ground_truth": [1]}), other)
    with pytest.raises(InputError, match=r"b\.parquet has other columns"):
        open_folder(tmp_path / "d")
