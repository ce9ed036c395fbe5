from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from requests_for_tests import recipe

from curation.errors import InputError
from curation.llm import prompts
from curation.llm.votes import questions
from curation.llm.voting import prepare
from curation.storage import sha256_text


def test_statement_is_put_in_as_it_is(tmp_path: Path) -> None:
    statement = "Is $1 < 2 & {{ 3 }}$ \\frac{1}{2} {% if %} 漢字?"
    for name in ("solve", "validity_vote", "solve_code"):
        text = prompts.load(name, tmp_path).render(
            statement=statement, answer="007", function=None, time_limit_s=None, memory_limit_mb=None
        )
        assert statement in text
        assert "{#" not in text


def test_synthesis_prompt_has_the_published_order(tmp_path: Path) -> None:
    text = prompts.load("synthesis", tmp_path).render(problem="THE PROBLEM", responses=["FIRST", "SECOND"])
    marks = ["references critically", "THE PROBLEM", "Reference 1", "FIRST", "Reference 2", "SECOND", "comprehensive"]
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)


def test_code_prompt_says_how_the_program_is_called(tmp_path: Path) -> None:
    prompt = prompts.load("solve_code", tmp_path)
    values = {"statement": "Sum.", "time_limit_s": 2.0, "memory_limit_mb": 256}
    stdio, call = prompt.render(function=None, **values), prompt.render(function="add_up", **values)
    assert "standard input" in stdio
    assert "2 seconds" in stdio
    assert "256 MiB" in stdio
    assert "`add_up`" in call
    assert "standard input" not in call


def test_own_template_beside_the_recipe_is_taken(tmp_path: Path) -> None:
    text = "Q: {{ statement }}\n"
    (tmp_path / "mine.j2").write_text(text)
    prompt = prompts.load("mine.j2", tmp_path)
    assert prompt.render(statement="2 + 2?") == "Q: 2 + 2?"
    assert prompt.sha256 == sha256_text(text)
    assert prompts.load(str(tmp_path / "mine.j2"), Path()).sha256 == prompt.sha256


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ problem }}", "'problem' is undefined: the names it may use are statement"),
        ("{{ statement.__class__.__mro__ }}", "unsafe"),
        ("{{ statement + 1 }}", "names it may use"),
        ("{{ 1 // 0 }}", "names it may use"),
    ],
)
def test_template_that_cannot_be_filled_in(tmp_path: Path, template: str, message: str) -> None:
    (tmp_path / "mine.j2").write_text(template)
    with pytest.raises(InputError, match=message):
        prompts.load("mine.j2", tmp_path).render(statement="x")


def test_template_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "open.j2").write_text("one\n{% if %}")
    with pytest.raises(InputError, match=r"open\.j2: line 2: "):
        prompts.load("open.j2", tmp_path)
    (tmp_path / "latin.j2").write_bytes("é".encode("latin-1"))
    with pytest.raises(InputError, match="no UTF-8"):
        prompts.load("latin.j2", tmp_path)
    with pytest.raises(InputError, match=r"one of .*solve"):
        prompts.load("nothing", tmp_path)


def test_the_recipe_in_the_example_of_a_question_is_one(tmp_path: Path) -> None:
    prompt = prompts.load("self_contained_vote", tmp_path)
    head = prompt.path.read_text().split("#}")[0]
    section = tomllib.loads(head[head.index("[vote.") : head.index("Variables:")])
    models = {"judge": {"engine": "replay", "model": "judge"}}
    (question,) = questions(recipe(tmp_path, models, **section)).values()
    assert prompts.load(question.prompt, tmp_path).sha256 == prompt.sha256
    wording = prepare(question, tmp_path).wording
    text = prompt.render(statement="See figure 3.", answer=None)
    assert "See figure 3." in text
    assert wording.yes in text
    assert wording.no in text
