"""Which of many expressions a text holds, found in one scan.

A rule looks closely and is slow; a trigger is an expression that every text holds against which the rule has something,
so that the rule is asked about few texts. RE2 walks a text once for the triggers of all rules. They are written in its
syntax (https://github.com/google/re2/wiki/Syntax): no look-around, ``\\s`` and ``\\b`` know ASCII alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import re2

SPACE = r"[\s\pZ\x0b\x1c-\x1f\x85]"
"""What ``\\s`` means to Python's expressions."""

ANYTHING = "(?s:.)"
"""The trigger of a rule that looks at every text but the empty one."""

ANY_TEXT = "(?s:.*)"
"""Between two marks in their order."""

_LOOK_AROUND = re.compile(r"\(\?<?!(?:[^()]|\([^()]*\))*\)")

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
            masks = list(map(int.__or__, masks, map(scan.found, encoded)))
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


class Likely:
    """Tells quickly where a costly expression of Python's cannot match.

    RE2 looks for it without what it forbids around a match, so that it finds whatever the expression does. That holds
    for ASCII, where both mean the same by words and blanks; other text is always likely.
    """

    def __init__(self, expression: re.Pattern[str]) -> None:
        """Take an expression whose only look-around is negative and holds one level of groups at most."""
        flags = "(?s)" if expression.flags & re.DOTALL else ""
        self._trigger = Triggers({0: flags + _LOOK_AROUND.sub("", expression.pattern)})

    def __call__(self, text: str, *, is_ascii: bool) -> bool:
        """Tell whether the expression may match.

        Args:
            text: the text.
            is_ascii: whether it is ASCII but for signs that are neither blanks nor parts of words.
        """
        return not is_ascii or self._trigger.found(text) != 0


def words(text: str) -> str:
    """Return a trigger for one of these words, which are separated by blanks, in capital or small letters."""
    return rf"(?:^|[^A-Za-z])(?i:{'|'.join(text.split())})(?:[^A-Za-z]|$)"


def signs(*wanted: str) -> str:
    """Return a trigger for one of these strings."""
    return "|".join(re2.escape(sign) for sign in wanted)


def either(*triggers: str) -> str:
    """Return a trigger for one of these."""
    return "|".join(triggers)
