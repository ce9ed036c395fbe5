"""What a contest paper gives, whatever it is written in: its numbered problems, each whole or with what is damaged."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PaperProblem:
    """One numbered problem as read from a paper.

    Attributes:
        number: its number in the paper, 1 or more.
        text: the statement, formulas as TeX between dollar signs.
        answer: the answer as TeX or text where the paper states it; None where it does not.
        damage: why the text is not to be trusted, as ``reason: evidence``; None where nothing was lost in reading.
        page: the page it starts on, 1 or more.
        series: what stands before its number where a paper counts each round or set anew: ``T`` for T7, ``2`` for 2-7.
    """

    number: int
    text: str
    answer: str | None
    damage: str | None
    page: int
    series: str = ""
