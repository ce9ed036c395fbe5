"""Answers of new inputs: what an accepted program writes, where the others agree and all are well within limits."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from curation import storage
from curation.errors import InputError
from curation.json_reader import dumps
from curation.judging import verdicts
from curation.judging.bench import Bench
from curation.judging.compilation import Prepared, Refused, prepare
from curation.judging.judge import Program, judge_side_by_side
from curation.judging.limits import Limits
from curation.judging.sandbox import RunLimits
from curation.judging.trial import Checker
from curation.records import TestCase

MARGIN = 0.5
"""The share of the time limit that accepted programs may take, so that slower right programs still pass."""

_MOST_OUTPUT = 16 << 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """An input that may become a test.

    Attributes:
        name: its name among the candidates.
        text: the input.
        origin: how it was made.
        is_large: it is one of the large ones.
        by_grammar: the inferred grammar made it, and has to find it valid.
    """

    name: str
    text: str
    origin: str
    is_large: bool = False
    by_grammar: bool = True


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why an input became no test: the rule, and the reason for a reader."""

    name: str
    origin: str
    rule: str
    reason: str
    size: int
    sha256: str


@dataclass
class Answering:
    """Accepted programs that answer inputs together.

    Attributes:
        bench: where they run.
        programs: two or more; the first one's outputs become the answers.
        limits: those of the package.
        checker: the package's, which says whether outputs agree.
        dissent: how often each program disagreed with the first.
    """

    bench: Bench
    programs: Sequence[Program]
    limits: Limits
    checker: Checker
    problem_id: str
    dissent: Counter[str] = field(default_factory=Counter)

    def answer(self, candidates: Sequence[Candidate]) -> tuple[dict[str, TestCase], list[Rejected]]:
        """Return the tests that all programs agree on, by the candidates' names, and why there are no others."""
        outputs = self.bench.map(partial(_output, self.bench, self.programs[0], self.limits), candidates)
        tests: dict[str, TestCase] = {}
        dropped: list[Rejected] = []
        for candidate, (output, reason) in zip(candidates, outputs, strict=True):
            if output is None:
                dropped.append(rejected(candidate, "accepted_fails", f"{Path(self.programs[0].name).name}: {reason}"))
            else:
                answer = output.decode(errors="surrogateescape")
                tests[candidate.name] = TestCase(self.problem_id, candidate.name, "stdio", candidate.text, answer)
        dropped += self._disagreements({one.name: one for one in candidates}, tests)
        return tests, dropped

    def _disagreements(self, candidates: dict[str, Candidate], tests: dict[str, TestCase]) -> list[Rejected]:
        """Take the tests out that a program answers otherwise, slowly or not at all."""
        if not tests:
            return []
        dropped: dict[str, Rejected] = {}
        given = list(tests.values())
        for judged in judge_side_by_side(self.bench, self.programs[1:], given, self.limits, self.checker):
            name = Path(judged.submission).name
            if not judged.tests:
                raise InputError(f"{judged.submission} cannot be run ({judged.message}): mend it or take it away")
            for result in judged.tests:
                if result.verdict == "WA":
                    self.dissent[judged.submission] += 1
                    rule, reason = "disagreement", f"{name} answers otherwise: {result.message}"
                elif result.verdict != "AC":
                    rule, reason = "accepted_fails", f"{name}: {result.verdict} {result.message}"
                elif result.cpu_s > MARGIN * self.limits.cpu_s:
                    rule, reason = "too_slow", f"{name} takes {result.cpu_s:.2f} of {self.limits.cpu_s:g} seconds"
                else:
                    continue
                dropped.setdefault(result.name, rejected(candidates[result.name], rule, reason))
        for name in dropped:
            del tests[name]
        return list(dropped.values())


def rejected(candidate: Candidate, rule: str, reason: str) -> Rejected:
    """Return the ledger entry of an input."""
    data = candidate.text.encode(errors="surrogateescape")
    return Rejected(candidate.name, candidate.origin, rule, reason, len(data), hashlib.sha256(data).hexdigest())


def _output(bench: Bench, program: Program, limits: Limits, candidate: Candidate) -> tuple[bytes | None, str]:
    """Return what a program writes for an input, or why it counts for nothing; call it on a worker."""
    prepared = prepare(bench.sandbox(), bench.store, program.language, program.sources)
    if isinstance(prepared, Refused):
        raise InputError(f"{program.name} cannot be run ({prepared.message}): mend it or take it away")
    given = candidate.text.encode(errors="surrogateescape")
    parts = [prepared.key, repr(limits), hashlib.sha256(given).hexdigest()]
    key = "answer-" + hashlib.sha256(dumps(parts).encode()).hexdigest()
    kept = bench.store.program(key)
    if kept is not None:
        return kept, ""
    output, reason = _run(bench, prepared, limits, given)
    if output is not None:
        bench.store.keep_program(key, output)
    return output, reason


def _run(bench: Bench, program: Prepared, limits: Limits, given: bytes) -> tuple[bytes | None, str]:
    arguments = [part.format(memory_mb=limits.memory_mb) for part in program.command]
    run_limits = RunLimits(
        cpu_s=limits.cpu_s,
        wall_s=limits.wall_s,
        memory_mb=limits.memory_mb,
        output_mb=min(limits.output_mb, _MOST_OUTPUT >> 20),
        bound_address_space=program.language.family != "java",
    )
    with bench.gate.beside_others():
        execution = bench.sandbox().run(arguments, run_limits, files=program.files, standard_input=given)
    wrong = verdicts.of_run(execution, limits)
    if wrong is not None:
        return None, f"{wrong[0]} {wrong[1]}"
    if execution.cpu_s > MARGIN * limits.cpu_s:
        return None, f"it takes {execution.cpu_s:.2f} of {limits.cpu_s:g} seconds"
    return execution.output, ""


def write_ledger(path: Path, entries: Sequence[Rejected]) -> None:
    """Write one line of JSON for each input that became no test."""
    from dataclasses import asdict

    storage.write_text(path, "".join(dumps(asdict(entry)) + "\n" for entry in entries))
