"""The HTML pages in headless Chromium: they work offline, filter, and never run what the data holds."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from curation.contamination.audit import audit
from curation.pipeline import rebuild

HOSTILE = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">"
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Chromium and its driver")

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


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
    for flag in (*flags, "--disable-component-update", "--disable-sync", f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options, webdriver.ChromeService(str(DRIVER)))
    yield driver
    driver.quit()


def test_the_audit_report_shows_both_texts_and_filters(browser: webdriver.Chrome, tmp_path: Path) -> None:
    item = "A gardener plants $12$ rows of tulips with $17$ tulips in each row. How many tulips does she plant?"
    rows = [
        {"id": HOSTILE, "problem": item, "answer": "204"},
        {"id": "folded", "problem": item.replace("$", "").replace("12", "\\(12\\)"), "answer": "204"},
        {"id": "other", "problem": f"What is the square root of 169? {HOSTILE}", "answer": "13"},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "bench.jsonl").write_text(json.dumps({"id": HOSTILE, "problem": item, "answer": "204"}) + "\n")
    audit(str(tmp_path / "rows.jsonl"), tmp_path / "out", against=[str(tmp_path / "bench.jsonl")])
    browser.get((tmp_path / "out" / "report.html").as_uri())
    assert browser.title != "run"
    text = browser.find_element(By.TAG_NAME, "body").text
    assert text.count("A gardener plants") == 4
    assert HOSTILE in text
    assert browser.find_elements(By.TAG_NAME, "mark")
    shown = len([card for card in browser.find_elements(By.TAG_NAME, "article") if card.is_displayed()])
    Select(browser.find_elements(By.TAG_NAME, "select")[0]).select_by_visible_text("exact")
    after = len([card for card in browser.find_elements(By.TAG_NAME, "article") if card.is_displayed()])
    assert (shown, after) == (2, 1)
    unnamed = [field for field in browser.find_elements(By.TAG_NAME, "select") if not field.accessible_name]
    assert not unnamed
    assert browser.get_log("browser") == []


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
