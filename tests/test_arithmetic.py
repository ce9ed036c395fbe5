"""The generator as PaCoRe defines it: exact answers, uniform operands, reproducible rows."""

from pathlib import Path

import polars as pl
import pytest

from curation.arithmetic import Arithmetic, generate, load_wordings
from curation.errors import InputError
from curation.progress import Silent
from curation.recipe import ArithmeticSection, Recipe, SourceUse, load
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, Problem, to_frame
from curation.run import _reconcile_step
from curation.steps import StepContext
from curation.storage import read_table, write_table

WORDINGS = load_wordings("arithmetic")


def made(**options: object) -> list:
    return list(generate(ArithmeticSection.model_validate(options), 7, WORDINGS))


def test_answers_are_exact_integers() -> None:
    for exercise in made(count=400):
        a, b, p = exercise.a, exercise.b, exercise.modulus
        if exercise.wording.operation == "modular_exponentiation":
            power, base, exponent = 1, a % p, b
            while exponent:
                if exponent & 1:
                    power = power * base % p
                base, exponent = base * base % p, exponent >> 1
            assert exercise.answer == power
            assert p == 2**61 - 1
        else:
            sign = {"addition": a + b, "subtraction": a - b, "multiplication": a * b}[exercise.wording.operation]
            assert exercise.answer == sign


def test_operands_are_uniform_over_the_range_of_the_report() -> None:
    operands = [value for exercise in made(count=4_000) for value in (exercise.a, exercise.b)]
    assert min(operands) >= 10**11
    assert max(operands) < 10**13
    thirteen_digits = sum(value >= 10**12 for value in operands) / len(operands)
    assert 0.89 < thirteen_digits < 0.93
    operations = {exercise.wording.operation for exercise in made(count=4_000)}
    assert len(operations) == 4


def test_same_seed_same_rows_and_a_longer_run_starts_with_the_shorter() -> None:
    assert made(count=50) == made(count=50)
    assert made(count=80)[:50] == made(count=50)
    assert list(generate(ArithmeticSection(count=50), 8, WORDINGS)) != made(count=50)


def test_the_upper_bound_is_an_option() -> None:
    only_addition = {"operations": {"addition": 1}, "low": "5", "count": 1}
    assert made(high="6", **only_addition)[0].a == 5
    with pytest.raises(ValueError, match="is empty"):
        made(high="5", **only_addition)
    assert made(high="5", include_high=True, **only_addition)[0].a == 5


def test_powers_that_give_themselves_away_are_not_asked() -> None:
    small = made(count=60, low="1", high="30", prime="13", operations={"modular_exponentiation": 1})
    assert all(exercise.a % 13 not in (0, 1, 12) and exercise.b % 12 for exercise in small)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"low": "1", "high": "3", "operations": {"addition": 1}, "count": 5}, "too few"),
        ({"templates": "nowhere"}, "nowhere"),
    ],
)
def test_options_that_cannot_be_used_are_named(options: dict, sentence: str) -> None:
    section = ArithmeticSection.model_validate(options)
    with pytest.raises(InputError, match=sentence):
        list(generate(section, 0, load_wordings(section.templates)))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ('low = "1e5"', r"arithmetic\.low: '1e5' is no whole number"),
        ('high = "-7"', r"arithmetic\.high: '-7' is no whole number"),
        ('prime = "15"', "prime = 15 is no prime"),
        ('low = "7"\nhigh = "7"', "the range from 7 to 7 is empty"),
        ("operations = { addition = 0 }", "no operation a weight"),
    ],
)
def test_options_that_no_exercise_fits_are_refused_with_the_recipe(tmp_path: Path, options: str, sentence: str) -> None:
    (tmp_path / "own.toml").write_text(f'name = "own"\n[[sources]]\nuse = "limo"\n[arithmetic]\n{options}\n')
    with pytest.raises(InputError, match=sentence):
        load(str(tmp_path / "own.toml"))


def test_wordings_are_read_before_any_step(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[addition]\na = "{{ a }} + {{ b }}"\n')
    (tmp_path / "own.toml").write_text(
        'name = "own"\n[[sources]]\nuse = "limo"\n[arithmetic]\ntemplates = "mine.toml"\ncount = 1\n'
    )
    with pytest.raises(InputError, match="no wording for modular_exponentiation"):
        Arithmetic().configuration(load(str(tmp_path / "own.toml")))


def test_a_template_without_an_operand_is_refused(tmp_path: Path) -> None:
    wordings = tmp_path / "mine.toml"
    wordings.write_text('[addition]\nbroken = "Add {{ a }} to something."\n')
    with pytest.raises(InputError, match=r"'broken' of \[addition\] lacks \{\{ b \}\}"):
        load_wordings(str(wordings))


@pytest.mark.parametrize(
    "text", ["{{ a }} + {{ b }} {% if", "{{ a }} + {{ b }} {{ nope }}", "{{ a }} {{ b }} {{ 1 / 0 }}"]
)
def test_a_template_that_cannot_be_filled_in_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.toml").write_text(f"[addition]\nbroken = '{text}'\n")
    with pytest.raises(InputError, match=r"template 'broken' of \[addition\]"):
        load_wordings("mine.toml", tmp_path)


def test_the_step_keeps_what_came_in_and_adds_its_rows_as_text(tmp_path: Path) -> None:
    incoming = Problem(
        problem_id="own:1", domain="math", group="opensource_math", source="own", source_id="1", statement="2+2?",
        licence="CC0-1.0", answer="4",
    )  # fmt: skip
    before = tmp_path / "before.parquet"
    write_table(before, to_frame([incoming], PROBLEM_SCHEMA), PROBLEM_SCHEMA)
    output = tmp_path / "out"
    output.mkdir()
    recipe = Recipe(name="r", sources=(SourceUse(use="x"),), arithmetic=ArithmeticSection(count=30))
    step = Arithmetic()
    context = StepContext(recipe, {"problems": before}, output, tmp_path, None, Silent())
    report = step.execute(context)
    assert _reconcile_step(step, output, {"problems": before}, report) == (31, 31, 0)
    problems = read_table(output / "problems.parquet", PROBLEM_SCHEMA)
    assert problems["problem_id"][0] == "own:1"
    assert read_table(output / "ledger.parquet", LEDGER_SCHEMA).is_empty()
    made_rows = problems.filter(pl.col("group") == "synthetic_math")
    details = pl.read_parquet(output / "arithmetic.parquet").join(made_rows, on="problem_id", validate="1:1")
    assert details.height == 30
    assert details["a"].dtype == pl.String
    for row in details.iter_rows(named=True):
        assert row["a"] in row["statement"]
        assert row["b"] in row["statement"]
        if row["operation"] == "multiplication":
            assert int(row["answer"]) == int(row["a"]) * int(row["b"])
