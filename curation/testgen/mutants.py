"""Wrong programs made from right ones, for problems that bring too few: some of every kind of change, by a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from curation.judging import languages
from curation.judging.judge import Program, single_file
from curation.testgen.c_mutants import c_mutants
from curation.testgen.python_mutants import python_mutants


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed program, the kind of change, and the program it was made from."""

    program: Program
    kind: str
    origin: str


def make_mutants(programs: Sequence[Program], wanted: int, seed: int) -> list[Mutant]:
    """Return mutants of right programs, the kinds of change and the programs taken in turn.

    Args:
        programs: right programs; those of several files or of other languages than Python, C and C++ give none.
        wanted: how many to return at most.
        seed: draws among the changes of a kind.
    """
    source = random.Random(f"{seed} mutants")
    piles: dict[tuple[str, int], list[str]] = {}
    for place, program in enumerate(programs):
        language = languages.find(program.language)
        if len(program.sources) != 1 or language is None:
            continue
        code = program.sources[0].content.decode(errors="replace")
        made = (
            python_mutants(code) if language.family == "python" else c_mutants(code) if language.family == "c" else ()
        )
        for kind, text in made:
            piles.setdefault((kind, place), []).append(text)
    for key in sorted(piles):
        source.shuffle(piles[key])
    mutants: list[Mutant] = []
    while len(mutants) < wanted and any(piles.values()):
        for kind, place in sorted(piles):
            if piles[kind, place] and len(mutants) < wanted:
                origin = programs[place]
                name = f"mutant-{len(mutants) + 1:02}-{kind.replace(' ', '-')}"
                mutants.append(Mutant(single_file(name, origin.language, piles[kind, place].pop()), kind, origin.name))
    return mutants
