"""What accepted submissions write on a problem's tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from curation.judging.bench import Bench
from curation.judging.compilation import Refused, prepare
from curation.judging.judge import Program
from curation.judging.limits import Limits
from curation.judging.trial import run_for_output
from curation.records import TestCase

_OUTPUT_MB = 16
_KEPT_BYTES = 64 << 20
"""Bytes of outputs kept of one program."""


@dataclass(frozen=True, slots=True)
class KnownOutput:
    """What an accepted submission wrote on a test."""

    submission: str
    test: str
    output: bytes


def outputs_of(bench: Bench, program: Program, tests: Sequence[TestCase], limits: Limits) -> list[KnownOutput]:
    """Run a program that is said to be right; call it on a worker of the bench.

    Args:
        bench: where it runs.
        program: the program.
        tests: what it runs on; those without streams are left out.
        limits: what it may use.

    Returns:
        the outputs of the runs that ended well. A run that did not says nothing about a checker.

    Raises:
        OutsideError: no sandbox can be started.
    """
    prepared = prepare(bench.sandbox(), bench.store, program.language, program.sources)
    if isinstance(prepared, Refused):
        return []
    bounded = replace(limits, output_mb=min(limits.output_mb, _OUTPUT_MB))
    known: list[KnownOutput] = []
    kept = 0
    for test in tests:
        written = run_for_output(bench, prepared, test, bounded) if test.kind == "stdio" else None
        if written is not None and kept + len(written) <= _KEPT_BYTES:
            kept += len(written)
            known.append(KnownOutput(program.name, test.name, written))
    return known
