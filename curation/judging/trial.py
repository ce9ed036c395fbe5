"""One program on one test: run it, look at how it ended, check what it wrote."""

from __future__ import annotations

from dataclasses import dataclass

from curation.json_reader import JsonTextError, loads
from curation.judging import comparison, verdicts
from curation.judging.bench import Bench
from curation.judging.comparison import Tokens
from curation.judging.compilation import Prepared, driver_files
from curation.judging.conversation import Interactive, converse, verdict_of
from curation.judging.limits import Limits
from curation.judging.output_checker import Judged, ProgramChecker
from curation.judging.passes import MultiPass, run_passes
from curation.judging.sandbox import Execution, RunLimits, Sandbox, WorkFile
from curation.judging.store import StoredResult
from curation.records import JudgeVerdict, TestCase

Checker = Tokens | ProgramChecker | Interactive | MultiPass

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
    level = bench.isolation.level
    refusal = _refusal(program, test, checker)
    if refusal is not None:
        return StoredResult("JE", 0.0, 0.0, refusal, level, share=0.0)
    plan = _plan(program, test, limits)
    with bench.gate.beside_others():
        execution, judged = _attempt(bench, program, plan, test, limits, checker)
    if verdicts.is_worth_a_second_run(judged.verdict, execution):
        with bench.gate.alone():
            execution, judged = _attempt(bench, program, plan, test, limits, checker)
    return StoredResult(
        verdict=judged.verdict,
        cpu_s=round(execution.cpu_s, 4),
        memory_mb=round(execution.memory_mb, 1),
        message=judged.message[:_MESSAGE_CHARACTERS],
        isolation=level,
        share=1.0 if judged.verdict == "AC" else judged.share or 0.0,
    )


def run_for_output(bench: Bench, program: Prepared, test: TestCase, limits: Limits) -> bytes | None:
    """Run one program on one test with streams and return what it wrote; None where the run went wrong.

    Raises:
        OutsideError: no sandbox can be started.
    """
    plan = _plan(program, test, limits)
    with bench.gate.beside_others():
        execution = bench.sandbox().run(
            plan.arguments, _run_limits(program, limits), files=plan.files, standard_input=plan.standard_input
        )
    return execution.output if verdicts.of_run(execution, limits) is None else None


def _refusal(program: Prepared, test: TestCase, checker: Checker) -> str | None:
    if test.kind == "stdio":
        return None
    if program.language.family != "python":
        return f"{test.kind} tests need a Python program"
    if test.kind == "call" and not isinstance(checker, Tokens):
        return "a checker that is a program cannot check the result of a function"
    return None


def _attempt(
    bench: Bench, program: Prepared, plan: _Plan, test: TestCase, limits: Limits, checker: Checker
) -> tuple[Execution, Judged]:
    sandbox = bench.sandbox()
    run_limits = _run_limits(program, limits)
    given, answer = _bytes(test.input), _bytes(test.output)
    if isinstance(checker, Interactive):
        conversation = converse(bench, plan.arguments, plan.files, run_limits, checker.interlocutor, given, answer)
        return conversation.execution, verdict_of(conversation, limits)

    def run(standard_input: bytes) -> tuple[Execution, Judged | None]:
        execution = sandbox.run(plan.arguments, run_limits, files=plan.files, standard_input=standard_input)
        wrong = verdicts.of_run(execution, limits)
        return execution, None if wrong is None else Judged(*wrong)

    if isinstance(checker, MultiPass):
        return run_passes(sandbox, checker, given, answer, run)
    execution, wrong = run(plan.standard_input)
    return execution, wrong or _check(sandbox, test, execution, checker)


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
    given = _bytes(test.input)
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


def _check(sandbox: Sandbox, test: TestCase, execution: Execution, checker: Tokens | ProgramChecker) -> Judged:
    if test.kind == "assert":
        return _outcome(execution.output)
    answer = _bytes(test.output)
    if not isinstance(checker, Tokens):
        return checker.check(sandbox, _bytes(test.input), answer, execution.output)
    if test.kind == "stdio":
        difference = comparison.compare(answer, execution.output, checker)
    else:
        try:
            difference = comparison.compare_values(test.output, execution.output, checker)
        except JsonTextError as error:
            return Judged("JE", f"the answer of the test is no JSON ({error})")
    return Judged("AC", "") if difference is None else Judged("WA", difference.message)


def _bytes(text: str) -> bytes:
    # Bytes that are no text came in as lone surrogates.
    return text.encode(errors="surrogateescape")


def _outcome(output: bytes) -> Judged:
    try:
        told = loads(output.decode())
    except (UnicodeDecodeError, JsonTextError):
        told = None
    if not isinstance(told, dict) or told.get("outcome") not in _OUTCOMES:
        return Judged("JE", "the test ended without telling its outcome")
    return Judged(_OUTCOMES[str(told["outcome"])], str(told["message"]))
