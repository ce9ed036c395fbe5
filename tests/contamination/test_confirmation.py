"""A model's opinion on hits that are only proposed: each hit stays, with what was said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scripted_server import ScriptedServer, running

from curation.cli import app
from curation.errors import InputError

FERRY = """
A ferry leaves the harbour every 25 minutes and carries 48 cars. In the morning 630 cars wait in a queue. After how many
minutes has the last of them left?
"""
URN = """
An urn holds 17 red balls and 23 green balls. Four balls are drawn without replacement. Find the probability that
exactly 3 of them are red.
"""
TRIANGLE = "In triangle $ABC$ we have $AB = 37$, $BC = 45$ and $CA = 52$. Find the area of the circle inscribed in it."
ITEMS = {"ferry": (FERRY, "350"), "urn": (URN, "1564/9139"), "triangle": (TRIANGLE, "$132\\pi$")}
RETOLD = {
    "ferry": """
Every 25 minutes a boat sets off with room for 48 cars. 630 cars are in a queue for it. In how many minutes will none of
them wait any more?
""",
    "urn": """
Someone takes 4 balls out of a box of 40, 17 of which are red and 23 of which are green, and puts none back. How
likely is it that exactly 3 red balls were taken?
""",
    "triangle": """
The sides of a triangle $ABC$ measure $AB = 37$, $BC = 45$, $CA = 52$. How large is the area of its incircle?
""",
}


def says(payload: dict[str, Any]) -> str:
    """Answer by what the prompt is about."""
    prompt = payload["messages"][0]["content"]
    if "ferry" in prompt:
        return "The same cars and times.\n\nVerdict: SAME"
    return "Verdict: DIFFERENT" if "urn" in prompt else "It may be SAME or DIFFERENT, who knows."


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = [{"id": name, "problem": RETOLD[name], "answer": answer} for name, (_, answer) in ITEMS.items()]
    rows.append({"id": "copy", "problem": ITEMS["urn"][0], "answer": ITEMS["urn"][1]})
    items = [{"id": name, "problem": text, "answer": answer} for name, (text, answer) in ITEMS.items()]
    for name, lines in (("rows", rows), ("items", items)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def audit(*more: str) -> None:
    app(["audit", "rows.jsonl", "--against", "items.jsonl", "--out", "out", *more], standalone_mode=False)


def matches(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (home / "out" / "matches.jsonl").read_text().splitlines()]


def test_each_proposed_hit_stays_with_what_the_model_said(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audit()
    before = matches(home)
    assert {match["row_id"]: match["kind"] for match in before} == {
        **dict.fromkeys(ITEMS, "reworded"),
        "copy": "exact",
    }
    with running(ScriptedServer(write=says)) as server:
        audit("--confirm-server", server.url, "--confirm-model", "judge")
        asked = len(server.payloads)
        audit("--confirm-server", server.url, "--confirm-model", "judge")
        assert len(server.payloads) == asked > 0
    assert [{**match, "confirmation": None} for match in matches(home)] == before
    said = {match["row_id"]: match["confirmation"] for match in matches(home)}
    assert said == {"ferry": "yes", "urn": "no", "triangle": "unknown", "copy": None}
    summary = json.loads((home / "out" / "summary.json").read_text())
    assert summary["confirmed_by"] == "judge"
    assert summary["confirmations"] == {"no": 1, "unknown": 1, "yes": 1}
    assert "one problem, asked of judge: no 1, unknown 1, yes 1" in capsys.readouterr().out
    assert "one problem, asked of a model: no" in (home / "out" / "report.html").read_text()


def test_a_server_and_a_model_are_given_together(home: Path) -> None:
    with pytest.raises(InputError, match="--confirm-model NAME"):
        audit("--confirm-server", "http://127.0.0.1:9/v1")
    with pytest.raises(InputError, match="--confirm-server URL"):
        audit("--confirm-model", "judge")
