"""What sections of a recipe are made of: strict models, and the kinds of numbers that stand in them."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

_MOST_DIGITS = 4_000


class Section(BaseModel):
    """Base of all sections: unknown keys are errors, numbers are finite, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def _fraction(value: object) -> object:
    if isinstance(value, str):
        try:
            return float(Fraction(value))
        except (ValueError, ZeroDivisionError):
            return value
    return value


Share = Annotated[float, BeforeValidator(_fraction), Field(ge=0, le=1)]
"""A share of one, given as a number or as text like ``"9/24"``."""

Weight = Annotated[float, Field(ge=0)]
"""How often something is chosen, beside the other weights."""


def _natural_number(text: str) -> str:
    if not text.isascii() or not text.isdigit() or len(text) > _MOST_DIGITS:
        raise ValueError(f"{text[:40]!r} is no whole number from 0 on of at most {_MOST_DIGITS} digits")
    return text


NaturalNumber = Annotated[str, AfterValidator(_natural_number)]
"""A number of any size as text, because TOML's integers end at 64 bits."""


def check_window(above: float, below: float, names: str) -> None:
    """Refuse a band that no accuracy lies in; ``names`` are its keys, for the message."""
    if above >= below:
        raise ValueError(f"no accuracy lies between {names}: {above} and {below}")
