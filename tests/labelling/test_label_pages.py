"""The label pages in headless Chromium: keys, undo, two tabs, hostile texts, and who cannot see or use a mouse."""

from __future__ import annotations

import re
from pathlib import Path

from label_process import CASES, HOSTILE, labelling, labels, write_cases
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

LEAST_CONTRAST = 4.5


def press(browser: webdriver.Chrome, keys: str) -> None:
    """Press keys and wait for the page that they lead to."""
    page = browser.find_element(By.TAG_NAME, "html")
    browser.switch_to.active_element.send_keys(keys)
    WebDriverWait(browser, 20).until(expected_conditions.staleness_of(page))
    WebDriverWait(browser, 20).until(lambda driver: driver.execute_script("return document.readyState") == "complete")


def title(browser: webdriver.Chrome) -> str:
    return browser.find_element(By.TAG_NAME, "h1").text


def test_an_annotator_needs_keys_alone(browser: webdriver.Chrome, tmp_path: Path) -> None:
    write_cases(tmp_path)
    with labelling(tmp_path) as address:
        browser.get(address)
        assert title(browser) == "Case 1 of 3"
        assert browser.switch_to.active_element.text == "Case 1 of 3"
        press(browser, "4")
        assert title(browser) == "Case 2 of 3"
        assert "Saved last: case 1, invalid: ambiguous" in browser.find_element(By.TAG_NAME, "header").text
        press(browser, "s")
        browser.find_element(By.ID, "note").send_keys("vs1u")
        assert title(browser) == "Case 3 of 3"
        browser.find_element(By.ID, "note").send_keys(Keys.ESCAPE)
        press(browser, "v")
        assert title(browser) == "Case 2 of 3"
        press(browser, "u")
        assert title(browser) == "Case 3 of 3"
        assert browser.find_element(By.ID, "note").get_attribute("value") == ""
        browser.find_element(By.ID, "note").send_keys("seen")
        browser.find_element(By.ID, "note").send_keys(Keys.ESCAPE)
        press(browser, "i")
        press(browser, "v")
        assert "Every case has a label." in browser.find_element(By.CSS_SELECTOR, "[role=status]").text
        browser.find_element(By.TAG_NAME, "body").send_keys("g")
        press(browser, f"quad{Keys.ENTER}")
        assert browser.find_element(By.CSS_SELECTOR, "[aria-pressed=true]").accessible_name.startswith("4 ambiguous")
        press(browser, "n")
        press(browser, "p")
        assert title(browser) == "Case 1 of 3"
        assert browser.get_log("browser") == []
    found = [(row["label"], row["failure_type"], row["note"]) for row in labels(tmp_path)]
    assert found == [("invalid", "ambiguous", None), ("valid", None, None), ("invalid", None, "seen")]


def test_hostile_texts_stay_texts_and_the_slower_of_two_tabs_is_told(browser: webdriver.Chrome, tmp_path: Path) -> None:
    write_cases(tmp_path)
    with labelling(tmp_path) as address:
        browser.get(f"{address}case/1")
        assert len(browser.find_elements(By.CSS_SELECTOR, ".statement math, .answer mfrac, .solution math")) == 5
        assert r"\frac" not in browser.find_element(By.TAG_NAME, "main").text
        line_end = browser.find_element(By.CSS_SELECTOR, ".solution .end")
        assert line_end.value_of_css_property("display") == "none"
        browser.find_element(By.TAG_NAME, "body").send_keys("t")
        assert line_end.value_of_css_property("display") == "inline"
        assert r"\frac{48}{2}" in browser.find_element(By.TAG_NAME, "main").text
        press(browser, "n")
        assert browser.find_element(By.TAG_NAME, "main").text.count(HOSTILE) == 4
        assert browser.find_elements(By.CSS_SELECTOR, "main img, main script") == []
        press(browser, "a")
        assert HOSTILE in browser.find_element(By.TAG_NAME, "table").text
        assert browser.get_log("browser") == []
        # What escaping might miss, the policy stops: the page cannot run a script of a text.
        browser.execute_script("document.querySelector('main').innerHTML = arguments[0]", HOSTILE)
        assert browser.title.startswith("All 3 cases")
        assert "Content Security Policy" in "".join(entry["message"] for entry in browser.get_log("browser"))
        browser.get(f"{address}case/1")
        first = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(f"{address}case/1")
        press(browser, "v")
        browser.switch_to.window(first)
        press(browser, "1")
        assert "case 1 changed elsewhere" in browser.find_element(By.CSS_SELECTOR, "[role=alert]").text
        assert [row["label"] for row in labels(tmp_path)] == ["valid"]
        press(browser, "1")
        assert [row["label"] for row in labels(tmp_path)] == ["invalid"]
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            browser.get(f"{address}case/3")
            fields = browser.find_elements(By.CSS_SELECTOR, "button, a, input:not([type=hidden]), progress")
            assert [field for field in fields if not field.accessible_name] == []
            assert weak_contrasts(browser) == []
        browser.set_window_size(500, 900)
        for page in ("case/3", "all"):
            browser.get(f"{address}{page}")
            assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        assert str(CASES[2]["id"]) in browser.find_element(By.TAG_NAME, "main").text


COLOURS = """
const background = (one) => {
  for (; one; one = one.parentElement) {
    const colour = getComputedStyle(one).backgroundColor;
    if (!colour.endsWith(", 0)")) return colour;
  }
  return "rgb(255, 255, 255)";
};
return [...document.querySelectorAll("h1, h2, p, a, span, button, small, kbd, label, .text")].map(
  (one) => [one.textContent.trim(), getComputedStyle(one).color, background(one)]);
"""


def weak_contrasts(browser: webdriver.Chrome) -> list[tuple[str, float]]:
    """Return the texts whose contrast is below what WCAG 2.2 asks for in 1.4.3."""
    found = []
    for text, *colours in browser.execute_script(COLOURS):
        dark, light = sorted(luminance(colour) for colour in colours)
        found.append((text, (light + 0.05) / (dark + 0.05)))
    assert len(found) > 20
    return [one for one in found if one[1] < LEAST_CONTRAST]


def luminance(colour: str) -> float:
    channels = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
