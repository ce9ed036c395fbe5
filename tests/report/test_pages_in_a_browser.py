"""The HTML pages in headless Chromium: they work offline, filter, and never run what the data holds."""

from __future__ import annotations

import json
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from curation.contamination.audit import audit
from curation.contamination.selftest import Planting
from curation.pipeline import rebuild

HOSTILE = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">"

SOURCE = """
name = "own"
title = "Own"
domain = "math"
group = "opensource_math"
licence = "CC0-1.0"
attribution = "us"
url = "https://example.org"
[location]
path = "rows.jsonl"
[columns]
statement = "problem"
answer = "answer"
source_id = "id"
"""


GARDEN = "A gardener plants $12$ rows of tulips with $17$ tulips in each row. How many tulips does she plant?"


def write(path: Path, rows: list[dict[str, str]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def displayed(browser: webdriver.Chrome, selector: str) -> int:
    script = "return [...document.querySelectorAll(arguments[0])].filter(element => element.checkVisibility()).length"
    return int(browser.execute_script(script, selector))


def test_the_audit_report_shows_both_texts_and_filters(browser: webdriver.Chrome, tmp_path: Path) -> None:
    rows = [
        {"id": HOSTILE, "problem": GARDEN, "answer": "204"},
        {"id": "folded", "problem": GARDEN.replace("$", "").replace("12", "\\(12\\)"), "answer": "204"},
        {"id": "other", "problem": f"What is the square root of 169? {HOSTILE}", "answer": "13"},
    ]
    data = write(tmp_path / "rows.jsonl", rows)
    bench = write(tmp_path / "bench.jsonl", [{"id": "1", "problem": GARDEN, "answer": "204"}])
    audit(data, tmp_path / "out", [bench], planting=Planting(canaries=2))
    browser.get((tmp_path / "out" / "report.html").as_uri())
    assert browser.title != "run"
    text = browser.find_element(By.TAG_NAME, "body").text
    assert text.count("A gardener plants") == 4
    assert HOSTILE in text
    assert "Self-test" in text
    status = browser.find_element(By.CSS_SELECTOR, "[role=status]")
    assert (displayed(browser, "article"), status.text) == (2, "2 of 2 hits shown")
    Select(browser.find_elements(By.TAG_NAME, "select")[0]).select_by_visible_text("exact")
    assert (displayed(browser, "article"), status.text) == (1, "1 of 1 hits shown")
    unnamed = [field for field in browser.find_elements(By.CSS_SELECTOR, "select, input") if not field.accessible_name]
    assert not unnamed
    assert browser.get_log("browser") == []


def test_formulas_are_set_and_marked_and_can_be_shown_as_typed(browser: webdriver.Chrome, tmp_path: Path) -> None:
    problem = (
        r"A gardener plants tulips on $\frac{3}{4}$ of a bed and roses on \(\sqrt{2}\) rows. "
        r"\[\sum_{k=1}^{9} k^2 = 285\] How many $\brokencommand{x}$ tulips does she plant if "
        r"every row holds $17$ of them?"
    )
    data = write(tmp_path / "rows.jsonl", [{"id": "1", "problem": problem}])
    bench = write(tmp_path / "bench.jsonl", [{"id": "1", "problem": problem}])
    audit(data, tmp_path / "out", [bench])
    browser.get((tmp_path / "out" / "report.html").as_uri())
    assert displayed(browser, "mark.formula math") == 8
    fraction, root = browser.find_elements(By.CSS_SELECTOR, "mfrac")[0], browser.find_elements(By.TAG_NAME, "msqrt")[0]
    above, below = fraction.find_elements(By.TAG_NAME, "mn")
    assert above.location["y"] + above.size["height"] / 2 < below.location["y"] + below.size["height"] / 2
    assert root.size["width"] > 0
    assert r"$\brokencommand{x}$" in browser.find_element(By.TAG_NAME, "article").text
    assert r"\frac" not in browser.find_element(By.TAG_NAME, "article").text
    browser.set_window_size(500, 900)
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    browser.find_element(By.ID, "typed").send_keys(Keys.SPACE)
    assert displayed(browser, "math") == 0
    assert r"\frac{3}{4}" in browser.find_element(By.TAG_NAME, "article").text
    assert displayed(browser, "code mark") > 0
    assert browser.get_log("browser") == []


def test_a_report_of_thousands_of_hits_stays_small_and_says_what_it_leaves_out(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    other = r"A tram line has $17$ stops and $\frac{4}{3}$ depots; in how many ways can all its stops be painted?"
    rows = [{"id": str(number), "problem": GARDEN} for number in range(2_100)] + [{"id": "last", "problem": other}]
    data = write(tmp_path / "rows.jsonl", rows)
    bench = write(tmp_path / "bench.jsonl", [{"id": "1", "problem": GARDEN}, {"id": "2", "problem": other + " Why?"}])
    result = audit(data, tmp_path / "out", [bench])
    assert result.summary["hits_by_kind"] == {"exact": 2_100, "near": 1}
    page = tmp_path / "out" / "report.html"
    assert page.stat().st_size < 8_000_000
    browser.get(page.as_uri())
    text = browser.execute_script("return document.body.innerText")
    assert "2,000 of 2,101 hits are on this page" in text
    status = browser.find_element(By.CSS_SELECTOR, "[role=status]")
    assert status.text == "2,000 of 2,101 hits shown"
    Select(browser.find_elements(By.TAG_NAME, "select")[0]).select_by_visible_text("near")
    assert (displayed(browser, "article"), status.text) == (1, "1 of 1 hits shown")
    assert browser.find_element(By.CSS_SELECTOR, "article:not([hidden]) h3").text == "Row last, problem: bench 2"


def test_the_run_report_shows_the_funnel_and_escapes_rows(browser: webdriver.Chrome, tmp_path: Path) -> None:
    rows = [
        {"id": "kept", "problem": "What is $3 + 4$?", "answer": "7"},
        {"id": "proof", "problem": f"Prove that $2$ is prime. {HOSTILE}", "answer": "proof"},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "own.toml").write_text(SOURCE)
    (tmp_path / "recipe.toml").write_text('name = "own"\n[[sources]]\nuse = "own.toml"\n')
    done = rebuild(tmp_path / "recipe.toml", tmp_path / "run", until="filter")
    browser.get(done.report.as_uri())
    assert browser.title == "Run run"
    browser.execute_script("document.querySelectorAll('details').forEach(one => { one.open = true })")
    text = browser.find_element(By.TAG_NAME, "body").text
    assert "own:proof" in text
    assert "onerror" in text
    bars = browser.find_elements(By.CSS_SELECTOR, "[role=img]")
    assert [bar.accessible_name for bar in bars] == ["2 kept, 0 dropped", "1 kept, 1 dropped"]
    assert all(bar.find_element(By.CLASS_NAME, "bar").size["width"] > 0 for bar in bars)
    assert browser.get_log("browser") == []
