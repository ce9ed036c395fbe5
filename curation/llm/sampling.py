"""Fills a response pool for the rows of any table, and grades what can be graded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import polars as pl

from curation import storage
from curation.errors import InputError
from curation.ingest.user_rows import Field
from curation.llm import places, pool_problems, waves
from curation.llm.places import PoolPath
from curation.llm.pool import open_pool
from curation.llm.problem_rows import checked_checkers, take_in
from curation.llm.stopping import Band
from curation.progress import Reporter, Silent
from curation.recipe import Recipe, SolveSection
from curation.records import PROBLEM_SCHEMA

_DOMAINS = pl.Schema({"domain": PROBLEM_SCHEMA["domain"]})


@dataclass(frozen=True)
class SampleSummary:
    """What `sample` did.

    Attributes:
        pool: the pool.
        model: who answered.
        problems: rows that were asked about.
        samples: responses asked for, those that were there already among them.
        full: how many that would have been without stopping early.
        known: responses that the pool had.
        stored: responses that are new.
        failed: requests without a response.
        failures: their reasons.
        truncated: responses that were cut at the token limit.
        right, wrong, unknown: the grades of all that was asked for.
        inside: problems whose accuracy lies in the band.
        completion_tokens: what the responses took, where the server counts.
        bad: location and reason of each row that could not be asked about.
    """

    pool: str
    model: str
    problems: int
    samples: int
    full: int
    known: int
    stored: int
    failed: int
    failures: Mapping[str, int]
    truncated: int
    right: int
    wrong: int
    unknown: int
    inside: int
    completion_tokens: int
    bad: tuple[tuple[str, str], ...]


def sample(
    source: str,
    pool: PoolPath,
    recipe: Recipe,
    *,
    of: Literal["pool", "proposer"] = "pool",
    columns: Mapping[Field, str] | None = None,
    tests: Path | None = None,
    checkers: Path | None = None,
    limit: int | None = None,
    reporter: Reporter | None = None,
) -> SampleSummary:
    """Ask a model to solve every row, as often as a section says, and store responses, problems and verdicts.

    What the pool holds is not asked for again, so that the same call goes on where one was cut off.

    Args:
        source: a file, a folder, ``hub://owner/name`` or another address.
        pool: the pool's directory.
        recipe: holds the section, its model and the band; from `curation.llm.standalone.one_section`.
        of: the section: ``pool`` takes its band from stage 1, ``proposer`` has its own.
        columns: what stands in other columns than the usual ones.
        tests: a table of `records.TEST_SCHEMA` for code problems.
        checkers: a table of `records.CHECKER_SCHEMA`, the checkers that came with them.
        limit: rows to read at most.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the source, the model or a prompt cannot be used.
        OutsideError: the server failed; what was answered is stored.
    """
    section, bands = _section(recipe, of)
    home = places.home(pool)
    with storage.writing(home):
        home.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="curation-sample-") as place:
        taken = take_in(source, Path(place), columns=columns, tests=tests, limit=limit)
        pool_problems.keep(pool, storage.iterate_table(taken.problems, PROBLEM_SCHEMA))
        task = waves.Task(
            recipe,
            section,
            bands,
            taken.problems,
            taken.tests,
            pool,
            home,
            keep_verdicts=True,
            checkers=checked_checkers(checkers),
        )
        solved = waves.solve(task, Path(place) / "grades.parquet", reporter or Silent(), "sample")
        domains = storage.read_table(taken.problems, _DOMAINS)["domain"]
        asked = pl.read_parquet(solved.grades, columns=["response_id"], glob=False)
    with open_pool(pool) as opened:
        stored = opened.keys().join(asked, on="response_id", how="semi")
    counts = {name: int(solved.accuracy[name].sum()) for name in ("right", "wrong", "unknown")}
    return SampleSummary(
        pool=str(pool),
        model=solved.identity.model,
        problems=taken.rows,
        samples=solved.samples,
        full=solved.most,
        known=solved.asked.known,
        stored=solved.asked.stored,
        failed=len(solved.asked.failures),
        failures=dict(Counter(solved.asked.failures.values()).most_common()),
        truncated=stored.filter(pl.col("finish_reason") == "length").height,
        **counts,
        inside=sum(
            bands[domain].holds(right, right + wrong)
            for domain, right, wrong in zip(domains, *solved.accuracy.select("right", "wrong"), strict=True)
        ),
        completion_tokens=int(stored["completion_tokens"].cast(pl.Int64).sum()),
        bad=taken.bad,
    )


def _section(recipe: Recipe, of: Literal["pool", "proposer"]) -> tuple[SolveSection, dict[str, Band]]:
    if of == "pool" and recipe.pool is not None:
        stage1 = recipe.stage1
        bands = {"math": Band(stage1.above, stage1.math_below), "code": Band(stage1.above, stage1.code_below)}
        return recipe.pool, bands
    if of == "proposer" and recipe.proposer is not None:
        band = Band(recipe.proposer.above, recipe.proposer.below)
        return recipe.proposer, {"math": band, "code": band}
    raise InputError(f"the recipe has no [{of}] section: add one")
