"""The Hub: a pinned commit, downloads and streams, the cache without a network, refusals. Processes of their own,
because the Hub's client reads its address when it is imported."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hub_server import HubServer, Repository

READ = """
import json, sys
from curation.errors import CurationError
from curation.ingest.files import read_place
from curation.ingest.place import hub_place

names, streaming = json.loads(sys.argv[1])
for name in names:
    try:
        name, revision, *globs = name.split("@")
        place = hub_place(name, revision, globs, streaming=streaming)
        rows = list(read_place(place))
    except CurationError as error:
        print(json.dumps({"error": str(error), "code": error.exit_code}))
    else:
        print(json.dumps({"revision": place.revision, "rows": [[row.location, row.value] for row in rows]}))
"""
INGEST = """
import json, sys
from pathlib import Path
from curation import run
from curation.ingest.step import Ingest
from curation.progress import Silent
from curation.recipe import Recipe

directory, limit = Path(sys.argv[1]), json.loads(sys.argv[2])
recipe = Recipe.model_validate({"name": "m", "sources": [{"use": "own.toml"}], "directory": directory})
class Told(Silent):
    def note(self, message):
        notes.append(message)

notes = []
done = run.execute((Ingest(),), recipe, directory / "run", Told(), limit=limit)
print(json.dumps([done.records[0].kept, done.records[0].findings, [note for note in notes if note.count("own: ")]]))
"""
SOURCE = """
name = "own"
title = "A source"
domain = "math"
group = "opensource_math"
licence = "MIT"
attribution = "its authors"
url = "https://example.org"
[location]
hub = "owner/set"
files = ["data/*"]
[columns]
statement = "q"
answer = "a"
"""
BIG = "1234567890" * 6


def parquet(*rows: dict[str, str]) -> bytes:
    """Return rows as a Parquet file."""
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), sink)
    return sink.getvalue()


FILES = {
    "README.md": b"# A set",
    ".gitattributes": b"",
    "data/a.jsonl": f'{{"q": "one", "a": {BIG}}}\n'.encode(),
    "data/b.json.gz": gzip.compress(b'[{"q": "two", "a": "007"}]'),
    "data/c.parquet": parquet({"q": "three", "a": "1e5"}),
}
ROWS = [
    ["data/a.jsonl:1", {"q": "one", "a": BIG}],
    ["data/b.json.gz:row 1", {"q": "two", "a": "007"}],
    ["data/c.parquet:row 1", {"q": "three", "a": "1e5"}],
]


@pytest.fixture
def repository(hub: HubServer) -> Repository:
    """A data set on the stand-in."""
    made = hub.repositories["owner/set"] = Repository(private=False)
    made.commit(dict(FILES))
    return made


def read(environment: dict[str, str], *names: str, streaming: bool = False) -> list[dict[str, object]]:
    """Read data sets at revisions, one after the other, in a process of its own."""
    given = json.dumps([names or ["owner/set@main"], streaming])
    command = [sys.executable, "-c", READ, given]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("streaming", [False, True])
def test_the_commit_is_pinned_and_our_own_reader_reads(
    hub: HubServer, repository: Repository, tmp_path: Path, streaming: bool
) -> None:
    first = repository.head
    repository.commit({"data/a.jsonl": b'{"q": "new", "a": "1"}\n'})
    newest = {"revision": repository.head, "rows": [["data/a.jsonl:1", {"q": "new", "a": "1"}]]}
    one = {"revision": first, "rows": ROWS[2:]}
    found = read(
        hub.environment(tmp_path),
        "owner/set@main",
        f"owner/set@{first}",
        f"owner/set@{first}@*/c.*",
        streaming=streaming,
    )
    assert found == [newest, {"revision": first, "rows": ROWS}, one]


def test_without_a_network_the_cache_is_read(hub: HubServer, repository: Repository, tmp_path: Path) -> None:
    environment = hub.environment(tmp_path)
    read(environment)
    for offline in ({"HF_HUB_OFFLINE": "1"}, {"HF_ENDPOINT": "http://127.0.0.1:9"}):
        assert read(environment | offline) == [{"revision": repository.head, "rows": ROWS}]


def test_a_cache_that_lacks_the_set_or_a_part_of_it(hub: HubServer, repository: Repository, tmp_path: Path) -> None:
    read(hub.environment(tmp_path))
    next(tmp_path.rglob("c.parquet")).unlink()
    offline = hub.environment(tmp_path) | {"HF_HUB_OFFLINE": "1"}
    partly, lacking = read(offline, "owner/set@main", "owner/other@main")
    assert partly["code"] == lacking["code"] == 3
    assert "hub://owner/set is only partly in the Hub's cache" in str(partly["error"])
    assert "hub://owner/other@main is not in the Hub's cache" in str(lacking["error"])


def test_what_the_hub_refuses(hub: HubServer, repository: Repository, tmp_path: Path) -> None:
    hub.repositories["owner/bare"] = Repository(private=False)
    hub.repositories["owner/bare"].commit({"README.md": b"x"})
    names = ("owner/nothing@main", "owner/set@v9", "owner/a b@main", "owner/bare@main")
    found = read(hub.environment(tmp_path), *names)
    assert [answer["code"] for answer in found] == [2, 2, 2, 2]
    messages = [str(answer["error"]) for answer in found]
    assert "is no data set that the Hub shows" in messages[0]
    assert "has no revision 'v9'" in messages[1]
    assert "is no name of a data set" in messages[2]
    assert messages[3] == "hub://owner/bare holds no data file"


def test_a_download_that_fails_is_no_fault_of_the_input(hub: HubServer, repository: Repository, tmp_path: Path) -> None:
    hub.fail("GET", r"/resolve/.*c\.parquet", 404, times=99)
    hub.fail("HEAD", r"/resolve/.*c\.parquet", 404, times=99)
    (found,) = read(hub.environment(tmp_path))
    assert found["code"] == 3
    assert "could not be downloaded" in str(found["error"])


def test_a_run_reads_the_commit_that_it_read_first(hub: HubServer, repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(SOURCE)
    environment = hub.environment(tmp_path / "home")

    def ingest(limit: int | None) -> list[object]:
        command = [sys.executable, "-c", INGEST, str(tmp_path), json.dumps(limit)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found: list[object] = json.loads(done.stdout)
        return found

    first = repository.head
    told = f"own: main is no commit; it stands at {first} now, which this run keeps to (sources.lock.json)"
    assert ingest(None) == [3, {"Revisions": {"own": first}}, [told]]
    assert ingest(3) == [
        3,
        {"Revisions": {"own": first}},
        [f"own: reading {first}, as main was when this run read it first"],
    ]
    repository.commit({"data/a.jsonl": b'{"q": "new", "a": "1"}\n'})
    kept, findings, notes = ingest(2)
    assert (kept, findings) == (2, {"Revisions": {"own": first}})
    moved = f"warning: own: main has moved to {repository.head} since this run read {first}, which it keeps to: begin"
    assert isinstance(notes, list)
    assert [note[: len(moved)] for note in notes] == [moved]
    (tmp_path / "run" / "sources.lock.json").unlink()
    assert ingest(3)[:2] == [1, {"Revisions": {"own": repository.head}}]


def test_a_commit_is_read_without_a_word(hub: HubServer, repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(SOURCE.replace("files =", f'revision = "{repository.head}"\nfiles ='))
    command = [sys.executable, "-c", INGEST, str(tmp_path), "null"]
    environment = hub.environment(tmp_path / "home")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [3, {"Revisions": {"own": repository.head}}, []]
