"""The export on a real pool, read back with `datasets` and Polars."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import datasets
import polars as pl
import pyarrow.parquet as pq
import pytest
import run_parts
from run_parts import build, problem, recipe

from curation import records, storage
from curation.errors import InputError
from curation.export import shards
from curation.export.folder import Manifest, open_folder
from curation.export.rows import TRIPLE_SCHEMA
from curation.export.step import Export
from curation.judging.ground_truth import read_ground_truth
from curation.ledger import Drop, to_frame
from curation.recipe import Recipe
from curation.records import LEDGER_SCHEMA
from curation.selection import StageOne
from curation.selection.messages import STAGE_SCHEMA
from curation.steps import EarlierStep

TRIPLE_FEATURES = {
    "conversation": datasets.List({"role": datasets.Value("string"), "content": datasets.Value("string")}),
    "responses": datasets.List(datasets.Value("string")),
    "ground_truth": datasets.Value("string"),
}
MATH = ["b", "a10", "a2"]
LETTERS = {**{f"own:{name}": "r" * 3 + "w" * 18 + "u" * 3 for name in MATH}, "own:program": "r" * 5 + "w" * 19}


@pytest.fixture
def parts(tmp_path: Path) -> run_parts.Parts:
    problems = [
        *(problem(name, answer=f"00{name}", attribution="A | B", url=f"https://x.test/{name}") for name in MATH),
        problem(
            "program", None, domain="code", group="code", tests="own:program", time_limit_s=1.5, memory_limit_mb=64
        ),
        problem("other", None, domain="code", group="code", tests="own:other"),
    ]
    tests = [
        records.TestCase("own:other", "sample-1", "stdio", "no", "no"),
        *(records.TestCase("own:program", f"secret-{n}", "stdio", f"{n}\n", "9" * 60 + "\n") for n in (2, 1)),
        records.TestCase("own:other", "sample-2", "call", "[1]", "1", "f"),
        records.TestCase("own:program", "call", "call", "[7]", '"007"', "f"),
    ]
    return build(tmp_path / "run", problems, LETTERS, tests=tests)


def exported(parts: run_parts.Parts, wanted: Recipe, name: str = "x") -> Path:
    one = parts.context(wanted, f"{name}-one")
    StageOne().execute(one)
    parts.tables["stage1"] = one.output / "stage1.parquet"
    parts.tables["stage2"] = parts.directory / "stage2.parquet"
    storage.write_table(parts.tables["stage2"], pl.DataFrame(schema=STAGE_SCHEMA), STAGE_SCHEMA)
    drop = Drop("own:gone", "own", "filter", "image", "the statement shows an <img> | a picture")
    storage.write_table(parts.directory / "filtered.parquet", to_frame([drop]), LEDGER_SCHEMA)
    earlier = (
        EarlierStep("filter", 6, 5, 1, parts.directory / "filtered.parquet", {"Rules": {"image": 1}}),
        EarlierStep("decontaminate", 5, 5, 0, one.output / "ledger.parquet", {"Benchmark items": 12}),
        EarlierStep("stage1", 5, 4, 1, one.output / "ledger.parquet", {}),
    )
    context = parts.context(wanted, f"{name}-export", earlier=earlier)
    report = Export().execute(context)
    assert report.published == (parts.directory / "export",)
    kept = ["ledger.parquet", *(["rewards.parquet"] if wanted.export.kill_submissions else [])]
    assert sorted(path.name for path in context.output.iterdir()) == kept
    return parts.directory / "export"


@pytest.fixture
def export(parts: run_parts.Parts) -> Path:
    return exported(parts, recipe(export={"title": "Small & exact", "licence": "cc0-1.0"}))


def load(export: Path, config: str, tmp_path: Path) -> datasets.Dataset:
    return datasets.load_dataset(str(export), config, split="train", cache_dir=str(tmp_path / "cache"))


def test_datasets_reads_exactly_three_columns(export: Path, tmp_path: Path) -> None:
    stage1 = load(export, "stage1", tmp_path)
    assert stage1.features == datasets.Features(TRIPLE_FEATURES)
    assert stage1.column_names == ["conversation", "responses", "ground_truth"]
    assert [row["conversation"][0]["content"] for row in stage1] == [
        "What is a10?",
        "What is a2?",
        "What is b?",
        "What is program?",
    ]
    assert stage1[0]["ground_truth"] == "00a10"
    assert stage1[0]["conversation"] == [{"role": "user", "content": "What is a10?"}]


def test_polars_reads_the_same(export: Path, tmp_path: Path) -> None:
    frame = pl.read_parquet(export / "stage1/*.parquet")
    assert frame.schema == TRIPLE_SCHEMA
    assert frame.to_dicts() == list(load(export, "stage1", tmp_path))


def test_responses_are_the_drawn_messages_in_order(export: Path, parts: run_parts.Parts) -> None:
    chosen = pl.read_parquet(parts.tables["stage1"]).to_dicts()
    texts = {
        run_parts.response(problem_id, index, None).response_id: f"{problem_id} says {index}"
        for problem_id, letters in LETTERS.items()
        for index in range(len(letters))
    }
    rows = pl.read_parquet(export / "stage1/*.parquet").to_dicts()
    assert [row["responses"] for row in rows] == [[texts[message] for message in row["messages"]] for row in chosen]


def test_companion_rows_stand_beside_the_triples(export: Path, parts: run_parts.Parts, tmp_path: Path) -> None:
    rows = list(load(export, "rows", tmp_path))
    stage1 = load(export, "stage1", tmp_path)
    grades = dict(pl.read_parquet(parts.tables["pool_grades"]).select("response_id", "grade").iter_rows())
    for row, chosen in zip(rows, pl.read_parquet(parts.tables["stage1"]).iter_rows(named=True), strict=True):
        triple = stage1[row["row"]]
        assert triple["conversation"][0]["content"] == f"What is {row['problem_id'].removeprefix('own:')}?"
        assert row["responses"] == len(triple["responses"]) == len(row["correctness"])
        assert row["correctness"] == [grades[message] for message in chosen["messages"]]
        assert (row["stage"], row["licence"], row["source"]) == ("stage1", "CC0-1.0", "own")
        assert (row["message_seed"], row["accuracy"]) == (chosen["seed"], chosen["accuracy"])
    assert rows[0]["attribution"] == "A | B"
    assert rows[0]["url"] == "https://x.test/a10"


def test_code_ground_truth_is_one_json_document(export: Path) -> None:
    text = pl.read_parquet(export / "stage1/*.parquet")["ground_truth"][3]
    document: dict[str, Any] = json.loads(text)
    assert document == {
        "tests": [
            {"name": "secret-2", "kind": "stdio", "input": "2\n", "output": "9" * 60 + "\n", "function": None},
            {"name": "secret-1", "kind": "stdio", "input": "1\n", "output": "9" * 60 + "\n", "function": None},
            {"name": "call", "kind": "call", "input": "[7]", "output": '"007"', "function": "f"},
        ],
        "checker": None,
        "time_limit_s": 1.5,
        "memory_limit_mb": 64,
    }


def test_empty_stage_streams_and_is_told(export: Path, tmp_path: Path) -> None:
    streamed = datasets.load_dataset(str(export), "stage2", split="train", streaming=True)
    assert list(streamed) == []
    assert streamed.features == datasets.Features(TRIPLE_FEATURES)
    assert pl.read_parquet(export / "stage2/*.parquet").schema == TRIPLE_SCHEMA
    card = (export / "README.md").read_text()
    assert "stage2 has no rows" in card


def test_card_tells_where_the_rows_are_from(export: Path) -> None:
    card = (export / "README.md").read_text()
    for part in (
        "license: cc0-1.0",
        "# Small &amp; exact",
        "| own | opensource_math | CC0-1.0 | 3 | A \\| B |",
        "| filter | 6 | 5 | 1 |",
        "| filter | image | 1 | the statement shows an &lt;img&gt; \\| a picture |",
        "| stage1 | no_graded_response | 2 |",
        "Checked against: matharena.",
        "Benchmark items: 12",
        "Stage 1 keeps 0 &lt; accuracy &lt; 0.375 for math, &lt; 0.625 for code.",
        "No validity votes were taken",
        "Stage 2 was not made.",
    ):
        assert part in card, part


def test_manifest_lists_every_file(export: Path) -> None:
    manifest = Manifest.model_validate_json((export / "manifest.json").read_bytes())
    assert manifest.rows == {"stage1": 4, "stage2": 0, "rows": 4}
    files = {path.relative_to(export).as_posix() for path in export.rglob("*") if path.is_file()}
    assert {file.path for file in manifest.files} == files - {"manifest.json"}
    for file in manifest.files:
        assert storage.sha256_file(export / file.path) == file.sha256
        assert (export / file.path).stat().st_size == file.bytes
    (export.parent / "run.json").write_text("{}")
    for directory in (export, export.parent):
        folder = open_folder(directory)
        assert folder.directory == export
        assert folder.configs.keys() == {"stage1", "stage2", "rows"}
        assert folder.configs["stage1"].features == datasets.Features(TRIPLE_FEATURES)


def test_changed_file_is_not_pushed(export: Path) -> None:
    path = export / "stage1/train-00000-of-00001.parquet"
    storage.write_table(path, pl.DataFrame(schema=TRIPLE_SCHEMA), TRIPLE_SCHEMA)
    with pytest.raises(InputError, match=r"stage1/train-00000-of-00001\.parquet is not as manifest\.json says"):
        open_folder(export)


def test_same_inputs_same_bytes(parts: run_parts.Parts, tmp_path: Path) -> None:
    def bytes_of(directory: Path) -> dict[str, bytes]:
        return {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*.*")}

    first = bytes_of(exported(parts, recipe(), "first"))
    problems = pl.read_parquet(parts.tables["problems"])
    storage.write_table(parts.tables["problems"], problems.reverse(), problems.schema)
    assert bytes_of(exported(parts, recipe(), "second")) == first
    other = bytes_of(exported(parts, recipe(seed=1), "third"))
    assert other["stage1/train-00000-of-00001.parquet"] != first["stage1/train-00000-of-00001.parquet"]


def test_response_that_the_pool_lost_is_an_error(parts: run_parts.Parts) -> None:
    one = parts.context(recipe(), "one")
    StageOne().execute(one)
    parts.tables |= {"stage1": one.output / "stage1.parquet", "stage2": one.output / "stage1.parquet"}
    for part in (parts.directory / "pool/responses").iterdir():
        part.unlink()
    with pytest.raises(InputError, match="lacks a response that was chosen for own:a10"):
        Export().execute(parts.context(recipe(), "export-step"))
    assert not (parts.directory / "export").exists()


def test_shards_are_cut_by_bytes_and_hold_every_row_once(tmp_path: Path) -> None:
    def rows(count: int) -> list[dict[str, object]]:
        return [{"conversation": [], "responses": ["x" * (100 + 7 * n)], "ground_truth": str(n)} for n in range(count)]

    written = shards.write_split(tmp_path / "s", "train", iter(rows(50)), TRIPLE_SCHEMA, shard_bytes=3_000)
    assert [shard.path.name for shard in written] == [
        f"train-{n:05d}-of-{len(written):05d}.parquet" for n in range(len(written))
    ]
    assert len(written) > 3
    assert all(3_000 <= shard.text_bytes < 3_600 for shard in written[:-1])
    numbers = [n for shard in written for n in pq.read_table(shard.path)["ground_truth"].to_pylist()]
    assert numbers == [str(n) for n in range(50)]
    assert [shard.rows for shard in written] == [pq.read_metadata(shard.path).num_rows for shard in written]
    assert sorted(path.name for path in (tmp_path / "s").iterdir()) == [shard.path.name for shard in written]


def test_code_rows_bring_the_weights_of_their_tests_where_the_recipe_asks(tmp_path: Path) -> None:
    problems = [
        problem("double", None, domain="code", group="code", tests="own:double", time_limit_s=2.0),
        problem("call", None, domain="code", group="code", tests="own:call"),
    ]
    numbers = {"one": 1, "two": 2, "many": 50, "zero": 0}
    tests = [records.TestCase("own:double", name, "stdio", f"{n}\n", f"{2 * n}\n") for name, n in numbers.items()]
    tests.append(records.TestCase("own:call", "1", "call", "[1]", "2", "f"))
    codes = ["print(int(input()) ** 2)", "print(2 * min(int(input()), 9))", "print(2)"]
    submissions = [
        records.Submission("own:double", f"own:double/{place}", "python3", code, "incorrect")
        for place, code in enumerate(codes)
    ]
    letters = dict.fromkeys(("own:double", "own:call"), "r" * 5 + "w" * 19)
    parts = build(tmp_path / "run", problems, letters, tests=tests)
    parts.tables["submissions"] = parts.directory / "submissions.parquet"
    frame = records.to_frame(submissions, records.SUBMISSION_SCHEMA)
    storage.write_table(parts.tables["submissions"], frame, records.SUBMISSION_SCHEMA)
    rows = pl.read_parquet(exported(parts, recipe(export={"kill_submissions": 2})) / "stage1/*.parquet")
    call, double = (read_ground_truth(text) for text in rows["ground_truth"])
    assert call.rewards is None
    assert double.rewards is not None
    # Squares fail on one and on many, the bounded ones on many alone; the third submission was one too many.
    assert [(group.tests, group.kills) for group in double.rewards.groups] == [
        (("two", "zero"), 0),
        (("one",), 1),
        (("many",), 2),
    ]
    assert double.rewards.groups[2].weight > double.rewards.groups[1].weight > double.rewards.groups[0].weight
    # Echo and the constants pass zero or one test of the others; nobody passes many.
    assert 0 < double.rewards.trivial < 0.5
