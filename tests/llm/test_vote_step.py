from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from requests_for_tests import recipe
from scripted_server import ScriptedServer, completion, running
from step_parts import context, execute, math, table

from curation.errors import OutsideError
from curation.llm.votes import Vote
from curation.recipe import Recipe

SAMPLER = {"max_tokens": 64, "temperature": 1.0}
PROBLEMS = [
    math("good", "What is 1 + 1?", "2"),
    math("bad", "What is 1 + 2?", "4"),
    math("split", "What is 1 + 3?", "4"),
    math("mute", "What is 1 + 4?", "5"),
    math("late", "What is 1 + 5?", "6"),
    math("sums", "What is 1 + 6?", "7", "synthetic_math"),
]


def votes_of(server: ScriptedServer, home: Path, **changes: object) -> Recipe:
    models = {"judge": {"engine": "http", "model": "judge", "url": server.url, "attempts": 2}}
    vote = {"model": "judge", "votes": 3, "required": 3, "sampler": SAMPLER, **changes}
    return recipe(home, models, vote=vote)


def scripted() -> ScriptedServer:
    """Return a judge that says what the problem's statement calls for, by the order of its seeds."""
    seeds: dict[str, list[int]] = {}

    def write(payload: dict[str, Any]) -> bytes:
        prompt = payload["messages"][0]["content"]
        seen = seeds.setdefault(prompt, [])
        seen.append(payload["seed"])
        if "1 + 2" in prompt:
            return completion("It is 3.\nVerdict: INVALID (wrong_answer)")
        if "1 + 3" in prompt:
            return completion("Verdict: VALID" if len(seen) != 2 else "Verdict: INVALID (ambiguous)")
        if "1 + 4" in prompt:
            return completion("Verdict: VALID", "length")
        if "1 + 5" in prompt:
            return completion("Verdict: VALID" if len(seen) > 2 else "I think it is VALID, is it not?")
        return completion("Fine.\n\n**Verdict: VALID**")

    return ScriptedServer(write=write)


def test_only_unanimous_problems_go_on_and_everything_else_says_why(tmp_path: Path) -> None:
    with running(scripted()) as server:
        given = context(tmp_path, votes_of(server, tmp_path), PROBLEMS)
        report = execute(Vote(), given)
        seeds = [payload["seed"] for payload in server.payloads if "1 + 1" in payload["messages"][0]["content"]]
    assert len(set(seeds)) == 3
    assert table(given, "problems")["source_id"].to_list() == ["good", "late", "sums"]
    drops = {row["problem_id"]: row for row in table(given, "ledger").to_dicts()}
    assert {name: row["rule"] for name, row in drops.items()} == {
        "own:bad": "validity_vote",
        "own:split": "validity_vote",
        "own:mute": "validity_undecided",
    }
    assert "wrong_answer" in drops["own:bad"]["evidence"]
    assert "2 of 3 votes say valid, 3 are required" in drops["own:split"]["reason"]
    assert "cut at its token limit" in drops["own:mute"]["evidence"]
    assert report.findings["Undecided"] == 1
    # Three votes of "mute" and two of "late" abstained and were asked once again.
    assert report.findings["Votes asked again"] == 5
    votes = table(given, "votes")
    assert votes.filter(votes["problem_id"] == "own:late")["vote"].to_list().count("valid") == 3
    assert votes.filter(votes["problem_id"] == "own:late").height == 5
    assert "own:sums" not in votes["problem_id"]


def test_more_questions_are_asked_about_what_the_ones_before_left(tmp_path: Path) -> None:
    (tmp_path / "short.j2").write_text("Is this short? {{ statement }}")

    def write(payload: dict[str, Any]) -> bytes:
        prompt = payload["messages"][0]["content"]
        if not prompt.startswith("Is this short?"):
            return completion("Verdict: INVALID (ambiguous)" if "1 + 2" in prompt else "Verdict: VALID")
        return completion("NO" if "1 + 3" in prompt else "YES")

    with running(ScriptedServer(write=write)) as server:
        models = {"judge": {"engine": "http", "model": "judge", "url": server.url}}
        short = {"model": "judge", "votes": 2, "required": 1, "prompt": "short.j2", "yes": "YES", "no": "NO"}
        own = {"model": "judge", "votes": 2, "required": 2, "sampler": SAMPLER, "brief": short}
        asked = recipe(tmp_path, models, vote=own)
        assert asked == Recipe.model_validate(asked.model_dump())
        given = context(tmp_path, asked, PROBLEMS)
        report = execute(Vote(), given)
        prompts = [payload["messages"][0]["content"] for payload in server.payloads]
        second = [prompt for prompt in prompts if prompt.startswith("Is this short?")]
    assert len(second) == 4 * 2
    assert not any("1 + 2" in prompt for prompt in second)
    rules = dict(table(given, "ledger").select("problem_id", "rule").iter_rows())
    assert rules == {"own:bad": "validity_vote", "own:split": "brief_vote"}
    assert "say yes" in table(given, "ledger").filter(pl.col("rule") == "brief_vote")["reason"][0]
    votes = table(given, "votes")
    assert dict(votes.group_by("question").len().iter_rows()) == {"validity": 10, "brief": 8}
    assert report.findings["Called valid"] == 4
    assert report.findings["brief: called valid"] == 3
    alone = recipe(tmp_path, models, vote={"brief": short})
    assert alone.vote is None
    assert list(alone.questions) == ["brief"]
    with pytest.raises(ValueError, match=r"\[vote.brief\] model = 'nobody'"):
        recipe(tmp_path, models, vote={"brief": {**short, "model": "nobody"}})


def test_votes_that_are_only_shown_drop_nothing(tmp_path: Path) -> None:
    with running(scripted()) as server:
        given = context(tmp_path, votes_of(server, tmp_path, act=False), PROBLEMS)
        report = execute(Vote(), given)
    assert table(given, "problems").height == len(PROBLEMS)
    assert "act = false" in str(report.findings["Not acted on"])
    assert report.findings["Called invalid"] == 2


def test_fewer_votes_can_be_enough(tmp_path: Path) -> None:
    with running(scripted()) as server:
        given = context(tmp_path, votes_of(server, tmp_path, required=2, attempts_per_abstention=0), PROBLEMS)
        execute(Vote(), given)
    assert "split" in table(given, "problems")["source_id"]
    assert set(table(given, "votes")["sample_index"]) == {0, 1, 2}


def test_server_that_dies_leaves_what_was_voted_and_the_next_run_asks_the_rest(tmp_path: Path) -> None:
    problems = [math(f"p{number}", f"What is {number} + 1?", str(number + 1)) for number in range(12)]
    with running(ScriptedServer(write=lambda _: "Verdict: VALID")) as server:
        first = context(tmp_path / "alone", votes_of(server, tmp_path), problems)
        execute(Vote(), first)
    with running(ScriptedServer(write=lambda _: "Verdict: VALID")) as server:
        asked = votes_of(server, tmp_path)
        given = context(tmp_path, asked, problems)
        server.write = lambda _: b"{" if len(server.payloads) > 15 else "Verdict: VALID"
        with pytest.raises(OutsideError, match="rerun"):
            Vote().execute(given)
        before = sum(server.answered.values())
        server.write = lambda _: "Verdict: VALID"
        server.payloads.clear()
        again = context(tmp_path, asked, problems, attempt=2)
        execute(Vote(), again)
        assert 12 * 3 - 15 <= len(server.payloads) < 12 * 3
        assert before > 0
    for name in ("problems", "votes", "ledger"):
        assert table(again, name).equals(table(first, name))


def test_recipe_without_votes_lets_everything_pass(tmp_path: Path) -> None:
    given = context(tmp_path, recipe(tmp_path, {}), PROBLEMS)
    report = execute(Vote(), given)
    assert "no [vote] section" in str(report.findings["Not done"])
    assert table(given, "votes").is_empty()


def test_configuration_follows_model_prompt_and_sampler_but_not_the_server(tmp_path: Path) -> None:
    def configuration(url: str = "http://a/v1", model: str = "judge", **changes: object) -> object:
        models = {"judge": {"engine": "http", "model": model, "url": url, "concurrency": len(url)}}
        return Vote().configuration(recipe(tmp_path, models, vote={"model": "judge", **changes}))

    (tmp_path / "own.j2").write_text("{{ statement }} {{ answer }} Vote!")
    assert configuration() == configuration("http://b.example/v1")
    assert (
        len({str(configuration(**changes)) for changes in ({}, {"model": "m"}, {"votes": 5}, {"prompt": "own.j2"})})
        == 4
    )
