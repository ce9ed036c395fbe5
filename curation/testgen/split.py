"""Which programs steer the search for tests and which are held out to measure it: drawn by a seed within each kind."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.errors import InputError
from curation.judging.judge import Program
from curation.judging.layout import is_polygon, own_programs

_IS_RIGHT = {
    "accepted": True,
    "wrong_answer": False,
    "time_limit_exceeded": False,
    "run_time_error": False,
    "memory_limit_exceeded": False,
    "output_limit_exceeded": False,
    "rejected": False,
}
FEWEST_RIGHT = 2
"""So many accepted programs have to agree on an answer."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A program with the kind that the package says it is of: the name of its directory."""

    program: Program
    kind: str

    @property
    def is_right(self) -> bool:
        """Whether the package says that it is right."""
        return _IS_RIGHT[self.kind]

    @property
    def name(self) -> str:
        """Its name in reports: the directory and the file."""
        return f"{self.kind}/{Path(self.program.name).name}"


@dataclass(frozen=True, slots=True)
class Split:
    """The programs of a package.

    Attributes:
        steering: those that the search may look at.
        held_out: those that only measure its result.
    """

    steering: tuple[Labelled, ...]
    held_out: tuple[Labelled, ...]

    def right(self) -> list[Labelled]:
        """Return the accepted programs that steer."""
        return [one for one in self.steering if one.is_right]

    def wrong(self) -> list[Labelled]:
        """Return the wrong programs that steer."""
        return [one for one in self.steering if not one.is_right]


def labelled_programs(package: Path) -> list[Labelled]:
    """Return the programs that a package brings along; partially accepted ones are left out.

    Raises:
        InputError: there are fewer than two accepted programs, so that no answer can be agreed on.
    """
    found = [Labelled(program, kind) for kind, program in own_programs(package) if kind in _IS_RIGHT]
    if sum(one.is_right for one in found) < FEWEST_RIGHT:
        where = f"{package / 'problem.xml'}, accepted," if is_polygon(package) else package / "submissions" / "accepted"
        raise InputError(f"{where} needs two programs or more, whose agreement gives answers")
    return found


def split_programs(found: Sequence[Labelled], seed: int, held_out: float) -> Split:
    """Split programs.

    Args:
        found: two accepted ones or more, and wrong ones.
        seed: draws the split.
        held_out: the share to hold out, in each kind and language; two accepted programs always steer.
    """
    source = random.Random(f"{seed} split")
    steering: list[Labelled] = []
    measured: list[Labelled] = []
    for right in (True, False):
        ordered = _mixed([one for one in found if one.is_right is right], source)
        keep = len(ordered) - int(len(ordered) * held_out)
        keep = max(keep, FEWEST_RIGHT) if right else keep
        steering += ordered[:keep]
        measured += ordered[keep:]
    return Split(tuple(_sorted(steering)), tuple(_sorted(measured)))


def _mixed(programs: list[Labelled], source: random.Random) -> list[Labelled]:
    """Shuffle within each kind and language, and deal the strata out evenly, so that any cut halves each of them."""
    strata: dict[tuple[str, str], list[Labelled]] = {}
    for one in programs:
        strata.setdefault((one.kind, one.program.language), []).append(one)
    placed: list[tuple[float, float, Labelled]] = []
    for key in sorted(strata):
        members = _sorted(strata[key])
        source.shuffle(members)
        shift = source.random()
        placed += [((place + shift) / len(members), source.random(), one) for place, one in enumerate(members)]
    return [one for _, _, one in sorted(placed, key=lambda item: item[:2])]


def _sorted(programs: Sequence[Labelled]) -> list[Labelled]:
    return sorted(programs, key=lambda one: one.name)
