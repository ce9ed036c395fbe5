"""The pieces of a page: atoms (a glyph, a rule, or a part of a formula that was put together) and drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Atom:
    """One piece of a line, in points from the page's lower left corner.

    Attributes:
        tex: what it says; empty for rules, accents and roots' signs.
        x0, x1: its left and right end.
        top, bottom: how high and low it reaches.
        baseline: where the line's baseline lies if this stands on a line of its own size.
        size: the font size; for a part put together, that of its contents.
        kind: ``glyph``, ``delimiter``, ``operator``, ``radical``, ``accent``, ``rule``, ``vrule`` or ``box``.
        name: the glyph's name in its font, or what a box holds: ``fraction``, ``radical``, ``overline``, ...
        font: the font's PostScript name, without a subset's prefix.
        math: it can stand in formulas only.
        damage: what was lost in it, each ``reason: evidence``.
    """

    tex: str
    x0: float
    x1: float
    top: float
    bottom: float
    baseline: float
    size: float
    kind: str
    name: str
    font: str
    math: bool
    damage: tuple[str, ...]

    @property
    def centre(self) -> float:
        """The middle between left and right."""
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True, slots=True)
class Drawing:
    """An image, a figure from another file, or a drawn path."""

    what: str
    x0: float
    x1: float
    top: float
    bottom: float


@dataclass(slots=True)
class PageContent:
    """A page: its number from 1, its size in points, its atoms in drawing order, its drawings."""

    number: int
    width: float
    height: float
    atoms: list[Atom] = field(default_factory=list)
    drawings: list[Drawing] = field(default_factory=list)


def box(tex: str, parts: Sequence[Atom], name: str, baseline: float, size: float, damage: tuple[str, ...] = ()) -> Atom:
    """Return one atom for a part of a formula that was put together from ``parts``, with the damage of all of them."""
    everything = dict.fromkeys([*damage, *(each for part in parts for each in part.damage)])
    return Atom(
        tex=tex,
        x0=min(part.x0 for part in parts),
        x1=max(part.x1 for part in parts),
        top=max(part.top for part in parts),
        bottom=min(part.bottom for part in parts),
        baseline=baseline,
        size=size,
        kind="box",
        name=name,
        font="",
        math=True,
        damage=tuple(everything),
    )
