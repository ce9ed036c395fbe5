"""New inputs from the inferred grammar, and near known ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from curation.testgen.answers import Candidate
from curation.testgen.generate import generate
from curation.testgen.grammar import Values, parse, render
from curation.testgen.inference import tidy
from curation.testgen.mutate import mutate
from curation.testgen.profiles import plan
from curation.testgen.rules import Rules


def candidates(
    rules: Rules, known: Sequence[Values], wanted: int, turn: int, source: random.Random
) -> Iterator[Candidate]:
    """Yield inputs, maybe one twice: a quarter near known ones, the others from the grammar.

    Args:
        rules: the grammar.
        known: inputs to stay near.
        wanted: how many to try; some attempts give none.
        turn: the round; large inputs and least ones are made in round 0 only.
        source: of random numbers.
    """
    profiles = plan(wanted, has_networks=bool(rules.networks))
    for place in range(wanted):
        if place % 4 == 3 and known:
            values, origin, is_large = mutate(rules, source.choice(known), source), "near a known input", False
        else:
            profile = next(profiles)
            while turn and profile.size in ("least", "large"):
                profile = next(profiles)
            values, origin = generate(rules, profile, source), profile.label
            is_large = profile.size == "large"
        if values is not None:
            yield Candidate(f"r{turn}-{place:03}", render(values), origin, is_large)


def parsed(rules: Rules, inputs: Sequence[str]) -> list[Values]:
    """Return the values of the inputs that have the grammar's shape."""
    return [values for text in inputs if (values := parse(rules.shape.nodes, tidy(text))) is not None]
