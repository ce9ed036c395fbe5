"""One program on one test: run it, look at how it ended, check what it wrote."""

from __future__ import annotations

from dataclasses import dataclass

from curation.json_reader import JsonTextError, loads
from curation.judging import comparison, verdicts
from curation.judging.bench import Bench
from curation.judging.comparison import Tokens
from curation.judging.compilation import Prepared, driver_files
from curation.judging.limits import Limits
from curation.judging.sandbox import Execution, RunLimits, Sandbox, WorkFile
from curation.judging.store import StoredResult
from curation.judging.validators import Validator, validate
from curation.records import JudgeVerdict, TestCase

Checker = Tokens | Validator

_MESSAGE_CHARACTERS = 500
_JAVA_EXTRA_MB = 160
"""What a Java machine takes beside its heap."""

_OUTCOMES: dict[str, JudgeVerdict] = {"passed": "AC", "failed": "WA", "raised": "RTE", "broken": "JE"}


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a test is run: the command, what lies beside it, what it reads."""

    arguments: tuple[str, ...]
    files: tuple[WorkFile, ...]
    standard_input: bytes


def run_test(bench: Bench, program: Prepared, test: TestCase, limits: Limits, checker: Checker) -> StoredResult:
    """Run one program on one test, a second time alone where a busy machine may be to blame; call it on a worker.

    Raises:
        OutsideError: no sandbox can be started.
    """
    sandbox = bench.sandbox()
    level = bench.isolation.level
    if test.kind != "stdio" and program.language.family != "python":
        return StoredResult("JE", 0.0, 0.0, f"{test.kind} tests need a Python program", level)
    plan = _plan(program, test, limits)
    run_limits = _run_limits(program, limits)
    with bench.gate.beside_others():
        execution = sandbox.run(plan.arguments, run_limits, files=plan.files, standard_input=plan.standard_input)
    wrong = verdicts.of_run(execution, limits)
    if wrong is not None and verdicts.is_worth_a_second_run(wrong[0], execution):
        with bench.gate.alone():
            execution = sandbox.run(plan.arguments, run_limits, files=plan.files, standard_input=plan.standard_input)
        wrong = verdicts.of_run(execution, limits)
    if wrong is None:
        with bench.gate.beside_others():
            wrong = _check(sandbox, test, execution, checker)
    verdict, message = wrong
    return StoredResult(
        verdict=verdict,
        cpu_s=round(execution.cpu_s, 4),
        memory_mb=round(execution.memory_mb, 1),
        message=message[:_MESSAGE_CHARACTERS],
        isolation=level,
    )


def _run_limits(program: Prepared, limits: Limits) -> RunLimits:
    java = program.language.family == "java"
    return RunLimits(
        cpu_s=limits.cpu_s,
        wall_s=limits.wall_s,
        memory_mb=limits.memory_mb + (_JAVA_EXTRA_MB if java else 0),
        output_mb=limits.output_mb,
        bound_address_space=not java,
    )


def _plan(program: Prepared, test: TestCase, limits: Limits) -> _Plan:
    given = test.input.encode(errors="surrogateescape")
    if test.kind == "stdio":
        arguments = tuple(part.format(memory_mb=limits.memory_mb) for part in program.command)
        return _Plan(arguments, program.files, given)
    # Drivers load the submission under this name.
    main = WorkFile("main.py", program.files[0].content)
    files = (*driver_files(), main, *program.files[1:])
    python = program.command[0]
    if test.kind == "call":
        return _Plan((python, "-m", "drivers.call", test.function or ""), files, given)
    return _Plan((python, "-m", "drivers.asserts"), files, given)


def _check(sandbox: Sandbox, test: TestCase, execution: Execution, checker: Checker) -> tuple[JudgeVerdict, str]:
    if test.kind == "assert":
        return _outcome(execution.output)
    answer = test.output.encode(errors="surrogateescape")
    if isinstance(checker, Validator):
        if test.kind == "call":
            return "JE", "an output validator cannot check the result of a function"
        judged = validate(sandbox, checker, test.input.encode(errors="surrogateescape"), answer, execution.output)
        return judged.verdict, judged.message
    if test.kind == "stdio":
        difference = comparison.compare(answer, execution.output, checker)
    else:
        try:
            difference = comparison.compare_values(test.output, execution.output, checker)
        except JsonTextError as error:
            return "JE", f"the answer of the test is no JSON ({error})"
    return ("AC", "") if difference is None else ("WA", difference.message)


def _outcome(output: bytes) -> tuple[JudgeVerdict, str]:
    try:
        told = loads(output.decode())
    except (UnicodeDecodeError, JsonTextError):
        told = None
    if not isinstance(told, dict) or told.get("outcome") not in _OUTCOMES:
        return "JE", "the test ended without telling its outcome"
    return _OUTCOMES[str(told["outcome"])], str(told["message"])
