"""How well a model votes: its votes on labelled cases against the labels, for one prompt or several.

A case is right to keep (label ``valid``) or not. What is predicted is whether the votes keep it, so an undecided case
counts as not kept, which is what a rebuild does with it. Every number, from one vote to all of them, is measured on the
same ballots.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl

from curation.errors import InputError
from curation.ingest.user_rows import Field
from curation.json_reader import JsonValue, as_text
from curation.llm.agreement import Agreement, correlation, measure
from curation.llm.ballots import Ballot
from curation.llm.pool import Pool
from curation.llm.vote_files import voted_rows
from curation.llm.voting import decide
from curation.progress import Reporter, Silent
from curation.recipe import Recipe

LABELS = ("valid", "invalid")
_NO_TYPE = "unnamed"
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
    """

    id: str
    valid: bool
    failure_type: str
    ballots: tuple[Ballot, ...]
    tokens: tuple[int, ...]


@dataclass(frozen=True)
class VoteCount:
    """What the first ``votes`` votes are worth.

    Attributes:
        votes: how many are cast.
        required: how many must be valid.
        agreement: with the labels.
        undecided: cases that abstentions leave open.
        tokens: of prompts and responses, tries for abstentions too.
    """

    votes: int
    required: int
    agreement: Agreement
    undecided: int
    tokens: int


@dataclass(frozen=True)
class PromptResult:
    """One prompt on the cases.

    Attributes:
        prompt: its name.
        counts: for one vote, two, ... all with every vote required; then for the section's own rule where that differs.
        confusion: by what the label says (``valid`` or a failure type): cases kept, called invalid, undecided.
        named: by the label's failure type: the types that votes against it named.
        vote_correlation: mean correlation of two votes on a case; None where votes never differ.
        error_correlation: the same of their errors: what more votes cannot mend.
        abstentions: why final votes abstained.
        wrong: identifiers of the cases decided against their label, with label and decision.
    """

    prompt: str
    counts: tuple[VoteCount, ...]
    confusion: Mapping[str, Mapping[str, int]]
    named: Mapping[str, Mapping[str, int]]
    vote_correlation: float | None
    error_correlation: float | None
    abstentions: Mapping[str, int]
    wrong: tuple[tuple[str, str, str], ...]

    @property
    def own(self) -> VoteCount:
        """The section's own rule."""
        return self.counts[-1]


@dataclass(frozen=True)
class Calibration:
    """What `calibrate` found.

    Attributes:
        model: who votes.
        cases: labelled cases that were voted on.
        valid: how many of them are valid by their label.
        prompts: one result a prompt; of a search those on the half that it searched on.
        chosen: the prompt with the highest F1.
        held_out: the chosen prompt on the other half, for a search; None otherwise.
        stopped: why a search ended.
        bad: location and reason of each row that is no case.
    """

    model: str
    cases: int
    valid: int
    prompts: tuple[PromptResult, ...]
    chosen: str
    held_out: PromptResult | None
    stopped: str
    bad: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Search:
    """When to stop going through prompts.

    Attributes:
        patience: stop after so many prompts in a row without a gain.
        gain: the F1 by which a prompt must beat the best so far.
        seed: of the halves.
    """

    patience: int = 2
    gain: float = 0.01
    seed: int = 0


def calibrate(
    source: str,
    pool: Path,
    recipe: Recipe,
    prompts: Sequence[str],
    *,
    search: Search | None = None,
    label: str = "label",
    columns: Mapping[Field, str] | None = None,
    reporter: Reporter | None = None,
) -> Calibration:
    """Measure votes against labels.

    Args:
        source: labelled cases: a statement, ``answer``, ``label`` (``valid`` or ``invalid``) and, for invalid ones,
            ``failure_type``.
        pool: where votes are kept; what it holds is not asked for again.
        recipe: holds the section and its model.
        prompts: templates by name or path, in the order in which they are tried.
        search: go through the prompts on one half of the cases until F1 gains no more, and measure the best on the
            other; None to measure every prompt on all cases.
        label: the column of the label.
        columns: what stands in other columns than the usual ones.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the cases or a prompt cannot be used, or there are no cases of one label.
        OutsideError: the server or the network failed; what was answered is stored.
    """
    told = reporter or Silent()
    results: list[PromptResult] = []
    asked = _Asked(source, pool, recipe, label, columns, told)
    best, stale, stopped = -1.0, 0, ""
    for prompt in prompts:
        cases = asked.cases(prompt, f"calibrate {prompt}", None if search is None else (search.seed, 0))
        result = evaluate(prompt, cases, asked.required)
        results.append(result)
        gained = result.own.agreement.f1.value > best + (search.gain if search else 0.0)
        best, stale = (result.own.agreement.f1.value, 0) if gained else (best, stale + 1)
        if search is not None and stale >= search.patience:
            stopped = f"the last {stale} prompts gained less than {search.gain:g} in F1"
            break
    chosen = max(results, key=lambda result: result.own.agreement.f1.value).prompt
    held_out = None
    if search is not None:
        stopped = stopped or "every prompt was tried"
        held_out = evaluate(chosen, asked.cases(chosen, "calibrate, other half", (search.seed, 1)), asked.required)
    return Calibration(
        asked.model, asked.count, asked.valid, tuple(results), chosen, held_out, stopped, tuple(asked.bad)
    )


class _Asked:
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
        self._source, self._pool, self._recipe, self._section = source, pool, recipe, recipe.vote
        self._label, self._columns, self._reporter = label, columns, reporter
        self.required = recipe.vote.required
        self.model, self.count, self.valid = "", 0, 0
        self.bad: list[tuple[str, str]] = []

    def cases(self, prompt: str, name: str, half: tuple[int, int] | None) -> list[Case]:
        """Return the cases with their votes; only one half of them where a seed and a half are given."""
        section = self._section.model_copy(update={"prompt": prompt})
        recipe = self._recipe.model_copy(update={"vote": section})
        wanted = None if half is None else _HalfOf(self._label, *half)
        found: list[Case] = []
        bad: list[tuple[str, str]] = []
        with voted_rows(
            self._source,
            self._pool,
            recipe,
            columns=self._columns,
            reporter=self._reporter,
            name=name,
            wanted=wanted,
        ) as voted:
            self.model = voted.model
            tokens = _tokens(voted.pool)
            bad += voted.bad
            for one in voted.rows:
                if one.tally is None or one.row is None:
                    continue
                label, case_id = _label(as_text(one.row.get(self._label))), one.tally.problem["problem_id"]
                if label is None:
                    bad.append((case_id, f"the column {self._label} is neither valid nor invalid"))
                elif not one.tally.final:
                    bad.append((case_id, one.why))
                else:
                    named = "" if label else as_text(one.row.get("failure_type")) or _NO_TYPE
                    votes = len(one.tally.final)
                    spent = [0] * votes
                    for index, key, _ in one.tally.tries:
                        spent[index % votes] += tokens.get(key, 0)
                    found.append(Case(case_id, label, named, tuple(one.tally.final), tuple(spent)))
        self.bad = list(dict.fromkeys([*self.bad, *bad]))
        kinds = Counter(case.valid for case in found)
        if not kinds[True] or not kinds[False]:
            raise InputError(
                f"{self._source} has {kinds[True]} valid and {kinds[False]} invalid cases to vote on: give some of both"
            )
        if half is None:
            self.count, self.valid = len(found), kinds[True]
        else:
            self.count, self.valid = wanted.counted if wanted is not None else (0, 0)
        return found


class _HalfOf:
    """Chooses one half of the labelled rows, as many of each label as of the other half, by a hash of their ids."""

    def __init__(self, label: str, seed: int, half: int) -> None:
        self._label, self._seed, self._half = label, seed, half
        self.counted = (0, 0)

    def __call__(self, rows: Sequence[tuple[str, Mapping[str, JsonValue]]]) -> set[str]:
        labelled = [(_label(as_text(row.get(self._label))), row_id) for row_id, row in rows]
        self.counted = sum(kind is not None for kind, _ in labelled), sum(kind is True for kind, _ in labelled)
        # A row without a label is no case of either half, and is named as such.
        chosen = {row_id for kind, row_id in labelled if kind is None}
        for kind in (True, False):
            ordered = sorted((row_id for one, row_id in labelled if one is kind), key=self._place)
            chosen.update(ordered[self._half :: 2])
        return chosen

    def _place(self, row_id: str) -> str:
        return hashlib.sha256(f"{self._seed}:{row_id}".encode()).hexdigest()


def _label(text: str | None) -> bool | None:
    folded = (text or "").strip().casefold()
    if folded == LABELS[0] or folded in _TRUE:
        return True
    return False if folded == LABELS[1] or folded in _FALSE else None


def _tokens(pool: Pool) -> dict[str, int]:
    rows = pool.keys().select(
        "response_id", pl.col("prompt_tokens").fill_null(0) + pl.col("completion_tokens").fill_null(0)
    )
    return dict(rows.iter_rows())


def evaluate(prompt: str, cases: Sequence[Case], required: int) -> PromptResult:
    """Compare the votes on cases with their labels.

    Args:
        prompt: the prompt's name.
        cases: with the same number of votes each.
        required: how many of all votes must be valid by the section's own rule.
    """
    votes = len(cases[0].ballots)
    rules = [(count, count) for count in range(1, votes + 1)]
    if required != votes:
        rules.append((votes, required))
    counts = tuple(_count(cases, *rule) for rule in rules)
    confusion: dict[str, Counter[str]] = {}
    named: dict[str, Counter[str]] = {}
    wrong: list[tuple[str, str, str]] = []
    for case in cases:
        decision = decide(list(case.ballots), required)
        kind = LABELS[0] if case.valid else case.failure_type
        confusion.setdefault(kind, Counter())[decision] += 1
        if (decision == "valid") != case.valid:
            wrong.append((case.id, kind, decision))
        if not case.valid:
            types = (ballot.why or _NO_TYPE for ballot in case.ballots if ballot.vote == "invalid")
            named.setdefault(kind, Counter()).update(types)
    kept = np.array([[ballot.vote == "valid" for ballot in case.ballots] for case in cases])
    labels = np.array([case.valid for case in cases])
    abstained = Counter(ballot.why for case in cases for ballot in case.ballots if ballot.vote == "abstain")
    return PromptResult(
        prompt,
        counts,
        {kind: dict(confusion[kind]) for kind in sorted(confusion, key=lambda kind: (kind != LABELS[0], kind))},
        {kind: dict(named[kind].most_common()) for kind in sorted(named)},
        _mean_correlation(kept),
        _mean_correlation(kept != labels[:, None]),
        dict(abstained.most_common()),
        tuple(wrong),
    )


def _count(cases: Sequence[Case], votes: int, required: int) -> VoteCount:
    decisions = [decide(list(case.ballots[:votes]), required) for case in cases]
    agreement = measure([case.valid for case in cases], [decision == "valid" for decision in decisions])
    tokens = sum(sum(case.tokens[:votes]) for case in cases)
    return VoteCount(votes, required, agreement, sum(decision == "undecided" for decision in decisions), tokens)


def _mean_correlation(votes: np.ndarray) -> float | None:
    pairs: Iterable[tuple[int, int]] = combinations(range(votes.shape[1]), 2)
    found = [value for first, second in pairs if (value := correlation(votes[:, first], votes[:, second])) is not None]
    return round(float(np.mean(found)), 4) if found else None
