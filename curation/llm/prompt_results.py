"""What a prompt's votes on labelled cases are worth, for one vote, two, ... all, each on the same ballots.

What is predicted is whether the votes keep a case, so an undecided case counts as not kept, which is what a rebuild
does with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from curation.llm.agreement import Agreement, correlation, measure
from curation.llm.labelled_votes import LABELS, NO_TYPE, Case
from curation.llm.voting import decide


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
            types = (ballot.why or NO_TYPE for ballot in case.ballots if ballot.vote == "invalid")
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
