"""Ask an engine for what a pool lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from curation.errors import OutsideError
from curation.llm.engine import Engine, Request
from curation.llm.pool import Pool
from curation.progress import Reporter


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a stream of requests.

    Attributes:
        known: how many were in the pool already.
        stored: how many were answered and stored.
        failures: why the others have no response, by ``response_id``.
    """

    known: int
    stored: int
    failures: Mapping[str, str]


def ask(
    engine: Engine,
    pool: Pool,
    requests: Iterable[Request],
    reporter: Reporter,
    *,
    description: str = "responses",
    total: int | None = None,
) -> Asked:
    """Ask for every response that the pool lacks, each once, and store each as it finishes.

    Memory does not grow with the responses, only with the keys and the failures.

    Args:
        engine: an engine opened by `curation.llm.engines.open_engine`.
        pool: where responses are looked up and stored.
        requests: read lazily, as far as the engine has room.
        reporter: where progress goes.
        description: what the progress bar says.
        total: the number of requests, where it is known.

    Raises:
        OutsideError: the server is dead, or more requests failed than ``failures_allowed``; what finished is stored.
    """
    counts = {"known": 0, "stored": 0}
    failures: dict[str, str] = {}
    passing: list[str] = []
    with reporter.task(description, total, "responses") as task:

        def missing() -> Iterator[Request]:
            asked: set[str] = set()
            for request in requests:
                key = request.key(engine.identity)
                if key in pool or key in asked:
                    counts["known"] += 1
                    task.advance()
                else:
                    asked.add(key)
                    yield request

        try:
            for answer in engine.answer(missing()):
                response = answer.response
                if response.failure is None:
                    pool.add(response)
                    counts["stored"] += 1
                else:
                    failures[response.response_id] = response.failure
                    if answer.may_pass:
                        passing.append(response.response_id)
                task.advance()
        finally:
            pool.fold()
    total_asked = counts["known"] + counts["stored"] + len(failures)
    if len(passing) > engine.failures_allowed * total_asked:
        raise OutsideError(
            f"{len(passing)} of {total_asked} requests to {engine.identity.model} failed ({failures[passing[0]]}): "
            "rerun to ask for these again, what finished is stored, or set failures_allowed of the model"
        )
    return Asked(counts["known"], counts["stored"], failures)
