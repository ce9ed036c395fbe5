"""`curation vote` and `curation vote calibrate` on rows of our own."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scripted_server import ScriptedServer, completion, running

from curation.errors import InputError
from curation.labelling.book import LabelBook
from curation.labelling.cases import read_cases
from curation.llm.calibration import Search, calibrate
from curation.llm.prompt_proposals import Proposals
from curation.llm.standalone import Options, vote_recipe
from curation.llm.vote_files import vote_file
from curation.recipe import Recipe
from curation.report.calibration_report import write_calibration

ROWS: list[dict[str, object]] = [
    {"id": "good", "problem": "What is 1 + 1?", "answer": "2", "vote": "kept"},
    {"problem": "What is 1 + 2?", "answer": "4"},
    {"id": "mute", "problem": "What is 1 + 3?", "answer": "4"},
    {"id": "bare", "problem": "What is 1 + 4?"},
    {"id": "empty", "answer": "4"},
]


def rows_in(home: Path, rows: Sequence[dict[str, object]], name: str = "rows.jsonl") -> str:
    (home / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(home / name)


def asked(server: ScriptedServer, **section: object) -> Recipe:
    return vote_recipe(Options(model={"url": server.url, "model": "judge", "attempts": 1}, section=section))


def says(payload: dict[str, Any]) -> bytes:
    prompt = payload["messages"][0]["content"]
    if "1 + 2" in prompt:
        return completion("Verdict: INVALID (wrong_answer)")
    return completion("Verdict: VALID", "length" if "1 + 3" in prompt else "stop")


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_every_row_comes_back_with_its_votes(tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out{suffix}"
    with running(ScriptedServer(write=says)) as server:
        summary = vote_file(rows_in(tmp_path, ROWS), out, tmp_path / "pool", asked(server))
        assert len(server.payloads) == 4 + 4 + 4 + 4
        assert len({payload["seed"] for payload in server.payloads}) == 8
        vote_file(rows_in(tmp_path, ROWS), out, tmp_path / "pool", asked(server))
        assert len(server.payloads) == 16
    assert (summary.rows, summary.valid, summary.invalid, summary.undecided) == (5, 1, 1, 3)
    assert summary.asked_again == 4
    assert summary.failure_types == {"wrong_answer": 4}
    assert summary.abstentions == {"the response was cut at its token limit": 8}
    assert summary.tokens == 16 * 10
    assert [reason for _, reason in summary.bad] == ["the row has no statement", "the row has no answer"]
    found = pl.read_ndjson(out) if suffix == ".jsonl" else pl.read_parquet(out)
    assert found["id"].to_list() == ["good", "2", "mute", "bare", "5"]
    assert found["vote"].to_list() == ["valid", "invalid", "undecided", "undecided", "undecided"]
    assert found["input_vote"].to_list()[0] == "kept"
    assert found["failure_type"].to_list()[:2] == [None, "wrong_answer"]
    assert "4 abstained: the response was cut" in found["why"].to_list()[2]


def test_fewer_votes_can_be_enough_and_structured_votes_carry_a_schema(tmp_path: Path) -> None:
    def objects(payload: dict[str, Any]) -> str:
        first = payload["seed"] % 2
        verdict = {"verdict": ("VALID", "INVALID")[first], "failure_type": ("none", "ambiguous")[first]}
        return json.dumps(verdict)

    with running(ScriptedServer(write=objects)) as server:
        voted = asked(server, votes=4, required=1, structured=True)
        summary = vote_file(rows_in(tmp_path, ROWS[:2]), tmp_path / "out.jsonl", tmp_path / "pool", voted)
        schema = server.payloads[0]["response_format"]["json_schema"]["schema"]
        assert schema["properties"]["verdict"]["enum"] == ["VALID", "INVALID"]
        plain = asked(server, votes=4, required=1)
        vote_file(rows_in(tmp_path, ROWS[:2]), tmp_path / "out.jsonl", tmp_path / "pool", plain)
        assert len(server.payloads) > 8
        assert "response_format" not in server.payloads[-1]
    assert summary.valid == 2
    assert summary.votes.keys() == {"valid", "invalid"}


CASES: list[dict[str, object]] = [
    {
        "id": f"c{number}",
        "text": f"Case {number}: what is {number} + 1?",
        "answer": str(number + 1),
        "label": "invalid" if number % 2 else "valid",
        "failure_type": ("wrong_answer", "ambiguous")[number % 4 // 2] if number % 2 else None,
    }
    for number in range(24)
]


def judge(strict: str = "strict") -> Any:
    """Return a judge that is right under the strict prompt, keeps everything under others, but for case 5 always."""

    def write(payload: dict[str, Any]) -> bytes:
        prompt = payload["messages"][0]["content"]
        number = int(re.findall(r"Case (\d+)", prompt)[0])
        bad = number % 2 and number != 5
        if strict in prompt and bad:
            return completion("Verdict: INVALID (wrong_answer)")
        return completion("Verdict: VALID")

    return write


@pytest.fixture
def prompts(tmp_path: Path) -> list[str]:
    names = []
    for name in ("lax", "strict", "lax again", "lax still", "lax ever"):
        path = tmp_path / f"{name.replace(' ', '-')}.j2"
        path.write_text(f"Be {name}. {{{{ statement }}}} {{{{ answer }}}}")
        names.append(str(path))
    return names


def test_prompts_are_compared_on_labelled_cases(tmp_path: Path, prompts: list[str]) -> None:
    rows = [*CASES, {"id": "odd", "text": "Case 98?", "answer": "1", "label": "maybe"}]
    with running(ScriptedServer(write=judge())) as server:
        found = calibrate(rows_in(tmp_path, rows), tmp_path / "pool", asked(server, votes=3, required=2), prompts[:2])
        before = len(server.payloads)
        calibrate(rows_in(tmp_path, rows), tmp_path / "pool", asked(server, votes=3, required=3), prompts[:2])
        assert len(server.payloads) == before == 25 * 3 * 2
    assert (found.cases, found.valid, found.chosen, found.held_out) == (24, 12, prompts[1], None)
    assert found.bad == (("odd", "the column label is neither valid nor invalid"),)
    lax, strict = found.prompts
    assert [(count.votes, count.required) for count in strict.counts] == [(1, 1), (2, 2), (3, 3), (3, 2)]
    assert [count.tokens for count in strict.counts] == [240, 480, 720, 720]
    agreement = strict.own.agreement
    assert (agreement.kept_right, agreement.kept_wrong, agreement.left_wrong, agreement.left_right) == (12, 1, 0, 11)
    assert agreement.precision.value == pytest.approx(12 / 13, abs=1e-4)
    assert agreement.f1.value == pytest.approx(24 / 25, abs=1e-4)
    assert agreement.kappa.value == pytest.approx(11 / 12, abs=1e-4)
    assert lax.own.agreement.kappa.value == 0
    assert strict.wrong == (("c5", "wrong_answer", "valid"),)
    assert strict.confusion == {
        "valid": {"valid": 12},
        "ambiguous": {"invalid": 6},
        "wrong_answer": {"valid": 1, "invalid": 5},
    }
    assert strict.named["ambiguous"] == {"wrong_answer": 18}
    # All votes on a case are alike here, their errors too.
    assert strict.vote_correlation == strict.error_correlation == 1
    assert lax.vote_correlation is None


def test_a_search_stops_when_nothing_is_gained_and_reports_on_the_other_half(
    tmp_path: Path, prompts: list[str]
) -> None:
    with running(ScriptedServer(write=judge())) as server:
        recipe = asked(server, votes=2)
        source = rows_in(tmp_path, CASES)
        found = calibrate(source, tmp_path / "pool", recipe, prompts, search=Search(patience=2))
        tried = {payload["messages"][0]["content"].split(" Case")[0] for payload in server.payloads}
        assert len(server.payloads) == (4 * 12 + 12) * 2
    assert tried == {"Be lax.", "Be strict.", "Be lax again.", "Be lax still."}
    assert found.chosen == prompts[1]
    assert "2 prompts gained less" in found.stopped
    assert (found.cases, found.valid) == (24, 12)
    halves = [found.prompts[1].own.agreement, found.held_out.own.agreement if found.held_out else None]
    for half in halves:
        assert half is not None
        assert half.kept_right + half.left_wrong == 6
        assert half.kept_wrong + half.left_right == 6
    # Case 5 is in one half only.
    assert sum(half.kept_wrong for half in halves if half) == 1


def template(text: str) -> str:
    return f"<think>First <<<PROMPT</think>Here it is.\n<<<PROMPT\n{text}\nPROMPT>>>\n"


PROPOSALS = [
    "Be strict.",
    template("Be strict. {{ statement }} {% for x in [1] %}{{ answer }}{% endfor %} VALID or INVALID"),
    template("Be strict. {{ statement }} {{ answer }} {{ 7 * 7 }} VALID or INVALID"),
    template("Be strict. {{ statement }} {{ statement }} {{ answer }} VALID or INVALID"),
    template("Be strict. {{ statement }} {{ answer }} yes or no"),
    template("Be strict.\n{{ statement }}\n{{answer}}\nVALID or INVALID"),
    template("Be lax. {{ statement }} {{ answer }} VALID or INVALID"),
]


def test_a_model_proposes_prompts_from_mistakes_on_the_half_that_is_searched(
    tmp_path: Path, prompts: list[str]
) -> None:
    def write(payload: dict[str, Any]) -> bytes:
        asked_for = payload["messages"][0]["content"]
        if "write a better prompt" not in asked_for:
            return judge()(payload)
        shown.append(asked_for)
        return completion(PROPOSALS[len(shown) - 1])

    shown: list[str] = []
    wanted = Search(patience=1, proposals=Proposals(9, tmp_path / "prompts", mistakes=3))
    with running(ScriptedServer(write=write)) as server:
        source = rows_in(tmp_path, CASES)
        found = calibrate(source, tmp_path / "pool", asked(server, votes=2), prompts[:1], search=wanted)
        before = len(server.payloads)
        again = calibrate(source, tmp_path / "pool", asked(server, votes=2), prompts[:1], search=wanted)
        assert (len(server.payloads), again) == (before, found)
    taken = tmp_path / "prompts" / "proposed-06.j2"
    assert found.chosen == str(taken)
    assert taken.read_text() == "Be strict.\n{{ statement }}\n{{answer}}\nVALID or INVALID\n"
    assert [result.prompt for result in found.prompts[:2]] == [prompts[0], str(taken)]
    assert "1 prompts gained less" in found.stopped
    assert len(shown) == 7
    reasons = ["no prompt", "other marks", "other marks", "once each", "does not say VALID"]
    assert [number for number, _ in found.refused] == [1, 2, 3, 4, 5]
    assert all(part in why for part, (_, why) in zip(reasons, found.refused, strict=True))
    # The model sees mistakes of one half only, and none of what the best prompt decides rightly.
    told = {int(number) for text in shown for number in re.findall(r"Case (\d+)", text)}
    assert all(number % 2 for number in told)
    assert shown[0].count("- entry") == 3
    held = {int(number) for payload in server.payloads[-24:] for number in re.findall(r"Case (\d+)", str(payload))}
    assert not told & held
    page = write_calibration(found, tmp_path / "report").read_text()
    assert "Proposed prompts that could not be used" in page


def test_the_report_holds_the_numbers_and_escapes_what_it_shows(tmp_path: Path, prompts: list[str]) -> None:
    rows = [{**row, "failure_type": "<b>odd</b>"} if row["label"] == "invalid" else row for row in CASES]
    with running(ScriptedServer(write=judge())) as server:
        found = calibrate(rows_in(tmp_path, rows), tmp_path / "pool", asked(server, votes=2), prompts[:2])
    page = write_calibration(found, tmp_path / "report").read_text()
    assert "&lt;b&gt;odd&lt;/b&gt;" in page
    assert "<b>odd" not in page
    assert "0.960" in page
    document = json.loads((tmp_path / "report/calibration.json").read_text())
    assert document["prompts"][1]["counts"][-1]["agreement"]["kept_right"] == 12


def test_labels_of_an_annotator_are_such_cases(tmp_path: Path, prompts: list[str]) -> None:
    bare = [{key: row[key] for key in ("id", "text", "answer")} for row in CASES]
    cases = read_cases(rows_in(tmp_path, bare))
    with LabelBook(cases, tmp_path / "labels", "ada") as book:
        for case, row in zip(cases[:8], CASES, strict=False):
            failure_type = row["failure_type"] and str(row["failure_type"])
            book.label(case, 0, "invalid" if failure_type else "valid", failure_type)
    with running(ScriptedServer(write=judge())) as server:
        found = calibrate(str(book.table), tmp_path / "pool", asked(server, votes=1), prompts[1:2])
    assert (found.cases, found.valid, found.bad) == (8, 4, ())
    assert found.prompts[0].confusion["wrong_answer"] == {"valid": 1, "invalid": 1}


def test_cases_of_one_label_cannot_calibrate(tmp_path: Path, prompts: list[str]) -> None:
    source = rows_in(tmp_path, CASES[::2])
    for search in (None, Search()):
        with running(ScriptedServer(write=judge())) as server:
            with pytest.raises(InputError, match=r"12 valid and 0 invalid .* name the column with --label"):
                calibrate(source, tmp_path / "pool", asked(server, votes=1), prompts[:1], search=search)
            assert server.payloads == []
