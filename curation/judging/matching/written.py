"""Checkers that are written on request for problems with several right outputs, and the test that each has to pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.judging import comparison
from curation.judging.compilation import Refused
from curation.judging.grading import code_blocks
from curation.judging.matching.evidence import Evidence
from curation.judging.matching.hypothesis import check_written
from curation.judging.matching.outputs import KnownOutput
from curation.judging.python_checker import PythonChecker
from curation.judging.testlib.checker import Checker as TestlibChecker
from curation.judging.trial import Checker
from curation.judging.writing import LANGUAGES, Source, Workshop, Writer, program_in, quoted
from curation.records import CheckerKind, CheckerSource, TestCase

_SHOWN_SAMPLES = 2
_SHOWN_OUTPUTS = 3
_SHOWN_CHARACTERS = 1_500


@dataclass(frozen=True, slots=True)
class Case:
    """A problem that needs a checker of its own.

    Attributes:
        problem_id: the problem.
        statement: its text.
        tests: its tests with streams.
        outputs: what accepted submissions wrote.
        wrong: what each wrong submission wrote, by its name.
    """

    problem_id: str
    statement: str
    tests: Sequence[TestCase]
    outputs: Sequence[KnownOutput]
    wrong: Mapping[str, Sequence[KnownOutput]]


@dataclass(frozen=True, slots=True)
class WrittenChecker:
    """What came of it: the text of a sound checker, None where none is; the tests of each; why there is none."""

    source: CheckerSource | None
    evidence: tuple[Evidence, ...]
    reason: str


def write_checker(
    workshop: Workshop, writer: Writer, case: Case, wanted: int, repairs: int
) -> tuple[Checker | None, WrittenChecker]:
    """Have checkers written until one passes; call it on a worker.

    Args:
        workshop: where they are compiled and run.
        writer: who writes.
        case: the problem.
        wanted: how many to write, without a look at each other; the first that passes is taken.
        repairs: how often refused ones are written again with the reason.

    Raises:
        OutsideError: the writer cannot be reached, or no sandbox can be started.
    """
    facts = _facts(case)
    asked: list[Mapping[str, object]] = [
        {**facts, "language": LANGUAGES[(place + 1) % len(LANGUAGES)], "refused": "", "reason": ""}
        for place in range(wanted)
    ]
    evidence: list[Evidence] = []
    reason = ""
    for _ in range(repairs + 1):
        again: list[Mapping[str, object]] = []
        for request, answer in zip(asked, writer.write("checker", asked), strict=True):
            source = program_in(code_blocks(answer.text)) if not isinstance(answer, str) else None
            if source is None:
                reason = answer if isinstance(answer, str) else "the response holds no program"
                continue
            checker, found = _try(workshop, case, source)
            evidence.append(found)
            if checker is not None:
                kind: CheckerKind = "testlib" if source.language == "testlib" else "python"
                return checker, WrittenChecker(CheckerSource.of(kind, source.code), tuple(evidence), "")
            reason = f"no written checker is sound; of the last one: {found.reason}"
            again.append({**request, "refused": source.code, "reason": quoted(found.reason)})
        asked = again
        if not asked:
            break
    return None, WrittenChecker(None, tuple(evidence), reason)


def _try(workshop: Workshop, case: Case, source: Source) -> tuple[Checker | None, Evidence]:
    if source.language not in ("testlib", "python3"):
        return None, Evidence(source.label, False, "it is neither in Python nor written with testlib.h")
    program = workshop.compile(source)
    if isinstance(program, Refused):
        return None, Evidence(source.label, False, f"it cannot be used: {quoted(program.message)}")
    checker = (
        TestlibChecker(program, limits=workshop.limits)
        if source.language == "testlib"
        else PythonChecker(program, workshop.limits)
    )
    test = case.tests[0]
    given, answer = (part.encode(errors="surrogateescape") for part in (test.input, test.output))
    first = checker.check(workshop.bench.sandbox(), given, answer, answer)
    if first.verdict == "JE":
        # What fails at once, as by never ending, is not worth more runs.
        return None, Evidence(source.label, False, f"it fails on the answer of test {test.name}: {first.message}")
    found = check_written(workshop.bench, source.label, checker, case.tests, case.outputs, case.wrong)
    return (checker if found.survives else None), found


def _facts(case: Case) -> dict[str, object]:
    tests = {test.name: test for test in case.tests}
    short = [test for test in case.tests if len(test.input) + len(test.output) <= _SHOWN_CHARACTERS]
    shown = []
    for one in case.outputs:
        test = tests.get(one.test)
        if test is None or test not in short or len(one.output) > _SHOWN_CHARACTERS:
            continue
        answer = test.output.encode(errors="surrogateescape")
        if comparison.compare(answer, one.output, comparison.Tokens()) is not None:
            text = one.output.decode(errors="replace")
            shown.append({"input": test.input, "answer": test.output, "output": text})
    samples = [{"input": test.input, "output": test.output} for test in short[:_SHOWN_SAMPLES]]
    return {"statement": case.statement, "samples": samples, "outputs": shown[:_SHOWN_OUTPUTS]}
