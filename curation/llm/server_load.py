"""How much one server is given: a limit that follows what it bears, and leave while it is down.

The limit on requests in flight grows by one with each answer until the first sign of too much, then by one a round,
and halves at each such sign (AIMD, as TCP does it): HTTP 429 or 503, a refused connection, a try that ran out of time.
Where answers are streamed, a first token that is waited for longer than half of the whole answer takes, beyond what an
unloaded server needs, says that more requests wait there than are worked on: then the limit falls gently, never below
where it began. Times are seconds of one clock, given by the caller.
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal

Trouble = Literal["busy", "down", "odd", "slow"]
"""``busy``: it asks for less. ``down``: nobody answers. ``odd``: one answer that is none. ``slow``: out of time."""


class TroubleError(Exception):
    """A try failed in a way that another try, or another server, may not."""

    def __init__(self, kind: Trouble, reason: str, retry_after_s: float | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.retry_after_s = retry_after_s


_FIRST_LIMIT = 8
_ODD_IN_A_ROW = 8
"""So many requests with answers that are none, and none with one, mean that the server is down and not they are odd."""
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_MOSTLY_WAITING = 0.5
_GENTLY = 0.9
_MEMORY = 0.1
"""Weight of the newest answer in the running means."""


def pause_s(failures: int) -> float:
    """Return the seconds to wait after so many failures in a row: doubling, bounded, another for each client."""
    longest = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2 ** min(failures - 1, 16))
    return random.uniform(longest / 2, longest)


@dataclass(slots=True)
class ServerLoad:
    """One server's limit and health.

    Attributes:
        url: its base address.
        most: what the limit never exceeds.
        patience: how many failures in a row make it dead; it is still tried again, one request at a time.
        limit: how many requests it is given at once.
        in_flight: how many it has.
        failures: signs of trouble in a row, those of one moment counted as one.
        reason: what the last trouble was.
        paused_until: it is given nothing before.
    """

    url: str
    most: int
    patience: int
    limit: float = 0.0
    in_flight: int = 0
    failures: int = 0
    reason: str = ""
    paused_until: float = 0.0
    _down: bool = False
    _odd: set[Hashable] = field(default_factory=set)
    _growing_fast: bool = True
    _cut_at: float = float("-inf")
    _answers: int = 0
    _unloaded_wait_s: float = 0.0
    _waiting: float = 0.0

    def __post_init__(self) -> None:
        self.limit = float(min(self.most, _FIRST_LIMIT))

    @property
    def dead(self) -> bool:
        """Whether it failed so often in a row that nobody should wait for it."""
        return self.failures >= self.patience

    def has_room(self, now: float) -> bool:
        """Tell whether it may be given one more; a server that was down gets one alone, to try it."""
        return now >= self.paused_until and self.in_flight < (1 if self._down else int(self.limit))

    def fullness(self) -> float:
        """Return the share of its limit that it has."""
        return self.in_flight / self.limit

    def began(self) -> None:
        """A request goes to it."""
        self.in_flight += 1

    def answered(self, began: float, now: float, first_token_s: float | None = None) -> None:
        """A request that began at ``began`` was answered; ``first_token_s`` is known where the answer was streamed."""
        was_full = self.in_flight >= int(self.limit)
        self.in_flight -= 1
        self.failures = 0
        self._odd.clear()
        self._down = False
        if first_token_s is not None:
            self._weigh(first_token_s, now - began)
        if self._waiting > _MOSTLY_WAITING:
            self._growing_fast = False
            if began >= self._cut_at:
                self.limit = max(min(self.limit, _FIRST_LIMIT), self.limit * _GENTLY)
                self._cut_at = now
        elif was_full:
            self.limit = min(float(self.most), self.limit + (1.0 if self._growing_fast else 1.0 / self.limit))

    def troubled(self, began: float, now: float, trouble: TroubleError, about: Hashable) -> None:
        """A request that began at ``began``, known by ``about``, failed in a way that may lie with the server."""
        self.in_flight -= 1
        self.reason = trouble.reason
        # What was under way when the limit was cut tells nothing new.
        new = began >= self._cut_at
        if trouble.kind in ("odd", "slow"):
            self._odd.add(about)
            if trouble.kind == "slow" and new:
                self._cut(now)
            if not self._down and len(self._odd) < _ODD_IN_A_ROW:
                return
            new = new or not self._down
        self._down = self._down or trouble.kind != "busy"
        if new:
            self._cut(now)
            self.failures += 1
            self.paused_until = max(self.paused_until, now + pause_s(self.failures))
        if trouble.retry_after_s is not None:
            self.paused_until = max(self.paused_until, now + trouble.retry_after_s)

    def give_up(self) -> None:
        """Count it as dead: it asks for a longer wait than anybody has."""
        self.failures = max(self.failures, self.patience)

    def _cut(self, now: float) -> None:
        self.limit = max(1.0, self.limit / 2)
        self._growing_fast = False
        self._cut_at = now

    def _weigh(self, first_token_s: float, whole_s: float) -> None:
        self._answers += 1
        if self._answers <= _FIRST_LIMIT:
            self._unloaded_wait_s += (first_token_s - self._unloaded_wait_s) / self._answers
            return
        share = max(0.0, first_token_s - self._unloaded_wait_s) / whole_s if whole_s > 0 else 0.0
        self._waiting += _MEMORY * (share - self._waiting)
