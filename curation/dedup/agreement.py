"""Do the members of a cluster give one answer, and which licence binds a text that came under several?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curation.answers import compare
from curation.records import Equality
from curation.text import fold

Comparison = Callable[[str, str], Equality]
"""Says whether two answers are one value."""


def same_answer(one: str, other: str) -> Equality:
    """Compare two answers by value; texts that fold to one are one answer, also where they are no mathematics."""
    return "equal" if fold(one) == fold(other) else compare(one, other).verdict


@dataclass(frozen=True, slots=True)
class Agreement:
    """How the answers of one cluster stand to each other.

    Attributes:
        value: for each distinct answer text the number of its value, 0 for the first seen; None where no comparison
            could tell which value it is.
        values: how many different values there are.
    """

    value: dict[str, int | None]
    values: int


def agree(answers: Sequence[str], compare: Comparison) -> Agreement:
    """Sort distinct answer texts into values.

    Two texts differ only where the comparison says so: an answer that cannot be told equal to one value, and not told
    different from all of them, counts as no value of its own.
    """
    value: dict[str, int | None] = {}
    examples: list[str] = []
    for answer in dict.fromkeys(answers):
        verdicts = [compare(example, answer) for example in examples]
        if "equal" in verdicts:
            value[answer] = verdicts.index("equal")
        elif "unknown" in verdicts:
            value[answer] = None
        else:
            value[answer] = len(examples)
            examples.append(answer)
    return Agreement(value, len(examples))


_STRICTNESS = (
    ("cc0-1.0", "public-domain", "unlicense", "wtfpl", "0bsd"),
    ("mit", "mit-0", "isc", "bsd-2-clause", "bsd-3-clause", "apache-2.0", "zlib", "bsl-1.0"),
    ("cc-by-3.0", "cc-by-4.0", "odc-by", "odc-by-1.0", "cdla-permissive-2.0"),
    ("cc-by-sa-3.0", "cc-by-sa-4.0", "odbl-1.0", "lgpl-3.0", "mpl-2.0", "gpl-2.0", "gpl-3.0", "agpl-3.0"),
    ("cc-by-nd-3.0", "cc-by-nd-4.0"),
    ("cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0"),
    ("cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"),
    ("cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0"),
)
_LEVEL = {name: level for level, names in enumerate(_STRICTNESS) for name in names}


def strictest_licence(licences: Sequence[str]) -> str:
    """Return the licence that allows least; one that is no known SPDX identifier counts as allowing nothing.

    Ties go to the first in alphabetical order.
    """
    return max(sorted(set(licences)), key=lambda licence: _LEVEL.get(licence.strip().lower(), len(_STRICTNESS)))
