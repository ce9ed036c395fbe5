"""Math-Verify behind a process with limits: what our own readers do not understand is asked here, and only here.

Model text reaches Math-Verify in that process alone. Its verdict counts only where it is the same with the sides
swapped; a timeout, a crash or a text that it cannot read is unknown.
"""

from __future__ import annotations

from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.symbolic_worker import SymbolicWorker, shared_worker

PATH = "math-verify"
"""The path of every verdict from here."""

LENGTH_LIMIT = 4_000
"""Characters; a longer text is not sent."""


def verify(gold: str, prediction: str, worker: SymbolicWorker | None = None) -> Comparison:
    """Compare two answers with Math-Verify.

    Args:
        gold: the right answer.
        prediction: the answer to check.
        worker: the process to use; this process's shared one by default.
    """
    if len(gold) > LENGTH_LIMIT or len(prediction) > LENGTH_LIMIT:
        return unknown(PATH, f"more than {LENGTH_LIMIT:,} characters are not sent to Math-Verify")
    reply = (worker or shared_worker()).ask("math_verify", [gold, prediction])
    if reply.outcome == "true":
        return equal(PATH, reply.why)
    if reply.outcome == "false":
        return different(PATH, reply.why)
    return unknown(PATH, reply.why)
