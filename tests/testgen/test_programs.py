"""Mutants of programs, the split, the choice of tests and the reward."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from curation.errors import InputError
from curation.judging.judge import single_file
from curation.judging.kill_groups import Rewards, fraction, reward, reward_groups
from curation.records import TestCase
from curation.testgen.c_mutants import c_mutants
from curation.testgen.kills import select
from curation.testgen.mutants import make_mutants
from curation.testgen.python_mutants import python_mutants
from curation.testgen.split import Split, labelled_programs, split_programs

PYTHON = """
n = int(input())
a = sorted(map(int, input().split()))
best = 0
for i in range(n):
    if a[i] < 5 and i >= 1:
        best = max(best, a[i] + 1)
print(best)
"""
CPP = """
#include <cstdio>  // 1 + 1
#include <algorithm>
int main() {
    long long n, a[10];
    scanf("%lld 7", &n);
    for (int i = 0; i < n; i++) { scanf("%lld", a + i); }
    std::sort(a, a + n);
    printf("%lld\\n", std::max(a[0], a[n - 1]));
}
"""


def test_python_mutants_are_programs_that_differ_in_one_place() -> None:
    mutants = list(python_mutants(PYTHON))
    assert {kind for kind, _ in mutants} == {
        "bound",
        "operator",
        "off by one",
        "call left out",
        "case left out",
        "slow",
    }
    original = ast.unparse(ast.parse(PYTHON)).splitlines()
    for kind, code in mutants:
        lines = ast.unparse(ast.parse(code)).splitlines()
        assert lines != original
        if kind != "slow":
            assert sum(one != two for one, two in zip(lines, original, strict=True)) == 1


def test_c_mutants_change_code_and_no_text_or_comment() -> None:
    mutants = list(c_mutants(CPP))
    assert {kind for kind, _ in mutants} == {"overflow", "off by one", "bound", "operator", "call left out", "slow"}
    for kind, code in mutants:
        assert code != CPP
        assert "// 1 + 1" in code
        assert "#include <algorithm>" in code
        if kind != "overflow":
            assert '"%lld 7"' in code


def test_mutants_take_kinds_in_turn_and_depend_on_the_seed_alone() -> None:
    programs = [
        single_file("a", "python3", PYTHON),
        single_file("b", "cpp17", CPP),
        single_file("c", "java", "class C {}"),
    ]
    mutants = make_mutants(programs, 12, seed=3)
    assert mutants == make_mutants(programs, 12, seed=3)
    assert [one.kind for one in mutants] != [one.kind for one in make_mutants(programs, 200, seed=3)]
    assert len({(one.kind, one.origin) for one in mutants}) == 12


def test_code_that_is_no_python_gives_no_mutants() -> None:
    assert list(python_mutants("print 'old'")) == []


def package(path: Path, accepted: int, wrong: int) -> Path:
    for kind, count in (("accepted", accepted), ("wrong_answer", wrong), ("time_limit_exceeded", wrong // 2)):
        for place in range(count):
            for suffix in (".py", ".cpp"):
                file = path / "submissions" / kind / f"p{place}{suffix}"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("1")
    return path


def divided(path: Path, seed: int, held_out: float) -> Split:
    return split_programs(labelled_programs(path), seed, held_out)


def test_the_split_halves_each_kind_and_language(tmp_path: Path) -> None:
    split = divided(package(tmp_path, 4, 8), seed=1, held_out=0.5)
    names = [one.program.name for one in (*split.steering, *split.held_out)]
    assert len(names) == len(set(names)) == 32
    for kind, suffix, count in (("accepted", ".py", 2), ("wrong_answer", ".cpp", 4), ("time_limit_exceeded", ".py", 2)):
        held = [one for one in split.held_out if one.kind == kind and one.program.name.endswith(suffix)]
        assert abs(len(held) - count) <= 1
    assert split == divided(tmp_path, seed=1, held_out=0.5)
    assert split != divided(tmp_path, seed=2, held_out=0.5)


def test_two_accepted_programs_always_steer_and_fewer_are_refused(tmp_path: Path) -> None:
    assert len(divided(package(tmp_path / "two", 1, 2), seed=0, held_out=0.9).right()) == 2
    lone = package(tmp_path / "lone", 1, 2)
    (lone / "submissions/accepted/p0.py").unlink()
    with pytest.raises(InputError, match="two programs or more"):
        labelled_programs(lone)


def case(name: str, size: int) -> TestCase:
    return TestCase("p", name, "stdio", "x" * size, "")


TESTS = [case("sample", 1), case("long", 9), case("short", 3), case("other", 5), case("idle", 2), case("big", 99)]
KILLS = {
    "sample": frozenset[str](),
    "long": frozenset({"a", "b"}),
    "short": frozenset({"a", "b"}),
    "other": frozenset({"b", "c"}),
    "idle": frozenset[str](),
    "big": frozenset({"b"}),
}


def test_one_test_for_each_set_of_kills_is_kept() -> None:
    chosen = select(TESTS, KILLS, frozenset({"sample", "big"}))
    assert [test.name for test in chosen] == ["sample", "short", "other", "big"]


def test_rewards_weigh_rare_kills_more_and_leave_nothing_to_trivial_programs() -> None:
    groups = reward_groups([test.name for test in TESTS], KILLS)
    weight = {name: group.weight for group in groups for name in group.tests}
    assert sum(group.weight for group in groups) == pytest.approx(1, abs=1e-5)
    assert weight["other"] > weight["big"] > weight["sample"]
    trivial = {"sample": True, "idle": True, "big": True}
    rewards = Rewards(groups, fraction(groups, trivial))
    assert reward(rewards, trivial) == (0.0, False)
    assert reward(rewards, {}) == (0.0, False)
    every = dict.fromkeys(KILLS, True)
    assert reward(rewards, every) == (pytest.approx(1), True)
    most, binary = reward(rewards, {**every, "other": False})
    assert 0 < most < 1
    assert binary is False
