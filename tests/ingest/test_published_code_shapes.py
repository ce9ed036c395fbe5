"""The code sets as their publishers lay them out: files, columns, types, and rows of our own for each trap.

A source's folder is ingested as a whole; each row becomes a problem with the tests and programs that are named here, or
a ledger entry. Other files of the same repository are there too and must not be read.
"""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from published_code_rows import (
    CALL_TESTS,
    CALLS,
    CODEFORCES_COLUMNS,
    CODEFORCES_LIMITS,
    CUT,
    LIMITS,
    LONG,
    PAIRS,
    PRIME_COLUMNS,
    PRIME_ROWS,
    PROGRAM_LISTS,
    PROGRAMS,
    PYTHON3,
    STREAM_TESTS,
    STREAMS,
    TASK,
    TEST_LISTS,
    TEXT,
    Fate,
    Published,
    am_thinking,
    apps,
    arrow,
    code_contests,
    codeforces,
    contests_plus,
    deepcoder,
    json_lines,
    parquet,
    taco,
)

from curation import run
from curation.ingest.columns import parse
from curation.ingest.step import Ingest
from curation.progress import Silent
from curation.recipe import Recipe

SETS = (
    Published(
        "taco",
        arrow(*((name, TEXT) for name in taco(""))),
        {
            "train/data-00000-of-00009.arrow": (
                (taco(STREAMS), Fate(STREAM_TESTS, PYTHON3, limits=LIMITS)),
                (taco("", ""), Fate(limits=LIMITS)),
                (taco(CALLS, "[]", time_limit=None, memory_limit=None), Fate(CALL_TESTS)),
                (taco(STREAMS, '["print 1"]', url=None), Fate(STREAM_TESTS, PYTHON3, limits=LIMITS)),
                (taco(STREAMS, picture_num="2"), "image"),
                (taco(STREAMS[:-1]), "unreadable_tests"),
                (taco('{"inputs": ["1"], "outputs": []}'), "unreadable_tests"),
                (taco(STREAMS, question=None), "no_statement"),
            )
        },
        others=("test/data-00000-of-00001.arrow",),
    ),
    Published(
        "apps",
        json_lines,
        {
            "train.jsonl": (
                (apps(0, STREAMS), Fate(STREAM_TESTS, PYTHON3)),
                (apps(1, "", ""), Fate()),
                (
                    apps(2, CALLS, '["class Solution:\\n  def add(self, a, b): return a + b"]', "class Solution:"),
                    Fate(CALL_TESTS, PYTHON3),
                ),
                (apps(3, '{"inputs": [{"a": 1}], "outputs": ["1"]}'), "unreadable_tests"),
            )
        },
        others=("test.jsonl",),
    ),
    Published(
        "code-contests",
        parquet(
            *((name, TEXT) for name in ("name", "description", "input_file", "output_file")),
            *((name, TEST_LISTS) for name in ("public_tests", "private_tests", "generated_tests")),
            *((name, pa.int64()) for name in ("source", "difficulty", "memory_limit_bytes")),
            ("solutions", PROGRAM_LISTS),
            ("incorrect_solutions", PROGRAM_LISTS),
            ("time_limit", pa.struct([("seconds", pa.int64()), ("nanos", pa.int64())])),
        ),
        {
            "data/train-00000-of-00039-abc.parquet": (
                (
                    code_contests("1_A. Sum"),
                    Fate(
                        (("sample-001", "stdio", "1 2\n"), ("secret-002", "stdio", "2 2\n")),
                        (
                            *(("python2", "correct"), ("cpp17", "correct"), ("python3", "correct")),
                            *(("java", "correct"), ("unknown", "correct"), ("cpp17", "incorrect")),
                        ),
                        limits=(2.5, 244),
                    ),
                ),
                (code_contests("2_A. File", input_file="sum.in"), "file_input"),
                (code_contests("3_A. File", output_file="sum.out"), "file_input"),
            ),
            "data/train-00001-of-00039-abc.parquet": (
                (
                    code_contests(
                        "4_B. Bare",
                        time_limit=None,
                        solutions=None,
                        incorrect_solutions=None,
                        private_tests=None,
                    ),
                    Fate((("sample-001", "stdio", "1 2\n"),), limits=(None, 244)),
                ),
            ),
        },
        others=("data/test-00000-of-00001-abc.parquet", "data/valid-00000-of-00001-abc.parquet"),
    ),
    Published(
        "code-contests-plus",
        parquet(
            *((name, TEXT) for name in ("source", "id", "title", "description", "validator", "generator")),
            *((name, TEXT) for name in ("generator_cmd", "checker")),
            ("time_limit", pa.int64()),
            ("memory_limit", pa.int64()),
            ("correct_submissions", PROGRAMS),
            ("incorrect_submissions", PROGRAMS),
            ("test_cases", PAIRS),
            ("true_positive_rate", pa.float64()),
            ("true_negative_rate", pa.float64()),
        ),
        {
            "ccplus_1x/part-00000.parquet": (
                (
                    contests_plus("1_A", '#include "testlib.h"', [{"input": "1 2", "output": "3"}]),
                    Fate(
                        (("001", "stdio", "1 2"),),
                        (("cpp17", "correct"), ("python2", "correct"), ("UNKNOWN", "incorrect")),
                        "testlib",
                        LIMITS,
                    ),
                ),
                (
                    contests_plus("2_A", None, []),
                    Fate((), (("cpp17", "correct"), ("python2", "correct"), ("UNKNOWN", "incorrect")), limits=LIMITS),
                ),
            )
        },
        others=("ccplus_5x/part-00000.parquet", "default/part-00000.parquet"),
    ),
    Published(
        "deepcoder",
        parquet(
            ("problem", TEXT),
            ("solutions", pa.list_(TEXT)),
            ("tests", TEXT),
            ("starter_code", TEXT),
            ("metadata", pa.struct([("func_name", TEXT)])),
        ),
        {
            "lcbv5/train-00000-of-00001.parquet": (
                (
                    deepcoder(
                        [{"input": "1\n[2]", "output": "3", "testtype": "functional", "metadata": {"func_name": "f"}}],
                        starter_code="class Solution:",
                        metadata={"func_name": "f"},
                    ),
                    Fate((("001", "call", "[1,[2]]"),), PYTHON3),
                ),
                (
                    deepcoder([{"input": "1", "output": "3", "testtype": "stdin"}], metadata={"func_name": None}),
                    Fate((("001", "stdio", "1"),), PYTHON3),
                ),
            ),
            "primeintellect/train-00000-of-00001.parquet": (
                (
                    deepcoder([{"type": "stdin_stdout", "input": "1 2", "output": "3"}]),
                    Fate((("001", "stdio", "1 2"),), PYTHON3),
                ),
                (
                    deepcoder([{"type": "function_call", "fn_name": "f", "input": [1], "output": [2]}]),
                    Fate((("001", "call", "[1]"),), PYTHON3),
                ),
            ),
            "taco/train-00000-of-00002.parquet": (
                (deepcoder(STREAMS), Fate(STREAM_TESTS, PYTHON3)),
                (deepcoder(CALLS), Fate(CALL_TESTS, PYTHON3)),
                (deepcoder(CUT), Fate((("001", "stdio", "1 2"),), PYTHON3)),
                ({"problem": TASK, "solutions": None, "tests": None}, Fate()),
                (deepcoder("nothing"), "unreadable_tests"),
            ),
        },
        others=("codeforces/test-00000-of-00001.parquet", "lcbv5/test-00000-of-00001.parquet"),
    ),
    Published(
        "am-thinking-v1",
        parquet(
            ("data_source", TEXT),
            ("prompt", pa.list_(pa.struct([("role", TEXT), ("content", TEXT)]))),
            ("ability", TEXT),
            ("reward_model", pa.struct([("style", TEXT), ("ground_truth", TEXT)])),
            ("extra_info", TEXT),
        ),
        {
            "code.parquet": (
                (am_thinking('{"call_type": "std", ' + STREAMS[1:]), Fate(STREAM_TESTS)),
                (
                    am_thinking('{"call_type": "assert", "assert_case": ["assert f(1) == 2", "assert f(2) == 3"]}'),
                    Fate((("001", "assert", "assert f(1) == 2"), ("002", "assert", "assert f(2) == 3"))),
                ),
                (
                    am_thinking(
                        '{"call_type": "assert", "assert_case": "assert f(1) == 2\\nassert f(2) == 3"}', "CODE"
                    ),
                    Fate((("001", "assert", "assert f(1) == 2"), ("002", "assert", "assert f(2) == 3"))),
                ),
                (
                    am_thinking('{"call_type": "assert", "assert_case": ["x = 1\\nassert f(x) == 2"]}'),
                    Fate((("001", "assert", "x = 1\nassert f(x) == 2"),)),
                ),
                (
                    am_thinking('{"call_type": "assert", "assert_case": ["assert f(1) == [\\n2]\\nassert f(2)"]}'),
                    Fate((("001", "assert", "assert f(1) == [\n2]\nassert f(2)"),)),
                ),
                (am_thinking("{'call_type': 'std'"), "unreadable_tests"),
                (am_thinking('{"call_type": "std", "inputs": ["1"]}'), "unreadable_tests"),
                (am_thinking("42", "math"), "not_code"),
            )
        },
        others=("math.parquet",),
    ),
    Published(
        "verifiable-coding-problems",
        parquet(*PRIME_COLUMNS),
        {"data/train-00000-of-00010.parquet": PRIME_ROWS},
    ),
    Published(
        "synthetic-1",
        parquet(*PRIME_COLUMNS, ("response_id", TEXT), ("llm_response", TEXT), ("score", pa.float64())),
        {
            "data/train-00000-of-00200.parquet": tuple(
                ({**row, "response_id": "r1", "llm_response": "It is 3.", "score": 1.0}, fate)
                for row, fate in PRIME_ROWS
            )
        },
    ),
    Published(
        "codeforces",
        parquet(*CODEFORCES_COLUMNS),
        {
            "data/train-00000-of-00011.parquet": (
                (
                    codeforces("1234/A"),
                    Fate((("sample-001", "stdio", "1 2"), ("official-002", "stdio", "5 5")), limits=CODEFORCES_LIMITS),
                ),
                (
                    codeforces("1234/B", generated_checker="print(1)", examples=None, official_tests=None),
                    Fate((), (), "python", CODEFORCES_LIMITS),
                ),
                (
                    codeforces("1234/C", official_tests=[{"input": "7 7 7...", "output": "28"}]),
                    Fate((("sample-001", "stdio", "1 2"),), limits=CODEFORCES_LIMITS),
                ),
                (codeforces("1234/D", official_tests_complete=False), "incomplete_tests"),
                (codeforces("1234/E", interaction_format="Ask."), "interactive"),
                (codeforces("1234/F", input_mode="file"), "file_input"),
                (
                    codeforces("1234/G", interaction_format=""),
                    Fate((("sample-001", "stdio", "1 2"), ("official-002", "stdio", "5 5")), limits=CODEFORCES_LIMITS),
                ),
            )
        },
        others=("verifiable/train-00000-of-00011.parquet", "generated_tests/test_cases_1234.parquet"),
    ),
)


def lay_out(published: Published, folder: Path) -> None:
    """Write a set's repository; its other files hold a row that no source may give."""
    for name, rows in published.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        published.write(folder / name, [row for row, _ in rows])
    for name in published.others:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"question": ["Not this one?"]}), folder / name)
    (folder / "README.md").write_text("---\nlicense: other\n---\n# A card\n")


def ingest(source: str, tmp_path: Path) -> run.Run:
    """Ingest the folder ``data`` as a source."""
    recipe = Recipe.model_validate(
        {"name": "r", "sources": [{"use": source, "name": "own", "path": "data"}], "directory": tmp_path}
    )
    return run.execute((Ingest(),), recipe, tmp_path / "run", Silent())


def fates(done: run.Run) -> list[Fate]:
    """Return what became of the rows that were kept."""
    problems = pl.read_parquet(done.newest("problems"))
    tests = pl.read_parquet(done.newest("tests"))
    programs = pl.read_parquet(done.newest("submissions"))
    kinds = dict(pl.read_parquet(done.newest("checkers")).select("sha256", "kind").iter_rows())
    found = []
    for row in problems.iter_rows(named=True):
        own = tests.filter(pl.col("problem_id") == row["problem_id"]).select("name", "kind", "input")
        labelled = programs.filter(pl.col("problem_id") == row["problem_id"]).select("language", "expected")
        kind, _, sha256 = (row["checker"] or "").partition(":")
        assert kinds.get(sha256, "") == kind
        limits = (row["time_limit_s"], row["memory_limit_mb"])
        found.append(Fate(tuple(own.iter_rows()), tuple(labelled.iter_rows()), kind or None, limits))
    return found


@pytest.mark.parametrize("published", SETS, ids=lambda published: published.source)
def test_each_row_becomes_a_problem_or_a_ledger_entry(published: Published, tmp_path: Path) -> None:
    lay_out(published, tmp_path / "data")
    done = ingest(published.source, tmp_path)
    expected = [fate for name in sorted(published.files) for _, fate in published.files[name]]
    assert fates(done) == [fate for fate in expected if isinstance(fate, Fate)]
    ledger = pl.read_parquet(done.newest("ledger"))
    assert ledger["rule"].to_list() == [fate for fate in expected if isinstance(fate, str)]
    problems = pl.read_parquet(done.newest("problems"))
    assert not problems["statement"].str.contains("Not this one|Solve the following|return the code").any()
    assert problems.select("licence", "attribution", "url").null_count().row(0) == (0, 0, 0)


def test_long_integers_reach_the_table_of_tests_whole(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    json_lines(tmp_path / "data/train.jsonl", [apps(0, CALLS, "[]", "def add(a: int, b: int) -> int:")])
    tests = pl.read_parquet(ingest("apps", tmp_path).newest("tests"))
    assert tests.select("input", "output", "function").rows() == [(f"[{LONG},1]", LONG, "add"), ("[2,3]", "5", "add")]


def test_generated_tests_of_codeforces_come_from_the_file_of_their_contest(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for folder in ("verifiable", "generated_tests", "data"):
        (data / folder).mkdir(parents=True)
    rows = [
        codeforces("7/A", official_tests_complete=False, generated_tests=2),
        codeforces("7/B", official_tests=None, examples=None, generated_tests=1),
        codeforces("1234/A", official_tests=None),
    ]
    parquet(*CODEFORCES_COLUMNS)(data / "verifiable/train-00000-of-00011.parquet", rows)
    parquet(*CODEFORCES_COLUMNS)(data / "data/train-00000-of-00011.parquet", [codeforces("9/Z")])
    generated = [
        {"problem_id": "7/B", "input": "b", "output": "1", "test_case_i": 0},
        {"problem_id": "7/A", "input": "a", "output": "2", "test_case_i": 0},
        {"problem_id": "7/A", "input": "c...", "output": "3", "test_case_i": 1},
    ]
    pq.write_table(pa.Table.from_pylist(generated), data / "generated_tests/test_cases_0007.parquet")
    found = fates(ingest("codeforces-generated", tmp_path))
    assert [fate.tests for fate in found] == [
        (
            ("sample-001", "stdio", "1 2"),
            ("official-002", "stdio", "5 5"),
            ("generated-001", "stdio", "a"),
            ("generated-002", "stdio", "c..."),
        ),
        (("generated-001", "stdio", "b"),),
        (("sample-001", "stdio", "1 2"),),
    ]


def test_cut_tests_are_counted(tmp_path: Path) -> None:
    (tmp_path / "data/taco").mkdir(parents=True)
    parquet(("problem", TEXT), ("tests", TEXT))(
        tmp_path / "data/taco/train-0.parquet", [{"problem": TASK, "tests": CUT}] * 2
    )
    noticed = ingest("deepcoder", tmp_path).records[0].findings["Noticed"]
    assert isinstance(noticed, list)
    assert any("own: 2 " in phrase and "cut off" in phrase for phrase in noticed)


def test_livecodebench_s_private_tests_are_read_and_never_loaded() -> None:
    private = parse("private | json // private | unpacked | json")
    tests = json.dumps([{"input": LONG, "output": "2", "testtype": "stdin"}])

    def packed(value: object) -> str:
        return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()

    plain = [{"input": LONG, "output": "2", "testtype": "stdin"}]
    assert private.extract({"private": tests}).value == plain
    assert private.extract({"private": packed(tests)}).value == plain
    for hostile in (Path("x"), [tests], {"a": tests}, b"bytes"):
        found = private.extract({"private": packed(hostile)})
        assert (found.value, found.state) == (None, "unreadable")
