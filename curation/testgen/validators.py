"""Whether an input is valid: the package's own input validator where there is one, and the inferred grammar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.errors import InputError
from curation.judging import languages
from curation.judging.bench import Bench
from curation.judging.compilation import Prepared, Refused, prepare
from curation.judging.layout import read_submission
from curation.judging.output_checker import CHECKER_LIMITS
from curation.judging.testlib import compile_program, locate_header, validate_input
from curation.progress import Silent
from curation.testgen.near_misses import near_misses
from curation.testgen.rules import Rules
from curation.testgen.validity import fault

_VALID = 42
_DIRECTORIES = ("input_validators", "input_format_validators")

Validate = Callable[[str], str | None]
"""Why an input is not valid; None where it is. Called on a worker."""


@dataclass(frozen=True, slots=True)
class NearMisses:
    """What a validator says of near misses of known inputs.

    Attributes:
        tried: how many.
        rejected: how many of them it rejects.
        accepted: the kinds of those that it accepts.
    """

    tried: int
    rejected: int
    accepted: tuple[str, ...]


def own_validator(bench: Bench, package: Path) -> Validate | None:
    """Compile a package's input validator; None where it has none. Call it on a worker.

    A program that includes testlib.h answers 0 or 3, any other one 42 for a valid input.

    Raises:
        InputError: it cannot be compiled.
    """
    place = next((found for name in _DIRECTORIES if (found := _program_in(package / name)) is not None), None)
    if place is None:
        return None
    program = read_submission(place)
    main, *beside = program.sources
    is_testlib = b"testlib.h" in main.content
    if is_testlib:
        header = locate_header("testlib.h", Path.cwd(), Silent())
        prepared = compile_program(bench.sandbox(), bench.store, header, main.content, beside)
    else:
        prepared = prepare(bench.sandbox(), bench.store, program.language, program.sources)
    if isinstance(prepared, Refused):
        raise InputError(f"{place} cannot be used ({prepared.message}): mend it or take it away")

    def validate(text: str) -> str | None:
        given = text.encode(errors="surrogateescape")
        return _testlib(bench, prepared, given) if is_testlib else _kattis(bench, prepared, given)

    return validate


def _program_in(directory: Path) -> Path | None:
    if not directory.is_dir():
        return None
    places = [one for one in sorted(directory.iterdir()) if one.is_dir() or languages.of_suffix(one.suffix)]
    return places[0] if places else None


def _testlib(bench: Bench, program: Prepared, given: bytes) -> str | None:
    said = validate_input(bench.sandbox(), program, given)
    return None if said.is_valid else said.message or "the input validator rejects it"


def _kattis(bench: Bench, program: Prepared, given: bytes) -> str | None:
    command = [part.format(memory_mb=CHECKER_LIMITS.memory_mb) for part in program.command]
    execution = bench.sandbox().run(command, CHECKER_LIMITS, files=program.files, standard_input=given)
    if execution.exit_code == _VALID:
        return None
    words = execution.error[-300:].decode(errors="replace").strip()
    return words or execution.failure or f"the input validator ended with {execution.exit_code}"


def try_near_misses(bench: Bench, rules: Rules, validate: Validate | None, inputs: Sequence[str]) -> NearMisses:
    """Try a validator, or without one the inferred grammar, on near misses of known inputs."""
    made = [miss for text in inputs for miss in near_misses(rules, text)]
    if validate is None:
        found = [fault(rules, miss.text) for miss in made]
    else:
        found = list(bench.map(validate, [miss.text for miss in made]))
    accepted = sorted({miss.kind for miss, reason in zip(made, found, strict=True) if reason is None})
    return NearMisses(len(made), sum(reason is not None for reason in found), tuple(accepted))
