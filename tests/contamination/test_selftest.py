"""`curation audit selftest`: recall and false hits on planted and clean texts, the same for one seed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.contamination.audit import audit
from curation.contamination.canaries import CANARY_KINDS
from curation.contamination.items import Match
from curation.contamination.scan import Hit, RowTexts
from curation.contamination.selftest import Planting, selftest
from curation.contamination.selftest_result import SelftestResult
from curation.errors import InputError, OutsideError

BARS = r"A jeweller melts $35$ rings of $12$ grams and casts bars of $28$ grams. How many bars does the jeweller cast?"
TRAMS = (
    r"A tram line has $17$ stops; a conductor checks tickets between $4$ of them. In how many ways can she choose the "
    r"first and the last stop such that at least $9$ stops lie between them, if the depot is never among the two?"
)
ROOTS = (
    r"Let $f(x) = x^3 - 11x + 6$ and let $r$ be its largest real root. Find the remainder when the sum of the squares "
    r"of all roots, taken $48$ times, is divided by $1000$."
)
STARS = (
    r"An astronomer maps $230$ stars on a round dome of radius $15$ metres. Two stars are neighbours where the arc "
    r"between them is at most $2$ metres long. Find the largest number of stars no two of which are neighbours."
)
ITEMS = [BARS, TRAMS, ROOTS, STARS]
ROWS = [
    {"id": str(number), "problem": f"A shepherd with {number} sheep walks over {number + 3} hills to a quiet village."}
    for number in range(5, 25)
]


def write(path: Path, rows: list[dict[str, str]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    items = [{"id": f"i{place}", "problem": text, "answer": str(place)} for place, text in enumerate(ITEMS)]
    return write(tmp_path / "rows.jsonl", ROWS), write(tmp_path / "own.jsonl", items)


def run(tmp_path: Path, files: tuple[str, str], planting: Planting | None = None) -> SelftestResult:
    return selftest(files[0], tmp_path / "out", [files[1]], planting=planting)


def test_every_kind_is_planted_and_what_is_there_is_found(tmp_path: Path, files: tuple[str, str]) -> None:
    result = run(tmp_path, files)
    by_kind = {one.kind: one for one in result.canaries}
    assert set(by_kind) == {*(kind.name for kind in CANARY_KINDS), "contest named"}
    for kind in ("exact", "reformatted", "wrapped", "embedded", "numbers changed"):
        one = by_kind[kind]
        assert (one.items, one.planted, one.found, one.named, one.recall) == (4, 4, 4, 4, 1.0), one
        assert one.low is not None
        assert 0.5 < one.low < 0.52
    assert by_kind["partial"].items == 2
    assert (by_kind["contest named"].planted, by_kind["contest named"].recall) == (0, None)
    assert "translated" in result.not_planted


def test_clean_texts_of_both_sorts_are_counted(tmp_path: Path, files: tuple[str, str]) -> None:
    clean = write(tmp_path / "clean.jsonl", [{"problem": "Name a bird."}, {"problem": f"Well: {ITEMS[0]}"}])
    result = run(tmp_path, files, Planting(clean=clean))
    items, own = result.clean
    assert (items.texts, items.hit, items.rate) == (4, 0, 0.0)
    assert (own.texts, own.hit, own.rate) == (2, 1, 0.5)
    assert own.examples == ("row 2: embedded of own i0",)


@pytest.mark.parametrize("hits", [[], [Hit("canary", "problem", Match("exact", "own", "another", 1.0), "")]])
def test_a_matcher_that_sees_nothing_or_another_item_has_no_recall(
    tmp_path: Path, files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, hits: list[Hit]
) -> None:
    monkeypatch.setattr("curation.contamination.scan.Scanner.scan", lambda self, row: hits)
    exact = run(tmp_path, files).canaries[0]
    assert (exact.planted, exact.found, exact.named, exact.recall) == (4, 0, 0, 0.0)
    assert sorted(exact.missed) == ["own i0", "own i1", "own i2", "own i3"]


@pytest.mark.parametrize(("own", "given"), [({}, {None}), ({"answer": "7"}, {"0", "1", "2", "3"})])
def test_answers_speak_where_the_rows_have_some(
    tmp_path: Path,
    files: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
    own: dict[str, str],
    given: set[str | None],
) -> None:
    seen: list[RowTexts] = []
    monkeypatch.setattr("curation.contamination.scan.Scanner.scan", lambda self, row: seen.append(row) or [])
    write(tmp_path / "rows.jsonl", [row | own for row in ROWS])
    run(tmp_path, files)
    assert {row.answer for row in seen if row.row_id == "clean"} == given
    assert {row.answer for row in seen if row.row_id == "canary"} == given | {None}


def test_the_seed_fixes_every_byte_and_rows_stay_as_they_are(tmp_path: Path, files: tuple[str, str]) -> None:
    before = Path(files[0]).read_bytes()
    written = []
    for seed in (0, 0, 1):
        run(tmp_path, files, Planting(canaries=2, seed=seed))
        written.append((tmp_path / "out" / "selftest.json").read_bytes())
    assert written[0] == written[1]
    assert json.loads(written[0])["seed"] != json.loads(written[2])["seed"]
    assert all(one["planted"] <= 2 for one in json.loads(written[0])["canaries"])
    assert Path(files[0]).read_bytes() == before


def test_contests_of_the_benchmarks_are_planted_too(
    tmp_path: Path, files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATION_HOME", str(tmp_path / "home"))
    registry = tmp_path / "home" / "registry"
    registry.mkdir(parents=True)
    (registry / "cup.toml").write_text(f'title = "Cup"\npath = "{files[1]}"\ncontest = "hmmt-feb-2031"\n')
    result = selftest(files[0], tmp_path / "out", ["cup"])
    named = result.canaries[-1]
    assert (named.kind, named.planted, named.found) == ("contest named", 1, 1)


def test_an_audit_with_a_self_test_reports_it(tmp_path: Path, files: tuple[str, str]) -> None:
    result = audit(files[0], tmp_path / "out", [files[1]], planting=Planting(canaries=3))
    assert result.selftest is not None
    assert result.summary["rows_with_hits"] == 0
    html = (tmp_path / "out" / "report.html").read_text()
    assert "Self-test" in html
    assert "numbers changed" in html
    assert (tmp_path / "out" / "selftest.json").is_file()
    audit(files[0], tmp_path / "other", [files[1]])
    assert "Self-test" not in (tmp_path / "other" / "report.html").read_text()


def test_what_cannot_be_tested_is_refused(
    tmp_path: Path, files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    empty = write(tmp_path / "empty.jsonl", [{"id": "1", "problem": " "}])
    with pytest.raises(InputError, match="no row has a text"):
        selftest(empty, tmp_path / "out", [files[1]])
    with pytest.raises(OutsideError, match="--against"):
        selftest(files[0], tmp_path / "out", ["brumo_2025"])
