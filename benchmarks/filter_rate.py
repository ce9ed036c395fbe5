"""Measures how many rows a second `curation filter` reads, cleans and decides.

Usage: python benchmarks/filter_rate.py [--rows 200000] [--workers N] [FILE]

Without a FILE it makes rows: word problems and LaTeX of 15 to 120 words, one in eight with a defect or with noise.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from pathlib import Path

from curation.filters.files import filter_file

_STORY = (
    "A baker sells {a} loaves on Monday and {b} loaves on Tuesday.",
    "Each loaf costs {c} euros, but on Tuesday the price is {d}% lower.",
    "A train leaves the station at noon and travels at {a} kilometres an hour for {b} hours.",
    "Mira is {a} years older than her brother, and in {b} years she will be twice as old as he is then.",
    "Of the {a} pupils in a school, {b} play chess, {c} play football, and {d} play neither.",
)
_FORMULAS = (
    "Let $f(x)=x^2-{a}x+{b}$ for all real $x$.",
    "Let $a_1={a}$ and $a_{{n+1}}=\\frac{{a_n+{b}}}{{{c}}}$ for $n\\ge 1$.",
    "In triangle $ABC$ we have $AB={a}$, $BC={b}$ and $\\angle ABC={c}^\\circ$.",
    "Suppose that $x$ and $y$ are positive integers with $\\frac1x+\\frac1y=\\frac1{{{a}}}$ and $\\gcd(x,y)={b}$.",
    "Let $\\begin{{pmatrix}} {a} & {b} \\\\ {c} & {d} \\end{{pmatrix}}$ be the matrix of the map $T$.",
)
_QUESTIONS = (
    "How much money does the baker earn on both days together?",
    "Find the remainder when $a_{{{a}}}$ is divided by ${b}$.",
    "What is the value of $f({a})+f({b})$? Express your answer as a common fraction.",
    "Compute the number of ordered pairs $(x,y)$ that satisfy all of these conditions.",
    "The answer can be written as $\\frac mn$ in lowest terms. Find $m+n$.",
)
_DEFECTS = (
    "In the diagram below, $AB={a}$. Find $BC$.",
    "Prove that this holds for every $n>{a}$.",
    "(a) Find $f({a})$. (b) Find $f({b})$.",
    "Which of the following is largest? (A) ${a}$ (B) ${b}$ (C) ${c}$ (D) ${d}$",
)
_NOISE = ("{a}. ", "Problem {a}. [{b} points] ", "<p>", "")


def make_row(chooser: random.Random, number: int) -> dict[str, str]:
    """Return a row of our own writing."""
    parts = [*chooser.choices(_STORY + _FORMULAS, k=chooser.randint(1, 7)), chooser.choice(_QUESTIONS)]
    if chooser.random() < 1 / 8:
        parts[-1:] = [chooser.choice(_DEFECTS)]
    if chooser.random() < 1 / 8:
        parts.insert(0, chooser.choice(_NOISE))
    values = {name: chooser.randint(2, 400) for name in "abcd"}
    answer = chooser.choice([str(values["a"]), f"\\frac{{{values['b']}}}{{{values['c']}}}", f"{values['d']}"])
    return {"id": str(number), "problem": " ".join(parts).format(**values), "answer": answer}


def main() -> None:
    """Filter a file and print the rate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--workers", type=int, default=None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        source = Path(options.file) if options.file else directory / "rows.jsonl"
        if not options.file:
            chooser = random.Random(1)
            with source.open("w", encoding="utf-8") as stream:
                for number in range(options.rows):
                    stream.write(json.dumps(make_row(chooser, number)) + "\n")
        before = sum(os.times()[:4])
        start = time.perf_counter()
        summary = filter_file(
            str(source), directory / "kept.jsonl", directory / "dropped.jsonl", workers=options.workers
        )
        seconds = time.perf_counter() - start
        used = os.times()
        busy = used.user + used.system + used.children_user + used.children_system - before
        size = source.stat().st_size / max(1, summary.rows)
        print(f"{summary.rows:,} rows of {size:,.0f} bytes in {seconds:.1f} s: {summary.rows / seconds:,.0f} rows/s")
        print(f"{busy:.1f} CPU seconds, {busy / summary.rows * 1e6:.0f} microseconds a row")
        print(f"kept {summary.kept:,}, cleaned {summary.cleaned:,}, dropped {dict(summary.reasons)}")


if __name__ == "__main__":
    main()
