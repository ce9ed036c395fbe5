"""The twelve open math sets as their publishers lay them out: files, columns, types, and rows of our own for each trap.

A source's folder goes through the steps ingest and filter; every trap's row ends as a problem or in the ledger, by the
rule that is named here. Other files of the same repository are there too and must not be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation import run
from curation.filters.step import Filter
from curation.ingest.step import Ingest
from curation.progress import Silent
from curation.recipe import Recipe

Row = dict[str, object]
Write = Callable[[Path, list[Row]], None]

TEXT = pa.string()
TEXTS = pa.list_(TEXT)
FLAGS = pa.list_(pa.bool_())
MESSAGES = pa.list_(pa.struct([("content", TEXT), ("role", TEXT)]))


def parquet(*columns: tuple[str, pa.DataType]) -> Write:
    """Return what writes rows as Parquet with these columns and no others."""
    return lambda path, rows: pq.write_table(pa.Table.from_pylist(rows, pa.schema(columns)), path)


def json_array(path: Path, rows: object) -> None:
    """Write rows as one indented JSON array."""
    path.write_text(json.dumps(rows, indent=2, ensure_ascii=False), encoding="utf-8")


def json_lines(path: Path, rows: list[Row]) -> None:
    """Write a row a line."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


@dataclass(frozen=True)
class Published:
    """A set's rows with what becomes of each.

    Attributes:
        source: the name of its source file.
        files: names in its repository that hold rows; each gets a share of them.
        write: writes one file.
        rows: each row with the answer that stays, or the step and rule that drop it.
        others: names in its repository that hold other rows.
    """

    source: str
    files: tuple[str, ...]
    write: Write
    rows: tuple[tuple[object, str | tuple[str, str]], ...]
    others: tuple[str, ...] = ()


BEFORE = (
    "Solve the following math problem step by step. The last line of your response should be of the form Answer:"
    " $Answer (without quotes) where $Answer is the answer to the problem.\n\n"
)
AFTER = '\n\nRemember to put your answer on its own line after "Answer:".'


def dapo(question: str, answer: str, index: str) -> Row:
    """Return a row of DAPO-Math-17k."""
    return {
        "data_source": "math_dapo",
        "prompt": [{"content": BEFORE + question + AFTER, "role": "user"}],
        "ability": "MATH",
        "reward_model": {"ground_truth": answer, "style": "rule-lighteval/MATH_v2"},
        "extra_info": {"index": index},
    }


def orz(question: str, answer: object) -> list[Row]:
    """Return a row of Open-Reasoner-Zero: a list of two messages."""
    return [
        {"from": "human", "value": question},
        {"from": "assistant", "ground_truth": {"value": answer, "pass_at_n": 0.25}},
    ]


def thoughts(problem: str, solution: str, domain: str = "math") -> Row:
    """Return a row of OpenThoughts' config metadata."""
    return {
        "problem": problem,
        "deepseek_reasoning": "Hm.",
        "deepseek_solution": "So $\\boxed{99}$.",
        "ground_truth_solution": solution,
        "domain": domain,
        "source": "numina_math" if domain == "math" else "taco",
        "test_cases": None,
        "starter_code": None,
    }


def numina(problem: str, solution: str, source: str = "cn_k12") -> Row:
    """Return a row of NuminaMath-CoT."""
    messages = [{"content": problem, "role": "user"}, {"content": solution, "role": "assistant"}]
    return {"source": source, "problem": problem, "solution": solution, "messages": messages}


def openr1(problem: str, answer: str | None, **changes: object) -> Row:
    """Return a row of OpenR1-Math-220k."""
    return {
        "problem": problem,
        "solution": "## Solution. (6 points) It is $\\boxed{99}$.",
        "answer": answer,
        "problem_type": "Algebra",
        "question_type": "math-word-problem",
        "source": "olympiads",
        "uuid": f"uuid-{problem[-9:]}",
        "is_reasoning_complete": [True, False],
        "generations": ["It is 99.", ""],
        "correctness_math_verify": [True, False],
        "correctness_llama": None,
        "finish_reasons": None,
        "correctness_count": 1,
        "messages": [{"content": problem, "role": "user"}],
        **changes,
    }


def s1k(question: str, solution: str, kind: str = "math") -> Row:
    """Return a row of s1K."""
    return {
        "solution": solution,
        "question": question,
        "cot_type": kind,
        "source_type": "our_own",
        "metadata": "{'year': 2026, 'level': None}",
        "cot": None,
        "thinking_trajectories": ["Hm."],
        "attempt": "It is 99.",
    }


def deepmath(question: str, answer: str) -> Row:
    """Return a row of DeepMath-103K."""
    solutions = {f"r1_solution_{number}": "It is \\boxed{99}." for number in (1, 2, 3)}
    return {"question": question, "final_answer": answer, "difficulty": 5.5, "topic": "Algebra", **solutions}


def big_math(problem: str, answer: str, rate: float | None = 0.5) -> Row:
    """Return a row of Big-Math-RL-Verified."""
    return {"problem": problem, "answer": answer, "source": "orca_math", "domain": ["A"], "llama8b_solve_rate": rate}


LONG = "7" * 60
NO_ANSWER = ("filter", "empty")
UNREADABLE = ("ingest", "unreadable_answer")
COPIED = (
    (numina("What is $1+1$?", "Not $\\boxed{1}$ but $\\boxed{2}$."), "2"),
    (numina("What is a half?", "It is $\\boxed{\\frac{1}{2}}$."), "\\frac{1}{2}"),
    (numina("Which is the largest number?", "It holds for all. $\\blacksquare$"), NO_ANSWER),
    (numina("What is the largest number here?", "$\\boxed{\\text{proof}$"), UNREADABLE),
    (numina("What is the least number here?", "It is $\\boxed{notfound}$."), ("ingest", "no_answer")),
    (numina("Show that $n$ is even.", "It is $\\boxed{proof}$."), ("ingest", "no_answer")),
    (numina("Solve $x^2-3x+2=0$ for $x$.", "So $x=\\boxed{1}$ or $x=\\boxed{2}$."), UNREADABLE),
    (numina("Prove that $2$ is prime.", "Clearly, $\\boxed{2}$ is."), ("filter", "proof")),
    (numina("Which is prime? A. $4$ B. $6$ C. $7$ D. $8$", "So $\\boxed{C}$."), ("filter", "multiple_choice")),
    (numina("(1) Find $1+1$. (2) Find $2+2$.", "So $\\boxed{4}$."), ("filter", "multi_part")),
)
NUMINA_COLUMNS = (("source", TEXT), ("problem", TEXT), ("solution", TEXT), ("messages", MESSAGES))

SETS = (
    Published(
        "dapo-math-17k",
        ("data/dapo-math-17k.parquet",),
        parquet(
            ("data_source", TEXT),
            ("prompt", MESSAGES),
            ("ability", TEXT),
            ("reward_model", pa.struct([("ground_truth", TEXT), ("style", TEXT)])),
            ("extra_info", pa.struct([("index", TEXT)])),
        ),
        (
            *[(dapo("What is $30+4$?", "34", "9a-9b"), "34")] * 3,
            (dapo("计算 $5+3$ 的值。", "8", "9a-9c"), "8"),
            (dapo("How many digits has it?", LONG, "9a-9d"), LONG),
            (dapo("", "5", "9a-9e"), ("ingest", "no_statement")),
        ),
    ),
    *(
        Published(
            source,
            (f"{source}.json",),
            lambda path, rows: json_array(path, rows),
            (
                (orz("What is $2+2$?", "4"), "4"),
                (orz("Which number is it?", int(LONG)), LONG),
                (orz("How many days are left?", "007"), "007"),
                (orz("See https://example.org/a for the triangle. What is its area?", "6"), ("filter", "link")),
                (orz("What is left over?", None), NO_ANSWER),
                ([{"from": "human", "value": "What is $2+3$?"}], NO_ANSWER),
                ([], ("ingest", "no_statement")),
            ),
        )
        for source in ("open-reasoner-zero", "open-reasoner-zero-72k", "open-reasoner-zero-13k-hard")
    ),
    Published(
        "openthoughts-114k",
        ("metadata/train-00000-of-00012.parquet", "metadata/train-00001-of-00012.parquet"),
        parquet(*((name, TEXT) for name in thoughts("", ""))),
        (
            (thoughts("What is $1+1$?", "So $\\boxed{2}$."), "2"),
            (thoughts("Print the sum.", "", "code"), ("ingest", "not_math")),
            (thoughts("Which gas is it?", "\\boxed{\\text{neon}}", "chemistry"), ("ingest", "not_math")),
            (thoughts("What is the largest value?", "Two."), NO_ANSWER),
            (thoughts("What is the least value?", "\\boxed{}"), NO_ANSWER),
            (thoughts("Show that $n$ is even.", "It is $\\boxed{proof}$."), ("ingest", "no_answer")),
        ),
        others=("data/train-00000-of-00006.parquet",),
    ),
    Published(
        "numinamath-cot",
        ("data/train-00000-of-00005.parquet", "data/train-00001-of-00005.parquet"),
        parquet(*NUMINA_COLUMNS),
        COPIED,
        others=("data/test-00000-of-00001.parquet",),
    ),
    *(
        Published(
            source,
            ("train-00001-of-00001.json",),
            lambda path, rows: json_array(
                path, [{"problem": row["problem"], "solution": row["solution"]} for row in rows]
            ),
            COPIED,
        )
        for source in ("olympiads", "cn-k12")
    ),
    Published(
        "big-math-rl-verified",
        ("data/train-00000-of-00001.parquet",),
        parquet(
            ("problem", TEXT),
            ("answer", TEXT),
            ("source", TEXT),
            ("domain", TEXTS),
            ("llama8b_solve_rate", pa.float64()),
        ),
        (
            (big_math("What is a half of $3$?", "\\frac{3}{2}"), "\\frac{3}{2}"),
            (big_math("What is $2+3$?", "5", None), "5"),
            (big_math("How many is it? The answer is 12.", "12"), ("filter", "leaks_answer")),
            (big_math("Prove that $3$ is odd.", "3"), ("filter", "proof")),
        ),
    ),
    Published(
        "orca-math",
        ("data/train-00000-of-00001.parquet",),
        parquet(("question", TEXT), ("answer", TEXT)),
        (
            ({"question": "How much has he left?", "answer": "He pays 3, so $1,250.00 are left."}, "1,250.00"),
            ({"question": "How many pens are there?", "answer": "There are 4 + 2 = 6 pens."}, "6"),
            ({"question": "How many are left?", "answer": "None of them is left."}, NO_ANSWER),
            ({"question": "At what time does it stop?", "answer": "It stops at 10:30."}, UNREADABLE),
        ),
    ),
    Published(
        "openr1-math-220k",
        ("all/default-00000-of-00010.parquet", "all/extended-00000-of-00010.parquet"),
        parquet(
            *((name, TEXT) for name in ("problem", "solution", "answer", "problem_type", "question_type", "source")),
            ("uuid", TEXT),
            ("is_reasoning_complete", FLAGS),
            ("generations", TEXTS),
            ("correctness_math_verify", FLAGS),
            ("correctness_llama", FLAGS),
            ("finish_reasons", TEXTS),
            ("correctness_count", pa.int64()),
            ("messages", MESSAGES),
        ),
        (
            (openr1("What is $1+1$?", "2"), "2"),
            (openr1("What is $1+2$?", "3", correctness_math_verify=None, correctness_llama=[True]), "3"),
            (openr1("What is the value of $n$?", None), NO_ANSWER),
            (openr1("What is $n$ here?", "notfound"), ("ingest", "no_answer")),
            (openr1("What is $m$ here?", "proof"), ("ingest", "no_answer")),
            (openr1("What is $k$ here?", "3", question_type="proof"), ("ingest", "proof")),
            (openr1("## Task 3. (6 points) How many of the $12$ pens are left?", "4"), "4"),
            (openr1("a) Find $1+1$. b) Find $2+2$.", "2, 4"), ("filter", "multi_part")),
        ),
        others=("data/train-00000-of-00010.parquet", "extended/train-00000-of-00010.parquet"),
    ),
    Published(
        "limo",
        ("limo.jsonl",),
        json_lines,
        (
            ({"question": "What is $5$?", "solution": "**Final Answer**\n\n\\boxed{5}", "answer": "5"}, "5"),
            ({"question": "What is $5+1$?", "solution": "\\boxed{99}", "answer": 6}, "6"),
        ),
    ),
    Published(
        "s1k",
        ("data/train-00000-of-00001.parquet",),
        parquet(
            *((name, TEXT) for name in ("solution", "question", "cot_type", "source_type", "metadata", "cot")),
            ("thinking_trajectories", TEXTS),
            ("attempt", TEXT),
        ),
        (
            (s1k("What is $1+1$?", "2"), "2"),
            (s1k("What is $1+2$?", "Thus \\boxed{3}, of course."), "3"),
            (s1k("Which word is it?", "RIVER", "crossword"), ("ingest", "not_math")),
            (s1k("Which gas is it?", "\\boxed{neon}", "science"), ("ingest", "not_math")),
            (
                s1k(
                    "What is the largest such $n$?",
                    "We count the pairs in another way. This gives a bound. Hence no such number is larger than the one"
                    " that the lemma names.",
                ),
                ("filter", "prose_answer"),
            ),
        ),
    ),
    Published(
        "deepmath-103k",
        ("data/train-00000-of-00010.parquet", "data/train-00001-of-00010.parquet"),
        parquet(
            ("question", TEXT),
            ("final_answer", TEXT),
            ("difficulty", pa.float64()),
            ("topic", TEXT),
            *((f"r1_solution_{number}", TEXT) for number in (1, 2, 3)),
        ),
        (
            (deepmath("Evaluate the limit of $n$ for growing $n$.", "\\infty"), "\\infty"),
            (deepmath("Find the value of $2+3$.", "5"), "5"),
            (deepmath("Is $7$ prime?", "Yes"), ("filter", "yes_no")),
            # The first revision had such hints; the one that is named here is later.
            (deepmath("Find the value of $4+5$. The answer is $9$.", "9"), ("filter", "leaks_answer")),
        ),
    ),
)


PUBLISHED_ROWS = {
    "dapo-math-17k": 1_791_700,
    "open-reasoner-zero": 56_878,
    "open-reasoner-zero-72k": 72_444,
    "open-reasoner-zero-13k-hard": 13_451,
    "openthoughts-114k": 113_957,
    "numinamath-cot": 859_494,
    "olympiads": 150_581,
    "cn-k12": 276_591,
    "big-math-rl-verified": 251_122,
    "orca-math": 200_035,
    "openr1-math-220k": 225_129,
    "limo": 817,
    "s1k": 1_000,
    "deepmath-103k": 103_022,
}
"""What the cards of the sets count, or of the set that they were copied from."""


def lay_out(published: Published, folder: Path) -> None:
    """Write a set's repository; its other files hold a row that no source may give."""
    rows = [row for row, _ in published.rows]
    share = -(-len(rows) // len(published.files))
    for number, name in enumerate(published.files):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        published.write(folder / name, rows[number * share : (number + 1) * share])
    for name in published.others:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"problem": ["Not this one?"], "answer": ["0"]}), folder / name)
    (folder / "README.md").write_text("---\nlicense: other\n---\n# A card\n")
    (folder / ".gitattributes").write_text("*.parquet filter=lfs diff=lfs merge=lfs -text\n")


@pytest.mark.parametrize("published", SETS, ids=lambda published: published.source)
def test_each_row_becomes_a_problem_or_a_ledger_entry(published: Published, tmp_path: Path) -> None:
    lay_out(published, tmp_path / "data")
    # A file that the address itself names has no folder to be told apart in.
    path = "data" if len(published.files) > 1 or "/" in published.files[0] else f"data/{published.files[0]}"
    use = {"use": published.source, "path": path}
    recipe = Recipe.model_validate({"name": "r", "sources": [use], "directory": tmp_path})
    done = run.execute((Ingest(), Filter()), recipe, tmp_path / "run", Silent())
    problems = pl.read_parquet(done.newest("problems"))
    ledgers = [pl.read_parquet(record_ledger) for record_ledger in sorted(tmp_path.glob("run/steps/*/ledger.parquet"))]
    dropped = pl.concat(ledgers).select("step", "rule").rows()
    assert problems["answer"].to_list() == [fate for _, fate in published.rows if isinstance(fate, str)]
    assert sorted(dropped) == sorted(fate for _, fate in published.rows if isinstance(fate, tuple))
    debris = "Solve the following|Remember to put|Not this one|Task 3|points"
    assert not problems["statement"].str.contains(debris).any()
    counted = f"{len(published.rows)} rows read, {PUBLISHED_ROWS[published.source]:,} published"
    assert done.records[0].findings["Rows otherwise than published"] == {published.source: counted}
    assert problems["licence"].is_not_null().all()
    assert problems["attribution"].is_not_null().all()


def test_repeated_prompts_of_dapo_are_told_apart(tmp_path: Path) -> None:
    lay_out(SETS[0], tmp_path / "data")
    recipe = Recipe.model_validate(
        {"name": "r", "sources": [{"use": "dapo-math-17k", "path": "data"}], "directory": tmp_path}
    )
    done = run.execute((Ingest(),), recipe, tmp_path / "run", Silent())
    identifiers = pl.read_parquet(done.newest("problems"))["problem_id"].to_list()
    assert identifiers[:3] == ["dapo-math-17k:9a-9b", "dapo-math-17k:9a-9b#2", "dapo-math-17k:9a-9b#3"]
