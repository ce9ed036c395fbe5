"""The step ``judge``: which code problems go on, with which evidence."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from curation import records, storage
from curation.judging.checker_choice import EVIDENCE_SCHEMA
from curation.judging.decision import choose
from curation.judging.step import JUDGEMENT_SCHEMA, Judge
from curation.ledger import reconcile
from curation.progress import Silent
from curation.recipe import Recipe
from curation.records import (
    CHECKER_SCHEMA,
    LEDGER_SCHEMA,
    PROBLEM_SCHEMA,
    SUBMISSION_SCHEMA,
    TEST_SCHEMA,
    CheckerSource,
    Problem,
    Submission,
    to_frame,
)
from curation.steps import StepContext, StepReport

SUM = "print(sum(map(int, input().split())))\n"
SUM_CPP = "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n"
PRODUCT = "a, b = map(int, input().split())\nprint(a * b)\n"
SUM_PY2 = "a, b = map(int, raw_input().split())\nprint a + b\n"
CRASH = "raise SystemExit(3)\n"


def problem(name: str, domain: str = "code", **more: object) -> Problem:
    fields = {"group": "code" if domain == "code" else "opensource_math", "tests": None if domain == "math" else name}
    return Problem(
        problem_id=name,
        domain=domain,
        source="own",
        source_id=name,
        statement=f"Problem {name}",
        licence="MIT",
        **{**fields, **more},
    )


def pairs(name: str, count: int = 2) -> list[records.TestCase]:
    sums = ((f"{index} {index + 3}\n", f"{2 * index + 3}\n") for index in range(count))
    return [records.TestCase(name, f"t{index}", "stdio", *pair) for index, pair in enumerate(sums)]


class Material:
    """Problems with their tests and submissions, as the steps before leave them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.tests: list[records.TestCase] = []
        self.submissions: list[Submission] = []
        self.checkers: list[CheckerSource] = []

    def add(
        self,
        item: Problem,
        tests: list[records.TestCase] | None = None,
        programs: list[tuple[str, str, str | None]] | None = None,
    ) -> None:
        self.problems.append(item)
        self.tests += pairs(item.problem_id) if tests is None else tests
        for number, (language, code, expected) in enumerate(programs or []):
            self.submissions.append(Submission(item.problem_id, f"s{number}", language, code, expected))

    def judge(self, directory: Path, step: Judge | None = None, **sections: object) -> tuple[Path, StepReport]:
        models, writer = sections.pop("models", {}), sections.pop("writer", None)
        given = {"judge": sections, "models": models, "writer": writer}
        recipe = Recipe.model_validate({"name": "t", "sources": [{"use": "own"}], **given})
        tables = {name: directory / f"in-{name}.parquet" for name in ("problems", "tests", "submissions", "checkers")}
        storage.write_table(tables["problems"], to_frame(self.problems, PROBLEM_SCHEMA), PROBLEM_SCHEMA)
        storage.write_table(tables["tests"], to_frame(self.tests, TEST_SCHEMA), TEST_SCHEMA)
        storage.write_table(tables["submissions"], to_frame(self.submissions, SUBMISSION_SCHEMA), SUBMISSION_SCHEMA)
        storage.write_table(tables["checkers"], to_frame(self.checkers, CHECKER_SCHEMA), CHECKER_SCHEMA)
        output = directory / f"out-{len(list(directory.iterdir()))}"
        output.mkdir()
        report = (step or Judge()).execute(StepContext(recipe, tables, output, directory, None, Silent()))
        reconcile("judge", tables["problems"], output / "problems.parquet", output / "ledger.parquet")
        return output, report


def kept(output: Path) -> list[str]:
    return storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA)["problem_id"].to_list()


def drops(output: Path) -> dict[str, tuple[str, dict[str, object]]]:
    ledger = storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA)
    return {row["problem_id"]: (row["rule"], json.loads(row["evidence"])) for row in ledger.iter_rows(named=True)}


def test_problems_go_on_by_what_their_own_programs_say(tmp_path: Path) -> None:
    material = Material()
    material.add(problem("math", "math", answer="7"), tests=[])
    material.add(
        problem("good"), programs=[("py3", SUM, "correct"), ("cpp", SUM_CPP, "correct"), ("py3", PRODUCT, "incorrect")]
    )
    material.add(problem("rejected"), programs=[("py3", PRODUCT, "correct"), ("py3", CRASH, "correct")])
    material.add(problem("disagree"), programs=[("py3", SUM, "correct"), ("py3", PRODUCT, "correct")])
    material.add(
        problem("one-bad-label"),
        programs=[("py3", SUM, "correct"), ("cpp", SUM_CPP, "correct"), ("py3", PRODUCT, "correct")],
    )
    material.add(problem("old-python"), programs=[("py3", SUM_PY2, "correct")])
    material.add(problem("alone"))
    material.add(problem("no-tests"), tests=[])
    material.add(problem("odd-limits", time_limit_s=100_000.0))
    material.add(problem("special", checker="some checker of its own"))
    output, report = material.judge(tmp_path)

    assert kept(output) == ["math", "good", "one-bad-label", "old-python", "alone"]
    dropped = drops(output)
    assert {name: rule for name, (rule, _) in dropped.items()} == {
        "rejected": "no_accepted",
        "disagree": "disagreement",
        "no-tests": "few_tests",
        "odd-limits": "limits",
        "special": "checker",
    }
    assert [entry["verdict"] for entry in dropped["rejected"][1]["verdicts"]] == ["WA", "RTE"]
    judgements = storage.read_table(output / "judgements.parquet", JUDGEMENT_SCHEMA)
    good = judgements.filter(pl.col("problem_id") == "good")
    assert good.select("submission_id", "language", "expected", "verdict", "score").rows() == [
        ("s0", "py3", "correct", "AC", 1.0),
        ("s1", "cpp", "correct", "AC", 1.0),
        ("s2", "py3", "incorrect", "WA", 0.0),
    ]
    old = judgements.filter(pl.col("problem_id") == "old-python").row(0, named=True)
    assert old["verdict"] == "JE"
    assert "Python 2" in old["message"]
    assert report.findings["code problems"] == 9
    assert report.findings["kept: no submission is labelled correct"] == 1


def test_checkers_are_found_tested_or_missed(tmp_path: Path) -> None:
    any_pair = CheckerSource.of(
        "python",
        "import sys\na, b = map(int, open(sys.argv[3]).read().split() or [0, 0])\n"
        "print(int(a + b == int(open(sys.argv[1]).read())))\n",
    )
    blind = CheckerSource.of("python", "print(1)\n")
    split = "n = int(input())\nprint(1, n - 1)\n"
    other = "n = int(input())\nprint(2, n - 2)\n"
    upper = "print('Alice' if input() == '1' else 'Bob')\n"
    lower = "print('alice' if input() == '1' else 'bob')\n"
    material = Material()
    material.checkers = [any_pair, blind]

    def pairs_of(name: str) -> list[records.TestCase]:
        return [records.TestCase(name, f"t{n}", "stdio", f"{n}\n", f"1 {n - 1}\n") for n in (5, 9)]

    def names_of(name: str) -> list[records.TestCase]:
        return [
            records.TestCase(name, "t1", "stdio", "1\n", "Alice\n"),
            records.TestCase(name, "t2", "stdio", "2\n", "Bob\n"),
        ]

    material.add(problem("exact"), names_of("exact"), [("py3", upper, "correct"), ("py3", lower, "incorrect")])
    material.add(problem("loose"), names_of("loose"), [("py3", upper, "correct"), ("py3", lower, "correct")])
    own = {"checker": f"python:{any_pair.sha256}"}
    material.add(problem("own", **own), pairs_of("own"), [("py3", split, "correct"), ("py3", other, "correct")])
    material.add(problem("blind", checker=f"python:{blind.sha256}"), pairs_of("blind"))
    material.add(problem("gone", checker="python:" + "0" * 64), pairs_of("gone"))
    material.add(problem("any", checker="unknown"), pairs_of("any"), [("py3", split, "correct")])
    agreeing = [("py3", split, "correct"), ("py3", f"#\n{split}", "correct"), ("py3", f"##\n{split}", "correct")]
    material.add(problem("flagged", checker="unknown"), pairs_of("flagged"), agreeing)
    output, _ = material.judge(tmp_path)

    rows = storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA).select("problem_id", "checker").rows()
    assert dict(rows) == {
        "exact": "tokens case_sensitive",
        "loose": "tokens",
        "own": f"python:{any_pair.sha256}",
        "flagged": "tokens case_sensitive",
    }
    assert {name: rule for name, (rule, _) in drops(output).items()} == {
        "blind": "checker",
        "gone": "checker",
        "any": "special_judge",
    }
    verdicts = storage.read_table(output / "judgements.parquet", JUDGEMENT_SCHEMA)
    assert verdicts.filter(pl.col("problem_id") == "exact")["verdict"].to_list() == ["AC", "WA"]
    assert verdicts.filter(pl.col("problem_id") == "own")["verdict"].to_list() == ["AC", "AC"]
    evidence = storage.read_table(output / "checker_evidence.parquet", EVIDENCE_SCHEMA)
    loose = evidence.filter(pl.col("problem_id") == "loose")
    assert loose.select("candidate", "survives", "programs", "programs_accepted").rows() == [
        ("tokens case_sensitive", False, 2, 1),
        ("tokens", True, 2, 2),
    ]
    assert json.loads(loose["accepted"][1]) == {"changed case": 2}


def test_problems_whose_programs_all_fail_stay_where_the_recipe_says_so(tmp_path: Path) -> None:
    material = Material()
    material.add(problem("rejected"), programs=[("py3", PRODUCT, "correct")])
    output, _ = material.judge(tmp_path, require_accepted=False)
    assert kept(output) == ["rejected"]


def test_a_second_run_gives_the_same_bytes_and_runs_nothing_again(tmp_path: Path) -> None:
    material = Material()
    material.add(problem("good"), programs=[("py3", SUM, "correct"), ("cpp", SUM_CPP, "correct")])
    first, _ = material.judge(tmp_path)
    results = {path: path.read_bytes() for path in (tmp_path / "judgements").rglob("*.jsonl")}
    second, _ = material.judge(tmp_path)
    for table in ("problems", "ledger", "judgements"):
        assert (first / f"{table}.parquet").read_bytes() == (second / f"{table}.parquet").read_bytes()
    assert len(results) == 2
    assert {path: path.read_bytes() for path in (tmp_path / "judgements").rglob("*.jsonl")} == results


def test_the_same_program_under_many_problems_is_no_conflict(tmp_path: Path) -> None:
    material = Material()
    for number in range(12):
        material.add(problem(f"p{number}"), programs=[("cpp", SUM_CPP, "correct"), ("py3", "print(", "incorrect")])
    output, report = material.judge(tmp_path)
    assert len(kept(output)) == 12
    assert report.findings["submissions judged"] == 24


def test_a_run_without_code_starts_no_sandbox(tmp_path: Path) -> None:
    material = Material()
    material.add(problem("math", "math", answer="7"), tests=[])
    output, report = material.judge(tmp_path)
    assert kept(output) == ["math"]
    assert report.findings == {"code problems": 0}
    assert not (tmp_path / "judgements").exists()


def test_right_and_wrong_programs_share_the_places() -> None:
    def programs(expected: str | None, count: int) -> list[dict[str, str | None]]:
        return [{"expected": expected, "submission_id": f"{expected}{index}"} for index in range(count)]

    def names(right: int, wrong: int, unknown: int, most: int) -> list[str | None]:
        mixed = programs("incorrect", wrong) + programs(None, unknown) + programs("correct", right)
        return [program["submission_id"] for program in choose(mixed, most)]

    assert names(5, 5, 0, 4) == ["correct0", "correct1", "incorrect0", "incorrect1"]
    assert names(5, 1, 0, 4) == ["correct0", "correct1", "correct2", "incorrect0"]
    assert names(1, 5, 0, 4) == ["correct0", "incorrect0", "incorrect1", "incorrect2"]
    assert names(1, 1, 3, 4) == ["correct0", "incorrect0", "None0", "None1"]
    assert names(3, 0, 0, 1) == ["correct0"]
