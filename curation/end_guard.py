"""Ends what a program's libraries started, once that program is gone, however that happened.

The kernel kills with us the children that `curation.processes` starts. Processes that a library starts, and those that
they start, would live on: vLLM's would keep the GPUs. They are found by the file that their standard error goes into,
which each inherits; an environment or a command line would not do, for some processes write over theirs.
"""

from __future__ import annotations

import ctypes
import os
import signal
import stat
import sys
import time
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_STANDARD_ERROR = 2
_LONGEST_S = 10.0
_POLL_S = 0.05


def kill_writers(file: int) -> None:
    """Kill all other processes whose standard error goes into an open file, and those that they start meanwhile.

    Args:
        file: its descriptor.
    """
    deadline = time.monotonic() + _LONGEST_S
    while (found := writers(file)) and time.monotonic() < deadline:
        for process in found:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(_POLL_S)


def writers(file: int) -> list[int]:
    """Return the other processes whose standard error goes into an open file; those that have ended have none.

    Only a file without a name is looked for, which nobody has but by inheritance: of a device or a log that others
    write too there are none.
    """
    wanted = os.fstat(file)
    found: list[int] = []
    if not stat.S_ISREG(wanted.st_mode) or wanted.st_nlink:
        return found
    for place in Path("/proc").glob("[0-9]*"):
        try:
            other = (place / "fd" / str(_STANDARD_ERROR)).stat()
        except OSError:
            continue
        if os.path.samestat(other, wanted) and int(place.name) != os.getpid():
            found.append(int(place.name))
    return found


def _main() -> None:
    if sys.platform == "linux":
        # This one process has work to do after its parent's end.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, 0, 0, 0, 0)
    sys.stdout.write("watching\n")
    sys.stdout.flush()
    # The input ends with whoever started this program.
    sys.stdin.buffer.read()
    kill_writers(_STANDARD_ERROR)


if __name__ == "__main__":
    _main()
