"""Which of many expressions a text holds, found in one scan.

A rule looks closely and is slow; a trigger is an expression that every text holds against which the rule has something,
so that the rule is asked about few texts. RE2 walks a text once for the triggers of all rules. They are written in its
syntax (https://github.com/google/re2/wiki/Syntax): no look-around, ``\\s`` and ``\\b`` know ASCII alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from operator import or_

import re2

SPACE = r"[\s\pZ\x0b\x1c-\x1f\x85]"
"""What ``\\s`` means to Python's expressions."""

ANYTHING = "(?s:.)"
"""The trigger of a rule that looks at every text but the empty one."""

ANY_TEXT = "(?s:.*)"
"""Between two marks in their order."""

_LOOK_AROUND = re.compile(r"\(\?<?!(?:[^()]|\([^()]*\))*\)")
_PIECE = re.compile(r"\\u[0-9a-f]{4}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
"""An escaped character, a class of characters, or a character."""

_OF_FORMULAS = ("\ufffc", r"\ufffc", r"\W", r"\S", r"\D")
"""What an expression can mean a character of a formula by."""
_ENDS = {"$": r"\n?$", r"\Z": "$"}

_MEMORY = 64 << 20
"""The scan's states in bytes, made as texts need them. When they are full it starts over."""


class Triggers:
    """Triggers by number, compiled together.

    A trigger that spans the text, as one of two marks far apart does, doubles the states of a scan, which must then be
    made anew for most texts. Such triggers, of which there are few, are scanned for apart from the others.
    """

    def __init__(self, triggers: Mapping[int, str]) -> None:
        """Take the triggers; their numbers are the bits of what `found` returns."""
        groups: dict[bool, dict[int, str]] = {}
        for number, trigger in triggers.items():
            groups.setdefault(_spans(trigger), {})[number] = trigger
        self._scans = [_Scan(group) for group in groups.values()]

    def found(self, text: str) -> int:
        """Return a mask: bit ``n`` is set where the text holds trigger ``n``."""
        encoded, mask = text.encode("utf-8", "surrogatepass"), 0
        for scan in self._scans:
            mask |= scan.found(encoded)
        return mask

    def found_in_each(self, texts: Sequence[str]) -> list[int]:
        """Return the mask of each text, as `found` does.

        One scan walks all texts before the next begins: its states stay in the processor's cache, and a text costs a
        quarter of what it costs alone.
        """
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        masks = [0] * len(texts)
        for scan in self._scans:
            masks = list(map(or_, masks, map(scan.found, encoded)))
        return masks


class _Scan:
    def __init__(self, triggers: Mapping[int, str]) -> None:
        options = re2.Options()
        options.max_mem = _MEMORY
        options.log_errors = False
        self._set = re2.Set.SearchSet(options)
        self._triggers = triggers
        self._bits = [1 << number for number in triggers]
        for trigger in triggers.values():
            self._set.Add(trigger)
        # It matches every text: where it is missing, the scan ran out of memory.
        self._done = 1 << max(triggers) + 1
        self._bits.append(self._done)
        self._set.Add("")
        self._set.Compile()

    def found(self, encoded: bytes) -> int:
        mask, bits = 0, self._bits
        for place in self._set.Match(encoded) or ():
            mask |= bits[place]
        return mask ^ self._done if mask else self._found_one_by_one(encoded)

    def _found_one_by_one(self, encoded: bytes) -> int:
        return sum(1 << number for number, trigger in self._triggers.items() if re2.search(trigger.encode(), encoded))


def _spans(trigger: str) -> bool:
    """Tell triggers of marks in order, and of what a whole text consists of, from those of one place."""
    return ANY_TEXT in trigger or (trigger.startswith("^[") and trigger.endswith("$"))


def in_prose(*expressions: re.Pattern[str]) -> str:
    """Return a trigger for statements in whose prose, in small letters or as it is, one of these may match.

    It says what the expressions say, without what they forbid around a match, and lets anything stand where they allow
    a formula, whose characters are blanked in the prose. That holds for ASCII, where RE2 and Python mean the same by
    words and blanks.

    Args:
        expressions: Python's, costly ones; their only look-around is negative and holds one level of groups at most.
    """
    return either(*(f"(?i:{_anywhere(expression.pattern)})" for expression in expressions))


def _anywhere(expression: str) -> str:
    return "".join(map(_in_statement, _PIECE.findall(_LOOK_AROUND.sub("", expression))))


def _in_statement(piece: str) -> str:
    """Return what a statement can have where its prose has what a piece of an expression stands for."""
    if piece == "." or piece.startswith("[^") or any(sign in piece for sign in _OF_FORMULAS):
        return ANYTHING
    if piece in _ENDS:
        return _ENDS[piece]
    if piece == " ":
        return "[ \n]"
    # A line end within a sentence is a blank in the prose.
    return f"{piece[:-1]}\n]" if piece.startswith("[") and " " in piece else piece


def words(text: str) -> str:
    """Return a trigger for one of these words, which are separated by blanks, in capital or small letters."""
    return rf"(?:^|[^A-Za-z])(?i:{'|'.join(text.split())})(?:[^A-Za-z]|$)"


def signs(*wanted: str) -> str:
    """Return a trigger for one of these strings."""
    return "|".join(re2.escape(sign) for sign in wanted)


def either(*triggers: str) -> str:
    """Return a trigger for one of these."""
    return "|".join(triggers)
