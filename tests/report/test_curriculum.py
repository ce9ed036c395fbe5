"""The curriculum of a run from end to end on a scripted server: majority votes, histograms, published counts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from scripted_server import ScriptedServer, completion, running
from selenium import webdriver
from selenium.webdriver.common.by import By

from curation.cli import app
from curation.inference.references import synthesis_accuracy
from curation.llm.engine import Request
from curation.llm.standalone import Options, one_section
from curation.pipeline import rebuild
from curation.recipe import Sampler
from curation.report.curriculum import TOTAL

SEEDS = {Request("", "", (), Sampler(), index).seed: index for index in range(64)}

SOURCE = """
name = "{name}"
title = "Own"
domain = "math"
group = "{group}"
licence = "CC0-1.0"
attribution = "us"
url = "https://example.org"
[location]
path = "{name}.jsonl"
[columns]
statement = "problem"
answer = "answer"
source_id = "id"
"""

RECIPE = """
name = "own"
[[sources]]
use = "open.toml"
[[sources]]
use = "contest.toml"
[decontaminate]
against = ["benchmark.jsonl"]
[arithmetic]
count = 0
[models.m]
engine = "http"
model = "m"
url = "{url}"
[pool]
model = "m"
samples = 4
prompt = "solve_brief"
[stage1]
math_below = 0.9
messages_low = 2
messages_high = 4
[stage2]
model = "m"
samples = 2
[published.opensource_math]
before = 695000
stage1 = 700
stage2 = 500
[published.public_mathcontest]
before = 8400
stage1 = 200
"""

# Of four responses: what each answers; 1 is right.
RESPONSES = {"tulips": "1112", "trams": "1123", "bakers": "1122", "ferries": "1222", "looms": "2222", "kites": "1111"}


def problem(word: str) -> dict[str, str]:
    return {
        "id": word,
        "problem": f"How many {word} does the old harbour town count in its yearly ledger?",
        "answer": "1",
    }


def write(payload: dict[str, Any]) -> bytes:
    prompt, index = payload["messages"][0]["content"], SEEDS[payload["seed"]]
    word = re.findall(r"How many (\w+)", prompt)[0]
    return completion(f"\\boxed{{{index % 2 + 1 if 'eference' in prompt else RESPONSES[word][index]}}}")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    for name, group, words in (
        ("open", "opensource_math", ("tulips", "trams", "bakers", "ferries")),
        ("contest", "public_mathcontest", ("looms", "kites")),
    ):
        (tmp_path / f"{name}.toml").write_text(SOURCE.format(name=name, group=group))
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(problem(word)) + "\n" for word in words))
    (tmp_path / "benchmark.jsonl").write_text('{"id": "1", "problem": "Find the sum of all primes below ten."}\n')
    with running(ScriptedServer(write=write)) as server:
        (tmp_path / "recipe.toml").write_text(RECIPE.format(url=server.url))
        rebuild(tmp_path / "recipe.toml", tmp_path / "run")
    return tmp_path / "run"


def test_majorities_and_counts_are_told_everywhere(
    run: Path, browser: webdriver.Chrome, capsys: pytest.CaptureFixture[str]
) -> None:
    app(["report", str(run), "--json"], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)["curriculum"]
    groups = {row["group"]: row for row in told["groups"]}
    assert list(groups) == ["opensource_math", "public_mathcontest", TOTAL]
    # Right with 3 of 4, and with 2 against two different ones; not with 2 against 2 alike, nor with 1.
    ours = groups["opensource_math"]
    assert (ours["problems"], ours["mean"], ours["never"], ours["always"]) == (4, 0.5, 0, 0)
    assert (ours["majority"]["part"], ours["majority"]["whole"], ours["majority"]["value"]) == (2, 4, 0.5)
    assert ours["majority"]["low"] == pytest.approx(0.15, abs=0.001)
    assert ours["stage1_majority"]["part"] == 2
    contest = groups["public_mathcontest"]
    assert (contest["never"], contest["always"], contest["majority"]["part"]) == (1, 1, 1)
    assert contest["stage1_majority"]["whole"] == 0
    assert groups[TOTAL]["selected"] == {"stage1": 4, "stage2": 6}
    (pool, _), (synthesis, _) = told["histograms"][:2], told["histograms"][2:]
    assert (pool["title"], synthesis["title"]) == ("Message accuracy over the pool", "Synthesis accuracy")
    assert {place: count for place, count in enumerate(pool["counts"], start=1) if count} == {6: 1, 12: 2, 18: 1}
    assert (pool["zero"], pool["one"], pool["below"]) == (0, 0, 0.9)
    rows = {row["group"]: row for row in told["published"]}
    assert rows["opensource_math"]["here"] == {"before": 4, "stage1": 4, "stage2": 4}
    assert rows[TOTAL]["published"] == {"before": 703_400, "stage1": 900, "stage2": 500}
    app(["report", str(run)], standalone_mode=False)
    assert "3 of 6 (50.0 %)" in capsys.readouterr().out

    # What stage 2 asked, an export's rows ask again: every answer is in the run's pool.
    asked = Options(engine="replay", model={"model": str(run / "pool")}, section={"samples": 2})
    export, out = str(run / "export" / "stage2"), run.parent / "synthesis"
    found = synthesis_accuracy(export, out, one_section(asked, "infer"), prompt="solve_brief")
    assert (found.rows, found.worth.right, found.worth.wrong, found.worth.unknown) == (6, 6, 6, 0)

    browser.get((run / "report.html").as_uri())
    text = browser.find_element(By.TAG_NAME, "body").text
    assert "50.0 %\n15.0 to 85.0; 2 of 4" in text
    assert "703,400" in text
    names = [image.accessible_name for image in browser.find_elements(By.CSS_SELECTOR, "svg[role=img]")]
    assert "4 problems: 0 at 0, 4 between, 0 at 1; the band is 0 to 0.9" in names
    assert "2 problems: 1 at 0, 0 between, 1 at 1; the band is 0 to 0.9" in names
    heights = [column.size["height"] for column in browser.find_elements(By.CSS_SELECTOR, "svg .column:not(.end)")]
    assert max(heights) > 50
    browser.set_window_size(420, 900)
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth + 1")
    assert browser.get_log("browser") == []
