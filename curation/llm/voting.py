"""Votes on a yes-or-no question about rows: how they are asked for, read, counted and decided by.

Every vote has a seed of its own. Votes that abstain are asked again within a budget, each time with another seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pyarrow.parquet as pq

from curation import storage
from curation.llm import prompts
from curation.llm.asking import ask
from curation.llm.ballots import Ballot, Wording, read_vote
from curation.llm.engine import Engine, Message, ModelIdentity, Request
from curation.llm.pool import Pool
from curation.llm.prompts import Prompt
from curation.llm.solving import ProblemRow
from curation.progress import Reporter
from curation.recipe import VoteSection
from curation.records import PROBLEM_SCHEMA

PURPOSE = "vote"
_PROBLEMS_AT_ONCE = 64

Decision = Literal["valid", "invalid", "undecided"]


@dataclass(frozen=True)
class Voting:
    """How votes are asked for, read and counted.

    Vote ``v`` of ``n`` has sample index ``v``; asked again for the ``a``-th time, it has ``v + a * n``, so that every
    try has a seed of its own.
    """

    section: VoteSection
    prompt: Prompt

    @property
    def wording(self) -> Wording:
        """The words that count."""
        section = self.section
        return Wording(section.yes, section.no, section.structured, section.failure_types)

    @property
    def attempts(self) -> int:
        """How many tries a vote has at most."""
        return 1 + self.section.attempts_per_abstention

    def request(self, problem: ProblemRow, vote: int, attempt: int) -> Request:
        """Return the request for one try of one vote.

        Raises:
            InputError: the template uses a name that is not given.
        """
        text = self.prompt.render(statement=problem["statement"], answer=problem["answer"])
        index = vote + attempt * self.section.votes
        messages = (Message("user", text),)
        schema = self.wording.schema()
        return Request(problem["problem_id"], PURPOSE, messages, self.section.sampler, index, schema=schema)

    def takes_part(self, problem: ProblemRow) -> bool:
        """Tell whether the problem is voted on: its group is, and it has an answer where one is needed."""
        answered = problem["answer"] is not None or not self.section.needs_answer
        return problem["group"] in self.section.groups and answered

    def decide(self, ballots: list[Ballot]) -> Decision:
        """Decide by the last try of each vote; undecided where votes that abstain could still have made it valid."""
        return decide(ballots, self.section.required)


def prepare(section: VoteSection, directory: Path) -> Voting:
    """Read a section's prompt.

    Raises:
        InputError: there is no such template.
    """
    return Voting(section, prompts.load(section.prompt, directory))


def decide(ballots: list[Ballot], required: int) -> Decision:
    """Decide by ballots, ``required`` of which must be valid."""
    counts = Counter(ballot.vote for ballot in ballots)
    if counts["valid"] >= required:
        return "valid"
    return "undecided" if counts["valid"] + counts["abstain"] >= required else "invalid"


@dataclass(frozen=True)
class Tally:
    """The votes on one problem.

    Attributes:
        problem: the problem's row.
        tries: every try, with the key of its response, in the order of sample indexes.
        final: the last try of each vote; empty where the problem takes no part.
    """

    problem: ProblemRow
    tries: list[tuple[int, str, Ballot]]
    final: list[Ballot]


def tallies(
    voting: Voting, problems: Path, pool: Pool, identity: ModelIdentity, failures: Mapping[str, str], attempts: int
) -> Iterator[Tally]:
    """Yield the votes on each problem of a table, in its order.

    Args:
        voting: how votes are asked for.
        problems: a table of `records.PROBLEM_SCHEMA`.
        pool: the response pool.
        identity: the model that votes.
        failures: why responses are missing, by ``response_id``.
        attempts: how many tries a vote has had; a try after one that was no abstention was never made.
    """
    wording = voting.wording
    for frame in storage.iterate_table(problems, PROBLEM_SCHEMA, _PROBLEMS_AT_ONCE):
        rows = list(frame.iter_rows(named=True))
        requests = [
            [
                [voting.request(row, vote, attempt) for attempt in range(attempts)]
                for vote in range(voting.section.votes)
            ]
            if voting.takes_part(row)
            else []
            for row in rows
        ]
        responses = iter(pool.answers([try_ for row in requests for vote in row for try_ in vote], identity))
        for row, votes in zip(rows, requests, strict=True):
            tries: list[tuple[int, str, Ballot]] = []
            final: list[Ballot] = []
            for vote in votes:
                made: list[tuple[int, str, Ballot]] = []
                for request in vote:
                    response, key = next(responses), request.key(identity)
                    if not made or made[-1][2].vote == "abstain":
                        made.append((request.sample_index, key, read_vote(response, failures.get(key), wording)))
                tries += made
                final += [ballot for _, _, ballot in made[-1:]]
            yield Tally(row, sorted(tries, key=lambda made: made[0]), final)


def collect(
    voting: Voting, problems: Path, pool: Pool, engine: Engine, reporter: Reporter, name: str
) -> dict[str, str]:
    """Ask for every vote that the pool lacks, and again for those that abstain.

    Args:
        voting: how votes are asked for.
        problems: a table of `records.PROBLEM_SCHEMA`.
        pool: the response pool.
        engine: who votes.
        reporter: where progress goes.
        name: what the progress bar says.

    Returns:
        why responses are missing, by ``response_id``.

    Raises:
        InputError: the template uses a name that is not given.
        OutsideError: the server failed; what was answered is stored.
    """
    failures: dict[str, str] = {}
    for attempt in range(voting.attempts):
        total = int(pq.read_metadata(problems).num_rows) * voting.section.votes if attempt == 0 else None
        label = name if attempt == 0 else f"{name}, abstentions again"
        wanted = _wanted(voting, tallies(voting, problems, pool, engine.identity, failures, attempt), attempt)
        failures.update(ask(engine, pool, wanted, reporter, description=label, total=total).failures)
    return failures


def _wanted(voting: Voting, so_far: Iterator[Tally], attempt: int) -> Iterator[Request]:
    for tally in so_far:
        if attempt == 0 and voting.takes_part(tally.problem):
            yield from (voting.request(tally.problem, vote, 0) for vote in range(voting.section.votes))
        for vote, ballot in enumerate(tally.final):
            if ballot.vote == "abstain":
                yield voting.request(tally.problem, vote, attempt)


class Counts:
    """Counts tallies as they pass."""

    def __init__(self, voting: Voting) -> None:
        self._voting = voting
        self.decisions: Counter[Decision] = Counter()
        self.votes: Counter[str] = Counter()
        self.abstentions: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.asked_again = 0

    def add(self, tally: Tally) -> Decision:
        """Count one problem that takes part, and return what its votes decide."""
        decision = self._voting.decide(tally.final)
        self.decisions[decision] += 1
        self.votes.update(ballot.vote for ballot in tally.final)
        self.reasons.update(ballot.why for ballot in tally.final if ballot.vote == "invalid" and ballot.why)
        self.abstentions.update(ballot.why for _, _, ballot in tally.tries if ballot.vote == "abstain")
        self.asked_again += len(tally.tries) - len(tally.final)
        return decision
