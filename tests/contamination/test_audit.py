"""`curation audit`: its files, its exit by policy, its report."""

from __future__ import annotations

import json
import os
from pathlib import Path
from zipfile import ZipFile

import polars as pl
import pytest

from curation.contamination.audit import AuditResult, audit
from curation.contamination.items import MATCH_SCHEMA
from curation.errors import InputError, OutsideError

SHARED = Path(os.environ.get("CURATION_SHARED", Path(__file__).resolve().parents[3] / "shared"))
ITEM = r"A jeweller melts $35$ rings of $12$ grams and casts bars of $28$ grams. How many bars does the jeweller cast?"
OTHER = "How many three-letter words over the alphabet A, B, C, D have no two equal neighbouring letters?"
ROWS = [
    {"id": "r1", "problem": ITEM, "answer": "15"},
    {"id": "r2", "problem": "Name an even prime.", "solution": f"A similar task: {ITEM} But here the answer is 2."},
    {"id": "r3", "problem": "<script>alert(1)</script> & <b>bold</b>", "answer": None},
    {"id": "r4", "messages": [{"role": "user", "content": OTHER}, {"role": "assistant", "content": "36"}]},
    {"id": "r5", "problem": "From BRUMO 2025: name an odd prime.", "answer": "3"},
]


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    rows: list[dict[str, object]] = [
        {"id": "bars", "problem": ITEM + "<i>", "answer": "15"},
        {"id": "words", "problem": OTHER, "answer": "36"},
    ]
    return write(tmp_path / "own.jsonl", rows)


def run(tmp_path: Path, benchmark: Path, **options: object) -> AuditResult:
    data = write(tmp_path / "data.jsonl", ROWS)
    contests = ["brumo-2025"]
    return audit(str(data), tmp_path / "out", [str(benchmark)], exclude_contests=contests, **options)  # type: ignore[arg-type]


def test_all_text_columns_are_checked_and_every_hit_is_written_twice(tmp_path: Path, benchmark: Path) -> None:
    result = run(tmp_path, benchmark)
    lines = [json.loads(line) for line in (result.out / "matches.jsonl").read_text().splitlines()]
    assert [(line["row_id"], line["column"], line["benchmark_id"], line["kind"]) for line in lines] == [
        ("r1", "problem", "bars", "folded"),
        ("r2", "solution", "bars", "embedded"),
        ("r4", "messages", "words", "embedded"),
        ("r5", "problem", "", "excluded_contest"),
    ]
    table = pl.read_parquet(result.out / "matches.parquet")
    assert table.schema == MATCH_SCHEMA
    assert table.to_dicts() == lines
    assert lines[0]["answers_agree"] is True
    assert not result.failed


def test_hits_are_written_as_they_come_and_the_surest_is_shown_first(tmp_path: Path, benchmark: Path) -> None:
    # More hits than are held at a time, and the surest after them all.
    longer = [{"id": f"r{number}", "problem": f"Nota bene. {OTHER}"} for number in range(1_200)]
    data = write(
        tmp_path / "data.jsonl", [{"id": "first", "problem": OTHER}, *longer, {"id": "last", "problem": OTHER}]
    )
    result = audit(str(data), tmp_path / "out", [str(benchmark)])
    lines = [json.loads(line) for line in (result.out / "matches.jsonl").read_text().splitlines()]
    assert pl.read_parquet(result.out / "matches.parquet").to_dicts() == lines
    assert len(lines) == 1_202
    assert [(hit["row_id"], hit["kind"]) for hit in result.worst[:3]] == [
        ("first", "exact"),
        ("last", "exact"),
        ("r0", "embedded"),
    ]


def test_the_summary_names_what_was_checked(tmp_path: Path, benchmark: Path) -> None:
    summary = json.loads((run(tmp_path, benchmark).out / "summary.json").read_text())
    assert (summary["rows"], summary["rows_with_hits"]) == (5, 4)
    assert summary["hits_by_kind"] == {"excluded_contest": 1, "folded": 1, "embedded": 2}
    [own] = summary["benchmarks"]
    assert (own["items"], own["items_hit"]) == (2, 2)
    assert len(own["fingerprint"]) == 64
    assert summary["items_seen_by_method"]["folded"] == 2


def test_the_report_escapes_what_it_shows(tmp_path: Path, benchmark: Path) -> None:
    rows: list[dict[str, object]] = [{"id": "<img src=x>", "problem": f"<script>alert(1)</script> {ITEM} <i>"}]
    data = write(tmp_path / "data.jsonl", rows)
    html = (audit(str(data), tmp_path / "out", [str(benchmark)]).out / "report.html").read_text()
    assert "<script>alert" not in html
    assert "<img" not in html
    assert "&lt;img src=x&gt;" in html
    assert "<mark>" in html
    assert "https://" not in html
    assert "built-in" not in html


def test_the_same_input_gives_the_same_bytes(tmp_path: Path, benchmark: Path) -> None:
    first = {path.name: path.read_bytes() for path in run(tmp_path, benchmark).out.iterdir()}
    second = {path.name: path.read_bytes() for path in run(tmp_path, benchmark).out.iterdir()}
    assert first == second
    assert set(first) == {"matches.jsonl", "matches.parquet", "report.html", "summary.json"}


def test_the_data_set_is_left_as_it_is(tmp_path: Path, benchmark: Path) -> None:
    before = write(tmp_path / "data.jsonl", ROWS).read_bytes()
    run(tmp_path, benchmark)
    assert (tmp_path / "data.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("fail_on", "failed"), [(("folded",), True), (("any",), True), (("translated",), False), ((), False)]
)
def test_the_policy_decides_whether_it_failed(
    tmp_path: Path, benchmark: Path, fail_on: tuple[str, ...], failed: bool
) -> None:
    assert run(tmp_path, benchmark, fail_on=fail_on).failed is failed


def test_named_columns_only(tmp_path: Path, benchmark: Path) -> None:
    result = run(tmp_path, benchmark, columns=["solution"])
    assert result.summary["columns"] == {"solution": 1}
    with pytest.raises(InputError, match="nonsense"):
        run(tmp_path, benchmark, columns=["nonsense"])


def test_a_clean_data_set_has_a_report_without_hits(tmp_path: Path, benchmark: Path) -> None:
    data = write(tmp_path / "data.jsonl", [{"problem": "Name an even prime."}])
    result = audit(str(data), tmp_path / "out", [str(benchmark)], fail_on=["any"])
    assert not result.failed
    assert "No hits" in (result.out / "report.html").read_text()
    assert pl.read_parquet(result.out / "matches.parquet").is_empty()


def test_nothing_to_check_against_is_an_error_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    data = write(tmp_path / "data.jsonl", ROWS)
    with pytest.raises(OutsideError, match="--against"):
        audit(str(data), tmp_path / "out", ["brumo_2025"])


def test_a_data_set_that_is_missing_is_told_before_any_benchmark_is_looked_for(tmp_path: Path) -> None:
    missing = tmp_path / "rows.jsonl"
    with pytest.raises(InputError, match=r"rows\.jsonl does not exist"):
        audit(str(missing), tmp_path / "out", ["brumo_2025"])
    assert not (tmp_path / "out").exists()


def test_input_that_cannot_be_used_is_refused(tmp_path: Path, benchmark: Path) -> None:
    empty = write(tmp_path / "empty.jsonl", [])
    with pytest.raises(InputError, match="empty"):
        audit(str(empty), tmp_path / "out", [str(benchmark)])
    with pytest.raises(InputError, match="nowhere"):
        audit(str(tmp_path / "nowhere.jsonl"), tmp_path / "out", [str(benchmark)])
    with pytest.raises(InputError, match="--against names no benchmark"):
        audit(str(empty), tmp_path / "out", [])
    with pytest.raises(InputError, match="kind"):
        audit(str(empty), tmp_path / "out", [str(benchmark)], fail_on=["everything"])
    numbers = write(tmp_path / "numbers.jsonl", [{"id": "1", "value": 3}])
    with pytest.raises(InputError, match="text"):
        audit(str(numbers), tmp_path / "out", [str(benchmark)], columns=[])


@pytest.mark.skipif(not (SHARED / "data" / "harp").is_dir(), reason="the shared data are not here")
def test_real_rows_of_a_contest_are_found_by_their_text(tmp_path: Path) -> None:
    with ZipFile(SHARED / "data" / "harp" / "HARP.jsonl.zip") as archive:
        (tmp_path / "harp.jsonl").write_bytes(archive.read("HARD-Math.jsonl"))
    contest = SHARED / "data" / "matharena_tex" / "aime"
    against = [str(contest / "aime_2024_I"), str(contest / "aime_2024_II")]
    result = audit(str(tmp_path / "harp.jsonl"), tmp_path / "out", against, columns=["problem"])
    assert isinstance(result.summary["rows_with_hits"], int)
    assert 28 <= result.summary["rows_with_hits"] <= 34
