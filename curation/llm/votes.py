"""The step ``vote``: a model says several times, with different seeds, whether a question and its answer can be used.

PaCoRe (arXiv 2601.05593) keeps what four of four votes call valid. A recipe may ask more questions, each as
``[vote.NAME]`` with a prompt of its own; what an earlier question drops, a later one is not asked about.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from curation import accuracy, storage
from curation.ledger import Drop
from curation.llm import engines, prompts
from curation.llm.pool import open_pool
from curation.llm.voting import Counts, Tally, Voting, collect, prepare, tallies
from curation.recipe import Recipe, VoteSection
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, VOTE_SCHEMA
from curation.steps import DROPPED, KEPT, StepContext, StepReport

VALIDITY = "validity"
"""The name of the question that ``[vote]`` itself asks."""

_ROWS_AT_ONCE = 10_000


class Vote:
    """The step ``vote``."""

    name = "vote"
    logic_version = 2
    needs = {KEPT: frozenset(PROBLEM_SCHEMA.names())}
    writes = {KEPT: frozenset(PROBLEM_SCHEMA.names()), "votes": frozenset(VOTE_SCHEMA.names())}
    keeps = KEPT

    def configuration(self, recipe: Recipe) -> object:
        """Return the sections with their models' identities and their prompts' hashes."""
        return {
            name: {
                "section": section.model_dump(mode="json", exclude={"model", "prompt"}),
                "model": engines.fingerprint(recipe, section.model),
                "prompt": prompts.load(section.prompt, recipe.directory).sha256,
            }
            for name, section in questions(recipe).items()
        }

    def execute(self, context: StepContext) -> StepReport:
        """Write ``votes``, and ``problems`` with a drop for each problem that got too few votes.

        Raises:
            InputError: a model or a prompt cannot be used.
            OutsideError: the server failed; what was answered is stored.
        """
        asked = questions(context.recipe)
        findings: dict[str, object] = {}
        drops: list[Drop] = []
        with (
            storage.open_table(context.output / "votes.parquet", VOTE_SCHEMA) as votes,
            TemporaryDirectory(prefix=storage.TEMPORARY_MARK, dir=context.output) as workspace,
        ):
            problems = context.tables[KEPT]
            for name, section in asked.items():
                question = _Question(name, prepare(section, context.recipe.directory))
                for frame in question.ask(context, problems):
                    votes.write(frame)
                drops += question.drops
                findings |= question.findings()
                problems = _without(problems, question.drops, Path(workspace) / f"{len(findings)}.parquet")
            if asked:
                kept = storage.iterate_table(problems, PROBLEM_SCHEMA)
                storage.write_table(context.output / f"{KEPT}.parquet", kept, PROBLEM_SCHEMA)
        storage.write_table(context.output / f"{DROPPED}.parquet", accuracy.ledger_frames(drops), LEDGER_SCHEMA)
        if not asked:
            findings["Not done"] = "The recipe has no [vote] section: every problem goes on."
        return StepReport(findings=findings)


def questions(recipe: Recipe) -> dict[str, VoteSection]:
    """Return the sections of a recipe's votes by the name of their question, in the order in which they are asked."""
    return {**({VALIDITY: recipe.vote} if recipe.vote is not None else {}), **recipe.questions}


def _without(problems: Path, drops: list[Drop], path: Path) -> Path:
    if not drops:
        return problems
    dropped = pl.Series([drop.problem_id for drop in drops], dtype=pl.String).implode()
    frames = (
        frame.filter(~pl.col("problem_id").is_in(dropped)) for frame in storage.iterate_table(problems, PROBLEM_SCHEMA)
    )
    storage.write_table(path, frames, PROBLEM_SCHEMA)
    return path


class _Question:
    """Asks one question about all problems, and keeps a drop for each that got too few votes."""

    def __init__(self, name: str, voting: Voting) -> None:
        self._name, self._voting = name, voting
        self._counts = Counts(voting)
        self._model = ""
        self.drops: list[Drop] = []

    def ask(self, context: StepContext, problems: Path) -> Iterator[pl.DataFrame]:
        """Yield frames of `records.VOTE_SCHEMA`."""
        directory, model = context.run_directory / "pool", self._voting.section.model
        with open_pool(directory) as pool:
            with engines.open_engine(context.recipe, model, context.reporter, directory) as engine:
                label = "vote" if self._name == VALIDITY else f"vote {self._name}"
                failures = collect(self._voting, problems, pool, engine, context.reporter, label)
                identity = engine.identity
            self._model = identity.model
            rows: list[tuple[str, str, str, int, str, str]] = []
            for tally in tallies(self._voting, problems, pool, identity, failures, self._voting.attempts):
                if tally.final:
                    self._count(tally)
                problem_id = tally.problem["problem_id"]
                rows += [
                    (problem_id, self._name, key, index, ballot.vote, ballot.why) for index, key, ballot in tally.tries
                ]
                if len(rows) >= _ROWS_AT_ONCE:
                    yield pl.DataFrame(rows, schema=VOTE_SCHEMA, orient="row")
                    rows = []
            yield pl.DataFrame(rows, schema=VOTE_SCHEMA, orient="row")

    def _count(self, tally: Tally) -> None:
        decision = self._counts.add(tally)
        section = self._voting.section
        if decision == "valid" or not section.act:
            return
        valid = sum(ballot.vote == "valid" for ballot in tally.final)
        said = f"{valid} of {section.votes} votes say {section.yes.lower()}, {section.required} are required"
        rule, reason = f"{self._name}_vote", said
        if decision == "undecided":
            rule, reason = f"{self._name}_undecided", f"{said}, and too many votes abstain to tell"
        evidence: dict[str, object] = {"votes": [[ballot.vote, ballot.why] for ballot in tally.final]}
        self.drops.append(Drop(tally.problem["problem_id"], tally.problem["source"], Vote.name, rule, reason, evidence))

    def findings(self) -> dict[str, object]:
        """Return numbers for the report."""
        counts, section = self._counts, self._voting.section
        found: dict[str, object] = {"Model": self._model}
        if not section.act:
            found["Not acted on"] = "The recipe says act = false: votes are shown, nothing is dropped."
        found |= {
            "Problems voted on": sum(counts.decisions.values()),
            "Called valid": counts.decisions["valid"],
            "Called invalid": counts.decisions["invalid"],
            "Undecided": counts.decisions["undecided"],
            "Votes valid, invalid, abstaining": [counts.votes[vote] for vote in ("valid", "invalid", "abstain")],
            "Votes asked again": counts.asked_again,
            "Failure types named": dict(sorted(counts.reasons.items())),
            "Why votes abstained": dict(sorted(counts.abstentions.items())),
        }
        if self._name == VALIDITY:
            return found
        return {f"{self._name}: {title[:1].lower()}{title[1:]}": value for title, value in found.items()}
