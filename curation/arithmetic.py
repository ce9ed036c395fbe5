"""Synthetic large-integer problems after PaCoRe: two operands, one operation, the exact integer is the answer.

The PaCoRe report (arXiv 2601.05593, section on synthetic data) draws A and B independently and uniformly between 10^11
and 10^13 and applies addition, subtraction, multiplication or modular exponentiation modulo a fixed large prime. It
leaves the prime, the ends of the range and which operand is the base open: the first two are options of the recipe, and
here A is the base.
"""

from __future__ import annotations

import hashlib
import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import jinja2
import polars as pl

from curation import bundled, ledger, storage
from curation.errors import InputError
from curation.progress import Reporter
from curation.recipe import ArithmeticSection, Operation, Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, Problem, to_frame
from curation.steps import DROPPED, KEPT, StepContext, StepReport

SOURCE = "synthetic-arithmetic"
OPERATIONS = ("addition", "subtraction", "multiplication", "modular_exponentiation")
ARITHMETIC_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String,
        "template": pl.String,
        "operation": pl.String,
        "a": pl.String,
        "b": pl.String,
        "modulus": pl.String,
        "seed": pl.String,
    }
)
"""How each problem was made; operands are text because Parquet's integers end at 64 bits."""


_TRIES = 1_000
_BATCH = 5_000

_ENVIRONMENT = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)  # noqa: S701 - plain text


@dataclass(frozen=True, slots=True)
class Wording:
    """One question template; ``{{ a }}``, ``{{ b }}`` and, in modular exponentiation, ``{{ p }}`` are the numbers."""

    template_id: str
    operation: str
    text: str


@dataclass(frozen=True, slots=True)
class Exercise:
    """One made problem before it becomes a row. Operands and answer are exact integers."""

    index: int
    wording: Wording
    a: int
    b: int
    modulus: int | None
    answer: int
    seed: str


def _wordings_file(name: str, directory: Path) -> Path:
    own = bundled.resolve(name, directory)
    return own if own.is_file() else bundled.find("templates", name, ".toml")


def load_wordings(name: str, directory: Path | None = None) -> list[Wording]:
    """Read the question templates of a bundled or own TOML file: a table of ``id = "text"`` for each operation.

    Args:
        name: a path, or the name of a bundled file.
        directory: where a relative path starts; the working directory by default.

    Raises:
        InputError: the file is missing or no TOML, names an unknown operation, or a template lacks an operand or
            cannot be filled in.
    """
    path = _wordings_file(name, directory or Path())
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} is no TOML ({error}): mend the line") from None
    wordings: list[Wording] = []
    for operation, texts in tables.items():
        if operation not in OPERATIONS or not isinstance(texts, dict):
            raise InputError(f"{path}: [{operation}] is no operation: use a table named {', '.join(OPERATIONS)}")
        for template_id, text in texts.items():
            needed = ("a", "b", "p") if operation == "modular_exponentiation" else ("a", "b")
            missing = [mark for mark in needed if not isinstance(text, str) or f"{{{{ {mark} }}}}" not in text]
            if missing:
                raise InputError(f"{path}: template {template_id!r} of [{operation}] lacks {{{{ {missing[0]} }}}}")
            try:
                _ENVIRONMENT.from_string(text).render(a="2", b="2", p="2")
            except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError) as error:
                raise InputError(f"{path}: template {template_id!r} of [{operation}]: {error}: mend it") from None
            wordings.append(Wording(template_id, operation, text))
    return wordings


def generate(section: ArithmeticSection, seed: int, wordings: list[Wording]) -> Iterator[Exercise]:
    """Yield ``section.count`` distinct exercises; the i-th depends on the seed, i and what came before it alone.

    Raises:
        InputError: an operation has no wording, or the range holds too few problems.
    """
    low, prime = int(section.low), int(section.prime)
    high = int(section.high) - (not section.include_high)
    by_operation = _by_operation(section, wordings)
    weights = [section.operations[name] for name in by_operation]
    seen: set[bytes] = set()
    for index in range(section.count):
        row_seed = f"{seed}/{index}"
        source = random.Random(int.from_bytes(hashlib.sha256(row_seed.encode()).digest()))
        for _ in range(_TRIES):
            operation = source.choices(list(by_operation), weights)[0]
            a, b = source.randint(low, high), source.randint(low, high)
            key = hashlib.blake2b(f"{operation}/{a}/{b}".encode(), digest_size=12).digest()
            if key not in seen and not (operation == "modular_exponentiation" and _is_trivial(a, b, prime)):
                break
        else:
            raise InputError(
                f"[arithmetic] count = {section.count}: the range from {section.low} to {section.high} holds too few "
                "different problems: lower count or widen the range"
            )
        seen.add(key)
        modulus = prime if operation == "modular_exponentiation" else None
        wording = source.choice(by_operation[operation])
        yield Exercise(index, wording, a, b, modulus, _answer(operation, a, b, prime), row_seed)


def _by_operation(section: ArithmeticSection, wordings: list[Wording]) -> dict[Operation, list[Wording]]:
    found: dict[Operation, list[Wording]] = {}
    for operation in sorted(name for name, weight in section.operations.items() if weight > 0):
        found[operation] = [wording for wording in wordings if wording.operation == operation]
        if section.count and not found[operation]:
            raise InputError(f"[arithmetic] templates has no wording for {operation}: add one or give it the weight 0")
    return found


def _is_trivial(base: int, exponent: int, prime: int) -> bool:
    # Fermat and the residues 0, 1 and -1 give the power away without any computation.
    return base % prime in (0, 1, prime - 1) or exponent % (prime - 1) == 0


def _answer(operation: str, a: int, b: int, prime: int) -> int:
    match operation:
        case "addition":
            return a + b
        case "subtraction":
            return a - b
        case "multiplication":
            return a * b
        case _:
            return pow(a, b, prime)


def to_problem(exercise: Exercise, template: jinja2.Template) -> Problem:
    """Return the exercise as a row of the problem table."""
    return Problem(
        problem_id=f"{SOURCE}:{exercise.index:06d}",
        domain="math",
        group="synthetic_math",
        source=SOURCE,
        source_id=f"{exercise.index:06d}",
        statement=template.render(a=str(exercise.a), b=str(exercise.b), p=str(exercise.modulus)),
        licence="CC0-1.0",
        answer=str(exercise.answer),
        answer_type="integer",
    )


class Arithmetic:
    """The step that adds synthetic arithmetic to the problem table and drops nothing."""

    name = "arithmetic"
    logic_version = 1
    keeps = KEPT
    needs = {KEPT: frozenset(PROBLEM_SCHEMA.names())}
    writes = {KEPT: frozenset(PROBLEM_SCHEMA.names()), "arithmetic": frozenset(ARITHMETIC_SCHEMA.names())}

    def configuration(self, recipe: Recipe) -> object:
        """Return the section, the seed and the hash of the wordings.

        Raises:
            InputError: the wordings cannot be used, or an operation has none.
        """
        path = _wordings_file(recipe.arithmetic.templates, recipe.directory)
        _by_operation(recipe.arithmetic, load_wordings(recipe.arithmetic.templates, recipe.directory))
        return {
            **recipe.arithmetic.model_dump(mode="json"),
            "seed": str(recipe.seed),
            "wordings": storage.sha256_file(path),
        }

    def execute(self, context: StepContext) -> StepReport:
        """Write the incoming problems and, after them, the made ones.

        Raises:
            InputError: see `generate` and `load_wordings`.
        """
        section = context.recipe.arithmetic
        wordings = load_wordings(section.templates, context.recipe.directory)
        made: list[str] = []
        counts = dict.fromkeys(OPERATIONS, 0)
        details: list[pl.DataFrame] = []
        frames = _frames(section, context.recipe.seed, wordings, context.reporter, made, counts, details)
        before = storage.iterate_table(context.tables[KEPT], PROBLEM_SCHEMA)
        storage.write_table(context.output / f"{KEPT}.parquet", _chain(before, frames), PROBLEM_SCHEMA)
        storage.write_table(context.output / "arithmetic.parquet", details, ARITHMETIC_SCHEMA)
        storage.write_table(context.output / f"{DROPPED}.parquet", ledger.to_frame([]), LEDGER_SCHEMA)
        findings = {"operations": {name: number for name, number in counts.items() if number}, "prime": section.prime}
        return StepReport(added=frozenset(made), findings=findings)


def _chain(*streams: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    for stream in streams:
        yield from stream


def _frames(
    section: ArithmeticSection,
    seed: int,
    wordings: list[Wording],
    reporter: Reporter,
    made: list[str],
    counts: dict[str, int],
    details: list[pl.DataFrame],
) -> Iterator[pl.DataFrame]:
    templates = {wording: _ENVIRONMENT.from_string(wording.text) for wording in wordings}
    with reporter.task("synthetic arithmetic", section.count, "problems") as task:
        exercises = generate(section, seed, wordings)
        while batch := tuple(islice(exercises, _BATCH)):
            problems = [to_problem(exercise, templates[exercise.wording]) for exercise in batch]
            made.extend(problem.problem_id for problem in problems)
            details.append(_details(batch, problems))
            for exercise in batch:
                counts[exercise.wording.operation] += 1
            yield to_frame(problems, PROBLEM_SCHEMA)
            task.advance(len(batch))


def _details(batch: tuple[Exercise, ...], problems: list[Problem]) -> pl.DataFrame:
    rows = [
        {
            "problem_id": problem.problem_id,
            "template": exercise.wording.template_id,
            "operation": exercise.wording.operation,
            "a": str(exercise.a),
            "b": str(exercise.b),
            "modulus": None if exercise.modulus is None else str(exercise.modulus),
            "seed": exercise.seed,
        }
        for exercise, problem in zip(batch, problems, strict=True)
    ]
    return pl.DataFrame(rows, schema=ARITHMETIC_SCHEMA, orient="row")
