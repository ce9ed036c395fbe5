"""Verifying, merging and compacting pools."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
from command_line import curation
from requests_for_tests import MODEL, request

from curation import storage
from curation.errors import InputError
from curation.llm import parts, places, pool_problems
from curation.llm.engine import written
from curation.llm.pool import Pool, open_pool, stats
from curation.llm.pool_compact import compact
from curation.llm.pool_import import LogColumns, import_log
from curation.llm.pool_merge import merge
from curation.llm.pool_verify import verify
from curation.llm.verdicts import VERDICT_SCHEMA
from curation.records import PROBLEM_SCHEMA, RESPONSE_SCHEMA, Problem, Response, to_frame


def response(problem: str, index: int = 0, text: str | None = None, form: str = "") -> Response:
    identity = replace(MODEL, form=form)
    body = text if text is not None else f"{problem} {index}"
    return written(request(problem, index), identity, "http", text=body, finish_reason="stop", completion_tokens=5)


def fill(directory: Path, *batches: list[Response]) -> Path:
    for batch in batches:
        with open_pool(directory) as pool:
            for item in batch:
                pool.add(item)
    return directory


def many(directory: Path, batches: int = 6) -> Path:
    return fill(directory, *[[response(f"p{batch}", index) for index in range(5)] for batch in range(batches)])


def grade(directory: Path, response_id: str, grade: str) -> None:
    row = ("p", response_id, 0, grade, "why", "answers", "v1", "ref")
    with places.locked(directory):
        parts.append(directory / "verdicts", pl.DataFrame([row], schema=VERDICT_SCHEMA, orient="row"), VERDICT_SCHEMA)


def texts(directory: Path) -> dict[str, str | None]:
    with open_pool(directory) as pool:
        return {item.response_id: item.text for item in pool.iterate()}


def snapshot(directory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def responses_of(directory: Path) -> list[Path]:
    return sorted((directory / "responses").glob("*.parquet"))


def test_whole_pool_is_verified_and_not_touched(tmp_path: Path) -> None:
    pool = many(tmp_path / "pool")
    fill(pool, [response("q", form="completion")])
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"question": "What is 1+1?", "code": ["2", "3"], "score": [True, False]}) + "\n")
    import_log(log, pool, model="other", revision="", columns=LogColumns())
    before = snapshot(pool)
    told = verify(pool)
    assert (told.responses, told.imported, told.waiting, told.defects, told.notes) == (33, 2, 0, [], [])
    assert snapshot(pool) == before
    writer = Pool(pool)
    writer.add(response("r"))
    assert verify(pool).waiting == 1
    writer.fold()
    (tmp_path / "empty").mkdir()
    for place in (tmp_path / "nothing", tmp_path / "empty"):
        for look in (verify, stats, compact, lambda pool: merge([pool], tmp_path / "merged")):
            with pytest.raises(InputError, match="no response pool"):
                look(place)


def test_every_damaged_byte_of_a_part_is_found(tmp_path: Path) -> None:
    pool = fill(
        tmp_path / "pool", [response("p", index, random.Random(index).randbytes(300).hex()) for index in range(9)]
    )
    (part,) = responses_of(pool)
    whole = part.read_bytes()
    column = pq.ParquetFile(part).metadata.row_group(0).column(RESPONSE_SCHEMA.names().index("text"))
    start = column.dictionary_page_offset or column.data_page_offset
    for place in (start + column.total_compressed_size // 2, start + column.total_compressed_size - 9, len(whole) - 20):
        part.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        (defect,) = verify(pool).defects
        assert defect.file == "responses/part-000001.parquet"
    part.write_bytes(whole[:-9])
    assert verify(pool).defects
    part.write_bytes(whole)
    assert verify(pool).defects == []


def test_wrong_rows_are_counted(tmp_path: Path) -> None:
    pool = fill(tmp_path / "pool", [response("p", index) for index in range(4)])
    good = response("q")
    rows = [
        response("p", 1),
        replace(good, sample_index=7),
        replace(response("r"), model="another"),
        replace(response("s"), text=None),
        replace(response("t"), response_id="no hash"),
    ]
    storage.write_table(pool / "responses/part-000002.parquet", to_frame(rows, RESPONSE_SCHEMA), RESPONSE_SCHEMA)
    grade(pool, "ab" * 32, "right")
    told = {(defect.file, defect.what): defect.count for defect in verify(pool).defects}
    assert told == {
        ("responses/part-000002.parquet", "keys that are not those of their rows"): 2,
        ("responses/part-000002.parquet", "keys that are none"): 1,
        ("responses/part-000002.parquet", "keys that stand in the pool already"): 1,
        ("responses/part-000002.parquet", "rows without a text"): 1,
        ("verdicts/part-000001.parquet", "verdicts on responses that are not in the pool"): 1,
    }


def test_journals_are_read_through(tmp_path: Path) -> None:
    writer = Pool(tmp_path)
    for index in range(3):
        writer.add(response("p", index))
    (journal,) = (tmp_path / "journals").iterdir()
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(lines[0] + b'{"response_id": 7}\n' + lines[1] + lines[2][:40])
    told = verify(tmp_path)
    assert told.waiting == 2
    assert [(defect.what, defect.count) for defect in told.defects] == [("lines that are no response", 1)]
    assert "torn" in told.notes[0].what


def test_pools_are_merged_each_key_once_and_conflicts_are_told(tmp_path: Path) -> None:
    first = fill(tmp_path / "first", [response("a"), response("b")], [response("c")])
    second = fill(tmp_path / "second", [response("b"), response("c", text="another"), response("d")])
    for pool, verdict in ((first, "right"), (second, "wrong")):
        grade(pool, response("b").response_id, verdict)
    grade(second, response("d").response_id, "right")
    problem = Problem("a", "math", "synthetic_math", "s", "a", "What?", "CC0-1.0", answer="1")
    pool_problems.keep(second, [to_frame([problem], PROBLEM_SCHEMA)])
    before = snapshot(first), snapshot(second)
    merged = merge([first, second], tmp_path / "all")
    assert (merged.read, merged.added, merged.known, merged.verdicts, merged.conflicts) == (6, 4, 1, 2, 2)
    assert [(told.problem_id, told.what, told.pool) for told in merged.shown] == [
        ("c", "text", str(second)),
        ("p", "grade", str(second)),
    ]
    assert (snapshot(first), snapshot(second)) == before
    assert sorted(filter(None, texts(tmp_path / "all").values())) == ["a 0", "b 0", "c 0", "d 0"]
    assert verify(tmp_path / "all").defects == []
    assert pool_problems.problems_of(tmp_path / "all")["problem_id"].to_list() == ["a"]
    again = merge([first, second], tmp_path / "all")
    assert (again.added, again.verdicts, len(responses_of(tmp_path / "all"))) == (0, 0, 3)
    with pytest.raises(InputError, match="no response pool"):
        merge([tmp_path / "nothing"], tmp_path / "all")
    with pytest.raises(InputError, match="name it once"):
        merge([first], first)


def test_compacted_pool_holds_the_same_in_few_parts(tmp_path: Path) -> None:
    pool = many(tmp_path / "pool")
    grade(pool, response("p0").response_id, "right")
    grade(pool, response("p1").response_id, "right")
    before, frame = texts(pool), pl.read_parquet(pool / "responses/*.parquet")
    reader = Pool(pool)
    told = {table.table: (table.before, table.after, table.rows) for table in compact(pool)}
    assert told == {"responses": (6, 1, 30), "verdicts": (2, 1, 2), "problems": (0, 0, 0)}
    assert [path.name for path in responses_of(pool)] == ["part-000001-000006.parquet"]
    assert pl.read_parquet(pool / "responses/*.parquet").equals(frame)
    # A pool that was opened before goes on: reads what moved, and adds.
    assert {item.response_id: item.text for item in reader.iterate()} == before
    reader.add(response("new"))
    reader.fold()
    assert responses_of(pool)[-1].name == "part-000007.parquet"
    assert texts(pool) == before | {response("new").response_id: "new 0"}
    assert verify(pool).defects == []
    assert not list(tmp_path.glob("*.compaction"))
    fill(pool, [response("y")], [response("z")])
    sizes = [path.stat().st_size for path in responses_of(pool)]
    compact(pool, part_bytes=max(sum(sizes[:2]), sum(sizes[2:])))
    assert [path.name for path in responses_of(pool)] == ["part-000001-000007.parquet", "part-000008-000009.parquet"]


def test_parts_that_a_killed_compaction_left_count_once_and_go(tmp_path: Path) -> None:
    pool = many(tmp_path / "pool", 3)
    old = {path.name: path.read_bytes() for path in responses_of(pool)}
    before = texts(pool)
    compact(pool)
    for name in list(old)[1:]:
        (pool / "responses" / name).write_bytes(old[name])
    told = verify(pool)
    assert (told.responses, told.defects, len(told.notes)) == (15, [], 2)
    assert texts(pool) == before
    assert len(responses_of(pool)) == 1


COMPACTING = """
import sys
from pathlib import Path
from curation.llm.pool_compact import compact

compact(Path(sys.argv[1]))
"""


def test_compaction_killed_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    pool = many(tmp_path / "pool", 12)
    for problem in range(12):
        grade(pool, response(f"p{problem}").response_id, "right")
    before = texts(pool)
    command = [sys.executable, "-c", COMPACTING, str(pool)]
    moments = random.Random(5)
    for _ in range(5):
        child = subprocess.Popen(command)
        aside = tmp_path / "pool.compaction"
        while child.poll() is None and not aside.exists():
            time.sleep(0.001)
        time.sleep(moments.uniform(0, 0.03))
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert texts(pool) == before
        assert verify(pool).defects == []
    compact(pool)
    assert texts(pool) == before
    assert len(responses_of(pool)) == 1
    assert not aside.exists()


def test_readers_and_writers_go_on_while_parts_are_put_together(tmp_path: Path) -> None:
    pool = many(tmp_path / "pool", 8)
    stop, wrong = threading.Event(), []

    def read() -> None:
        reader = Pool(pool)
        while not stop.is_set():
            found = {item.response_id for item in reader.iterate()}
            wrong.extend([len(found)] if len(found) < 40 else [])

    thread = threading.Thread(target=read)
    thread.start()
    for number in range(6):
        fill(pool, [response(f"w{number}")], [response(f"v{number}")])
        compact(pool)
    stop.set()
    thread.join()
    assert wrong == []
    assert len(texts(pool)) == 52


def test_commands_and_their_exit_codes(tmp_path: Path) -> None:
    first, second = many(tmp_path / "first", 2), fill(tmp_path / "second", [response("p0", text="another")])

    def pool(*arguments: str | Path) -> tuple[int, str]:
        done = curation("pool", *arguments)
        return done.returncode, done.stdout + done.stderr

    assert pool("verify", first)[0] == 0
    code, told = pool("merge", first, second, "--into", tmp_path / "all", "--json")
    assert (code, json.loads(told)["added"], json.loads(told)["conflicts"]) == (1, 10, 1)
    code, told = pool("compact", first, "--json")
    assert (code, json.loads(told)[0]["after"]) == (0, 1)
    part = responses_of(first)[0]
    part.write_bytes(part.read_bytes()[:-1])
    code, told = pool("verify", first)
    assert code == 1
    assert part.name in told
    assert pool("verify", tmp_path / "nowhere")[0] == 2
