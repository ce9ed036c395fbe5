"""What the sections of a source file have in common: how a column is written."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from curation.ingest.columns import Expression, ExpressionError, parse


class Section(BaseModel):
    """Base of all sections: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


def _expression(value: object) -> object:
    if isinstance(value, str):
        try:
            return parse(value)
        except ExpressionError as error:
            raise ValueError(str(error)) from None
    return value


PathExpression = Annotated[Expression, BeforeValidator(_expression)]
"""An expression of `curation.ingest.columns`, written as text."""


class Constant(Section):
    """A column that is the same in every row."""

    value: str


class Renamed(Section):
    """A column whose values have other names with us; a value that the map lacks stays as it is."""

    source: PathExpression = Field(alias="from")
    map: dict[str, str]


def _column(value: object) -> object:
    return {"from": value, "map": {}} if isinstance(value, str) else value


Column = Annotated[Renamed | Constant, BeforeValidator(_column)]
"""``"path"``, ``{from = "path", map = {theirs = "ours"}}`` or ``{value = "constant"}``."""
