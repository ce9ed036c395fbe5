"""Tests, programs and limits for the tests of the judge."""

from __future__ import annotations

from pathlib import Path

from curation import records
from curation.judging import Judgement, Limits, judge

LIMITS = Limits(cpu_s=2, memory_mb=256)
SUM_PYTHON = "print(sum(map(int, input().split())))\n"
SUM_CPP = "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n"


def stdio(*pairs: tuple[str, str]) -> list[records.TestCase]:
    return [records.TestCase("p", f"t{place}", "stdio", *pair) for place, pair in enumerate(pairs)]


def call(function: str, *pairs: tuple[str, str]) -> list[records.TestCase]:
    return [records.TestCase("p", f"t{place}", "call", *pair, function) for place, pair in enumerate(pairs)]


def asserting(text: str) -> list[records.TestCase]:
    return [records.TestCase("p", "t0", "assert", text, "")]


SUMS = stdio(("1 2\n", "3\n"), ("5 6\n", "11\n"))


def of(
    store: Path, code: str, language: str = "python3", tests: list[records.TestCase] = SUMS, **more: object
) -> Judgement:
    limits = more.pop("limits", LIMITS)
    return judge(tests, code, language, limits, store=store, **more)


def verdicts(judgement: Judgement) -> list[str]:
    return [result.verdict for result in judgement.tests]
