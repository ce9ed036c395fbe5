"""How a contest archive lies in a folder: what file names say, which rounds are left out, how long a round is.

Models of a source file's ``[papers]`` section. The archives differ in names and rules, not in code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from curation.recipe import Section

Role = Literal["problems", "solutions", "answers"]

_ROLES: tuple[Role, ...] = ("problems", "solutions", "answers")
_GROUPS = frozenset({"year", "tournament", "round", "number", *_ROLES})


def _pattern(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return re.compile(value, re.IGNORECASE | re.DOTALL)
    except re.error as error:
        raise ValueError(f"{value!r} is no regular expression: {error}") from None


Pattern = Annotated[re.Pattern[str], BeforeValidator(_pattern)]
"""A regular expression that takes small and capital letters for the same."""


@dataclass(frozen=True, slots=True)
class PaperName:
    """What a file's path says.

    Attributes:
        year: four digits; empty where the path names none.
        tournament: which of a contest's tournaments, as a slug; empty where it has one alone.
        round: the round as a slug; empty where the contest has one alone.
        role: whether it holds problems, problems with their solutions, or answers alone.
        number: the problem's number where a file holds one problem; None elsewhere.
    """

    year: str
    tournament: str
    round: str
    role: Role
    number: int | None


class LeftOut(Section):
    """Problems that are none of ours; all that is said must hold."""

    round: str = Field(default="*", description="glob of the round's slug")
    tournament: str = Field(default="*", description="glob of the tournament's slug")
    years: tuple[int, int] | None = Field(default=None, description="first and last year")
    numbers: tuple[int, int] | None = Field(default=None, description="first and last number")
    says: Pattern | None = Field(default=None, description="what the statement says somewhere")
    rule: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    reason: str

    def holds_for(self, name: PaperName, number: str, statement: str) -> bool:
        """Return whether it speaks of this problem."""
        return (
            _in_round(self.round, self.tournament, self.years, name)
            and _within(self.numbers, number)
            and (self.says is None or self.says.search(statement) is not None)
        )


class Length(Section):
    """How many problems a round has, where that is known."""

    round: str = "*"
    tournament: str = "*"
    years: tuple[int, int] | None = None
    problems: int = Field(ge=1)

    def holds_for(self, name: PaperName) -> bool:
        """Return whether it speaks of this round."""
        return _in_round(self.round, self.tournament, self.years, name)


class Papers(Section):
    """The ``[papers]`` section of an archive's source file."""

    contest: str = Field(description="the contest as recipes name it; its tournament comes behind it")
    names: tuple[Pattern, ...] = Field(
        min_length=1,
        description="regular expressions of whole paths without their suffix; the first that fits counts. Groups: year,"
        " tournament, round, number, and problems, solutions or answers, one of which tells by matching what it holds",
    )
    others: tuple[Pattern, ...] = Field(default=(), description="paths of files that are no papers")
    aliases: dict[str, str] = Field(default={}, description="our slugs of other spellings of a tournament or round")
    left_out: tuple[LeftOut, ...] = ()
    lengths: tuple[Length, ...] = ()

    @field_validator("names")
    @classmethod
    def _known_groups(cls, names: tuple[re.Pattern[str], ...]) -> tuple[re.Pattern[str], ...]:
        for name in names:
            unknown = set(name.groupindex) - _GROUPS
            if unknown or not set(name.groupindex) & set(_ROLES):
                raise ValueError(f"{name.pattern!r} needs one of {', '.join(_ROLES)}, and only {sorted(_GROUPS)}")
        return names

    def name(self, path: PurePosixPath) -> PaperName | None:
        """Return what a path inside the folder says; None where no pattern fits."""
        text = path.with_suffix("").as_posix()
        for pattern in self.names:
            found = pattern.fullmatch(text)
            if found is not None:
                said = {group: value or "" for group, value in found.groupdict().items()}
                role = next(role for role in _ROLES if found.groupdict().get(role) is not None)
                number = said.get("number", "")
                return PaperName(
                    said.get("year", ""),
                    self._slug(said.get("tournament", "")),
                    self._slug(said.get("round", "")),
                    role,
                    int(number) if number else None,
                )
        return None

    def is_other(self, path: PurePosixPath) -> bool:
        """Return whether the file is known to be no paper."""
        return any(pattern.fullmatch(path.as_posix()) for pattern in self.others)

    def length(self, name: PaperName) -> int | None:
        """Return how many problems the round has, where that is known."""
        return next((length.problems for length in self.lengths if length.holds_for(name)), None)

    def reason_against(self, name: PaperName, number: str, statement: str) -> LeftOut | None:
        """Return the first rule that leaves a problem out."""
        return next((rule for rule in self.left_out if rule.holds_for(name, number, statement)), None)

    def _slug(self, text: str) -> str:
        found = slug(text)
        return self.aliases.get(found, found)


def slug(text: str) -> str:
    """Return the words of a text in small letters with hyphens between them."""
    return "-".join(re.findall(r"[^\W_]+", text.lower()))


def _in_round(round_glob: str, tournament: str, years: tuple[int, int] | None, name: PaperName) -> bool:
    return (
        fnmatchcase(name.round, round_glob)
        and fnmatchcase(name.tournament, tournament)
        and (years is None or (bool(name.year) and years[0] <= int(name.year) <= years[1]))
    )


def _within(numbers: tuple[int, int] | None, number: str) -> bool:
    return numbers is None or (number.isdecimal() and numbers[0] <= int(number) <= numbers[1])
