"""Pools that lie elsewhere: a real S3 server, and a file system that only fsspec knows."""

from __future__ import annotations

import gzip
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cut_connection import cutting
from moto.server import ThreadedMotoServer
from requests_for_tests import MODEL, engine, request
from scripted_server import ScriptedServer, running
from upath import UPath

from curation import storage
from curation.cli import main
from curation.errors import InputError, OutsideError
from curation.ingest.files import read_place
from curation.ingest.place import find_place
from curation.llm import parts, places
from curation.llm.asking import ask
from curation.llm.engine import written
from curation.llm.places import PoolPath, pool_path
from curation.llm.pool import Pool, open_pool, stats
from curation.llm.pool_compact import compact
from curation.llm.pool_import import import_log
from curation.llm.pool_merge import merge
from curation.llm.pool_verify import verify
from curation.llm.replay import ReplayEngine
from curation.llm.sampling import sample
from curation.llm.standalone import Options, one_section
from curation.pool_selection import select
from curation.progress import Silent
from curation.recipe import StageOneSection
from curation.records import Response
from curation.selection.from_pool import Wanted

AWKWARD = ["\\frac12 007", "\u2028 漢字", "9" * 5000, ""]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    s3 = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    s3.start()
    host, port = s3.get_host_and_port()
    yield f"http://{host}:{port}"
    s3.stop()


@pytest.fixture
def bucket(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    settings = {
        "AWS_ENDPOINT_URL": server,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "CURATION_HOME": str(tmp_path / "home"),
        "no_proxy": "127.0.0.1",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    name = f"bucket-{storage.sha256_text(str(tmp_path))[:12]}"
    UPath(f"s3://{name}").fs.mkdir(name)
    return f"s3://{name}/some/pool"


def response(problem: str, index: int = 0, text: str | None = None) -> Response:
    body = text if text is not None else f"{problem} {index}"
    return written(request(problem, index), MODEL, "http", text=body, finish_reason="stop", completion_tokens=5)


def fill(pool: PoolPath, *batches: list[Response]) -> PoolPath:
    for batch in batches:
        with open_pool(pool) as opened:
            for item in batch:
                opened.add(item)
    return pool


def texts(pool: PoolPath) -> dict[str, str | None]:
    with open_pool(pool) as opened:
        return {item.response_id: item.text for item in opened.iterate()}


def names(pool: PoolPath) -> list[str]:
    return [path.name for path in parts.paths(pool / "responses")]


@pytest.fixture(params=["s3", "memory"])
def elsewhere(request: pytest.FixtureRequest, bucket: str, tmp_path: Path) -> PoolPath:
    if request.param == "s3":
        return pool_path(bucket)
    return pool_path(f"memory://{storage.sha256_text(str(tmp_path))[:12]}/pool")


def test_texts_come_back_and_nothing_is_left_aside(elsewhere: PoolPath, tmp_path: Path) -> None:
    stored = [response("p", index, text) for index, text in enumerate(AWKWARD)]
    fill(elsewhere, stored[:2], stored[2:])
    with open_pool(elsewhere) as pool:
        assert list(pool.iterate()) == stored
        assert [item.text for item in pool.read([stored[3].response_id]).values()] == [""]
    assert len(names(elsewhere)) == 2
    assert [path.name for path in (elsewhere / "responses").iterdir()] == names(elsewhere)
    assert not [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert stats(elsewhere)["responses"].to_list() == [4]
    told = verify(elsewhere)
    assert (told.responses, told.defects, told.notes) == (4, [], [])


def test_upkeep(elsewhere: PoolPath, tmp_path: Path) -> None:
    batches = [[response(f"p{batch}", index) for index in range(3)] for batch in range(4)]
    local = fill(tmp_path / "local", *batches[:2])
    fill(elsewhere, *batches[1:])
    merged = merge([local, elsewhere], elsewhere.parent / "merged")
    assert (merged.added, merged.known, merged.conflicts) == (12, 3, 0)
    both = texts(elsewhere.parent / "merged")
    assert len(both) == 12
    told = {table.table: (table.before, table.after) for table in compact(elsewhere.parent / "merged")}
    assert told["responses"] == (4, 1)
    assert texts(elsewhere.parent / "merged") == both
    log = elsewhere.parent / "log.jsonl"
    log.write_text(json.dumps({"question": "What is 1+1?", "code": ["2", "3"], "score": [True, False]}) + "\n")
    assert import_log(log, elsewhere, model="other").new == 2
    assert import_log(log, elsewhere, model="other").new == 0
    assert verify(elsewhere).defects == []
    assert ReplayEngine(elsewhere, "other").identity.model == "other"


def test_writers_of_several_machines_take_no_part_from_each_other(bucket: str, tmp_path: Path) -> None:
    pool = fill(pool_path(bucket), [response("a", 0, "first"), response("b")])
    other = fill(pool_path(f"{bucket}-of-another-machine"), [response("a", 0, "second"), response("c")])
    # It saw an empty pool too, so its part has the same number, and both hold a response under one key.
    (theirs,) = parts.paths(other / "responses")
    pool.fs.copy(theirs.path, (pool / "responses" / theirs.name).path)  # type: ignore[union-attr]
    assert len(names(pool)) == 2
    seen = texts(pool)
    assert len(seen) == stats(pool)["responses"].sum() == 3
    told = verify(pool)
    assert (told.defects, [note.count for note in told.notes]) == ([], [1])
    compact(pool)
    assert len(names(pool)) == 1
    assert texts(pool) == seen
    assert verify(pool).notes == []


def test_what_a_killed_compaction_left_counts_once(bucket: str) -> None:
    pool = fill(pool_path(bucket), [response("a", 0, "first")], [response("b")], [response("c")])
    before, seen = parts.paths(pool / "responses"), texts(pool)
    kept = before[1].read_bytes()
    compact(pool)
    before[1].write_bytes(kept)
    assert texts(pool) == seen
    assert stats(pool)["responses"].sum() == 3
    compact(pool)
    assert len(names(pool)) == 1
    assert texts(pool) == seen


def test_damaged_part_is_named_and_a_compaction_leaves_it(bucket: str) -> None:
    pool = fill(pool_path(bucket), [response("a")], [response("b")])
    part = parts.paths(pool / "responses")[1]
    whole = part.read_bytes()
    part.write_bytes(whole[:-9])
    with pytest.raises(InputError, match=rf"{part.name} cannot be read"):
        Pool(pool)
    assert [defect.file for defect in verify(pool).defects] == [f"responses/{part.name}"]
    # Of a page that was changed Arrow says something else than of a file that was cut: an OSError without a number.
    part.write_bytes(whole[:8] + bytes(24) + whole[32:])
    assert [defect.file for defect in verify(pool).defects] == [f"responses/{part.name}"]
    part.write_bytes(whole)
    assert len(texts(pool)) == 2


def test_journal_of_some_age_becomes_a_part_elsewhere_only(bucket: str, tmp_path: Path) -> None:
    for place, expected in ((pool_path(bucket), 1), (tmp_path / "here", 0)):
        pool = Pool(place, journal_s=0.0)
        pool.add(response("a"))
        assert len(names(place)) == expected
        pool.fold()


def test_rows_are_sampled_into_an_object_store_and_selected_from_it(bucket: str, tmp_path: Path) -> None:
    rows = [{"id": f"p{n}", "problem": f"What is 1 + {n}?", "answer": str(n + 1)} for n in range(4)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = {}
    with running(ScriptedServer(write=lambda payload: f"\\boxed{{{1 + payload['seed'] % 3}}}")) as model:
        section = {"samples": 4}
        recipe = one_section(Options(model={"url": model.url, "model": "m"}, section=section), "pool")
        for place in (pool_path(bucket), tmp_path / "pool"):
            done = sample(str(tmp_path / "rows.jsonl"), place, recipe)
            assert (done.stored, done.known) == (16, 0)
            assert sample(str(tmp_path / "rows.jsonl"), place, recipe).known == 16
            wider = Wanted(stage1=StageOneSection(messages_low=2, messages_high=3, math_below=0.9))
            out = tmp_path / f"out-{isinstance(place, Path)}"
            assert select(place, out, wider).selected.stage1 > 0
            files = sorted(path for path in out.rglob("*") if path.is_file())
            found[place] = {path.relative_to(out).as_posix(): path.read_bytes() for path in files}
    elsewhere, here = found.values()
    assert elsewhere == here


FILLER = """
import sys
from requests_for_tests import engine, request
from curation.llm.asking import ask
from curation.llm.places import pool_path
from curation.llm.pool import open_pool
from curation.progress import Silent

wanted = [request(f"p{number}", index) for number in range(20) for index in range(4)]
with open_pool(pool_path(sys.argv[2])) as pool:
    ask(engine(sys.argv[1], concurrency=4), pool, wanted, Silent())
"""


def test_killed_writer_loses_only_what_was_in_flight(bucket: str) -> None:
    with running(ScriptedServer(write=lambda payload: f"{payload['seed']} " * 50, delay_s=0.01)) as model:
        command = [sys.executable, "-c", FILLER, model.url, bucket]
        child = subprocess.Popen(command, cwd=Path(__file__).parent)
        while len(model.payloads) < 40:
            assert child.poll() is None
            time.sleep(0.002)
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert names(pool_path(bucket)) == []
        wanted = [request(f"p{number}", index) for number in range(20) for index in range(4)]
        with open_pool(pool_path(bucket)) as pool:
            ask(engine(model.url, concurrency=4), pool, wanted, Silent())
        assert 80 <= len(model.payloads) <= 84
    assert len(texts(pool_path(bucket))) == 80


def curation(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["curation", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    told = capsys.readouterr()
    return ended.value.code or 0, told.out + " ".join(told.err.split())


def test_commands_take_addresses(
    bucket: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(pool_path(bucket), [response("a")], [response("b")])
    code, told = curation(capsys, "pool", "compact", bucket, "--json")
    assert (code, json.loads(told)[0]["after"]) == (0, 1)
    assert curation(capsys, "pool", "verify", bucket)[0] == 0
    code, told = curation(capsys, "pool", "stats", f"{bucket}-that-is-not-there")
    assert code == 2
    assert "no response pool" in told
    assert curation(capsys, "pool", "stats", "nosuch://bucket/pool")[0] == 2
    monkeypatch.setitem(sys.modules, "s3fs", None)
    monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, "s3")
    code, told = curation(capsys, "pool", "stats", bucket)
    assert code == 2
    assert "pip install 'curation[s3]'" in told


def test_store_that_cannot_be_reached_is_told(bucket: str) -> None:
    place = UPath(bucket, endpoint_url="http://127.0.0.1:9", config_kwargs={"retries": {"max_attempts": 0}})
    with pytest.raises(OutsideError, match="cannot be reached"):
        stats(place)


@pytest.fixture
def own_client(bucket: str) -> Iterator[None]:
    """Keep clients that a test spoils from other tests: fsspec keeps them by address."""
    UPath(bucket).fs.clear_instance_cache()
    yield
    UPath(bucket).fs.clear_instance_cache()


@pytest.mark.usefixtures("own_client")
@pytest.mark.parametrize("endpoint", ["127.0.0.1:9000", "http://[bad"])
def test_address_of_a_store_that_is_none_is_one_sentence(
    bucket: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    for command in ("stats", "verify", "compact"):
        code, told = curation(capsys, "pool", command, bucket)
        assert (code, "cannot be reached" in told) == (3, True)
    code, told = curation(capsys, "pool", "import", f"{bucket}.jsonl", "--pool", "pool", "--model", "m")
    assert (code, "cannot be reached" in told) == (3, True)


@pytest.mark.usefixtures("own_client")
def test_rows_in_a_store_that_cannot_be_reached_are_told(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(OutsideError, match="cannot be reached"):
        find_place(f"{bucket}/rows.jsonl")


@pytest.mark.usefixtures("own_client")
def test_connection_that_is_lost_in_the_middle_of_a_read_is_one_sentence(
    bucket: str, server: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    noise = [random.Random(number).randbytes(20_000).hex() for number in range(4)]
    fill(pool_path(bucket), [response("a", number, text) for number, text in enumerate(noise)])
    rows = "".join(json.dumps({"question": text, "code": [text], "score": [True]}) + "\n" for text in noise)
    log = f"{bucket}.jsonl"
    UPath(log).write_text(rows)
    UPath(f"{log}.gz").write_bytes(gzip.compress(rows.encode()))
    UPath(bucket).fs.clear_instance_cache()
    # s3fs waits between its tries.
    monkeypatch.setattr("s3fs.S3FileSystem.retries", 1)
    with cutting(server, 20_000) as endpoint:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        for command in ("stats", "verify", "compact"):
            code, told = curation(capsys, "pool", command, bucket)
            assert (code, "cannot be reached" in told) == (3, True), told
        for file in (log, f"{log}.gz"):
            code, told = curation(capsys, "pool", "import", file, "--pool", str(tmp_path / "pool"), "--model", "m")
            assert (code, f"{file} cannot be read over the network" in told) == (3, True), told
            with pytest.raises(OutsideError, match="cannot be read over the network"):
                list(read_place(find_place(file)))
    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    UPath(bucket).fs.clear_instance_cache()
    assert len(texts(pool_path(bucket))) == len(noise)


def test_what_is_written_on_this_machine_takes_no_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.jsonl").write_text(json.dumps({"problem": "1+1?", "answer": "2"}) + "\n")
    asked = ("--server", "http://127.0.0.1:9/v1", "--model", "m")
    for command in (
        ("filter", "rows.jsonl", "--out", "s3://b/kept.jsonl", "--dropped", "dropped.jsonl"),
        ("label", "rows.jsonl", "--out", "s3://b/labels"),
        ("vote", "rows.jsonl", "--out", "s3://b/votes.jsonl", *asked),
        ("infer", "rows.jsonl", "--out", "s3://b/answers", "--k", "2", *asked),
        ("rebuild", "demo", "--run", "s3://b/run"),
    ):
        code, told = curation(capsys, *command)
        assert (code, "is an address" in told) == (2, True), told
    assert not (tmp_path / "s3:").exists()


def test_log_needs_a_model_and_a_store_that_answers(bucket: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"question": "1+1?", "code": ["2"], "score": [True]}) + "\n")
    with pytest.raises(InputError, match="--model is empty"):
        import_log(log, tmp_path / "pool", model=" ")
    away = UPath(f"{bucket}.jsonl", endpoint_url="http://127.0.0.1:9", config_kwargs={"retries": {"max_attempts": 0}})
    with pytest.raises(OutsideError, match="cannot be reached"):
        import_log(away, tmp_path / "pool", model="m")
    assert not (tmp_path / "pool").exists()


def test_addresses_of_this_machine_are_paths(tmp_path: Path) -> None:
    assert pool_path(f"file://{tmp_path}/pool") == tmp_path / "pool" == pool_path(str(tmp_path / "pool"))
    with pytest.raises(InputError, match="nosuch"):
        pool_path("nosuch://pool")
    assert places.home(tmp_path / "pool") == tmp_path / "pool"


def test_pool_that_may_not_be_written_is_told(bucket: str, tmp_path: Path) -> None:
    pool = Pool(pool_path("s3://no-such-bucket-anywhere/pool"))
    pool.add(response("a"))
    with pytest.raises(OutsideError, match="cannot be reached"):
        pool.fold()
    # What could not be written waits for another try.
    assert list((places.home(pool_path("s3://no-such-bucket-anywhere/pool")) / "journals").iterdir())
