"""`curation audit diff`: what appeared, vanished and changed, and what cannot be compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.contamination.audit import audit
from curation.contamination.diff import AuditDiff, compare_audits
from curation.errors import InputError

BARS = r"A jeweller melts $35$ rings of $12$ grams and casts bars of $28$ grams. How many bars does the jeweller cast?"
STARS = "An astronomer maps $230$ stars on a dome and joins those at most $2$ metres apart. How many pairs are joined?"
TRAMS = "A tram line has $17$ stops and $4$ depots; how many ways are there to paint the stops red or blue by pairs?"


def write(path: Path, rows: list[dict[str, str]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture
def benchmarks(tmp_path: Path) -> list[str]:
    first = write(tmp_path / "first.jsonl", [{"id": "bars", "problem": BARS}, {"id": "trams", "problem": TRAMS}])
    return [first, write(tmp_path / "second.jsonl", [{"id": "stars", "problem": STARS}])]


def run(tmp_path: Path, name: str, against: list[str], **texts: str) -> Path:
    rows = [{"id": row, "problem": text} for row, text in texts.items()]
    return audit(write(tmp_path / "data.jsonl", rows), tmp_path / name, against).out


def changes(diff: AuditDiff) -> list[tuple[str, str, str, str | None, str | None]]:
    return [(one.change, one.row_id, one.benchmark_id, one.kind_before, one.kind_after) for one in diff.hits]


def test_hits_that_appeared_vanished_and_changed(tmp_path: Path, benchmarks: list[str]) -> None:
    before = run(tmp_path, "a", benchmarks, r1=BARS, r2=TRAMS, r3="Name a prime.")
    after = run(tmp_path, "b", benchmarks, r1=f"Try this. {BARS}", r2="Name a bird.", r3=STARS)
    diff = compare_audits(before, after)
    assert changes(diff) == [
        ("appeared", "r3", "stars", None, "exact"),
        ("changed", "r1", "bars", "exact", "embedded"),
        ("vanished", "r2", "trams", "exact", None),
    ]
    numbers = {one.name: (one.before, one.after, one.appeared, one.vanished, one.changed) for one in diff.benchmarks}
    assert numbers == {"first": (2, 1, 0, 1, 1), "second": (0, 1, 1, 0, 0)}
    assert not diff.not_compared
    assert not diff.notes


@pytest.mark.parametrize(
    ("fail_on", "failed"),
    [((), False), (("exact",), True), (("any",), True), (("embedded",), True), (("near",), False)],
)
def test_new_hits_fail_by_policy(tmp_path: Path, benchmarks: list[str], fail_on: tuple[str, ...], failed: bool) -> None:
    before = run(tmp_path, "a", benchmarks, r1=BARS, r3="Name a prime.")
    after = run(tmp_path, "b", benchmarks, r1=f"Try this. {BARS}", r3=STARS)
    assert compare_audits(before, after, fail_on).failed is failed


def test_what_vanished_fails_no_policy(tmp_path: Path, benchmarks: list[str]) -> None:
    before = run(tmp_path, "a", benchmarks, r1=BARS)
    after = run(tmp_path, "b", benchmarks, r1="Name a bird.")
    assert not compare_audits(before, after, ["any"]).failed
    assert compare_audits(after, before, ["any"]).failed


def test_benchmarks_of_other_content_are_left_out_by_name(tmp_path: Path, benchmarks: list[str]) -> None:
    before = run(tmp_path, "a", benchmarks, r1=BARS, r2="Name a prime.")
    write(tmp_path / "first.jsonl", [{"id": "bars", "problem": BARS + " Explain."}])
    after = run(tmp_path, "b", benchmarks, r1="Name a bird.", r2=STARS)
    diff = compare_audits(before, after)
    assert [one.name for one in diff.benchmarks] == ["second"]
    [left_out] = diff.not_compared
    assert left_out.name == "first"
    assert "items differ" in left_out.reason
    assert changes(diff) == [("appeared", "r2", "stars", None, "exact")]


def test_a_benchmark_of_one_audit_alone_is_named(tmp_path: Path, benchmarks: list[str]) -> None:
    before = run(tmp_path, "a", benchmarks, r1=STARS)
    after = run(tmp_path, "b", benchmarks[1:], r1=STARS, r2="Name a bird.")
    diff = compare_audits(before, after)
    assert [(one.name, str(before) in one.reason) for one in diff.not_compared] == [("first", True)]
    assert any("numbers of rows" in note for note in diff.notes)
    assert not diff.hits


def test_audits_without_a_benchmark_in_common_are_refused(tmp_path: Path, benchmarks: list[str]) -> None:
    before = run(tmp_path, "a", benchmarks[:1], r1=BARS)
    after = run(tmp_path, "b", benchmarks[1:], r1=BARS)
    with pytest.raises(InputError, match=r"no benchmark in common .*first.*second"):
        compare_audits(before, after)


def test_what_is_no_audit_is_refused_by_name(tmp_path: Path, benchmarks: list[str]) -> None:
    whole = run(tmp_path, "a", benchmarks, r1=BARS)
    with pytest.raises(InputError, match="nowhere"):
        compare_audits(whole, tmp_path / "nowhere")
    with pytest.raises(InputError, match="everything"):
        compare_audits(whole, whole, ["everything"])
    for content in ("{", "[]", "{}"):
        (whole / "summary.json").write_text(content)
        with pytest.raises(InputError, match=r"summary\.json"):
            compare_audits(whole, whole)
