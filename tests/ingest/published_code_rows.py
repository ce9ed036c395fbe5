"""Rows of our own in the shapes of the published code sets, and writers of the files that hold them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

Row = dict[str, object]
Test = tuple[str, str, str]

TEXT = pa.string()
PAIRS = pa.list_(pa.struct([("input", TEXT), ("output", TEXT)]))
TEST_LISTS = pa.struct([("input", pa.list_(TEXT)), ("output", pa.list_(TEXT))])
PROGRAM_LISTS = pa.struct([("language", pa.list_(pa.int64())), ("solution", pa.list_(TEXT))])
PROGRAMS = pa.list_(pa.struct([("code", TEXT), ("language", TEXT)]))
LONG = "9" * 5_000
TASK = "Read two integers and print their sum."


@dataclass(frozen=True)
class Fate:
    """What becomes of a row: its tests as name, kind and input; its programs as language and label; its checker."""

    tests: tuple[Test, ...] = ()
    programs: tuple[tuple[str, str | None], ...] = ()
    checker: str | None = None
    limits: tuple[float | None, int | None] = (None, None)


@dataclass(frozen=True)
class Published:
    """A set's files with their rows, and what becomes of each row in order: a fate, or the rule that drops it."""

    source: str
    write: Callable[[Path, list[Row]], None]
    files: dict[str, tuple[tuple[Row, Fate | str], ...]]
    others: tuple[str, ...] = ()


def parquet(*columns: tuple[str, pa.DataType]) -> Callable[[Path, list[Row]], None]:
    """Return what writes rows as Parquet with these columns and no others."""
    return lambda path, rows: pq.write_table(pa.Table.from_pylist(rows, pa.schema(columns)), path)


def arrow(*columns: tuple[str, pa.DataType]) -> Callable[[Path, list[Row]], None]:
    """Return what writes rows as an Arrow stream, as the library ``datasets`` does."""

    def write(path: Path, rows: list[Row]) -> None:
        table = pa.Table.from_pylist(rows, pa.schema(columns))
        with path.open("wb") as stream, pa.ipc.new_stream(stream, table.schema) as writer:
            writer.write_table(table)

    return write


def json_lines(path: Path, rows: list[Row]) -> None:
    """Write a row a line; a text of tests that starts with ``{`` stays as it is."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def taco(tests: str, solutions: str = '["print(1)"]', **changes: object) -> Row:
    """Return a row of TACO."""
    columns = dict.fromkeys(("date", "Expected Time Complexity", "Expected Auxiliary Space"))
    return {
        "question": TASK,
        "solutions": solutions,
        "starter_code": "",
        "input_output": tests,
        "difficulty": "EASY",
        "raw_tags": "['math']",
        "name": None,
        "source": "codeforces",
        "tags": "[]",
        "skill_types": "[]",
        "url": "https://example.org/1",
        "time_limit": "2.0 seconds",
        "memory_limit": "256.0 megabytes",
        "picture_num": "0",
        **columns,
        **changes,
    }


def apps(number: int, tests: str, solutions: str = '["print(1)"]', starter: str = "") -> Row:
    """Return a row of APPS."""
    return {
        "id": number,
        "question": TASK,
        "solutions": solutions,
        "input_output": tests,
        "difficulty": "interview",
        "url": "https://example.org/1",
        "starter_code": starter,
    }


def code_contests(name: str, **changes: object) -> Row:
    """Return a row of CodeContests."""
    nothing: dict[str, list[str]] = {"input": [], "output": []}
    return {
        "name": name,
        "description": TASK,
        "public_tests": {"input": ["1 2\n"], "output": ["3\n"]},
        "private_tests": {"input": ["1 2\n", "2 2\n"], "output": ["3\n", "4\n"]},
        "generated_tests": nothing,
        "source": 2,
        "difficulty": 7,
        "solutions": {"language": [1, 2, 3, 4, 0], "solution": ["print 3", "int", "print(3)", "class", "?"]},
        "incorrect_solutions": {"language": [2], "solution": ["main"]},
        "time_limit": {"seconds": 2, "nanos": 500_000_000},
        "memory_limit_bytes": 256_000_000,
        "input_file": "",
        "output_file": "",
        **changes,
    }


def contests_plus(identifier: str, checker: str | None, tests: list[dict[str, str]] | None) -> Row:
    """Return a row of CodeContests+."""
    return {
        "source": "codeforces",
        "id": identifier,
        "title": "Sum",
        "description": TASK,
        "time_limit": 2000,
        "memory_limit": 268_435_456,
        "validator": "int",
        "generator": "int",
        "generator_cmd": "./gen -n 5",
        "checker": checker,
        "correct_submissions": [{"code": "a", "language": "cpp"}, {"code": "print 1", "language": "py2"}],
        "incorrect_submissions": [{"code": "b", "language": "UNKNOWN"}],
        "test_cases": tests,
        "true_positive_rate": 0.95,
        "true_negative_rate": None,
    }


def deepcoder(tests: object, **more: object) -> Row:
    """Return a row of DeepCoder."""
    text = tests if isinstance(tests, str) else json.dumps(tests)
    return {"problem": TASK, "solutions": ["```python\nprint(1)\n```"], "tests": text, **more}


def am_thinking(ground_truth: str, ability: str = "code") -> Row:
    """Return a row of AM-Thinking-v1-RL-Dataset."""
    return {
        "data_source": "prime",
        "prompt": [{"role": "user", "content": TASK}],
        "ability": ability,
        "reward_model": {"style": "rule", "ground_truth": ground_truth},
        "extra_info": "{'index': 1}",
    }


def prime(number: int, verification: str, gold: str | None = None, **changes: object) -> Row:
    """Return a row of Prime Intellect's problems."""
    before = "Solve the following coding problem using the programming language python:\n\n"
    after = "\n\nThe input will be stdin and you should print your solution to stdout\n\n\n"
    return {
        "source": "apps",
        "task_type": "verifiable_code",
        "in_source_id": "7",
        "prompt": f"{before}{TASK}{after}Now solve the problem and return the code.",
        "gold_standard_solution": gold,
        "verification_info": verification,
        "metadata": "{'difficulty': None}",
        "problem_id": f"vcp_{number}",
        **changes,
    }


def codeforces(identifier: str, **changes: object) -> Row:
    """Return a row of open-r1/codeforces."""
    return {
        "id": identifier,
        "contest_id": identifier.partition("/")[0],
        "contest_start_year": 2019,
        "title": "Sum",
        "description": TASK,
        "input_format": "Two integers.",
        "output_format": "One integer.",
        "interaction_format": None,
        "note": None,
        "examples": [{"input": "1 2", "output": "3"}],
        "time_limit": 1.5,
        "memory_limit": 256.0,
        "input_mode": "stdio",
        "generated_checker": None,
        "official_tests": [{"input": "1 2", "output": "3"}, {"input": "5 5", "output": "10"}],
        "official_tests_complete": True,
        "generated_tests": 0,
        **changes,
    }


CODEFORCES_COLUMNS = (
    *((name, TEXT) for name in ("id", "contest_id", "title", "description", "input_format", "output_format")),
    *((name, TEXT) for name in ("interaction_format", "note", "input_mode", "generated_checker")),
    ("contest_start_year", pa.int64()),
    ("examples", PAIRS),
    ("official_tests", PAIRS),
    ("time_limit", pa.float64()),
    ("memory_limit", pa.float64()),
    ("official_tests_complete", pa.bool_()),
    ("generated_tests", pa.int64()),
)
STREAMS = '{"inputs": ["1 2\\n", ["3", "4"]], "outputs": ["3\\n", ["7"]]}'
STREAM_TESTS: tuple[Test, ...] = (("001", "stdio", "1 2\n"), ("002", "stdio", "3\n4"))
CALLS = f'{{"fn_name": "add", "inputs": [[{LONG}, 1], [2, 3]], "outputs": [[{LONG}], [5]]}}'
CALL_TESTS: tuple[Test, ...] = (("001", "call", f"[{LONG},1]"), ("002", "call", "[2,3]"))
PYTHON3 = (("python3", "correct"),)
CUT = '{"inputs": ["1 2", "7 7 7 7..."], "outputs": ["3", "28"]}'
LIMITS = (2.0, 256)
CODEFORCES_LIMITS = (1.5, 256)
REPR = (
    "{'language': 'python', 'test_cases': "
    "[{'type': 'stdin_stdout', 'input': '1 2\\n', 'output': \"3's\", 'fn_name': None}]}"
)
REPR_CALL = (
    "{'language': 'python', 'test_cases': [{'type': 'function_call', 'fn_name': 'add', "
    f"'input': [{LONG}, None, True], 'output': [-1]}}]}}"
)
PRIME_JSON = '{"language": "python", "test_cases": [{"type": "stdin_stdout", "input": "1 2", "output": "3"}]}'
PRIME_ROWS: tuple[tuple[Row, Fate | str], ...] = (
    (prime(1, PRIME_JSON, "Here:\n```python\nprint(1)\n```"), Fate((("001", "stdio", "1 2"),), PYTHON3)),
    (prime(2, REPR), Fate((("001", "stdio", "1 2\n"),))),
    (prime(3, REPR_CALL), Fate((("001", "call", f"[{LONG},null,true]"),))),
    (prime(4, PRIME_JSON.replace("python", "javascript")), "other_language"),
    (prime(5, PRIME_JSON, task_type="llm_judgeable_groundtruth_similarity"), "not_code"),
    (prime(6, "{'language': __import__('os').getcwd()}"), "unreadable_row"),
    (prime(7, REPR.replace("'1 2\\n'", "open('x')")), "unreadable_row"),
)
PRIME_COLUMNS = tuple((name, TEXT) for name in prime(0, ""))
