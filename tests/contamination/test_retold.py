"""How many problems told in other words and languages are found, and how many of the same pattern are told apart.

``retold`` holds problems of contest kinds, each with rewordings and translations (``same``), with other problems that
share its topic and some of its numbers (``other``) and with itself under other numbers (``twin``); one half was looked
at while the evidence was made, the other only after.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from curation.contamination.agreement import read_answer
from curation.contamination.index import Index
from curation.contamination.items import BenchmarkItem, Kind
from curation.contamination.match import Matcher, MatchOptions

FOLDER = Path(__file__).parent / "retold"
HALVES = ("develop", "report")


@dataclass(frozen=True)
class Text:
    number: str
    text: str
    answer: str


class Half:
    """The problems of one half, and what an audit says of the texts."""

    def __init__(self, name: str) -> None:
        problems = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["item"]
        items = [
            BenchmarkItem(name, str(number), problem["problem"], problem["answer"])
            for number, problem in enumerate(problems)
        ]
        self._matcher = Matcher(Index(items), MatchOptions())
        self.same = [
            Text(str(number), text, problem["answer"])
            for number, problem in enumerate(problems)
            for text in problem["same"]
        ]
        self.other, self.twin = (
            [
                Text(str(number), text, answer)
                for number, problem in enumerate(problems)
                for text, answer in problem.get(key, [])
            ]
            for key in ("other", "twin")
        )

    def kinds(self, texts: Sequence[Text], with_answers: bool) -> Iterator[Kind | None]:
        """Yield for each text as what its problem was found; None where it was not."""
        answers = [read_answer(one.answer) if with_answers else None for one in texts]
        for one, matches in zip(texts, self._matcher.match_all([one.text for one in texts], answers), strict=True):
            yield next((match.kind for match in matches if match.benchmark_id == one.number), None)


@pytest.fixture(scope="module", params=HALVES)
def half(request: pytest.FixtureRequest) -> Half:
    return Half(request.param)


@pytest.mark.parametrize(("with_answers", "least"), [(True, 0.9), (False, 0.8)])
def test_problems_told_in_other_words_are_found(half: Half, with_answers: bool, least: float) -> None:
    kinds = list(half.kinds(half.same, with_answers))
    found = sum(kind in {"reworded", "translated", "near"} for kind in kinds)
    assert len(kinds) >= 30
    assert found >= least * len(kinds)


@pytest.mark.parametrize(("with_answers", "most"), [(True, 0.0), (False, 0.2)])
def test_other_problems_of_the_pattern_are_told_apart(half: Half, with_answers: bool, most: float) -> None:
    kinds = list(half.kinds(half.other, with_answers))
    assert len(kinds) >= 30
    assert sum(kind in {"reworded", "translated"} for kind in kinds) <= most * len(kinds)


@pytest.mark.parametrize("with_answers", [True, False])
def test_a_problem_with_other_numbers_has_its_own_kind(half: Half, with_answers: bool) -> None:
    assert set(half.kinds(half.twin, with_answers)) == {"numbers_changed"}
