"""Labelled cases with a model's votes on them, prompt by prompt, on all cases or on one half."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from curation.errors import InputError
from curation.ingest.user_rows import Field
from curation.json_reader import JsonValue, as_text
from curation.llm.ballots import Ballot
from curation.llm.pool import Pool
from curation.llm.vote_files import voted_rows
from curation.llm.voting import Tally
from curation.progress import Reporter
from curation.recipe import Recipe

LABELS = ("valid", "invalid")
NO_TYPE = "unnamed"
_TRUE, _FALSE = ("true", "1", "yes"), ("false", "0", "no")


@dataclass(frozen=True)
class Case:
    """One labelled case with its votes.

    Attributes:
        id: the row's.
        valid: the label.
        failure_type: what is wrong with it by the label; empty for a valid one.
        ballots: the last try of each vote, in order.
        tokens: of every try of each vote, in the order of votes.
        statement, answer: what was voted on.
    """

    id: str
    valid: bool
    failure_type: str
    ballots: tuple[Ballot, ...]
    tokens: tuple[int, ...]
    statement: str = ""
    answer: str | None = None


class LabelledVotes:
    """Asks for the votes of one prompt after the other on the same cases."""

    def __init__(
        self,
        source: str,
        pool: Path,
        recipe: Recipe,
        label: str,
        columns: Mapping[Field, str] | None,
        reporter: Reporter,
    ) -> None:
        if recipe.vote is None:
            raise InputError("the recipe has no [vote] section: add one")
        self._source, self._pool, self._recipe, self.section = source, pool, recipe, recipe.vote
        self._label, self._columns, self._reporter = label, columns, reporter
        self.required = recipe.vote.required
        self.model, self.count, self.valid = "", 0, 0
        self.bad: list[tuple[str, str]] = []

    def cases(self, prompt: str, name: str, half: tuple[int, int] | None) -> list[Case]:
        """Return the cases with their votes; only one half of them where a seed and a half are given."""
        section = self.section.model_copy(update={"prompt": prompt})
        recipe = self._recipe.model_copy(update={"vote": section})
        wanted = None if half is None else HalfOf(self._label, *half)

        def chosen(rows: Sequence[tuple[str, Mapping[str, JsonValue]]]) -> set[str]:
            # Before anything is asked, because votes on cases of one kind measure nothing.
            self._check(Counter(label_of(as_text(row.get(self._label))) for _, row in rows))
            return {row_id for row_id, _ in rows} if wanted is None else wanted(rows)

        found: list[Case] = []
        bad: list[tuple[str, str]] = []
        with voted_rows(
            self._source,
            self._pool,
            recipe,
            columns=self._columns,
            reporter=self._reporter,
            name=name,
            wanted=chosen,
        ) as voted:
            self.model = voted.model
            tokens = _tokens(voted.pool)
            bad += voted.bad
            for one in voted.rows:
                if one.tally is None or one.row is None:
                    continue
                label, case_id = label_of(as_text(one.row.get(self._label))), one.tally.problem["problem_id"]
                if label is None:
                    bad.append((case_id, f"the column {self._label} is neither valid nor invalid"))
                elif not one.tally.final:
                    bad.append((case_id, one.why))
                else:
                    named = "" if label else as_text(one.row.get("failure_type")) or NO_TYPE
                    votes = len(one.tally.final)
                    spent = [0] * votes
                    for index, key, _ in one.tally.tries:
                        spent[index % votes] += tokens.get(key, 0)
                    found.append(Case(case_id, label, named, tuple(one.tally.final), tuple(spent), *_texts(one.tally)))
        self.bad = list(dict.fromkeys([*self.bad, *bad]))
        kinds: Counter[bool | None] = Counter(case.valid for case in found)
        self._check(kinds)
        if half is None:
            self.count, self.valid = len(found), kinds[True]
        else:
            self.count, self.valid = wanted.counted if wanted is not None else (0, 0)
        return found

    def _check(self, kinds: Mapping[bool | None, int]) -> None:
        if not kinds[True] or not kinds[False]:
            raise InputError(
                f"{self._source} has {kinds[True]} valid and {kinds[False]} invalid cases to vote on by its column "
                f"{self._label}: give some of both, or name the column with --label"
            )


def _texts(tally: Tally) -> tuple[str, str | None]:
    return tally.problem["statement"], tally.problem["answer"]


class HalfOf:
    """Chooses one half of the labelled rows, as many of each label as of the other half, by a hash of their ids."""

    def __init__(self, label: str, seed: int, half: int) -> None:
        self._label, self._seed, self._half = label, seed, half
        self.counted = (0, 0)

    def __call__(self, rows: Sequence[tuple[str, Mapping[str, JsonValue]]]) -> set[str]:
        labelled = [(label_of(as_text(row.get(self._label))), row_id) for row_id, row in rows]
        self.counted = sum(kind is not None for kind, _ in labelled), sum(kind is True for kind, _ in labelled)
        # A row without a label is no case of either half, and is named as such.
        chosen = {row_id for kind, row_id in labelled if kind is None}
        for kind in (True, False):
            ordered = sorted((row_id for one, row_id in labelled if one is kind), key=self._place)
            chosen.update(ordered[self._half :: 2])
        return chosen

    def _place(self, row_id: str) -> str:
        return hashlib.sha256(f"{self._seed}:{row_id}".encode()).hexdigest()


def label_of(text: str | None) -> bool | None:
    """Return whether a label says valid; None where it says neither."""
    folded = (text or "").strip().casefold()
    if folded == LABELS[0] or folded in _TRUE:
        return True
    return False if folded == LABELS[1] or folded in _FALSE else None


def _tokens(pool: Pool) -> dict[str, int]:
    rows = pool.keys().select(
        "response_id", pl.col("prompt_tokens").fill_null(0) + pl.col("completion_tokens").fill_null(0)
    )
    return dict(rows.iter_rows())
