"""Rows a second, peak memory and quality of the step ``dedup``, and of a plain datasketch loop on the same rows.

    python benchmarks/dedup_rate.py [--rows 700000] [--plain-rows 20000]

Writes word problems in a temporary directory: 80 % new ones, 10 % variants of earlier ones that are other problems (a
number or a telling word changed), 5 % copies set in another way, 5 % near copies (asked otherwise, misspelt, another
name, a request for the form of the answer). Runs the step from table to tables in a child process with its workers and
counts: wall time with start and imports, peak memory of all processes (proportional set size, sampled), which of the
planted copies went and what else did. Then the plain loop in this process: a MinHash of 128 permutations, updated with
every run of three words, one query and one insertion a row. It takes the first rows only, because its rate falls as its
index grows, and its index of all rows would not fit beside ours. It works on the bare text, without folding.
Needs psutil, which the extra `test` brings.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
from cpu_steps_memory import peak_memory
from datasketch import MinHash, MinHashLSH

from curation import storage
from curation.records import PROBLEM_SCHEMA, Problem, to_frame

_NAMES = (
    "Amina Tomas Kofi Lena Omar Ines Pavel Yuki Rosa Emeka Greta Hugo Nadia Bruno Salma Viktor Chidi Marta Idris Livia"
)
NAMES = _NAMES.split()
_THINGS = (
    "marbles pears tickets stamps candles notebooks lanterns bricks ribbons shells pebbles buttons kettles ladders"
    " pumpkins barrels blankets whistles saddles mirrors"
)
THINGS = _THINGS.split()
_PLACES = "market harbour library orchard village station workshop museum garden bakery theatre castle"
PLACES = _PLACES.split()
SENTENCES = (
    "{n} has {a} boxes with {b} {t} in each of them.",
    "On Monday {n} sells {a} {t} at the {p}, and on Tuesday {b} more than on Monday.",
    "A cart with {a} {t} leaves the {p} at noon and loses {b} of them on every mile.",
    "The keeper of the {p} pays ${c}$ coins for the first sack of {t} and ${a}$ for every other one.",
    "Of the {a} visitors of the {p}, {b} bring {t} and the others bring nothing.",
    "Every day {n} walks {a} miles from the {p} to the river and {b} miles back over the hill.",
    "The number of {t} in the {p} grows by {a}% each year until it reaches {b}00.",
    "Let $f(x)=x^2-{a}x+{b}$ be the price of $x$ {t}.",
    "The numbers $a$ and $b$ satisfy $a+b={a}$ and $ab={c}$, where $a$ is the largest of the {t} that {n} counts.",
    "In the triangle $ABC$ beside the {p} we have $AB={a}$ and $BC={b}$, and {n} puts {t} along each side.",
    "A row of {a} {t} is painted so that every {c}th one is red and the first one is blue.",
    "{n} and a friend share {a} {t} in the ratio ${b}:{c}$ when they meet at the {p}.",
)
QUESTIONS = (
    "How many {t} does {n} have at the end?",
    "What is the sum of all numbers of {t} that are possible?",
    "Find the largest number of {t} that {n} can bring to the {p}.",
    "What is the value of $f({a})+{b}$?",
    "Compute the probability that {n} picks one of the red {t} first.",
)
OTHER_WORDS = (
    ("each", "none"), ("largest", "smallest"), ("sum", "product"), ("first", "last"), ("more", "fewer"),
    ("every", "no"), ("red", "blue"), ("$ab=", "$a-b="), ("x^2", "x^3"), ("How many", "How many dozens of"),
)  # fmt: skip
ASKED = (
    ("What is the", "Find the"),
    ("Find the", "Determine the"),
    ("Compute the", "What is the"),
    ("How many", "Find how many"),
)
FORMS = ("Express your answer as a common fraction.", "Give your answer in simplest form.")


def new_problem(chooser: random.Random) -> str:
    """Return a word problem of our own writing, 50 to 90 words."""
    parts = [*chooser.sample(SENTENCES, chooser.randint(4, 6)), chooser.choice(QUESTIONS)]
    names, things, places = chooser.sample(NAMES, 2), chooser.sample(THINGS, 3), chooser.sample(PLACES, 2)
    return " ".join(
        part.format(
            n=chooser.choice(names),
            t=chooser.choice(things),
            p=chooser.choice(places),
            a=chooser.randint(21, 400),
            b=chooser.randint(21, 400),
            c=chooser.randint(2, 19),
        )
        for part in parts
    )


def variant(text: str, chooser: random.Random) -> str:
    """Return another problem in nearly the same words."""
    changes = [pair for pair in OTHER_WORDS if pair[0] in text]
    if changes and chooser.random() < 0.5:
        return text.replace(*chooser.choice(changes), 1)
    words = text.split(" ")
    place = chooser.choice([place for place, word in enumerate(words) if word.isdecimal()] or [0])
    words[place] = str(int(words[place]) + chooser.randint(1, 9)) if words[place].isdecimal() else f"77 {words[place]}"
    return " ".join(words)


def copy(text: str) -> str:
    """Return the same problem set in another way."""
    return text.replace("$", "\\(", 1).replace("$", "\\)", 1).replace("%", "\\%").replace(". ", ".\n", 1)


def near_copy(text: str, chooser: random.Random) -> str:
    """Return the same problem in nearly the same words, one to three of them changed."""
    kinds = chooser.sample(("ask", "misspell", "rename", "form", "article"), chooser.randint(1, 3))
    if "ask" in kinds:
        text = next((text.replace(*pair, 1) for pair in ASKED if pair[0] in text), text)
    if "article" in kinds:
        text = text.replace(" the ", " ", 1)
    if "misspell" in kinds:
        thing = chooser.choice([word for word in THINGS if word in text] or ["satisfy"])
        place = chooser.randrange(1, len(thing) - 1)
        text = text.replace(thing, thing[:place] + thing[place + 1 :], 1)
    if "rename" in kinds:
        name = next((name for name in NAMES if name in text), "ABC")
        text = text if name == "ABC" else text.replace(name, "Zelda")
    return f"{text} {chooser.choice(FORMS)}" if "form" in kinds else text


def rows(count: int) -> Iterator[tuple[str, Problem]]:
    """Yield the kind of each row and the row; every copy follows what it copies."""
    chooser = random.Random(3)
    earlier: list[tuple[str, str]] = []
    variants: set[str] = set()
    for number in range(count):
        draw = chooser.random()
        kind, answer = "new", str(chooser.randrange(10_000))
        if draw < 0.8 or not earlier:
            text = new_problem(chooser)
            earlier.append((text, answer))
        else:
            base, known = chooser.choice(earlier)
            if draw < 0.9:
                kind, text = "variant", variant(base, chooser)
                # Two equal variants of one problem would be copies of each other.
                while text in variants:
                    text = variant(text, chooser)
                variants.add(text)
            else:
                answer = known
                kind, text = ("copy", copy(base)) if draw < 0.95 else ("near copy", near_copy(base, chooser))
        name = f"{number:07}"
        yield kind, Problem(f"made:{name}", "math", "opensource_math", "made", name, text, "CC0-1.0", answer=answer)


def write(table: Path, count: int) -> dict[str, list[str]]:
    """Write the problem table; return the identifiers by kind."""
    kinds: dict[str, list[str]] = {}

    def frames() -> Iterator[pl.DataFrame]:
        batch: list[Problem] = []
        for kind, row in rows(count):
            kinds.setdefault(kind, []).append(row.problem_id)
            batch.append(row)
            if len(batch) == 10_000:
                yield to_frame(batch, PROBLEM_SCHEMA)
                batch = []
        yield to_frame(batch, PROBLEM_SCHEMA)

    storage.write_table(table, frames(), PROBLEM_SCHEMA)
    return kinds


PROGRAM = """
import sys
from pathlib import Path
from curation.dedup import Deduplicate
from curation.progress import Silent
from curation.recipe import Recipe
from curation.steps import StepContext
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    recipe = Recipe.model_validate({"name": "rate", "sources": [{"use": "made"}], "dedup": {"disagreement": "vote"}})
    output = folder / "out"
    output.mkdir()
    tables = {"problems": folder / "problems.parquet"}
    Deduplicate().execute(StepContext(recipe, tables, output, folder, None, Silent()))
"""


def plain_loop(texts: list[str]) -> tuple[float, list[bool]]:
    """Return the rows a second of the plain loop, and whether each row was like an earlier one."""
    lsh = MinHashLSH(threshold=0.7, num_perm=128)
    like = []
    start = time.perf_counter()
    for number, text in enumerate(texts):
        words = text.lower().split()
        sketch = MinHash(num_perm=128)
        for place in range(max(1, len(words) - 2)):
            sketch.update(" ".join(words[place : place + 3]).encode())
        like.append(bool(lsh.query(sketch)))
        lsh.insert(number, sketch)
    return len(texts) / (time.perf_counter() - start), like


def quality(gone: set[str], kinds: dict[str, list[str]]) -> str:
    """Say how many of the planted copies went, and how many of the rows that went are none."""
    found = {kind: sum(1 for name in names if name in gone) for kind, names in kinds.items()}
    right = found.get("copy", 0) + found.get("near copy", 0)
    shares = ", ".join(f"{kind} {found[kind] / max(1, len(kinds[kind])):.3%}" for kind in sorted(kinds))
    return f"went: {shares}; precision {right / max(1, len(gone)):.3%}"


def main() -> None:
    """Run both and print rates, ratio, memory and quality."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=700_000)
    parser.add_argument("--plain-rows", type=int, default=20_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = write(folder / "problems.parquet", options.rows)
        (folder / "program.py").write_text(PROGRAM)
        start = time.perf_counter()
        peak = peak_memory([sys.executable, str(folder / "program.py"), str(folder)])
        wall = time.perf_counter() - start
        gone = set(pl.read_parquet(folder / "out" / "ledger.parquet")["problem_id"])
        rate = options.rows / wall
        print(f"step: {options.rows:,} rows in {wall:.1f} s: {rate:,.0f} rows/s, peak memory {peak:.2f} GiB")
        print(f"      {quality(gone, kinds)}")
        sample = pl.read_parquet(folder / "problems.parquet", n_rows=options.plain_rows)
        plain, like = plain_loop(sample["statement"].to_list())
        names = set(sample["problem_id"])
        seen = {kind: [name for name in of_kind if name in names] for kind, of_kind in kinds.items()}
        flagged = {name for name, found in zip(sample["problem_id"], like, strict=True) if found}
        print(f"loop: {sample.height:,} rows, one process: {plain:,.0f} rows/s")
        print(f"      {quality(flagged, seen)}")
        print(f"ratio {rate / plain:.1f}")


if __name__ == "__main__":
    main()
