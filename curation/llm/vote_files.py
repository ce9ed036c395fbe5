"""Votes on the rows of a data set of the user's: every row comes back with what was decided, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from curation import storage
from curation.errors import InputError
from curation.filters.output import RowFile, open_rows, refuse_overwriting
from curation.ingest.user_rows import Field
from curation.json_reader import JsonValue, as_text, loads
from curation.llm import engines
from curation.llm.ballots import Ballot, failure_type
from curation.llm.pool import Pool, open_pool
from curation.llm.problem_rows import take_in
from curation.llm.voting import Counts, Tally, Voting, collect, prepare, tallies
from curation.progress import Reporter, Silent
from curation.recipe import Recipe
from curation.records import PROBLEM_SCHEMA

_ADDED = ("vote", "failure_type", "votes", "why")

Choice = Callable[[Sequence[tuple[str, Mapping[str, JsonValue]]]], set[str]]
"""Chooses identifiers among the identifiers and rows of a data set."""


@dataclass(frozen=True)
class VoteSummary:
    """What `vote_file` did.

    Attributes:
        model: who voted.
        pool: where its votes are kept.
        rows: rows read; ``rows`` = ``valid`` + ``invalid`` + ``undecided``.
        valid, invalid, undecided: rows by decision; rows that cannot be voted on are undecided.
        votes: the last try of each vote, by ballot.
        asked_again: tries that an abstention made necessary.
        failure_types: what votes against rows named.
        abstentions: why tries abstained.
        tokens: of prompts and responses, where the server counts.
        bad: location and reason of each row that cannot be voted on.
    """

    model: str
    pool: Path
    rows: int
    valid: int
    invalid: int
    undecided: int
    votes: Mapping[str, int]
    asked_again: int
    failure_types: Mapping[str, int]
    abstentions: Mapping[str, int]
    tokens: int
    bad: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Voted:
    """One row of a data set after the votes.

    Attributes:
        row: the row as it came; None for one that is none.
        location: where a row stands that is none.
        why: why it cannot be voted on.
        tally: its votes; None where there are none.
    """

    row: Mapping[str, JsonValue] | None
    location: str
    why: str
    tally: Tally | None


@dataclass(frozen=True)
class VotedRows:
    """The rows of a data set with their votes.

    Attributes:
        rows: in the order of the input; read once, while the pool is open.
        pool: the open pool.
        model: who voted.
        bad: location and reason of each row that is none.
    """

    rows: Iterator[Voted]
    pool: Pool
    model: str
    bad: tuple[tuple[str, str], ...]


@contextmanager
def voted_rows(
    source: str,
    pool: Path,
    recipe: Recipe,
    *,
    columns: Mapping[Field, str] | None = None,
    limit: int | None = None,
    reporter: Reporter | None = None,
    name: str = "vote",
    wanted: Choice | None = None,
) -> Iterator[VotedRows]:
    """Vote on every row of a data set, and give the rows while the pool is open.

    Args:
        source: a file, a folder, ``hub://owner/name`` or another address.
        pool: where votes are kept; what it holds is not asked for again.
        recipe: holds the section and its model; from `curation.llm.standalone.one_section`.
        columns: what stands in other columns than the usual ones.
        limit: rows to read at most.
        reporter: where progress goes; silent by default.
        name: what the progress bar says.
        wanted: which rows are voted on; all by default. The others are left out.

    Raises:
        InputError: the source, the model or the prompt cannot be used.
        OutsideError: the server or the network failed; what was answered is stored.
    """
    if recipe.vote is None:
        raise InputError("the recipe has no [vote] section: add one")
    told, voting = reporter or Silent(), prepare(recipe.vote, recipe.directory)
    with ExitStack() as resources:
        place = Path(resources.enter_context(TemporaryDirectory(prefix="curation-vote-")))
        with (place / "rows.jsonl").open("w", encoding="utf-8", newline="") as raw:
            taken = take_in(source, place, columns=columns, limit=limit, raw=raw)
        problems, spool = taken.problems, place / "rows.jsonl"
        if wanted is not None:
            problems, spool = _choose(problems, spool, wanted, place)
        opened = resources.enter_context(open_pool(pool))
        with engines.open_engine(recipe, recipe.vote.model, told, pool) as engine:
            failures = collect(voting, problems, opened, engine, told, name)
            identity = engine.identity
        found = tallies(voting, problems, opened, identity, failures, voting.attempts)
        lines = resources.enter_context(spool.open(encoding="utf-8", newline=""))
        yield VotedRows(_rows(lines, found, voting), opened, identity.model, taken.bad)


def _choose(problems: Path, spool: Path, wanted: Choice, directory: Path) -> tuple[Path, Path]:
    """Write the tables of the rows that are wanted, in memory: labelled cases are few."""
    table = storage.read_table(problems, PROBLEM_SCHEMA)
    lines = spool.read_text(encoding="utf-8").split("\n")[:-1]
    spooled = [(line, value.get("row") if isinstance(value := loads(line), dict) else None) for line in lines]
    rows = [row for _, row in spooled if isinstance(row, dict)]
    chosen = wanted(list(zip(table["problem_id"], rows, strict=True)))
    ids = iter(table["problem_id"])
    kept = [line for line, row in spooled if not isinstance(row, dict) or next(ids) in chosen]
    chosen_table, chosen_spool = directory / "chosen.parquet", directory / "chosen.jsonl"
    storage.write_table(chosen_table, table.filter(pl.col("problem_id").is_in(list(chosen))), PROBLEM_SCHEMA)
    storage.write_text(chosen_spool, "".join(f"{line}\n" for line in kept))
    return chosen_table, chosen_spool


def _rows(lines: Iterator[str], found: Iterator[Tally], voting: Voting) -> Iterator[Voted]:
    for line in lines:
        spooled = loads(line)
        if not isinstance(spooled, dict):
            raise TypeError("the spool holds objects only")
        row = spooled.get("row")
        if isinstance(row, dict):
            tally = next(found)
            why = "" if tally.final else _no_part(tally, voting)
            yield Voted(row, "", why, tally)
        else:
            text: JsonValue = spooled.get("text")
            location, reason = as_text(spooled.get("location")) or "", as_text(spooled.get("reason")) or ""
            yield Voted({"row": text} if text is not None else None, location, reason, None)


def _no_part(tally: Tally, voting: Voting) -> str:
    if tally.problem["answer"] is None and voting.section.needs_answer:
        return "the row has no answer"
    return f"rows of group {tally.problem['group']} are not voted on"


def vote_file(
    source: str,
    out: Path,
    pool: Path,
    recipe: Recipe,
    *,
    columns: Mapping[Field, str] | None = None,
    limit: int | None = None,
    reporter: Reporter | None = None,
) -> VoteSummary:
    """Vote on every row of a data set and write the rows with what was decided.

    Every row comes back with all its columns and, besides, ``vote`` (``valid``, ``invalid`` or ``undecided``),
    ``failure_type``, ``votes`` (one a vote: ``valid``, ``invalid`` with its type, or ``abstain``), ``why``, and an
    ``id`` (its number where it had none); a column of the input with one of these names becomes ``input_vote`` and so
    on. Rows that cannot be voted on are undecided.

    Args:
        source: a file, a folder, ``hub://owner/name`` or another address.
        out: the file to write: .jsonl, .parquet or .csv.
        pool: where votes are kept; what it holds is not asked for again.
        recipe: holds the section and its model.
        columns: what stands in other columns than the usual ones.
        limit: rows to read at most.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the source, the suffix of ``out``, the model or the prompt cannot be used.
        OutsideError: the server or the network failed; what was answered is stored.
    """
    refuse_overwriting(source, out)
    decisions: Counter[str] = Counter()
    keys: list[str] = []
    with (
        open_rows(out) as rows,
        voted_rows(source, pool, recipe, columns=columns, limit=limit, reporter=reporter) as voted,
    ):
        if recipe.vote is None:
            raise InputError("the recipe has no [vote] section: add one")
        counts = Counts(prepare(recipe.vote, recipe.directory))
        bad = [*voted.bad]
        for number, one in enumerate(voted.rows, start=1):
            decision, why = "undecided", f"{one.location}: {one.why}".removeprefix(": ")
            if one.tally is not None and one.tally.final:
                decision = counts.add(one.tally)
                keys += [key for _, key, _ in one.tally.tries]
                why = _why(one.tally.final, decision)
            elif one.tally is not None:
                bad.append((f"row {number}", one.why))
            decisions[decision] += 1
            _write(rows, one, number, decision, why)
        tokens = tokens_of(voted.pool, keys)
    return VoteSummary(
        model=voted.model,
        pool=pool,
        rows=decisions.total(),
        valid=decisions["valid"],
        invalid=decisions["invalid"],
        undecided=decisions["undecided"],
        votes=dict(counts.votes.most_common()),
        asked_again=counts.asked_again,
        failure_types=dict(counts.reasons.most_common()),
        abstentions=dict(counts.abstentions.most_common()),
        tokens=tokens,
        bad=tuple(bad),
    )


def tokens_of(pool: Pool, response_ids: list[str]) -> int:
    """Return how many tokens prompts and responses took, as far as the server counted."""
    rows = pool.keys().select("response_id", "prompt_tokens", "completion_tokens")
    wanted = set(response_ids)
    return sum((asked or 0) + (said or 0) for key, asked, said in rows.iter_rows() if key in wanted)


def _why(ballots: list[Ballot], decision: str) -> str:
    abstained = Counter(ballot.why for ballot in ballots if ballot.vote == "abstain")
    told = "; ".join(f"{times} abstained: {why}" for why, times in abstained.most_common())
    return told if decision != "valid" or abstained else ""


def _write(rows: RowFile, one: Voted, number: int, decision: str, why: str) -> None:
    given = one.row or {}
    renamed: dict[str, JsonValue] = {
        f"input_{name}" if name in _ADDED else name: value for name, value in given.items()
    }
    if renamed.get("id") is None:
        renamed["id"] = str(number)
    ballots = one.tally.final if one.tally is not None else []
    votes: list[JsonValue] = [f"{ballot.vote}: {ballot.why}" if ballot.why else ballot.vote for ballot in ballots]
    named = failure_type(ballots) if decision != "valid" else ""
    rows.write({**renamed, "vote": decision, "failure_type": named or None, "votes": votes, "why": why or None})
