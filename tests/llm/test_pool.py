from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from requests_for_tests import MODEL, engine, request
from scripted_server import ScriptedServer, completion, running

from curation import storage
from curation.errors import InputError, OutsideError
from curation.llm.asking import ask
from curation.llm.engine import written
from curation.llm.pool import Pool, open_pool, stats
from curation.progress import Silent
from curation.records import RESPONSE_SCHEMA, Response

AWKWARD = ["\\frac12 007 1e5", "\u2028 \x85 漢字 \U0001d538", 'quote " back\\ \t\r\n end', "", "9" * 5000, "\x00\x1b"]


def response(problem: str, index: int = 0, text: str | None = None, finish: str = "stop") -> Response:
    body = text if text is not None else f"{problem} {index}"
    return written(request(problem, index), MODEL, "http", text=body, finish_reason=finish, completion_tokens=5)


def parts_of(directory: Path) -> list[Path]:
    return sorted((directory / "responses").glob("*.parquet"))


def leftovers(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file() and path.suffix != ".parquet"]


def test_texts_come_back_byte_for_byte_and_polars_alone_reads_them(tmp_path: Path) -> None:
    stored = [response("p", index, text) for index, text in enumerate(AWKWARD)]
    with open_pool(tmp_path) as pool:
        for item in stored:
            pool.add(item)
    with open_pool(tmp_path) as pool:
        assert list(pool.iterate()) == stored
    frame = pl.read_parquet(tmp_path / "responses" / "*.parquet")
    assert frame.schema == RESPONSE_SCHEMA
    assert frame["text"].to_list() == AWKWARD
    assert leftovers(tmp_path) == []


def test_order_does_not_depend_on_the_order_of_writing_or_the_parts(tmp_path: Path) -> None:
    items = [response(problem, index) for problem in ("b", "a", "c") for index in range(4)]
    expected = sorted(items, key=lambda item: (item.problem_id, item.sample_index))
    for name, size in (("one", 3), ("other", 12)):
        random.Random(name).shuffle(items)
        for start in range(0, len(items), size):
            with open_pool(tmp_path / name) as pool:
                for item in items[start : start + size]:
                    pool.add(item)
        with open_pool(tmp_path / name) as pool:
            assert list(pool.iterate()) == expected
        assert len(parts_of(tmp_path / name)) == 12 // size


def test_key_is_stored_once_whoever_writes_it(tmp_path: Path) -> None:
    with open_pool(tmp_path) as first, open_pool(tmp_path) as second:
        first.add(response("p", 0, "first"))
        first.add(response("p", 0, "again"))
        second.add(response("p", 0, "second"))
        second.add(response("q", 0))
        first.fold()
    with open_pool(tmp_path) as pool:
        assert [item.text for item in pool.iterate()] == ["first", "q 0"]
    assert pl.read_parquet(tmp_path / "responses" / "*.parquet").height == 2


def test_writer_killed_between_its_part_and_its_journal_stores_nothing_twice(tmp_path: Path) -> None:
    pool = Pool(tmp_path)
    pool.add(response("p"))
    (journal,) = (tmp_path / "journals").iterdir()
    lines = journal.read_bytes()
    pool.fold()
    journal.write_bytes(lines)
    half_written = tmp_path / "responses" / f"{storage.TEMPORARY_MARK}99-part-000002.parquet"
    half_written.write_bytes(b"PAR1")
    with open_pool(tmp_path) as opened:
        assert len(opened) == 1
    assert parts_of(tmp_path) == [tmp_path / "responses" / "part-000001.parquet"]
    assert not journal.exists()
    assert not half_written.exists()


def test_living_writer_keeps_its_journal(tmp_path: Path) -> None:
    with open_pool(tmp_path) as writer:
        writer.add(response("p"))
        with open_pool(tmp_path) as reader:
            assert len(reader) == 0
        writer.add(response("q"))
    with open_pool(tmp_path) as pool:
        assert len(pool) == 2


def test_journal_that_has_grown_becomes_a_part(tmp_path: Path) -> None:
    pool = Pool(tmp_path, journal_bytes=2000)
    for index in range(20):
        pool.add(response("p", index, "x" * 300))
    assert len(parts_of(tmp_path)) >= 3
    pool.fold()
    assert [item.sample_index for item in pool.iterate()] == list(range(20))


def test_torn_and_damaged_journal_lines_are_asked_again_and_nothing_else(tmp_path: Path) -> None:
    pool = Pool(tmp_path)
    for index in range(4):
        pool.add(response("p", index))
    (journal,) = (tmp_path / "journals").iterdir()
    lines = journal.read_bytes().splitlines(keepends=True)
    dead = tmp_path / "dead" / "journals" / "1-torn.jsonl"
    dead.parent.mkdir(parents=True)
    for cut in (1, len(lines[3]) // 2, len(lines[3]) - 1):
        dead.write_bytes(lines[0] + b'{"response_id": 7}\n' + lines[1] + b"\xff\n" + lines[2] + lines[3][:cut])
        with open_pool(tmp_path / "dead") as opened:
            assert [item.sample_index for item in opened.iterate()] == [0, 1, 2]
        assert not dead.exists()


def test_failure_is_not_stored(tmp_path: Path) -> None:
    with running(ScriptedServer(faults=[(400, {}, b"no")])) as server, open_pool(tmp_path) as pool:
        asked = ask(engine(server.url, concurrency=1), pool, [request("p"), request("q")], Silent())
        assert (asked.known, asked.stored) == (0, 1)
        assert list(asked.failures.values()) == ["refused: HTTP 400 no"]
        assert [item.problem_id for item in pool.iterate()] == ["q"]
        again = ask(engine(server.url), pool, [request("p"), request("q")], Silent())
        assert (again.known, again.stored, again.failures) == (1, 1, {})


def test_only_what_is_missing_is_asked_and_each_once(tmp_path: Path) -> None:
    wanted = [request(problem, index) for problem in ("a", "b") for index in range(3)]
    cut = ("What is a?", request("a", 1).seed)
    with running(
        ScriptedServer(
            write=lambda p: completion("x", "length" if (p["messages"][0]["content"], p["seed"]) == cut else "stop")
        )
    ) as server:
        for _ in range(2):
            with open_pool(tmp_path) as pool:
                ask(engine(server.url), pool, [*wanted, *wanted], Silent())
                answers = pool.answers(wanted, MODEL)
                assert [answer.finish_reason for answer in answers if answer] == ["stop", "length"] + ["stop"] * 4
        assert len(server.payloads) == 6


def test_failures_end_the_run_unless_they_are_allowed(tmp_path: Path) -> None:
    wanted = [request("p", index) for index in range(10)]
    poison = request("p", 4).seed
    with running(ScriptedServer(write=lambda p: b"garbage" if p["seed"] == poison else "fine")) as server:
        with open_pool(tmp_path) as pool:
            with pytest.raises(
                OutsideError, match=r"1 of 10 requests to test-model failed \(the answer is no JSON.*rerun"
            ):
                ask(engine(server.url), pool, wanted, Silent())
            assert len(pool) == 9
            asked = ask(engine(server.url, failures_allowed="1/10"), pool, wanted, Silent())
        assert (asked.known, asked.stored, len(asked.failures)) == (9, 0, 1)
        server.write = lambda _: "mended"
        with open_pool(tmp_path) as pool:
            assert ask(engine(server.url), pool, wanted, Silent()).stored == 1
        assert len(server.payloads) == 9 + 3 * 2 - 1


def test_damaged_part_is_named(tmp_path: Path) -> None:
    with open_pool(tmp_path) as pool:
        pool.add(response("p"))
    (part,) = parts_of(tmp_path)
    part.write_bytes(part.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"part-000001\.parquet cannot be read"):
        Pool(tmp_path)


def test_stats_count_by_model_and_by_problem(tmp_path: Path) -> None:
    with open_pool(tmp_path) as pool:
        for problem, index, finish in (("a", 0, "stop"), ("a", 1, "length"), ("b", 0, "content_filter")):
            pool.add(response(problem, index, finish=finish))
    (row,) = stats(tmp_path).to_dicts()
    assert (row["model"], row["responses"], row["problems"]) == ("test-model", 3, 2)
    assert (row["stop"], row["length"], row["other"], row["completion_tokens"]) == (1, 1, 1, 15)
    assert stats(tmp_path, "problem").select("problem_id", "responses").rows() == [("a", 2), ("b", 1)]


FILLER = """
import sys
from pathlib import Path
from requests_for_tests import engine, request
from curation.llm.asking import ask
from curation.llm.pool import open_pool
from curation.progress import Silent

url, directory, problems = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
wanted = [request(f"p{number}", index) for number in range(problems) for index in range(4)]
with open_pool(directory) as pool:
    ask(engine(url, concurrency=4), pool, wanted, Silent())
"""


def test_writers_at_once_share_a_pool(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FILLER]
    with running(ScriptedServer(write=lambda payload: f"{payload['seed']} " * 50)) as server:
        writers = [
            subprocess.Popen([*command, server.url, str(tmp_path), str(problems)], cwd=Path(__file__).parent)
            for problems in (10, 15, 20)
        ]
        assert [writer.wait() for writer in writers] == [0, 0, 0]
    frame = pl.read_parquet(tmp_path / "responses" / "*.parquet")
    assert frame.height == frame["response_id"].n_unique() == 20 * 4
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_writer_loses_only_what_was_in_flight(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    problems, kills = 40, 0
    command = [sys.executable, "-c", FILLER]
    with running(ScriptedServer(write=lambda payload: f"{payload['seed']} " * 50, delay_s=0.01)) as server:
        stored: set[str] = set()
        while True:
            before = len(server.payloads)
            child = subprocess.Popen([*command, server.url, str(tmp_path), str(problems)], cwd=Path(__file__).parent)
            while child.poll() is None and len(server.payloads) == before:
                time.sleep(0.005)
            if child.poll() is None and kills < 4:
                time.sleep(rng.uniform(0, 0.12))
                child.send_signal(signal.SIGKILL)
                kills += 1
            code = child.wait()
            with open_pool(tmp_path) as pool:
                now = set(pool.keys()["response_id"])
            assert stored <= now
            stored = now
            if code == 0:
                break
            assert code == -signal.SIGKILL
        assert kills >= 2
        assert len(stored) == problems * 4
        asked = Counter((payload["messages"][0]["content"], payload["seed"]) for payload in server.payloads)
    # At most four were in flight at each kill; those alone may have been asked for twice.
    assert sum(count - 1 for count in asked.values()) <= 4 * kills
    storage.remove_leftovers(tmp_path)
    assert leftovers(tmp_path) == []
    assert pl.read_parquet(tmp_path / "responses" / "*.parquet")["response_id"].n_unique() == problems * 4
