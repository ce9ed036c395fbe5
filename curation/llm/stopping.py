"""When a problem needs no more samples: whatever the others would say, its place in the accuracy band is settled.

Stopping is lossless: it looks at every way in which the samples that are left could come out (right, wrong or unknown),
so the problems that end inside the band are exactly those that full sampling puts there. A problem without a right
answer so far goes on to its last sample, because that one may be right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from curation.recipe import Stop

Outlook = Literal["inside", "outside", "open"]


@dataclass(frozen=True, slots=True)
class Band:
    """The accuracies that keep a problem: strictly above one share, strictly below another."""

    above: float
    below: float

    def holds(self, right: int, graded: int) -> bool:
        """Tell whether ``right`` of ``graded`` responses lie inside; nothing graded lies outside."""
        return graded > 0 and self.above < right / graded < self.below


@lru_cache(maxsize=1 << 16)
def outlook(right: int, wrong: int, left: int, band: Band) -> Outlook:
    """Say where a problem will end.

    Args:
        right: responses graded right so far.
        wrong: responses graded wrong so far.
        left: how many more can be graded at most; each may turn out right, wrong or unknown.
        band: the accuracies that keep the problem.
    """
    most, all_graded = right + left, right + wrong + left
    # More right ones only raise the accuracy and more wrong ones only lower it, so the two ends bound all others.
    if band.holds(right, right + wrong) and band.holds(right, all_graded) and band.holds(most, all_graded):
        return "inside"
    could_be_inside = any(
        band.holds(right + more_right, right + more_right + wrong + more_wrong)
        for more_right in range(left + 1)
        for more_wrong in range(left - more_right + 1)
    )
    return "open" if could_be_inside else "outside"


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many samples a problem gets.

    Attributes:
        samples: graded responses wanted.
        extra: further samples at most, in the place of truncated, failed and ungradable ones.
        wave: samples asked for at once where sampling may stop early.
        stop: ``never``; ``outside``: once the problem is sure to end outside the band; ``decided``: once it is sure to
            end inside or outside.
    """

    samples: int
    extra: int = 0
    wave: int = 4
    stop: Stop = "never"

    @property
    def most(self) -> int:
        """The most samples that one problem can get."""
        return self.samples + self.extra

    def wanted(self, right: int, wrong: int, asked: int, band: Band) -> int:
        """Return how many samples to ask for next; 0 where the problem is done."""
        left = min(self.samples - right - wrong, self.most - asked)
        if left <= 0 or self.stop == "never":
            return max(0, left)
        seen = outlook(right, wrong, left, band)
        if seen == "outside" or (seen == "inside" and self.stop == "decided"):
            return 0
        return min(self.wave, left)
