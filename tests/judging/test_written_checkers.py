"""Checkers that a model writes where several outputs are right: which are believed, and what becomes of the rest.

The programs are ours, served over HTTP as a model's responses: no model that runs here can write them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from scripted_server import ScriptedServer, running
from test_judge_step import Material, drops, kept, problem
from typer.testing import CliRunner

from curation import records, storage
from curation.cli import app
from curation.judging.bench import Bench
from curation.judging.checker_choice import EVIDENCE_SCHEMA
from curation.judging.matching.outputs import KnownOutput
from curation.judging.matching.written import Case, WrittenChecker, write_checker
from curation.judging.step import Judge
from curation.judging.writing import ProgramKind, Workshop, Written
from curation.llm.writer import ModelWriterService
from curation.records import CHECKER_SCHEMA, PROBLEM_SCHEMA, CheckerSource

GOOD = """import sys
n = int(open(sys.argv[1]).read())
found = open(sys.argv[3], "rb").read().split()
ok = len(found) == 2 and all(one.isdigit() and len(one) < 9 and int(one) > 0 for one in found)
print(int(ok and int(found[0]) + int(found[1]) == n))
"""
GOOD_TESTLIB = """#include "testlib.h"
int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    int n = inf.readInt();
    int a = ouf.readInt(1, n - 1), b = ouf.readInt(1, n - 1);
    if (a + b != n) quitf(_wa, "the sum is %d", a + b);
    quitf(_ok, "fine");
}
"""
SHAPE = "import sys\nprint(int(len(open(sys.argv[3]).read().split()) == 2))\n"
REFUSED = {
    "accepts what must be wrong": "print(1)\n",
    "rejects what other writes on test t5": (
        "import sys\nprint(int(open(sys.argv[2]).read().split() == open(sys.argv[3]).read().split()))\n"
    ),
    "every change of content passes": SHAPE,
    "wrong submission lazy writes": GOOD.replace("== n)", "in (n, n + 1))"),
    "it fails on 2 outputs": GOOD.replace("ok =", "found[0]\nok ="),
    "fails on the answer of test t5": "while True: pass\n",
    "cannot be used": "def (:\n",
}


def fenced(code: str) -> str:
    language = "cpp" if "testlib.h" in code else "python"
    return f"```{language}\n{code}```\n"


class Scripted:
    """A writer that gives these responses in order."""

    def __init__(self, *responses: str) -> None:
        self.responses = list(responses)
        self.asked: list[Mapping[str, object]] = []

    def write(self, kind: ProgramKind, requests: Sequence[Mapping[str, object]]) -> list[Written | str]:
        assert kind == "checker"
        self.asked += requests
        return [Written(self.responses.pop(0), "") for _ in requests]

    def told(self) -> Mapping[str, object]:
        return {}


def cases(name: str = "") -> list[records.TestCase]:
    return [records.TestCase(name, f"t{n}", "stdio", f"{n}\n", f"1 {n - 1}\n") for n in (5, 9)]


def outputs(submission: str, *written: str) -> list[KnownOutput]:
    tests = cases()
    return [KnownOutput(submission, test.name, one.encode()) for test, one in zip(tests, written, strict=False)]


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    with Bench() as bench:
        yield Workshop(bench, 1.0)


def write(workshop: Workshop, writer: Scripted, repairs: int = 0) -> WrittenChecker:
    case = Case(
        "any",
        "Print two positive numbers whose sum is n.",
        cases(),
        [*outputs("first", "1 4\n", "1 8\n"), *outputs("other", "2 3\n", "2 7\n")],
        {"lazy": outputs("lazy", "1 5\n", "1 9\n"), "crashes": outputs("crashes", "1 4\n")},
    )
    wanted = len(writer.responses) // (repairs + 1)
    checker, found = next(workshop.bench.map(lambda _: write_checker(workshop, writer, case, wanted, repairs), [0]))
    assert (checker is None) == (found.source is None)
    return found


@pytest.mark.parametrize("code", [GOOD, GOOD_TESTLIB], ids=["python", "testlib"])
def test_a_sound_checker_is_taken_with_its_evidence(workshop: Workshop, code: str) -> None:
    found = write(workshop, Scripted(fenced(code)))
    assert found.source == CheckerSource.of("testlib" if code == GOOD_TESTLIB else "python", code)
    (evidence,) = found.evidence
    assert evidence.survives
    assert (evidence.tests_accepted, evidence.outputs_accepted, evidence.programs_accepted) == (2, 4, 2)
    assert (evidence.wrong, evidence.wrong_rejected) == (2, 2)
    assert {"empty", "extra token", "dropped last token"} <= set(evidence.rejected)


def test_others_are_refused_each_for_its_reason(workshop: Workshop) -> None:
    found = write(workshop, Scripted(*map(fenced, REFUSED.values())))
    assert found.source is None
    for evidence, reason in zip(found.evidence, REFUSED, strict=True):
        assert reason in evidence.reason


def test_a_refused_checker_is_written_again_with_the_reason(workshop: Workshop) -> None:
    writer = Scripted(fenced(SHAPE), "No code today.", fenced(GOOD), fenced(GOOD))
    found = write(workshop, writer, repairs=1)
    assert found.source == CheckerSource.of("python", GOOD)
    assert [one.survives for one in found.evidence] == [False, True]
    assert writer.asked[2]["refused"] == SHAPE
    assert "every change of content passes" in str(writer.asked[2]["reason"])
    assert writer.asked[0]["outputs"] == [
        {"input": "5\n", "answer": "1 4\n", "output": "2 3\n"},
        {"input": "9\n", "answer": "1 8\n", "output": "2 7\n"},
    ]


def test_the_step_keeps_a_problem_with_a_sound_checker_and_drops_one_without(tmp_path: Path) -> None:
    split = "n = int(input())\nprint(1, n - 1)\n"
    lazy = "n = int(input())\nprint(1, n)\n"
    programs = [("py3", split, "correct"), ("py3", lazy, "incorrect")]
    material = Material()
    for name in ("solved", "hopeless"):
        material.add(problem(name, checker="unknown"), cases(name), programs)

    def answer(payload: dict[str, Any]) -> str:
        return fenced(GOOD if "Problem solved" in payload["messages"][0]["content"] else "print(1)\n")

    with running(ScriptedServer(write=answer)) as server:
        model = {"engine": "http", "model": "writer-1", "url": server.url}
        sections = {"models": {"m": model}, "writer": {"model": "m", "checkers": 1, "cpu_s": 5}}
        output, _ = material.judge(tmp_path, Judge(ModelWriterService()), **sections)
        asked = len(server.payloads)
        again, _ = material.judge(tmp_path, Judge(ModelWriterService()), **sections)
        assert len(server.payloads) == asked == 3
    assert kept(output) == ["solved"]
    rule, evidence = drops(output)["hopeless"]
    assert rule == "special_judge"
    assert "accepts what must be wrong" in str(evidence["written"])
    checkers = storage.read_table(output / "checkers.parquet", CHECKER_SCHEMA)
    assert checkers["source"].to_list() == [GOOD]
    checker = storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA)["checker"][0]
    assert checker == f"python:{checkers['sha256'][0]}"
    table = storage.read_table(output / "checker_evidence.parquet", EVIDENCE_SCHEMA)
    assert set(table["outcome"]) == {"special judge", "written"}
    for name in ("problems", "checkers", "ledger", "judgements", "checker_evidence"):
        assert (again / f"{name}.parquet").read_bytes() == (output / f"{name}.parquet").read_bytes()


def test_a_package_gets_a_checker_from_a_model(tmp_path: Path) -> None:
    package = tmp_path / "pair"
    files = {
        "problem.yaml": "name: Pair\n",
        "problem_statement/problem.en.md": "Print any pair of positive numbers with the sum n.\n",
        "submissions/accepted/one.py": "n = int(input())\nprint(1, n - 1)\n",
        "submissions/accepted/two.py": "n = int(input())\nprint(1, n - 1)\n#\n",
        "submissions/wrong_answer/lazy.py": "n = int(input())\nprint(1, n)\n",
        **{f"data/secret/{n}.{end}": text for n in (5, 9) for end, text in (("in", f"{n}\n"), ("ans", f"1 {n - 1}\n"))},
    }
    for name, content in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(content)
    with running(ScriptedServer(write=lambda _: fenced(GOOD))) as server:
        options = ["--server", server.url, "--model", "writer-1", "--pool", str(tmp_path / "pool"), "--json"]
        result = CliRunner().invoke(app, ["checkers", "match", str(package), *options])
    assert result.exit_code == 0, result.output
    (found,) = json.loads(result.stdout)
    assert found["match"]["outcome"] == "special judge"
    assert found["written"]["source"]["source"] == GOOD
    assert found["written"]["evidence"][0]["wrong_rejected"] == 1
