"""Everything one needs to compile testlib programs from files and run them, in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from curation.errors import InputError, OutsideError
from curation.judging.bench import Bench
from curation.judging.compilation import Prepared, Refused
from curation.judging.conversation import Interactive
from curation.judging.judge import Program, judge_program
from curation.judging.levels import Isolation
from curation.judging.limits import Limits
from curation.judging.output_checker import Judged
from curation.judging.sandbox import WorkFile
from curation.judging.testlib.checker import Checker
from curation.judging.testlib.compilation import Header, compile_program
from curation.judging.testlib.generator import Generated, generate
from curation.judging.testlib.input_validator import Validation, validate_input
from curation.judging.testlib.interactor import Interactor
from curation.judging.verdicts import Judgement
from curation.records import TestCase

_MOST_HEADERS = 100
"""Each file is a descriptor in one message to the sandbox."""

Result = TypeVar("Result")


class Toolchain:
    """Compiles and runs testlib programs in the sandbox. Use it as a context manager.

    Args:
        header: the testlib to compile with.
        store: a directory that keeps compiled programs and results; None for a temporary one.
        isolation: what holds the programs; None for the strongest that the machine offers.

    Raises:
        OutsideError: the machine isolates no program.
    """

    def __init__(self, header: Header, store: Path | None = None, isolation: Isolation | None = None) -> None:
        self._header = header
        self._bench = Bench(store, isolation, workers=1)

    def __enter__(self) -> Toolchain:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bench.__exit__(kind, error, trace)

    def compile(self, source: Path) -> Prepared:
        """Compile a program, unless the store holds it. It may include the headers that lie beside it.

        Raises:
            InputError: the file cannot be read or does not compile.
            OutsideError: the compiler is missing or failed.
        """
        try:
            content = source.read_bytes()
            headers = sorted(path for path in source.parent.glob("*.h") if path.name != "testlib.h")
            beside = [WorkFile(path.name, path.read_bytes()) for path in headers[:_MOST_HEADERS]]
        except OSError as error:
            raise InputError(f"{error.filename} cannot be read ({error.strerror})") from None
        made = self._work(
            lambda: compile_program(self._bench.sandbox(), self._bench.store, self._header, content, beside)
        )
        if isinstance(made, Prepared):
            return made
        raise _as_error(source, made)

    def check(
        self,
        program: Prepared,
        given: bytes,
        output: bytes,
        answer: bytes,
        *,
        testset: str | None = None,
        group: str | None = None,
    ) -> Judged:
        """Run a checker on an output; see `curation.judging.testlib.checker.Checker`."""
        checker = Checker(program, testset, group)
        return self._work(lambda: checker.check(self._bench.sandbox(), given, answer, output))

    def validate(
        self, program: Prepared, given: bytes, *, testset: str | None = None, group: str | None = None
    ) -> Validation:
        """Run a validator on an input; see `curation.judging.testlib.input_validator`."""
        return self._work(lambda: validate_input(self._bench.sandbox(), program, given, testset=testset, group=group))

    def generate(self, program: Prepared, arguments: Sequence[str]) -> Generated:
        """Run a generator; see `curation.judging.testlib.generator`."""
        return self._work(lambda: generate(self._bench.sandbox(), program, arguments))

    def interact(
        self,
        interactor: Prepared,
        submission: Program,
        given: bytes,
        answer: bytes,
        limits: Limits,
        checker: Prepared | None = None,
    ) -> Judgement:
        """Let a submission talk to an interactor, and judge it.

        Args:
            interactor: the compiled interactor.
            submission: the program.
            given: the input, which only the interactor sees.
            answer: the answer.
            limits: what the submission may use.
            checker: the compiled checker that judges what the interactor writes down; None for none.
        """
        # Bytes that are no text pass through as lone surrogates and come out as they were.
        test = TestCase(
            "interaction", "1", "stdio", *(part.decode(errors="surrogateescape") for part in (given, answer))
        )
        talk = Interactive(Interactor(interactor, None if checker is None else Checker(checker)))
        return self._work(lambda: judge_program(self._bench, submission, [test], limits, talk))

    def _work(self, work: Callable[[], Result]) -> Result:
        return next(self._bench.map(lambda job: job(), [work]))


def _as_error(source: Path, refused: Refused) -> InputError | OutsideError:
    if refused.verdict == "CE":
        return InputError(f"{source} does not compile: {refused.message}")
    return OutsideError(f"{source} cannot be compiled here ({refused.message}): run `curation doctor`")
