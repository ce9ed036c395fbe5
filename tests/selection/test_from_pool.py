"""Message sets and both stages from a pool, without a model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import datasets
import polars as pl
import pyarrow.parquet as pq
import pytest

from curation import records, storage
from curation.errors import InputError
from curation.llm.pool import open_pool
from curation.llm.pool_import import LogColumns, import_log
from curation.pool_selection import select
from curation.recipe import StageOneSection
from curation.records import Response
from curation.selection.from_pool import Selected, Wanted
from curation.selection.options import wanted_of

WANTED = Wanted(stage1=StageOneSection(messages_low=2, messages_high=3))
SCORES = {"rare": [True, False, False], "often": [True, True, False], "never": [False] * 3}
ANSWER = "11"
NOTHING = "no_graded_response"


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    rows = [
        {
            "id": name,
            "question": f"What is {name}?",
            "code": [f"<think>x</think>It is \\boxed{{{11 if score else 40 + n}}}" for n, score in enumerate(scores)],
            "score": scores,
        }
        for name, scores in SCORES.items()
    ]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_log(tmp_path / "log.jsonl", tmp_path / "pool", model="m", columns=LogColumns(problem_id="id"))
    return tmp_path / "pool"


def problems(home: Path, answer: str | None = ANSWER, names: Sequence[str] = tuple(SCORES)) -> str:
    rows = [{"id": f"own-{name}", "problem": f"What is {name}?", "answer": answer} for name in names]
    (home / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(home / "problems.jsonl")


def stage_one(selected: Selected) -> list[str]:
    return pl.read_parquet(selected.directory / "stage1.parquet")["problem_id"].to_list()


def test_verdicts_of_the_log_decide_where_no_answer_is_known(pool: Path, tmp_path: Path) -> None:
    selected = select(pool, tmp_path / "out", WANTED).selected
    assert (selected.problems, selected.responses, selected.stage1, selected.stage2) == (3, 9, 1, 0)
    assert selected.dropped == {
        "stage1": {"accuracy_too_high": 1, "accuracy_zero": 1},
        "stage2": {"no_syntheses": 3},
    }
    assert stage_one(selected) == ["rare"]
    chosen = pl.read_parquet(tmp_path / "out/stage1.parquet")
    assert chosen["accuracy"].to_list() == [1 / 3]
    assert chosen["messages"].list.len()[0] in (2, 3)


def test_answers_that_are_given_decide_and_change_without_a_model(pool: Path, tmp_path: Path) -> None:
    given = select(pool, tmp_path / "out", WANTED, problems=problems(tmp_path)).selected
    assert stage_one(given) == ["own-rare"]
    grades = pl.read_parquet(tmp_path / "out/grades.parquet")
    assert set(grades["grader"]) == {"answers"}
    # With another answer on file other problems lie in the band: one response to each said 41.
    other = select(pool, tmp_path / "out", WANTED, problems=problems(tmp_path, "41")).selected
    assert stage_one(other) == ["own-never", "own-rare"]
    stored = select(pool, tmp_path / "out", replace(WANTED, regrade=False), problems=problems(tmp_path, "41")).selected
    assert stage_one(stored) == ["own-rare"]
    wider = replace(WANTED, stage1=StageOneSection(messages_low=2, messages_high=3, math_below=0.9))
    assert stage_one(select(pool, tmp_path / "out", wider).selected) == ["often", "rare"]


def test_only_the_problems_of_the_table_are_looked_at(pool: Path, tmp_path: Path) -> None:
    selected = select(pool, tmp_path / "out", WANTED, problems=problems(tmp_path, names=["rare", "new"])).selected
    assert selected.problems == 2
    assert selected.responses == 3
    assert selected.dropped["stage1"] == {"no_graded_response": 1}


def test_the_export_loads_and_has_the_same_bytes_each_time(pool: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        select(pool, tmp_path / name, WANTED, problems=problems(tmp_path))
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert files
    for path in files:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes(), path
    loaded = datasets.load_dataset(
        str(tmp_path / "one/export"), "stage1", split="train", cache_dir=str(tmp_path / "cache")
    )
    assert loaded.column_names == ["conversation", "responses", "ground_truth"]
    assert loaded[0]["ground_truth"] == ANSWER
    assert loaded[0]["conversation"] == [{"role": "user", "content": "What is rare?"}]
    assert all(text.startswith("It is \\boxed") for text in loaded[0]["responses"])
    other = replace(WANTED, seed=1)
    select(pool, tmp_path / "two", other, problems=problems(tmp_path))
    assert (tmp_path / "one/stage1.parquet").read_bytes() != (tmp_path / "two/stage1.parquet").read_bytes()
    assert not list(tmp_path.rglob(".partial-*"))


def response(problem: str, index: int, text: str, purpose: str, **changes: object) -> Response:
    fields: dict[str, object] = {
        "response_id": storage.sha256_text(f"{problem}/{purpose}/{index}/{changes}"),
        "problem_id": problem,
        "purpose": purpose,
        "prompt_sha256": "0" * 64,
        "model": "m",
        "model_revision": "",
        "sampler": "{}",
        "sample_index": index,
        "text": text,
        "reasoning": None,
        "finish_reason": "stop",
        "failure": None,
        "prompt_tokens": 1,
        "completion_tokens": 1,
        "latency_s": 0.0,
        "engine": "http",
        **changes,
    }
    return Response(**fields)  # type: ignore[arg-type]


def test_stage_two_comes_from_the_syntheses_in_the_pool(tmp_path: Path) -> None:
    said = {"own-rare": "rrw", "own-often": "rrr", "own-never": "www"}
    with open_pool(tmp_path / "pool") as opened:
        for name, letters in said.items():
            for index, letter in enumerate(letters):
                text = f"\\boxed{{{11 if letter == 'r' else 5}}}"
                opened.add(response(name, index, text, "synthesis", model="checkpoint"))
            for index in range(3):
                opened.add(response(name, index, "\\boxed{5}" if index else "\\boxed{11}", "solve"))
    selected = select(tmp_path / "pool", tmp_path / "out", WANTED, problems=problems(tmp_path)).selected
    assert (selected.stage1, selected.stage2, selected.syntheses) == (3, 1, 9)
    second = pl.read_parquet(tmp_path / "out/stage2.parquet")
    assert second["problem_id"].to_list() == ["own-rare"]
    assert second["accuracy"].to_list() == [2 / 3]
    first = pl.read_parquet(tmp_path / "out/stage1.parquet").filter(pl.col("problem_id") == "own-rare")
    assert first["messages"].to_list() == second["messages"].to_list()
    assert selected.dropped["stage2"] == {"accuracy_too_high": 1, "accuracy_zero": 1}


def test_a_pool_of_several_samplers_is_not_mixed_by_chance(pool: Path, tmp_path: Path) -> None:
    with open_pool(pool) as opened:
        opened.add(response("rare", 7, "\\boxed{11}", "solve", model="other", statement="What is rare?"))
    with pytest.raises(InputError, match=r"several models or samplers .*m with sampler .*other with sampler"):
        select(pool, tmp_path / "out", WANTED)
    assert not (tmp_path / "out").exists()
    assert select(pool, tmp_path / "out", replace(WANTED, models=("m",))).selected.responses == 9
    mixed = select(pool, tmp_path / "out", replace(WANTED, mixed=True)).selected
    assert (mixed.responses, mixed.models) == (10, ("m", "other"))
    with pytest.raises(InputError, match="its models are m, other"):
        select(pool, tmp_path / "out", replace(WANTED, models=("nobody",)))


def test_responses_to_problems_that_nobody_keeps(tmp_path: Path) -> None:
    with open_pool(tmp_path / "pool") as opened:
        opened.add(response("p", 0, "\\boxed{11}", "solve"))
    with pytest.raises(InputError, match="--problems"):
        select(tmp_path / "pool", tmp_path / "out", WANTED)


def test_no_pool(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no response pool"):
        select(tmp_path / "nowhere", tmp_path / "out")


def test_a_log_with_answers_can_be_graded_again(tmp_path: Path) -> None:
    row = {"question": "What is 5 + 6?", "code": ["\\boxed{11}", "\\boxed{12}", "\\boxed{13}"], "score": [False] * 3}
    (tmp_path / "log.jsonl").write_text(json.dumps({**row, "gt": 11}) + "\n")
    import_log(tmp_path / "log.jsonl", tmp_path / "pool", model="m", columns=LogColumns(answer="gt"))
    assert select(tmp_path / "pool", tmp_path / "out", WANTED).selected.stage1 == 1
    assert select(tmp_path / "pool", tmp_path / "out", replace(WANTED, regrade=False)).selected.stage1 == 0


def test_options_over_a_recipe(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(
        'name = "r"\nseed = 5\n[[sources]]\nuse = "limo"\n[models.m]\nengine = "http"\nmodel = "big"\n'
        'url = "http://127.0.0.1:9/v1"\n[pool]\nmodel = "m"\nsampler = { max_tokens = 99 }\n'
        'code_sampler = { max_tokens = 9 }\n[stage1]\nmessages_low = 3\n[stage2]\nmodel = "m"\nbelow = 0.5\n'
    )
    common = {"models": (), "samplers": (), "mixed": False, "regrade": True}
    wanted = wanted_of(str(tmp_path / "recipe.toml"), {"math_below": "1/2"}, {}, seed=None, **common)  # type: ignore[arg-type]
    assert (wanted.stage1.math_below, wanted.stage1.messages_low, wanted.below, wanted.seed) == (0.5, 3, 0.5, 5)
    assert wanted.models == ("big",)
    assert [json.loads(text)["max_tokens"] for text in wanted.samplers] == [99, 9]
    with pytest.raises(InputError, match="messages_low is larger"):
        wanted_of(None, {"messages_low": 30}, {}, seed=1, **common)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="--sampler"):
        wanted_of(None, {}, {}, seed=1, **{**common, "samplers": ("{",)})  # type: ignore[arg-type]


def test_code_without_tests_keeps_its_stored_verdicts(pool: Path, tmp_path: Path) -> None:
    rows = [records.Problem("rare", "code", "code", "own", "rare", "What is rare?", "CC0-1.0")]
    table = tmp_path / "problems.parquet"
    storage.write_table(table, records.to_frame(rows, records.PROBLEM_SCHEMA), records.PROBLEM_SCHEMA)
    selected = select(pool, tmp_path / "out", WANTED, problems=str(table)).selected
    assert selected.stage1 == 1
    assert set(pl.read_parquet(tmp_path / "out/grades.parquet")["grader"]) == {"import:m"}


def test_no_text_is_read_whose_verdict_is_known(tmp_path: Path) -> None:
    with open_pool(tmp_path / "pool") as opened:
        for name in ("own-often", "own-never"):
            for index in range(3):
                text = f"{'so it goes on ' * 99} \\boxed{{{11 if name == 'own-often' else index}}}"
                opened.add(response(name, index, text, "solve"))
    first = select(tmp_path / "pool", tmp_path / "out", WANTED, problems=problems(tmp_path)).selected
    grades = (tmp_path / "out/grades.parquet").read_bytes()
    assert (first.stage1, first.dropped["stage1"]) == (0, {"accuracy_too_high": 1, "accuracy_zero": 1, NOTHING: 1})
    (part,) = (tmp_path / "pool/responses").iterdir()
    whole = bytearray(part.read_bytes())
    column = pq.ParquetFile(part).metadata.row_group(0).column(records.RESPONSE_SCHEMA.names().index("text"))
    start = column.dictionary_page_offset or column.data_page_offset
    whole[start : start + column.total_compressed_size] = bytes(column.total_compressed_size)
    part.write_bytes(whole)
    assert select(tmp_path / "pool", tmp_path / "out", WANTED, problems=problems(tmp_path)).selected == first
    assert (tmp_path / "out/grades.parquet").read_bytes() == grades
    with pytest.raises(InputError, match=r"part-000001\.parquet cannot be read"):
        select(tmp_path / "pool", tmp_path / "out", WANTED, problems=problems(tmp_path, "12"))
