"""Growing a problem's tests as a user does: packages on disk, programs in the sandbox."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curation.cli import app
from curation.errors import InputError
from curation.judging import judge_package
from curation.judging.bench import Bench
from curation.judging.layout import read_package
from curation.judging.reward import Asked, CodeReward
from curation.testgen import Options, grow
from curation.testgen.validators import own_validator

PROBLEMS = Path(__file__).parent / "problems"
STATEMENT = "## Input\n\nOne line with an integer `n` (`1 <= n <= 100000`).\n"
RIGHT = "n = int(input())\nprint(n * (n + 1) // 2)\n"
ALSO_RIGHT = "n = int(input())\nprint(sum(range(n + 1)))\n"
WRONG = {
    "one.py": "n = int(input())\nprint(1 if n == 1 else sum(range(n)) + n if n != 2 else 2)\n",
    "big.py": "n = int(input())\nprint(n * (n + 1) // 2 % 2**31)\n",
    "limit.py": "n = int(input())\nprint(sum(range(min(n, 99999) + 1)))\n",
    "first.py": "n = int(input())\nprint(0 if n == 1 else n * (n + 1) // 2)\n",
}


def package(path: Path, *accepted: str, statement: str = STATEMENT) -> Path:
    files = {
        "problem.yaml": "name: Triangle\nlimits:\n  time_limit: 2\n",
        "problem_statement/problem.en.md": statement,
        "data/sample/1.in": "3\n",
        "data/sample/1.ans": "6\n",
        "data/sample/2.in": "4\n",
        "data/sample/2.ans": "10\n",
        **{f"submissions/wrong_answer/{name}": code for name, code in WRONG.items()},
        **{f"submissions/accepted/{place}.py": code for place, code in enumerate(accepted)},
    }
    for name, content in files.items():
        place = path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    return path


def test_tests_grown_from_samples_kill_wrong_programs(tmp_path: Path) -> None:
    problem = package(tmp_path / "triangle", RIGHT, ALSO_RIGHT, RIGHT + "\n")
    options = Options(inputs=24, mutants=4)
    grown = grow(problem, tmp_path / "out", options, store=tmp_path / "store")
    assert grown.steering.tpr.share == grown.steering.tnr.share == 1.0
    assert grown.held_out.tnr.of == 2
    assert grown.held_out.tnr.share == 1.0
    assert grown.near_misses.accepted == ()
    assert grown.bounds_missed == ()
    assert grown.survivors == ()
    made = read_package(tmp_path / "out")
    assert {test.name for test in made.tests} >= {f"secret/testgen/{test.name}" for test in grown.tests}
    assert all(test.output == f"{int(test.input) * (int(test.input) + 1) // 2}\n" for test in made.tests)
    rewards = json.loads((tmp_path / "out/rewards.json").read_text())
    assert {name for group in rewards["groups"] for name in group["tests"]} == {test.name for test in made.tests}
    assert 0 < rewards["trivial"] < 1
    truth = (tmp_path / "out/ground_truth.json").read_text()
    with CodeReward("weighted") as scorer:
        programs = [RIGHT, WRONG["big.py"], "print(6)\n"]
        right, partly, trivial = (scorer.score(Asked(truth, f"```python\n{one}```")).reward for one in programs)
    assert (right, trivial) == (1, 0)
    assert 0 < (partly or 0) < 1
    judged = judge_package(tmp_path / "out", store=tmp_path / "store")
    assert {Path(one.submission).name: one.verdict == "AC" for one in judged} == {
        **dict.fromkeys(WRONG, False),
        **dict.fromkeys(("0.py", "1.py", "2.py"), True),
    }
    again = grow(problem, tmp_path / "again", options, store=tmp_path / "store")
    assert again.tests == grown.tests
    for name in ("rewards.json", "testgen_rejected.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_inputs_on_which_accepted_programs_disagree_are_dropped_with_a_reason(tmp_path: Path) -> None:
    problem = package(tmp_path / "triangle", RIGHT, "n = int(input())\nprint(n * (n + 1) // 2 + (n > 50000))\n")
    grown = grow(problem, tmp_path / "out", Options(inputs=24, mutants=0, rounds=0), store=tmp_path / "store")
    assert all(int(test.input) <= 50000 for test in read_package(tmp_path / "out").tests)
    lines = [json.loads(line) for line in (tmp_path / "out/testgen_rejected.jsonl").read_text().splitlines()]
    assert len([one for one in lines if one["rule"] == "disagreement"]) == grown.rejected["disagreement"] > 0
    assert grown.dissent == {"1.py": grown.rejected["disagreement"]}


def test_a_packages_own_validator_decides_and_its_gaps_are_named(tmp_path: Path) -> None:
    problem = package(tmp_path / "triangle", RIGHT, ALSO_RIGHT)
    validator = problem / "input_validators/even.py"
    validator.parent.mkdir()
    validator.write_text("import sys\nn = int(sys.stdin.read())\nsys.exit(42 if n < 5 or n % 2 == 0 else 43)\n")
    grown = grow(problem, tmp_path / "out", Options(inputs=24, mutants=0, rounds=0), store=tmp_path / "store")
    numbers = [int(test.input) for test in read_package(tmp_path / "out").tests]
    assert all(number < 5 or number % 2 == 0 for number in numbers)
    assert any(number > 5 for number in numbers)
    assert grown.validators == ("package", "grammar")
    assert grown.rejected["not_valid"] > 0
    assert "n below its least value" in grown.near_misses.accepted


def test_the_validator_that_a_polygon_package_names_is_used(tmp_path: Path) -> None:
    xml = "<problem><assets><validators><validator><source path='{}'/></validator></validators></assets></problem>"
    (tmp_path / "files").mkdir()
    (tmp_path / "files/v.py").write_text("import sys\nn = int(input())\nsys.exit(42 if n == 7 else 43)\n")
    (tmp_path / "problem.xml").write_text(xml.format("files/v.py"))
    with Bench() as bench:
        own = next(bench.map(lambda path: own_validator(bench, path), [tmp_path]))
        assert own is not None
        said = bench.map(lambda text: own.look_at(bench, text).is_valid, ["7\n", "8\n", "x\n"])
        assert list(said) == [True, False, None]
        (tmp_path / "problem.xml").write_text(xml.format("../../etc/passwd"))
        with pytest.raises(InputError, match="not in the package"):
            next(bench.map(lambda path: own_validator(bench, path), [tmp_path]))


POLYGON = """<?xml version="1.0" encoding="utf-8"?>
<problem short-name="triangle">
  <names><name language="english" value="Triangle"/></names>
  <judging input-file="" output-file="">
    <testset name="tests">
      <time-limit>2000</time-limit><memory-limit>268435456</memory-limit><test-count>2</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests><test method="manual" sample="true"/><test method="manual" sample="true"/></tests>
    </testset>
  </judging>
  <assets>
    <checker name="one" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
    <solutions>
      <solution tag="main"><source path="solutions/a.py" type="python.3"/></solution>
      <solution tag="accepted"><source path="solutions/b.py" type="python.3"/></solution>
      <solution tag="wrong-answer"><source path="solutions/limit.py" type="python.3"/></solution>
      <solution tag="failed"><source path="solutions/big.py" type="python.3"/></solution>
      <solution tag="time-limit-exceeded-or-accepted"><source path="solutions/perhaps.py" type="python.3"/></solution>
    </solutions>
  </assets>
</problem>
"""
CHECKER = """#include "testlib.h"
int main(int count, char** words) {
    registerTestlibCmd(count, words);
    if (ouf.readLong() != ans.readLong()) quitf(_wa, "another number");
    quitf(_ok, "the same");
}
"""


@pytest.mark.xdist_group("testlib")
def test_a_polygon_package_is_judged_and_grown_as_it_is(tmp_path: Path, judge_store: Path) -> None:
    files = {
        "problem.xml": POLYGON,
        "statements/english/problem-properties.json": json.dumps(
            {
                "name": "Triangle",
                "legend": "Add up.",
                "input": "One integer $n$ ($1 \\le n \\le 10^5$).",
                "output": "It.",
            }
        ),
        "files/check.cpp": CHECKER,
        "tests/01": "3\n",
        "tests/01.a": "6\n",
        "tests/02": "4\n",
        "tests/02.a": "10\n",
        "solutions/a.py": RIGHT,
        "solutions/b.py": ALSO_RIGHT,
        "solutions/perhaps.py": RIGHT,
        **{f"solutions/{name}.py": WRONG[f"{name}.py"] for name in ("limit", "big")},
    }
    problem = tmp_path / "triangle"
    for name, content in files.items():
        (problem / name).parent.mkdir(parents=True, exist_ok=True)
        (problem / name).write_text(content)
    options = Options(inputs=20, mutants=0, rounds=0, held_out=0)
    grown = grow(problem, tmp_path / "out", options, store=judge_store)
    assert grown.grammar == {"n": True}
    assert grown.steering.tnr.count == grown.steering.tnr.of == 2
    made = read_package(tmp_path / "out")
    assert [test.name for test in made.tests][:3] == ["sample/001", "sample/002", "secret/003"]
    assert len(made.tests) == 2 + len(grown.tests)
    assert all(int(test.output) == int(test.input) * (int(test.input) + 1) // 2 for test in made.tests)
    rewards = json.loads((tmp_path / "out/rewards.json").read_text())
    assert {name for group in rewards["groups"] for name in group["tests"]} == {test.name for test in made.tests}
    assert "testlib:" in (tmp_path / "out/ground_truth.json").read_text()
    judged = judge_package(tmp_path / "out", store=judge_store)
    found = {Path(one.submission).name: one.verdict for one in judged}
    assert found == {"a.py": "AC", "b.py": "AC", "perhaps.py": "AC", "limit.py": "WA", "big.py": "WA"}


def test_accepted_programs_that_fail_known_tests_are_named_and_set_aside(tmp_path: Path) -> None:
    problem = package(tmp_path / "triangle", RIGHT, ALSO_RIGHT, "print(6)\n")
    arguments = ["testgen", str(problem), "--out", str(tmp_path / "out"), "--inputs", "8", "--mutants", "0"]
    result = CliRunner().invoke(app, [*arguments, "--rounds", "0"])
    assert result.exit_code == 0, result.output
    assert "accepted/2.py is WA on the package's own tests (sample/2" in " ".join(result.output.split())
    grown = json.loads((tmp_path / "out/testgen.json").read_text())
    assert [(one["name"], one["verdict"]) for one in grown["set_aside"]] == [("accepted/2.py", "WA")]
    assert grown["steering"]["tpr"]["of"] + grown["held_out"]["tpr"]["of"] == 2
    for place in (3, 4):
        (problem / f"submissions/accepted/{place}.py").write_text("print(10)\n")
    with pytest.raises(InputError, match=r"2 of 5 accepted programs pass its tests.*accepted/2\.py is WA"):
        grow(problem, tmp_path / "out")


def test_what_cannot_be_grown_is_refused(tmp_path: Path) -> None:
    alone = package(tmp_path / "alone", RIGHT)
    with pytest.raises(InputError, match="two programs or more"):
        grow(alone, tmp_path / "out")
    broken = package(tmp_path / "broken", RIGHT, "print(7)\n")
    with pytest.raises(InputError, match=r"1\.py is WA"):
        grow(broken, tmp_path / "out")
    with pytest.raises(InputError, match="beside"):
        grow(alone, alone / "inside")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("keep")
    with pytest.raises(InputError, match="holds something else"):
        grow(package(tmp_path / "fine", RIGHT, ALSO_RIGHT), tmp_path / "full")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["longest_nest"])
def test_a_fixture_from_its_samples_alone(name: str, tmp_path: Path) -> None:
    problem = tmp_path / name
    shutil.copytree(PROBLEMS / name, problem)
    for slow in (problem / "submissions/time_limit_exceeded").iterdir():
        slow.unlink()
    arguments = ["testgen", str(problem), "--out", str(tmp_path / "out"), "--inputs", "28", "--mutants", "3", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    grown = json.loads(result.stdout)
    assert grown["held_out"]["tpr"]["share"] == 1
    assert grown["held_out"]["tnr"]["share"] >= 0.75
    assert grown["near_misses"]["accepted"] == []
