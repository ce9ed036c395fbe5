"""The estimates of a plan: what the rows of the sources take."""

from __future__ import annotations

from pathlib import Path

from curation.plan import make_plan
from curation.recipe import Recipe


def test_the_memory_grows_with_the_rows_as_it_was_measured(tmp_path: Path) -> None:
    for rows in (0, 1_000_000, 3_000_000):
        (tmp_path / f"s{rows}.toml").write_text(
            f'name = "s{rows}"\ntitle = "S"\ndomain = "math"\ngroup = "opensource_math"\nlicence = "MIT"\n'
            f'attribution = "a"\nurl = "https://example.org"\nexpected_rows = {rows}\n[columns]\nstatement = "q"\n'
        )

    def memory(rows: int) -> float:
        recipe = {"name": "r", "sources": [{"use": f"s{rows}.toml"}], "arithmetic": {"count": 0}, "directory": tmp_path}
        return make_plan(Recipe.model_validate(recipe)).space_gib["memory of the CPU steps"]

    assert 1.3 < memory(1_000_000) - memory(0) < 1.32
    assert 3.9 < memory(3_000_000) - memory(0) < 3.96


def test_the_checkers_that_a_model_writes_are_estimated(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(
        'name = "s"\ntitle = "S"\ndomain = "code"\ngroup = "code"\nlicence = "MIT"\n'
        'attribution = "a"\nurl = "https://example.org"\nexpected_rows = 1000\n[columns]\nstatement = "q"\n'
    )
    recipe = {
        "name": "r",
        "sources": [{"use": "s.toml"}],
        "arithmetic": {"count": 0},
        "directory": tmp_path,
        "models": {"m": {"engine": "http", "model": "writer-1", "url": "http://127.0.0.1:1/v1"}},
        "writer": {"model": "m", "checkers": 3, "expected_share": 0.1, "sampler": {"max_tokens": 500}},
    }
    (work,) = make_plan(Recipe.model_validate(recipe)).model_work
    assert (work.step, work.requests, work.tokens) == ("judge", 300, 150_000)


def test_a_plan_says_which_revisions_are_found_at_the_first_read(tmp_path: Path) -> None:
    recipe = {"name": "r", "sources": [{"use": "limo"}, {"use": "s1k"}, {"use": "hmmt"}], "directory": tmp_path}
    revisions = {source.name: source.revision for source in make_plan(Recipe.model_validate(recipe)).sources}
    assert revisions["limo"] == "main, pinned when read"
    assert len(revisions["s1k"]) == 40
    assert revisions["hmmt"] == "–"
