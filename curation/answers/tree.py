"""What a read answer is made of: formulas, relations, collections. Nothing is evaluated here."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """An exact number; ``written`` tells how.

    It is ``integer``, ``rational``, ``decimal``, ``base``, or ``clock`` for the ``05`` of ``9:05``.
    """

    value: Fraction
    written: str = "integer"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A letter with its subscript and primes. ``pi``, ``e``, ``i`` and ``∞`` are the constants of these names."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms that are added."""

    terms: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Factors that are multiplied; a division is a power of -1."""

    factors: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """``base`` to the power ``exponent``."""

    base: Formula
    exponent: Formula


@dataclass(frozen=True, slots=True)
class Root:
    """The root of ``radicand`` of degree ``index``; real where an odd root of a negative number is taken."""

    radicand: Formula
    index: Formula


@dataclass(frozen=True, slots=True)
class Call:
    """A function of arguments: one of `vocabulary.FUNCTIONS`, ``factorial``, ``percent``, ``degrees``, or unknown."""

    function: str
    arguments: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class PlusMinus:
    """Both ``term`` and its negative; ``lower`` for the sign that starts with minus."""

    term: Formula
    lower: bool = False


@dataclass(frozen=True, slots=True)
class Dots:
    """Three dots."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Sides with a sign between each two: ``0 < x ≤ 1``, ``y = 2x``, ``x ∈ [0, 1]``."""

    signs: tuple[str, ...]
    sides: tuple[Node, ...]
    modulus: Formula | None = None


@dataclass(frozen=True, slots=True)
class Bracket:
    """Members between brackets: a set in braces, else a tuple or an interval."""

    opening: str
    closing: str
    members: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SetBuilder:
    """``{element | condition}``."""

    element: Node
    condition: Node


@dataclass(frozen=True, slots=True)
class Combination:
    """Sets joined by one sign: ``∪``, ``∩`` or ``∖``."""

    sign: str
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of cells; ``kind`` is the environment without its brackets: ``matrix``, ``determinant`` or ``cases``."""

    kind: str
    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Numbers with colons between them: a ratio, or a time of day."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Members without brackets around them; ``connective`` is the ``,``, ``and`` or ``or`` between them."""

    members: tuple[Node, ...]
    connective: str = ","


@dataclass(frozen=True, slots=True)
class Grouped:
    """Lists, or single members, that stand beside each other: ``x=1, y=2 or x=3, y=4``."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """A quantity with what stands after (or, for money, before) it."""

    quantity: Node
    unit: str


@dataclass(frozen=True, slots=True)
class Qualified:
    """An answer with a remark: ``for any constant c``, ``where n is an integer``."""

    answer: Node
    remark: str


Formula: TypeAlias = (
    "Number | Symbol | Sum | Product | Power | Root | Call | PlusMinus | Dots | Bracket | Matrix | SetBuilder"
)
Node: TypeAlias = "Formula | Relation | Combination | Ratio | Listing | Grouped | Measured | Qualified"

VALUED = (Number, Symbol, Sum, Product, Power, Root, Call)
"""The formulas that have one value where their symbols have one."""

FORMULAS = (*VALUED, PlusMinus, Dots, Bracket, Matrix, SetBuilder)
"""All that can stand inside a formula."""
