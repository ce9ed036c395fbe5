"""Whether an input is valid: by programs that say so, and by the inferred grammar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.errors import InputError
from curation.ingest.packages.polygon import MARK, read_root
from curation.judging import languages
from curation.judging.bench import Bench
from curation.judging.compilation import Prepared, Refused, prepare
from curation.judging.layout import read_submission
from curation.judging.output_checker import CHECKER_LIMITS
from curation.judging.sandbox import RunLimits
from curation.judging.testlib import Validation, compile_program, locate_header, validate_input
from curation.judging.testlib.compilation import LANGUAGE as TESTLIB
from curation.progress import Silent
from curation.testgen.near_misses import NearMiss, near_misses
from curation.testgen.rules import Rules
from curation.testgen.validity import fault

_VALID = 42
_NOT_VALID = 43
_DIRECTORIES = ("input_validators", "input_format_validators")
_MESSAGE_BYTES = 300
GRAMMAR = "grammar"
"""What the inferred grammar is called where validators are named."""


@dataclass(frozen=True, slots=True)
class InputValidator:
    """A compiled validator: with testlib it answers 0 or 3, else 42 or 43; whatever else it does is its failure.

    Attributes:
        name: for reports.
        program: the program.
        limits: what it may use on one input.
    """

    name: str
    program: Prepared
    limits: RunLimits = CHECKER_LIMITS

    def look_at(self, bench: Bench, text: str) -> Validation:
        """Return what it says of an input; call it on a worker."""
        given = text.encode(errors="surrogateescape")
        if self.program.language.name == TESTLIB.name:
            return validate_input(bench.sandbox(), self.program, given, limits=self.limits)
        command = [part.format(memory_mb=self.limits.memory_mb) for part in self.program.command]
        execution = bench.sandbox().run(command, self.limits, files=self.program.files, standard_input=given)
        words = execution.error[-_MESSAGE_BYTES:].decode(errors="replace").strip()
        if execution.exit_code in (_VALID, _NOT_VALID):
            return Validation(execution.exit_code == _VALID, words)
        if execution.stopped is not None:
            return Validation(None, f"the validator passed its {execution.stopped} limit")
        return Validation(None, execution.failure or f"the validator ended with {execution.exit_code}: {words}")


@dataclass(frozen=True, slots=True)
class NearMisses:
    """What validators together say of near misses of known inputs.

    Attributes:
        tried: how many.
        rejected: how many of them they reject.
        accepted: the kinds of those that they accept.
    """

    tried: int
    rejected: int
    accepted: tuple[str, ...]


def own_validator(bench: Bench, package: Path) -> InputValidator | None:
    """Compile a package's input validator; None where it has none. Call it on a worker.

    It lies in a directory of the Kattis/ICPC format, or the ``problem.xml`` of a package from Polygon names it.
    A program that includes testlib.h answers 0 or 3, any other one 42 for a valid input.

    Raises:
        InputError: it cannot be compiled.
    """
    place = next((found for name in _DIRECTORIES if (found := _program_in(package / name)) is not None), None)
    place = _named_by_polygon(package) if place is None else place
    if place is None:
        return None
    program = read_submission(place)
    main, *beside = program.sources
    if b"testlib.h" in main.content:
        header = locate_header("testlib.h", Path.cwd(), Silent())
        prepared = compile_program(bench.sandbox(), bench.store, header, main.content, beside)
    else:
        prepared = prepare(bench.sandbox(), bench.store, program.language, program.sources)
    if isinstance(prepared, Refused):
        raise InputError(f"{place} cannot be used ({prepared.message}): mend it or take it away")
    return InputValidator("package", prepared)


def _program_in(directory: Path) -> Path | None:
    if not directory.is_dir():
        return None
    places = [one for one in sorted(directory.iterdir()) if one.is_dir() or languages.of_suffix(one.suffix)]
    return places[0] if places else None


def _named_by_polygon(package: Path) -> Path | None:
    mark = package / MARK
    source = read_root(mark).find("assets/validators/validator/source") if mark.is_file() else None
    named = None if source is None else source.get("path")
    if named is None:
        return None
    place = (package / named).resolve()
    if not place.is_relative_to(package.resolve()) or not place.is_file():
        raise InputError(f"{mark} names the validator {named}, which is not in the package")
    return place


def misses_of(rules: Rules | None, inputs: Sequence[str]) -> list[NearMiss]:
    """Return the near misses of some inputs."""
    return [miss for text in inputs for miss in near_misses(rules, text)]


def try_near_misses(
    bench: Bench, rules: Rules | None, validators: Sequence[InputValidator], inputs: Sequence[str]
) -> NearMisses:
    """Try validators, or without one the inferred grammar, on near misses of known inputs."""
    made = misses_of(rules, inputs)
    if validators:
        passed = list(bench.map(lambda miss: all(one.look_at(bench, miss.text).is_valid for one in validators), made))
    else:
        passed = [rules is not None and fault(rules, miss.text) is None for miss in made]
    accepted = sorted({miss.kind for miss, one in zip(made, passed, strict=True) if one})
    return NearMisses(len(made), len(made) - sum(passed), tuple(accepted))
