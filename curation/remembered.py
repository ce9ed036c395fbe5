"""What was worked out of a word, kept for when it comes again: texts are made of few different words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_MOST = 1 << 17
_LONGEST = 40

Value = TypeVar("Value")


class Remembered(dict[str, Value]):
    """A function of a word that is looked up: ``map(table.__getitem__, words)`` runs without a call a word.

    `functools.lru_cache` costs three times as much a look-up, for it keeps an order. This forgets everything when it
    holds too many words, and never keeps long ones, so that hostile texts cost no memory.
    """

    def __init__(self, work_out: Callable[[str], Value]) -> None:
        super().__init__()
        self._work_out = work_out

    def __reduce__(self) -> tuple[type[Remembered[Value]], tuple[Callable[[str], Value]]]:
        # In another process it starts empty.
        return type(self), (self._work_out,)

    def __missing__(self, word: str) -> Value:
        value = self._work_out(word)
        if len(word) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[word] = value
        return value
