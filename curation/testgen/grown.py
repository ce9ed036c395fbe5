"""What growing a problem's tests is asked for, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from curation.testgen.rates import Measured
from curation.testgen.validators import NearMisses


@dataclass(frozen=True, slots=True)
class Options:
    """How tests are grown.

    Attributes:
        seed: draws inputs, mutants and the split.
        inputs: how many inputs to make in the first round.
        rounds: rounds of more inputs against wrong programs that survive.
        mutants: how many mutants of accepted programs to make at most; fewer where there are many wrong programs.
        held_out: the share of programs that only measure.
        budget_s: seconds on the clock after which no further round begins; None for no bound.
    """

    seed: int = 0
    inputs: int = 80
    rounds: int = 2
    mutants: int = 40
    held_out: float = 0.5
    budget_s: float | None = None


@dataclass(frozen=True, slots=True)
class NewTest:
    """A test that was added: how it was made, what it kills, which bounds it hits (``n least``, ``n greatest``)."""

    name: str
    origin: str
    bytes: int
    kills: tuple[str, ...]
    bounds_hit: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grown:
    """What growing a problem's tests came to.

    Attributes:
        problem: the package's name.
        out: the directory of the new package.
        grammar: each field's name and whether the statement bounds it.
        dropped_rules: what the statement says and a known input breaks.
        validator: ``package``, where it brings one, else ``grammar``.
        near_misses: what that validator says of near misses.
        inputs: how many inputs were made.
        rejected: how many of them became no candidate, by rule.
        dissent: how often an accepted program disagreed with the others.
        special_judge_suspected: accepted programs disagree often, and the package has no output validator.
        mutants: how many were made, how many of them known tests kill, how many seem equivalent, and the rest.
        tests: the new tests.
        bounds_missed: bounds that no test hits.
        survivors: steering wrong programs that pass every test.
        steering: rates on the programs that steered.
        held_out: rates on the others.
        trivial: the greatest weighted fraction that a trivial program earns.
        with_model: what a model did; always that there was none.
    """

    problem: str
    out: Path
    grammar: Mapping[str, bool]
    dropped_rules: tuple[str, ...]
    validator: str
    near_misses: NearMisses
    inputs: int
    rejected: Mapping[str, int]
    dissent: Mapping[str, int]
    special_judge_suspected: bool
    mutants: Mapping[str, int]
    tests: tuple[NewTest, ...]
    bounds_missed: tuple[str, ...]
    survivors: tuple[str, ...]
    steering: Measured
    held_out: Measured
    trivial: float
    with_model: str = "no model was used: generators, validators and checkers written by a model are not there yet"
