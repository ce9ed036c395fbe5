"""Which licence binds a text that came under several: the one that allows least."""

from __future__ import annotations

from collections.abc import Sequence

STRICTNESS = (
    ("cc0-1.0", "public-domain", "unlicense", "wtfpl", "0bsd"),
    ("mit", "mit-0", "isc", "bsd-2-clause", "bsd-3-clause", "apache-2.0", "zlib", "bsl-1.0"),
    ("cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "odc-by", "odc-by-1.0", "cdla-permissive-2.0"),
    ("lgpl-2.1", "lgpl-3.0", "mpl-2.0", "cc-by-sa-2.0", "cc-by-sa-2.5", "cc-by-sa-3.0", "cc-by-sa-4.0", "odbl-1.0"),
    ("gpl-2.0", "gpl-3.0", "agpl-3.0"),
    ("cc-by-nd-2.0", "cc-by-nd-3.0", "cc-by-nd-4.0"),
    ("cc-by-nc-2.0", "cc-by-nc-2.5", "cc-by-nc-3.0", "cc-by-nc-4.0"),
    ("cc-by-nc-sa-2.0", "cc-by-nc-sa-2.5", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"),
    ("cc-by-nc-nd-2.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0"),
)
"""SPDX identifiers in lower case, from those that allow most to those that allow least.

The levels: no condition; name the author in the copy of the licence; attribution; share alike (weak copyleft); strong
copyleft; no changed versions; no commercial use; that and share alike; neither commercial use nor changed versions.
The endings ``-only`` and ``-or-later`` do not matter. What stands nowhere here is stricter than all of it: a
sentence, a blank, ``unknown`` or ``other`` allow nothing that anybody can rely on.
"""

_LEVEL = {name: level for level, names in enumerate(STRICTNESS) for name in names}


def strictest_licence(licences: Sequence[str]) -> str:
    """Return the licence that allows least by `STRICTNESS`; of equally strict ones the first in alphabetical order."""
    return max(sorted(set(licences)), key=_strictness)


def _strictness(licence: str) -> int:
    name = licence.strip().lower().removesuffix("-only").removesuffix("-or-later")
    return _LEVEL.get(name, len(STRICTNESS))
