"""Which programs steer the search for tests and which are held out to measure it: drawn by a seed within each kind."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.errors import InputError
from curation.judging.judge import Program
from curation.judging.layout import own_submissions, read_submission

_IS_RIGHT = {
    "accepted": True,
    "wrong_answer": False,
    "time_limit_exceeded": False,
    "run_time_error": False,
    "memory_limit_exceeded": False,
    "output_limit_exceeded": False,
    "rejected": False,
}
_FEWEST_STEERING = 2


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


def split_programs(package: Path, seed: int, held_out: float) -> Split:
    """Split the programs that a package brings along; partially accepted ones are left out.

    Args:
        package: its directory.
        seed: draws the split.
        held_out: the share to hold out, in each directory and language; two accepted programs always steer.

    Raises:
        InputError: there are fewer than two accepted programs, so that no answer can be agreed on.
    """
    found = [
        Labelled(read_submission(place), place.parent.name)
        for place in own_submissions(package)
        if place.parent.name in _IS_RIGHT
    ]
    if sum(one.is_right for one in found) < _FEWEST_STEERING:
        raise InputError(
            f"{package / 'submissions' / 'accepted'} needs two programs or more, whose agreement gives answers"
        )
    source = random.Random(f"{seed} split")
    steering: list[Labelled] = []
    measured: list[Labelled] = []
    for right in (True, False):
        ordered = _mixed([one for one in found if one.is_right is right], source)
        keep = len(ordered) - int(len(ordered) * held_out)
        keep = max(keep, _FEWEST_STEERING) if right else keep
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
