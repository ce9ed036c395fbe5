"""Every bundled source file against rows in the published shape of its data set, its traps included."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePosixPath

import pytest

from curation import bundled, recipe
from curation.ingest.catalog import Source, find_source
from curation.ingest.columns import parse
from curation.ingest.problems import MappedRow, RowMapper
from curation.ingest.readers import BadRow, RawRow
from curation.json_reader import loads
from curation.recipe import SourceUse

NAMES = sorted(path.stem for path in bundled.folder("sources").glob("*.toml"))

PACORE = [
    *(
        "dapo-math-17k",
        "open-reasoner-zero",
        "openthoughts-114k",
        "numinamath-cot",
        "big-math-rl-verified",
        "orca-math",
    ),
    *("olympiads", "cn-k12", "openr1-math-220k", "limo", "s1k", "deepmath-103k"),
    *("aime", "hmmt", "smt", "cmimc", "brumo", "bmt", "chmmc", "dmm", "mnymo", "pumac", "math-prize-for-girls"),
    *("taco", "usaco", "am-thinking-v1", "deepcoder", "codeforces"),
]
ARCHIVES = PACORE[12:23]


def source(name: str) -> Source:
    return find_source(SourceUse(use=name), Path()).source


def mapped(name: str, row: object) -> MappedRow | BadRow:
    """Map one row as it comes out of the JSON reader."""
    text = row if isinstance(row, str) else json.dumps(row)
    return RowMapper(source(name)).map_row(RawRow("file:1", loads(text)), 1)


def problem(name: str, row: object) -> MappedRow:
    found = mapped(name, row)
    assert isinstance(found, MappedRow), found
    return found


def test_every_source_of_the_recipe_has_a_file() -> None:
    assert [use.use for use in recipe.load("pacore-train-8k").sources] == PACORE


@pytest.mark.parametrize("name", NAMES)
def test_a_source_file_says_where_its_rows_are_and_whose_they_are(name: str) -> None:
    found = source(name)
    assert found.name == name
    assert found.licence
    assert found.attribution
    assert found.url.startswith("https://")
    assert found.domain == ("code" if found.group == "code" else "math")
    assert not any("\n" in note for note in found.notes)
    if found.location.hub is not None and found.location.revision == "main":
        assert any("revision is a branch" in note for note in found.notes)
    elif found.location.hub is not None:
        assert re.fullmatch("[0-9a-f]{40}", found.location.revision)


@pytest.mark.parametrize("name", [name for name in PACORE if name not in ARCHIVES])
def test_a_source_that_no_program_can_fetch_says_what_to_do(name: str) -> None:
    found = find_source(SourceUse(use=name), Path())
    reachable = found.source.location.hub or found.source.location.url
    obstacle = found.obstacle()
    assert (obstacle is None) == (reachable is not None)
    assert obstacle is None or f"fetch it from {found.source.url} and give its path in the recipe" in obstacle


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_can_be_fetched_or_says_that_a_person_has_to(name: str) -> None:
    found = source(name)
    assert found.papers is not None
    assert found.reader_missing is None
    if found.fetch is None:
        assert any("A program cannot fetch it" in note for note in found.notes)
    else:
        assert found.fetch.terms.startswith("https://")
        files = [file for pages in found.fetch.pages for _, file in pages.spelled_out() if file is not None]
        assert len(files) == len(set(files))
        assert all(found.papers.name(PurePosixPath(file)) is not None for file in files)


@pytest.mark.parametrize(
    ("name", "path", "year", "tournament", "round_name", "role"),
    [
        ("aime", "2020_AIME_I_Problems.html", "2020", "", "i", "problems"),
        ("aime", "1985_AIME_Answer_Key.html", "1985", "", "", "answers"),
        ("aime", "1983_AIME/Answer_Key.html", "1983", "", "", "answers"),
        ("aime", "2020_AIME_II_Problems/Problem_7.wiki", "2020", "", "ii", "solutions"),
        ("hmmt", "2019/feb/algnt/problems.pdf", "2019", "feb", "algnt", "problems"),
        ("hmmt", "tournaments/2008/nov/gen1/solutions.pdf", "2008", "nov", "gen1", "solutions"),
        ("hmmt", "HMMT_February_2019_guts_solutions.pdf", "2019", "feb", "guts", "solutions"),
        ("hmmt", "hmmt-nov-2012-theme.pdf", "2012", "nov", "thm", "problems"),
        ("smt", "smt2013/calculus-problems.pdf", "2013", "", "calculus", "problems"),
        ("smt", "smt2019/algebra-exam.pdf", "2019", "", "algebra", "problems"),
        ("cmimc", "2018_Team_2.tex", "2018", "", "team", "problems"),
        ("cmimc", "2022_AlgNT_D1_S.pdf", "2022", "", "algnt-d1", "solutions"),
        ("cmimc", "2016/ComputerScience/solutions.tex", "2016", "", "computerscience", "solutions"),
        ("bmt", "bmt-2019/algebra-problems.pdf", "2019", "", "algebra", "problems"),
        ("bmt", "bmmt-2023/puzzle-problems.pdf", "2023", "bmmt", "puzzle", "problems"),
        ("bmt", "bmt-2021/calculus-tiebreaker-solutions (1).pdf", "2021", "", "calculus-tiebreaker", "solutions"),
        ("brumo", "BrUMO 2024 Individual Solutions.pdf", "2024", "", "individual", "solutions"),
        ("chmmc", "2016/CHMMC 2016 Individual Solutions.pdf", "2016", "", "individual", "solutions"),
        ("dmm", "2012_Team_Solutions.pdf", "2012", "", "team", "solutions"),
        ("mnymo", "girls/2023/team/solutions.pdf", "2023", "girls", "team", "solutions"),
        ("pumac", "PUMaC2014_CombinatoricsASol.pdf", "2014", "", "combinatorics-a", "solutions"),
        ("pumac", "PUMaC2017_Algebra_A_all.pdf", "2017", "", "algebra-a", "solutions"),
        ("pumac", "Number_Theory_A_2022_Sol.pdf", "2022", "", "number-theory-a", "solutions"),
        ("pumac", "Combinatorics_A_2023-2.pdf", "2023", "", "combinatorics-a", "solutions"),
        ("pumac", "2020AlgebraASolutions.pdf", "2020", "", "algebra-a", "solutions"),
        ("pumac", "PUMaC2011_GeometryB.pdf", "2011", "", "geometry-b", "problems"),
        ("math-prize-for-girls", "2012/mathprize2012problems.pdf", "2012", "", "", "problems"),
        ("math-prize-for-girls", "mathprize2012olympiadproblems.pdf", "2012", "", "olympiad", "problems"),
    ],
)
def test_the_names_that_an_archive_gives_its_papers(
    name: str, path: str, year: str, tournament: str, round_name: str, role: str
) -> None:
    papers = source(name).papers
    assert papers is not None
    found = papers.name(PurePosixPath(path))
    assert found is not None
    assert (found.year, found.tournament, found.round, found.role) == (year, tournament, round_name, role)


@pytest.mark.parametrize(
    ("name", "path", "number", "statement", "rule"),
    [
        ("hmmt", "2019/feb/team/problems.pdf", "1", "Prove it.", "proof_round"),
        ("hmmt", "2019/nov/team/problems.pdf", "1", "Find it.", None),
        ("hmmt", "2019/feb/guts/problems.pdf", "35", "Count the leaves.", "estimation"),
        ("hmmt", "2019/feb/guts/problems.pdf", "33", "Count the leaves.", None),
        ("hmmt", "2005/feb/guts/problems.pdf", "43", "Estimate the leaves. Your score will be lower.", "estimation"),
        ("smt", "smt2013/power-problems.pdf", "1", "Show it.", "proof_round"),
        ("smt", "smt2022/guts-problems.pdf", "25", "You will receive 20 points if you are close.", "estimation"),
        ("bmt", "bmmt-2018/relay-problems.pdf", "2", "Let T be it.", "relay"),
        ("mnymo", "2024/estimathon/problems.pdf", "2", "How many?", "estimation"),
        ("pumac", "PUMaC2014_IndividualFinalsA.pdf", "2", "Prove it.", "proof_round"),
        ("pumac", "2019_LiveRound.pdf", "2", "Find it.", "live_round"),
        ("math-prize-for-girls", "olympiad2012problems.pdf", "2", "Prove it.", "proof_round"),
    ],
)
def test_rounds_that_are_left_out(name: str, path: str, number: str, statement: str, rule: str | None) -> None:
    papers = source(name).papers
    assert papers is not None
    found = papers.name(PurePosixPath(path))
    assert found is not None
    reason = papers.reason_against(found, number, statement)
    assert (reason.rule if reason else None) == rule


DAPO_BEFORE = (
    "Solve the following math problem step by step. The last line of your response should be of the form"
    " Answer: $Answer (without quotes) where $Answer is the answer to the problem.\n\n"
)
DAPO_AFTER = '\n\nRemember to put your answer on its own line after "Answer:".'
DAPO = {
    "data_source": "math_dapo",
    "prompt": [{"content": f"{DAPO_BEFORE}What is $30+4$?{DAPO_AFTER}", "role": "user"}],
    "ability": "MATH",
    "reward_model": {"ground_truth": "34", "style": "rule-lighteval/MATH_v2"},
    "extra_info": {"index": "9a9b"},
}
NUMINA = {"source": "cn_k12", "problem": "What is $1+1$?", "solution": "Not $\\boxed{1}$ but $\\boxed{\\frac{4}{2}}$."}
THOUGHTS = {
    "problem": "What is $1+1$?",
    "deepseek_reasoning": "Hm.",
    "deepseek_solution": "$\\boxed{3}$",
    "ground_truth_solution": "So $\\boxed{2}$.",
    "domain": "math",
    "source": "numina_math",
    "test_cases": None,
    "starter_code": None,
}
OPENR1 = {
    "problem": "What is $1+1$?",
    "solution": "$2$",
    "answer": "2",
    "problem_type": "Algebra",
    "question_type": "math-word-problem",
    "source": "olympiads",
    "uuid": "7f3a",
    "is_reasoning_complete": [True],
    "generations": ["2"],
    "correctness_math_verify": None,
    "correctness_llama": None,
    "finish_reasons": None,
    "correctness_count": 1,
    "messages": [],
}
S1K = {
    "question": "What is $1+1$?",
    "solution": "2",
    "cot_type": "math",
    "source_type": "own",
    "metadata": "{'a': 1}",
    "cot": None,
    "thinking_trajectories": ["Hm."],
    "attempt": "2",
}


@pytest.mark.parametrize(
    ("name", "row", "statement", "answer"),
    [
        ("dapo-math-17k", DAPO, "What is $30+4$?", "34"),
        (
            "open-reasoner-zero",
            [
                {"from": "human", "value": "1. What is $2+2$?"},
                {"from": "assistant", "ground_truth": {"value": "4", "pass_at_n": 0.5}},
            ],
            "1. What is $2+2$?",
            "4",
        ),
        (
            "open-reasoner-zero-72k",
            f'{{"0": {{"from": "human", "value": "Which?"}}, "1": {{"ground_truth": {{"value": {"7" * 60}}}}}}}',
            "Which?",
            "7" * 60,
        ),
        (
            "open-reasoner-zero-13k-hard",
            [{"from": "human", "value": "Why?"}, {"from": "assistant", "ground_truth": {"value": "007"}}],
            "Why?",
            "007",
        ),
        ("openthoughts-114k", THOUGHTS, "What is $1+1$?", "2"),
        ("openthoughts-114k", {**THOUGHTS, "ground_truth_solution": "Two."}, "What is $1+1$?", None),
        ("numinamath-cot", NUMINA, "What is $1+1$?", "\\frac{4}{2}"),
        ("numinamath-cot", {**NUMINA, "solution": "It follows. $\\blacksquare$"}, "What is $1+1$?", None),
        ("olympiads", NUMINA, "What is $1+1$?", "\\frac{4}{2}"),
        (
            "big-math-rl-verified",
            {
                "problem": "What?",
                "answer": "\\frac12",
                "source": "orca_math",
                "domain": ["a"],
                "llama8b_solve_rate": None,
            },
            "What?",
            "\\frac12",
        ),
        (
            "orca-math",
            {"question": "How many?", "answer": "First 3, so he has $1,250.00 left."},
            "How many?",
            "1,250.00",
        ),
        ("orca-math", {"question": "How many?", "answer": "None at all."}, "How many?", None),
        ("openr1-math-220k", OPENR1, "What is $1+1$?", "2"),
        ("limo", {"question": "What?", "solution": "So \\boxed{5}.", "answer": "5"}, "What?", "5"),
        ("s1k", S1K, "What is $1+1$?", "2"),
        ("s1k", {**S1K, "solution": "Thus \\boxed{3}, of course."}, "What is $1+1$?", "3"),
        (
            "deepmath-103k",
            {"question": "What?", "final_answer": "\\infty", "difficulty": 5.5, "topic": "a", "r1_solution_1": "b"},
            "What?",
            "\\infty",
        ),
        (
            "aime-1983-2023",
            {"problem": "What?", "solution": "\\boxed{015}", "answer": "15", "year": 1983, "problem_number": 2},
            "What?",
            "15",
        ),
        (
            "math-train",
            {"problem": "What?", "answer": "(3, -1)", "difficulty": 4.0, "type": "Algebra"},
            "What?",
            "(3, -1)",
        ),
        ("math-train", {"problem": "What?", "answer": None, "difficulty": 4.0, "type": "Algebra"}, "What?", None),
        ("math-train", {"problem": "What?", "solution": "It is \\boxed{9}.", "answer": None}, "What?", "9"),
        ("gsm8k", {"question": "How many?", "answer": "2*500=<<2*500=1000>>1000\n#### 1,000"}, "How many?", "1,000"),
        (
            "simplerl",
            {
                "data_source": "simplelr",
                "prompt": [
                    {
                        "content": "What?\nPlease reason step by step, and put your final answer within \\boxed{}.",
                        "role": "user",
                    }
                ],
                "ability": "math",
                "reward_model": {"ground_truth": "118", "style": "rule"},
                "extra_info": {"answer": "118"},
            },
            "What?",
            "118",
        ),
        (
            "harp",
            {"year": "1950", "contest": "AHSME", "number": 1, "problem": "What?", "answer": "$\\frac{1}{2}$"},
            "What?",
            "\\frac{1}{2}",
        ),
    ],
)
def test_the_statement_and_the_answer_of_a_row(
    name: str, row: object, statement: str | None, answer: str | None
) -> None:
    got = problem(name, row).problem
    assert (got.statement, got.answer) == (statement, answer)


@pytest.mark.parametrize(
    ("name", "row", "rule"),
    [
        ("openthoughts-114k", {**THOUGHTS, "domain": "code"}, "not_math"),
        ("openr1-math-220k", {**OPENR1, "question_type": "proof"}, "proof"),
        ("openr1-math-220k", {**OPENR1, "answer": "notfound"}, "no_answer"),
        ("s1k", {**S1K, "cot_type": "crossword"}, "not_math"),
        ("cn-k12", {**NUMINA, "solution": "So $\\boxed{\\text{A}$."}, "unreadable_answer"),
        ("open-reasoner-zero", [], "no_statement"),
    ],
)
def test_rows_that_the_source_marks_go_to_the_ledger(name: str, row: object, rule: str) -> None:
    found = mapped(name, row)
    assert isinstance(found, BadRow)
    assert found.rule == rule


def test_contests_and_years_are_known_for_whole_contest_exclusion() -> None:
    row = {"year": "2024", "contest": "AIME_II", "number": 3, "problem": "What?", "answer": "$7$"}
    got = problem("harp", row).problem
    assert (got.contest, got.year) == ("aime", 2024)
    aime = {"problem": "What?", "answer": "7", "year": 2024}
    got = problem("aime-1983-2023", aime).problem
    assert (got.contest, got.year) == ("aime", 2024)


def test_dapo_keeps_its_own_identifier() -> None:
    assert problem("dapo-math-17k", DAPO).problem.problem_id == "dapo-math-17k:9a9b"


TACO = {
    "question": "Print the sum.",
    "solutions": json.dumps(["print(sum(map(int, input().split())))", "print(3)"]),
    "starter_code": "",
    "input_output": '{"inputs": ["1 2\\n", ["1", "2"]], "outputs": ["3\\n", ["3"]]}',
    "difficulty": "EASY",
    "raw_tags": "['math']",
    "name": "Sum",
    "source": "codeforces",
    "url": "https://example.org/1",
    "time_limit": "2.0 seconds",
    "memory_limit": "256.0 megabytes",
    "picture_num": "0",
}


def test_taco_streams() -> None:
    got = problem("taco", TACO)
    assert (got.problem.time_limit_s, got.problem.memory_limit_mb) == (2.0, 256)
    assert [(test.kind, test.input, test.output) for test in got.tests] == [
        ("stdio", "1 2\n", "3\n"),
        ("stdio", "1\n2", "3"),
    ]
    assert [(one.language, one.expected) for one in got.submissions] == [("python3", "correct")] * 2


def test_taco_calls_keep_long_integers() -> None:
    long = "9" * 5000
    tests = f'{{"fn_name": "add", "inputs": [[{long}, 1], [2, 3]], "outputs": [[{long}], [5]]}}'
    got = problem("taco", {**TACO, "input_output": tests, "starter_code": "def add(a: int, b: int) -> int:"})
    assert [(test.kind, test.input, test.output, test.function) for test in got.tests] == [
        ("call", f"[{long},1]", long, "add"),
        ("call", "[2,3]", "5", "add"),
    ]


def test_taco_rows_without_tests_or_with_pictures() -> None:
    assert problem("taco", {**TACO, "input_output": "", "solutions": "[]", "picture_num": None}).tests == []
    found = mapped("taco", {**TACO, "picture_num": "2"})
    assert isinstance(found, BadRow)
    assert found.rule == "image"


def test_am_thinking_streams_and_assertions() -> None:
    def row(ground_truth: object, ability: str = "CODE") -> object:
        return {
            "data_source": "prime",
            "prompt": [{"role": "user", "content": "Print it."}],
            "ability": ability,
            "reward_model": {"style": "rule", "ground_truth": json.dumps(ground_truth)},
            "extra_info": "{}",
        }

    streams = problem("am-thinking-v1", row({"call_type": "std", "inputs": ["1"], "outputs": ["2"]}))
    assert [(test.kind, test.input, test.output) for test in streams.tests] == [("stdio", "1", "2")]
    asserts = problem(
        "am-thinking-v1", row({"call_type": "assert", "assert_case": ["assert f(1) == 2", "assert f(2) == 3"]})
    )
    assert [(test.kind, test.input) for test in asserts.tests] == [
        ("assert", "assert f(1) == 2"),
        ("assert", "assert f(2) == 3"),
    ]
    assert isinstance(mapped("am-thinking-v1", row({}, "math")), BadRow)
    broken = row({})
    assert isinstance(broken, dict)
    broken["reward_model"]["ground_truth"] = "{'inputs'"
    assert isinstance(mapped("am-thinking-v1", broken), BadRow)


@pytest.mark.parametrize(
    ("tests", "metadata", "expected"),
    [
        ({"inputs": ["1"], "outputs": ["2"]}, None, [("stdio", "1", "2", None)]),
        ({"fn_name": "f", "inputs": [[1]], "outputs": [[2]]}, None, [("call", "[1]", "2", "f")]),
        ([{"type": "stdin_stdout", "input": "1", "output": "2"}], None, [("stdio", "1", "2", None)]),
        (
            [{"input": "1\n[2]", "output": "3", "testtype": "functional", "metadata": {"func_name": "f"}}],
            None,
            [("call", "[1,[2]]", "3", "f")],
        ),
        ([{"input": "1", "output": "3", "testtype": "functional"}], {"func_name": "f"}, [("call", "[1]", "3", "f")]),
        ([{"input": "1", "output": "3", "testtype": "stdin"}], {"func_name": None}, [("stdio", "1", "3", None)]),
    ],
)
def test_deepcoder_tests(tests: object, metadata: object, expected: list[tuple[str, str, str, str | None]]) -> None:
    row = {
        "problem": "Do it.",
        "solutions": ["Here:\n```python\ndef f(x) -> int: ...\n```"],
        "tests": json.dumps(tests),
    }
    got = problem("deepcoder", row if metadata is None else {**row, "metadata": metadata})
    assert [(test.kind, test.input, test.output, test.function) for test in got.tests] == expected
    assert [one.code for one in got.submissions] == ["def f(x) -> int: ...\n"]


CODEFORCES = {
    "id": "1234/A",
    "contest_start_year": 2019,
    "title": "Sum",
    "description": "Add them.",
    "input_format": "Two integers.",
    "output_format": "One integer.",
    "interaction_format": None,
    "note": None,
    "time_limit": 1.5,
    "memory_limit": 256.0,
    "input_mode": "stdio",
    "generated_checker": None,
    "official_tests_complete": True,
    "official_tests": [{"input": "1 2", "output": "3"}],
}


def test_codeforces_puts_the_statement_together() -> None:
    got = problem("codeforces", CODEFORCES)
    assert got.problem.statement == "Sum\n\nAdd them.\n\nInput\n\nTwo integers.\n\nOutput\n\nOne integer."
    assert (got.problem.problem_id, got.problem.year) == ("codeforces:1234/A", 2019)
    assert (got.problem.time_limit_s, got.problem.memory_limit_mb) == (1.5, 256)
    assert [(test.input, test.output) for test in got.tests] == [("1 2", "3")]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"input_mode": "file"}, "file_input"),
        ({"interaction_format": "Flush."}, "interactive"),
        ({"official_tests_complete": False}, "incomplete_tests"),
    ],
)
def test_codeforces_rows_that_cannot_be_judged(change: dict[str, object], rule: str) -> None:
    found = mapped("codeforces", {**CODEFORCES, **change})
    assert isinstance(found, BadRow)
    assert found.rule == rule


def test_code_contests_plus_labels_right_and_wrong_programs() -> None:
    row = {
        "id": "1_A",
        "title": "Sum",
        "description": "Add them.",
        "correct_submissions": [{"code": "a", "language": "cpp"}, {"code": "b", "language": "py2"}],
        "incorrect_submissions": [{"code": "c", "language": "UNKNOWN"}],
        "test_cases": [{"input": "1", "output": "2"}],
    }
    got = problem("code-contests-plus", row)
    assert [(one.language, one.expected) for one in got.submissions] == [
        ("cpp17", "correct"),
        ("python2", "correct"),
        ("UNKNOWN", "incorrect"),
    ]
    assert len(got.tests) == 1


def test_leetcode_asserts() -> None:
    prompt = "Please solve the programming task below using a self-contained code snippet in a markdown code block.\n\n"
    functional = "def check(candidate):\n    assert candidate(a = 1) == 1\n\n\ncheck(Solution().f)"
    got = problem(
        "leetcode-rllm",
        {"problem": f"{prompt}Return a.", "solutions": "class Solution: ...", "tests": {"functional": functional}},
    )
    assert got.problem.statement == "Return a."
    assert [(test.kind, test.input) for test in got.tests] == [("assert", functional)]
    assert [(one.language, one.expected) for one in got.submissions] == [("python3", "correct")]


def test_code_contests_limits_stand_at_the_end_of_the_statement() -> None:
    text = "Add them.\n\nTime Limit: {'seconds': 2, 'nanos': 0}\nMemory Limit: 536870912 Bytes\n"
    got = problem("code-contests-rllm", {"problem": text, "tests": {"inputs": ["1"], "outputs": ["2"]}})
    assert (got.problem.time_limit_s, got.problem.memory_limit_mb) == (2.0, 512)


@pytest.mark.parametrize(
    ("prose", "number"),
    [
        ("It has 4 + 2 = 6 cars.", "6"),
        ("It costs $1,250.50.", "1,250.50"),
        ("That is 25%.", "25%"),
        ("The chance is 2/21.", "2/21"),
        ("She needs 3 1/2 cups.", "3 1/2"),
        ("It is -5.", "-5"),
        ("At 10:30.", None),
        ("It is x^2.", None),
        ("It is \\frac{1}{2}.", None),
        ("On the 2nd.", None),
        ("None.", None),
    ],
)
def test_the_last_number_of_prose(prose: str, number: str | None) -> None:
    assert parse("answer | last_number").extract({"answer": prose}).value == number
