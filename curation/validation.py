"""What is wrong with a document that a user wrote, in one sentence of the program's own words."""

from __future__ import annotations

from pydantic import ValidationError

_WORDS = {
    "extra_forbidden": "there is no such key here: take it out, or mend its name or its place",
    "missing": "this key is missing: add it",
}


def first_fault(error: ValidationError, whole: str) -> str:
    """Say which key is at fault first and why.

    Args:
        error: what the document's model found.
        whole: what to name when the fault is in no single key, as in ``the recipe``.
    """
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or whole
    return f"{where}: {_WORDS.get(first['type'], first['msg'].removeprefix('Value error, '))}"
