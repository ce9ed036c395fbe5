"""What growing a problem's tests is asked for, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from curation.testgen.rates import Measured
from curation.testgen.screening import SetAside
from curation.testgen.validators import NearMisses
from curation.testgen.written_generators import GeneratorRecord
from curation.testgen.written_validators import ValidatorTrial


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
        validators: with a writer, how many validators it writes, each without a look at the others.
        generators: with a writer, how many generators it writes before the first round.
        targets: with a writer, at how many survivors of a round it aims a generator.
        repairs: with a writer, how often it may write again what was refused.
        written_cpu_s: CPU seconds that a written program may use on one input.
    """

    seed: int = 0
    inputs: int = 80
    rounds: int = 2
    mutants: int = 40
    held_out: float = 0.5
    budget_s: float | None = None
    validators: int = 3
    generators: int = 2
    targets: int = 4
    repairs: int = 1
    written_cpu_s: float = 10.0


@dataclass(frozen=True, slots=True)
class NewTest:
    """A test that was added.

    Attributes:
        name: its name.
        origin: how it was made.
        bytes: the input's size.
        kills: the programs that it kills.
        bounds_hit: the bounds that it hits, as ``n least`` and ``n greatest``, by the statement and by the log of a
            validator that keeps one.
        valid_by: who says that it is valid.
    """

    name: str
    origin: str
    bytes: int
    kills: tuple[str, ...]
    bounds_hit: tuple[str, ...]
    valid_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WithWriter:
    """What was written for a problem.

    Attributes:
        spent: who wrote, requests and tokens.
        validators: every validator that was written and what its tests found, the chosen one first.
        generators: every generator and what became of its inputs.
    """

    spent: Mapping[str, object]
    validators: tuple[ValidatorTrial, ...]
    generators: tuple[GeneratorRecord, ...]


@dataclass(frozen=True, slots=True)
class Grown:
    """What growing a problem's tests came to.

    Attributes:
        problem: the package's name.
        out: the directory of the new package.
        grammar: each field's name and whether the statement bounds it.
        dropped_rules: what the statement says and a known input breaks.
        validators: who says that inputs are valid: ``package``, where it brings a validator; one that was written;
            ``grammar``, which only inputs of its own making have to pass where there is a validator.
        near_misses: what these say of near misses.
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
        bounds: the least and greatest value of each variable that a validator logs.
        with_writer: what was written; None where nobody was asked.
        set_aside: accepted programs that fail the package's own tests; they neither steer nor measure.
    """

    problem: str
    out: Path
    grammar: Mapping[str, bool]
    dropped_rules: tuple[str, ...]
    validators: tuple[str, ...]
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
    bounds: Mapping[str, tuple[str | None, str | None]]
    with_writer: WithWriter | None = None
    set_aside: tuple[SetAside, ...] = ()
