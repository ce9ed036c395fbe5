"""Validity votes: a model says several times, with different seeds, whether a question and its answer can be used.

PaCoRe (arXiv 2601.05593) keeps what four of four votes call valid. Votes that abstain are asked again and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl
import pyarrow.parquet as pq

from curation import accuracy, storage
from curation.ledger import Drop
from curation.llm import engines, prompts
from curation.llm.asking import ask
from curation.llm.ballots import Ballot, read_vote
from curation.llm.engine import Message, ModelIdentity, Request
from curation.llm.pool import Pool, open_pool
from curation.llm.prompts import Prompt
from curation.llm.solving import ProblemRow
from curation.recipe import Recipe, VoteSection
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, VOTE_SCHEMA
from curation.steps import DROPPED, KEPT, StepContext, StepReport

PURPOSE = "vote"
_PROBLEMS_AT_ONCE = 64
_ROWS_AT_ONCE = 10_000

Decision = Literal["valid", "invalid", "undecided"]


@dataclass(frozen=True)
class Voting:
    """How votes are asked for, read and counted.

    Vote ``v`` of ``n`` has sample index ``v``; asked again for the ``a``-th time, it has ``v + a * n``, so that every
    try has a seed of its own.
    """

    section: VoteSection
    prompt: Prompt

    def request(self, problem: ProblemRow, vote: int, attempt: int) -> Request:
        """Return the request for one try of one vote.

        Raises:
            InputError: the template uses a name that is not given.
        """
        text = self.prompt.render(statement=problem["statement"], answer=problem["answer"])
        index = vote + attempt * self.section.votes
        return Request(problem["problem_id"], PURPOSE, (Message("user", text),), self.section.sampler, index)

    def takes_part(self, problem: ProblemRow) -> bool:
        """Tell whether the problem is voted on: its group is, and it has an answer."""
        return problem["group"] in self.section.groups and problem["answer"] is not None

    def decide(self, ballots: list[Ballot]) -> Decision:
        """Decide by the last try of each vote; undecided where votes that abstain could still have made it valid."""
        counts = Counter(ballot.vote for ballot in ballots)
        if counts["valid"] >= self.section.required:
            return "valid"
        return "undecided" if counts["valid"] + counts["abstain"] >= self.section.required else "invalid"


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
                        made.append((request.sample_index, key, read_vote(response, failures.get(key))))
                tries += made
                final += [ballot for _, _, ballot in made[-1:]]
            yield Tally(row, sorted(tries, key=lambda made: made[0]), final)


class Vote:
    """The step ``vote``."""

    name = "vote"
    logic_version = 1
    needs = {KEPT: frozenset(PROBLEM_SCHEMA.names())}
    writes = {KEPT: frozenset(PROBLEM_SCHEMA.names()), "votes": frozenset(VOTE_SCHEMA.names())}
    keeps = KEPT

    def configuration(self, recipe: Recipe) -> object:
        """Return the section with its model's identity and its prompt's hash."""
        section = recipe.vote
        if section is None:
            return None
        return {
            "section": section.model_dump(mode="json", exclude={"model", "prompt"}),
            "model": engines.fingerprint(recipe, section.model),
            "prompt": prompts.load(section.prompt, recipe.directory).sha256,
        }

    def execute(self, context: StepContext) -> StepReport:
        """Write ``votes``, and ``problems`` with a drop for each problem that was not called valid often enough.

        Raises:
            InputError: the model or the prompt cannot be used.
            OutsideError: the server failed; what was answered is stored.
        """
        section = context.recipe.vote
        if section is None:
            _write_votes(context, iter(()))
            storage.write_table(
                context.output / f"{DROPPED}.parquet", pl.DataFrame(schema=LEDGER_SCHEMA), LEDGER_SCHEMA
            )
            return StepReport(findings={"Not done": "The recipe has no [vote] section: every problem goes on."})
        voting = Voting(section, prompts.load(section.prompt, context.recipe.directory))
        counted = _Counted(voting)
        directory = context.run_directory / "pool"
        with open_pool(directory) as pool:
            identity, failures = _ask(voting, context, pool, directory)
            attempts = 1 + section.attempts_per_abstention
            found = tallies(voting, context.tables[KEPT], pool, identity, failures, attempts)
            _write_votes(context, counted.count(found))
        drops = counted.drops if section.act else []
        storage.write_table(context.output / f"{DROPPED}.parquet", accuracy.ledger_frames(drops), LEDGER_SCHEMA)
        dropped = pl.Series([drop.problem_id for drop in drops], dtype=pl.String)
        going_on = (
            frame.filter(~pl.col("problem_id").is_in(dropped.implode()))
            for frame in storage.iterate_table(context.tables[KEPT], PROBLEM_SCHEMA)
        )
        storage.write_table(context.output / f"{KEPT}.parquet", going_on, PROBLEM_SCHEMA)
        return StepReport(findings={"Model": identity.model, **counted.findings()})


def _ask(voting: Voting, context: StepContext, pool: Pool, directory: Path) -> tuple[ModelIdentity, dict[str, str]]:
    problems, section = context.tables[KEPT], voting.section
    failures: dict[str, str] = {}
    with engines.open_engine(context.recipe, section.model, context.reporter, directory) as engine:
        identity = engine.identity
        for attempt in range(1 + section.attempts_per_abstention):
            total = int(pq.read_metadata(problems).num_rows) * section.votes if attempt == 0 else None
            name = "vote" if attempt == 0 else "vote, abstentions again"
            wanted = _wanted(voting, tallies(voting, problems, pool, identity, failures, attempt), attempt)
            asked = ask(engine, pool, wanted, context.reporter, description=name, total=total)
            failures.update(asked.failures)
    return identity, failures


def _wanted(voting: Voting, so_far: Iterator[Tally], attempt: int) -> Iterator[Request]:
    for tally in so_far:
        if attempt == 0 and voting.takes_part(tally.problem):
            yield from (voting.request(tally.problem, vote, 0) for vote in range(voting.section.votes))
        for vote, ballot in enumerate(tally.final):
            if ballot.vote == "abstain":
                yield voting.request(tally.problem, vote, attempt)


def _write_votes(context: StepContext, found: Iterator[Tally]) -> None:
    def frames() -> Iterator[pl.DataFrame]:
        rows: list[tuple[str, str, int, str, str]] = []
        for tally in found:
            problem_id = tally.problem["problem_id"]
            rows += [(problem_id, key, index, ballot.vote, ballot.why) for index, key, ballot in tally.tries]
            if len(rows) >= _ROWS_AT_ONCE:
                yield pl.DataFrame(rows, schema=VOTE_SCHEMA, orient="row")
                rows = []
        yield pl.DataFrame(rows, schema=VOTE_SCHEMA, orient="row")

    storage.write_table(context.output / "votes.parquet", frames(), VOTE_SCHEMA)


class _Counted:
    """Counts tallies as they pass, and keeps a drop for each problem that is not valid."""

    def __init__(self, voting: Voting) -> None:
        self._voting = voting
        self._decisions: Counter[Decision] = Counter()
        self._votes: Counter[str] = Counter()
        self._abstentions: Counter[str] = Counter()
        self._asked_again = 0
        self.drops: list[Drop] = []

    def count(self, found: Iterator[Tally]) -> Iterator[Tally]:
        for tally in found:
            if tally.final:
                self._count(tally)
            yield tally

    def _count(self, tally: Tally) -> None:
        decision = self._voting.decide(tally.final)
        self._decisions[decision] += 1
        self._votes.update(ballot.vote for ballot in tally.final)
        self._abstentions.update(ballot.why for _, _, ballot in tally.tries if ballot.vote == "abstain")
        self._asked_again += len(tally.tries) - len(tally.final)
        if decision == "valid":
            return
        section = self._voting.section
        valid = sum(ballot.vote == "valid" for ballot in tally.final)
        said = f"{valid} of {section.votes} votes say valid, {section.required} are required"
        rule, reason = "validity_vote", said
        if decision == "undecided":
            rule, reason = "validity_undecided", f"{said}, and too many votes abstain to tell"
        evidence: dict[str, object] = {"votes": [[ballot.vote, ballot.why] for ballot in tally.final]}
        self.drops.append(Drop(tally.problem["problem_id"], tally.problem["source"], Vote.name, rule, reason, evidence))

    def findings(self) -> dict[str, object]:
        section = self._voting.section
        told = (
            {} if section.act else {"Not acted on": "The recipe says act = false: votes are shown, nothing is dropped."}
        )
        return {
            **told,
            "Problems voted on": sum(self._decisions.values()),
            "Called valid": self._decisions["valid"],
            "Called invalid": self._decisions["invalid"],
            "Undecided": self._decisions["undecided"],
            "Votes valid, invalid, abstaining": [self._votes[vote] for vote in ("valid", "invalid", "abstain")],
            "Votes asked again": self._asked_again,
            "Why votes abstained": dict(sorted(self._abstentions.items())),
        }
