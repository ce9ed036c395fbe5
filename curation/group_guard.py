"""Ends a process group when whoever started this program is gone, however that happened: its input ends with them.

The kernel kills a child with its parent, but none of that child's own children: vLLM's would keep the GPUs.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def _main() -> None:
    if sys.platform == "linux":
        # This one process has work to do after its parent's end.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, 0, 0, 0, 0)
    sys.stdout.write("watching\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    try:
        os.killpg(int(sys.argv[1]), signal.SIGKILL)
    except ProcessLookupError:
        return


if __name__ == "__main__":
    _main()
