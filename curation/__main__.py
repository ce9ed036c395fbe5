"""The program's entry: ``curation`` and ``python -m curation``."""

from __future__ import annotations

import signal
import sys
from types import FrameType

_INTERRUPTED = 128 + signal.SIGINT
_TERMINATED = 128 + signal.SIGTERM


def run() -> None:
    """Run the command line; an interrupt or a request to end, however early, leaves nothing half written behind."""
    try:
        signal.signal(signal.SIGTERM, _end)
        # Loading takes a moment in which a user may already think better of it.
        from curation.cli import main

        main()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def _end(_number: int, _frame: FrameType | None) -> None:
    # Schedulers send SIGTERM before they kill: leaving by an exception deletes temporary files and ends processes.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.exit(_TERMINATED)


if __name__ == "__main__":
    run()
