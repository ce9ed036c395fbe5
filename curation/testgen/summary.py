"""The report on a search that is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from curation.judging.kill_groups import Rewards
from curation.records import TestCase
from curation.testgen.grown import Grown, NewTest, WithWriter
from curation.testgen.rates import Measured
from curation.testgen.screening import SetAside
from curation.testgen.search import Search
from curation.testgen.split import Split
from curation.testgen.validators import GRAMMAR, NearMisses

_DISAGREEMENTS = 0.2
"""The share of inputs that accepted programs answer differently above which a special judge is suspected."""


def summed_up(
    search: Search,
    chosen: Sequence[TestCase],
    mutants: Mapping[str, int],
    misses: NearMisses,
    measured: Sequence[Measured],
    rewards: Rewards,
    out: Path,
    split: Split,
    failing: tuple[SetAside, ...],
) -> Grown:
    rules = search.rules
    labels = {one.program.name: one.name for one in split.steering}
    tests = tuple(
        NewTest(
            test.name,
            search.origins[test.name],
            len(test.input),
            tuple(sorted(labels.get(name, name) for name in search.kills.get(test.name, ()))),
            search.bounds.get(test.name, ()),
            search.valid_by.get(test.name, ()),
        )
        for test in chosen
    )
    grammar = {rules.name(key): rules.is_stated(key) for key in range(len(rules.shape.names))} if rules else {}
    stated = list(dict.fromkeys([*(name for name, is_stated in grammar.items() if is_stated), *search.bound_values]))
    reached = {bound for test in search.package.tests for bound in search.bounds.get(test.name, ())}
    reached |= {bound for test in tests for bound in test.bounds_hit}
    wanted = [f"{name} {end}" for name in stated for end in ("least", "greatest")]
    disagreed = sum(one.rule == "disagreement" for one in search.rejected)
    own_judge = bool(search.package.validators)
    return Grown(
        problem=search.package.name,
        out=out,
        grammar=grammar,
        dropped_rules=rules.dropped if rules else (),
        validators=(*(one.name for one in search.validators), *([GRAMMAR] if rules else [])),
        near_misses=misses,
        inputs=search.made,
        rejected=dict(sorted(Counter(one.rule for one in search.rejected).items())),
        dissent={Path(name).name: count for name, count in sorted(search.answering.dissent.items())},
        special_judge_suspected=not own_judge and disagreed > _DISAGREEMENTS * max(1, search.made),
        mutants=mutants,
        tests=tests,
        bounds_missed=tuple(one for one in wanted if one not in reached),
        survivors=measured[0].accepted_wrong,
        steering=measured[0],
        held_out=measured[1],
        trivial=rewards.trivial,
        bounds=search.bound_values,
        with_writer=_written(search),
        set_aside=failing,
    )


def _written(search: Search) -> WithWriter | None:
    if search.generators is None:
        return None
    trials = search.written.trials if search.written is not None else ()
    return WithWriter(search.generators.writer.told(), trials, tuple(search.generators.records))
