"""Do a row and a benchmark item have the same answer?"""

from __future__ import annotations

from curation.text import fold


def answers_agree(row: str | None, item: str | None) -> bool | None:
    """Compare two answers as folded text; None where one of the two is not given.

    A plain comparison on purpose: it runs on every hit and must never start a process, and a hit does not stand or fall
    with it.
    """
    if row is None or item is None or not row.strip() or not item.strip():
        return None
    return _plain(row) == _plain(item)


def _plain(answer: str) -> str:
    # Contests that fill in answer sheets write 025 for 25.
    folded = fold(answer)
    return folded.lstrip("0") or "0" if folded.isdecimal() else folded
