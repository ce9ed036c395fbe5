"""The text promise: what stood in the source's file comes back byte for byte, from the first reader to the Hub."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import datasets
import polars as pl
import pytest
import run_parts
from hub_server import HubServer

from curation import processes, storage
from curation.export.step import Export
from curation.ingest.step import Ingest
from curation.json_reader import dumps
from curation.progress import Silent
from curation.records import PROBLEM_SCHEMA, TEST_SCHEMA
from curation.selection import StageOne
from curation.selection.messages import STAGE_SCHEMA
from curation.steps import StepContext

TEXTS: dict[str, tuple[str, str | None]] = {
    "5000 digits": ('"' + "7" * 5_000 + '"', "7" * 5_000),
    "5000 digits as a number": ("8" * 5_000, "8" * 5_000),
    "60 digits as a number": ("123456789012345678901234567890" * 2, "123456789012345678901234567890" * 2),
    "negative 60 digits": ("-" + "9" * 60, "-" + "9" * 60),
    "long decimal": ("0.10000000000000000000000000000000000001", "0.10000000000000000000000000000000000001"),
    "leading zeros": ('"007"', "007"),
    "exponent": ('"1e5"', "1e5"),
    "exponent as a number": ("1e5", "1e5"),
    "trailing zero": ("1.50", "1.50"),
    "date": ('"2025-01-01"', "2025-01-01"),
    "time": ('"2025-01-01T00:00:00Z"', "2025-01-01T00:00:00Z"),
    "null": ("null", None),
    "word null": ('"null"', "null"),
    "word nan": ('"NaN"', "NaN"),
    "word true": ('"true"', "true"),
    "empty": ('""', ""),
    "fraction": (r'"\\frac{1}{2}\\text{ or }\\nu"', r"\frac{1}{2}\text{ or }\nu"),
    "line separator": ('"a\u2028b\u2029c\x85d"', "a\u2028b\u2029c\x85d"),
    "line ends": (r'"a\r\nb\rc\n"', "a\r\nb\rc\n"),
    "CJK": ('"求 x 的值：三分之一、한국어"', "求 x 的值：三分之一、한국어"),
    "beyond the first plane": (r'"\ud835\udd38𝔸"', "𝔸𝔸"),
    "composed and not": ('"é e\u0301"', "é e\u0301"),
    "spaces": ('" 1\u00a0 "', " 1\u00a0 "),
    "quotes": (r'"\"x\" \\\\ \/ \t"', '"x" \\\\ / \t'),
    "markup": ('"<b>&amp;</b> |"', "<b>&amp;</b> |"),
}

SOURCE = """
name = "promise"
title = "Texts that libraries like to change"
domain = "math"
group = "opensource_math"
licence = "CC0-1.0"
attribution = "nobody"
url = "https://promise.test"

[location]
path = "promise.jsonl"
format = "jsonl"

[columns]
source_id = "id"
statement = "problem"
answer = "answer"
"""

RELOAD = """
import sys
from pathlib import Path
import datasets
from curation.export.hub import push
from curation.json_reader import dumps
from curation.json_reader import dumps
from curation.progress import Silent
push(Path(sys.argv[1]), "tester/promise", False, False, Silent())
for streaming in (False, True):
    print(dumps(list(datasets.load_dataset("tester/promise", "stage1", split="train", streaming=streaming))))
"""


def statement(name: str, text: str | None) -> str:
    return f"{name}: {text}"


@pytest.fixture
def parts(tmp_path: Path) -> run_parts.Parts:
    """Ingest the file with the real step, then give every problem three responses that hold its text."""
    lines = [
        f'{{"id": {json.dumps(name)}, "problem": {dumps(statement(name, text))}, "answer": {raw}}}\n'
        for name, (raw, text) in TEXTS.items()
    ]
    (tmp_path / "promise.jsonl").write_bytes("".join(lines).encode())
    (tmp_path / "promise.toml").write_text(SOURCE)
    wanted = run_parts.recipe(sources=[{"use": str(tmp_path / "promise.toml")}])
    output = tmp_path / "ingested"
    output.mkdir()
    Ingest().execute(StepContext(wanted, {}, output, tmp_path, None, Silent()))
    assert pl.read_parquet(output / "ledger.parquet").is_empty()
    problems = storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA)
    letters = dict.fromkeys(problems["problem_id"], "rww")
    texts = {
        (row["problem_id"], index): f"<think>hm</think>{index}{row['answer'] or ''}"
        for row in problems.iter_rows(named=True)
        for index in range(3)
    }
    parts = run_parts.build(tmp_path / "run", [], letters, texts)
    storage.write_table(parts.tables["problems"], problems, PROBLEM_SCHEMA)
    storage.write_table(parts.tables["tests"], pl.DataFrame(schema=TEST_SCHEMA), TEST_SCHEMA)
    return parts


def test_every_text_comes_back_byte_for_byte(parts: run_parts.Parts, hub: HubServer, tmp_path: Path) -> None:
    wanted = run_parts.recipe(stage1={"messages_low": 3, "messages_high": 3})
    one = parts.context(wanted, "one")
    StageOne().execute(one)
    parts.tables |= {"stage1": one.output / "stage1.parquet", "stage2": tmp_path / "stage2.parquet"}
    storage.write_table(parts.tables["stage2"], pl.DataFrame(schema=STAGE_SCHEMA), STAGE_SCHEMA)
    Export().execute(parts.context(wanted, "export-step"))
    export = parts.directory / "export"

    frame = pl.read_parquet(export / "stage1/*.parquet")
    names = [content.partition(": ")[0] for content in frame["conversation"].list.first().struct.field("content")]
    assert sorted(names) == sorted(TEXTS)
    for name, row in zip(names, frame.iter_rows(named=True), strict=True):
        text = TEXTS[name][1]
        assert row["ground_truth"] == text, name
        assert row["conversation"] == [{"role": "user", "content": statement(name, text)}], name
        assert sorted(row["responses"]) == [f"{index}{text or ''}" for index in range(3)], name

    records = frame.to_dicts()
    loaded = datasets.load_dataset(str(export), "stage1", split="train", cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == records
    done = processes.run(
        [sys.executable, "-c", RELOAD, str(export)], environment=hub.environment(tmp_path / "home"), wall_limit_s=120
    )
    assert done.exit_code == 0, done.error.decode()
    eager, streamed = (json.loads(line) for line in done.output.decode().split("\n")[:2])
    assert eager == records
    assert streamed == records
