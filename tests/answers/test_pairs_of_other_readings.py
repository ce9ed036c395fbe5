"""Pairs beside what reads remainders, long sums, determinants, afterwords, and letters as digits, units or numbers."""

from __future__ import annotations

import time

import pytest

from curation.answers import compare, grade

PAIRS = [
    ("equal", "3 m^3", "3000 L"),
    ("equal", "3000 L", "3 m^3"),
    ("different", "3 m^3", "300 L"),
    ("different", "3 m^2", "3000 L"),
    ("different", "3 m", "3000 L"),
    ("equal", "2 h", "7200 s"),
    ("different", "2 h", "720 s"),
    ("different", "5 m", "5 g"),
    ("different", "2m", "2L"),
    ("equal", "B_{16}", "11"),
    ("different", "B_{16}", "12"),
    ("equal", "A_{12}", "10"),
    ("different", "B_{11}", "11"),
    ("different", "G_{16}", "16"),
    ("equal", "F_{16}", "15"),
    ("different", "F_{20}", "15"),
    ("equal", "B_{16}", "1011_2"),
    ("equal", "2+3j", "2+3i"),
    ("different", "2+3j", "2-3i"),
    ("different", "2+3j", "3+2i"),
    ("unknown", "3j", "3i"),
    ("different", "2i+3j", "2i+3i"),
    ("different", "i+j", "2i"),
    ("equal", r"1-j\sqrt{2}", r"1-i\sqrt2"),
    ("equal", "7", "x = 7, as desired"),
    ("equal", "7", "$x = 7$, as desired"),
    ("equal", "7", "$x = 7, as desired$"),
    ("equal", "7", "x = 7, as required."),
    ("equal", r"\frac12", r"x=\frac{1}{2}\text{ as desired}"),
    ("different", "7", "x = 8, as desired"),
    ("equal", "(1,2)", "(1,2), as claimed"),
    ("different", "7", "7, 8"),
    ("equal", "£3", "3 pounds"),
    ("different", "£3", "4 pounds"),
    ("equal", "£3", "3"),
    ("equal", "3 pounds", "3"),
    ("equal", "3 lbs", "3 pounds"),
    ("equal", "3 pounds", "48 oz"),
    ("different", "3 pounds", "3 oz"),
    ("different", "£3", "3 euros"),
    ("different", "£3", "3 lb"),
    ("equal", "£3 million", "3 million pounds"),
    ("equal", r"\sum_{k=1}^{n} k", r"\frac{n(n+1)}{2}"),
    ("different", r"\sum_{k=1}^{n} k", r"\frac{n(n-1)}{2}"),
    ("different", r"\sum_{k=0}^{n} 2k+1", "(n+1)^2+1"),
    ("equal", r"\sum_{k=1}^{n} k^2", r"\frac{n(n+1)(2n+1)}{6}"),
    ("equal", r"\sum_{k=1}^{n-1} k", r"\frac{n(n-1)}{2}"),
    ("equal", r"\sum_{k=1}^{2n} k", "n(2n+1)"),
    ("equal", r"\sum_{i=1}^{n} i^3", r"\left(\frac{n(n+1)}{2}\right)^2"),
    ("equal", r"\sum_{k=1}^{n} ak", r"\frac{an(n+1)}{2}"),
    ("different", r"\sum_{k=1}^{n} k", r"\frac{k(k+1)}{2}"),
    ("equal", r"\sum_{k=1}^{10^9} k", "500000000500000000"),
    ("different", r"\sum_{k=1}^{10^9} k", "500000000500000001"),
    ("equal", r"\sum_{k=5}^{10^6} 1", "999996"),
    ("equal", r"\sum_{k=1}^{100000} k^3", "5000050000^2"),
    ("equal", r"\begin{vmatrix}1&2\\3&4\end{vmatrix}", "-2"),
    ("different", r"\begin{vmatrix}1&2\\3&4\end{vmatrix}", "2"),
    ("equal", r"\det\begin{pmatrix}1&2\\3&4\end{pmatrix}", "-2"),
    ("equal", r"\begin{vmatrix}1&2\\3&4\end{vmatrix}", r"\begin{vmatrix}0&1\\2&0\end{vmatrix}"),
    ("equal", r"\begin{vmatrix}a&b\\c&d\end{vmatrix}", "ad-bc"),
    ("different", r"\begin{vmatrix}a&b\\c&d\end{vmatrix}", "ad+bc"),
    ("equal", r"\begin{vmatrix}2&0&1\\1&3&2\\0&1&1\end{vmatrix}", "3"),
    ("different", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "-2"),
    ("equal", r"\left|\begin{matrix}1&2\\3&4\end{matrix}\right|", "-2"),
    ("equal", r"17 \bmod 5", "2"),
    ("different", r"17 \bmod 5", "3"),
    ("equal", r"2^{10} \bmod 7", "2"),
    ("equal", r"3^{1000000} \bmod 7", "4"),
    ("equal", r"10! \bmod 11", "10"),
    ("equal", r"7 \mod 5", "2"),
    ("unknown", r"2 \bmod 5", "7"),
    ("different", r"2 \bmod 5", "8"),
    ("equal", r"2 \bmod 5", r"12 \bmod 5"),
    ("different", r"2 \bmod 5", r"3 \bmod 5"),
    ("unknown", r"2 \bmod 5", r"2 \bmod 7"),
    ("unknown", r"-7 \bmod 5", "3"),
    ("unknown", r"5+7 \bmod 3", "0"),
    ("equal", r"x \equiv 3 \pmod 5", r"3 \bmod 5"),
    ("different", r"x \equiv 3 \pmod 5", r"4 \bmod 5"),
    ("equal", r"x \equiv 3 \bmod 5", r"x \equiv 3 \pmod{5}"),
    ("unknown", r"1+(17 \bmod 5)", "3"),
    ("unknown", r"\frac{1}{3}", r"17 \bmod 5"),
    ("different", "$3 million", "$3"),
    ("equal", "$3 million", "3000000 dollars"),
    ("equal", "$3 million", "3000000"),
    ("different", "$3 million", "$3 billion"),
    ("unknown", r"\sum_{k=1}^{n} a_k", "na_k"),
    ("unknown", r"\sum_{k=1}^{3} a_{k+1}", "3a_{k+1}"),
    ("equal", r"\sum_{k=1}^{3} a_1", "3a_1"),
    ("unknown", r"\sum_{k=1}^{n} f(k)", "nf(k)"),
    ("different", r"\sum_{k=1}^{n} k^2", "n^2"),
    ("different", r"\sum_{k=1}^{n} n", "n"),
    ("equal", r"\sum_{k=1}^{n} n", "n^2"),
    ("equal", r"\sum_{k=0}^{n}(2k+1)", "(n+1)^2"),
    ("unknown", r"\sum_{k=1}^{10^{10^{10}}} k", "5"),
    ("unknown", r"\sum_{k=1}^{10^9} \frac1k", "21"),
    ("equal", r"\begin{vmatrix}1&0&0&0\\0&2&0&0\\0&0&3&0\\0&0&0&4\end{vmatrix}", "24"),
    ("different", r"\begin{vmatrix}0&1\\1&0\end{vmatrix}", "1"),
]


@pytest.mark.parametrize(("verdict", "gold", "pred"), PAIRS)
def test_pairs_and_their_swaps(verdict: str, gold: str, pred: str) -> None:
    assert (compare(gold, pred).verdict, compare(pred, gold).verdict) == (verdict, verdict)


@pytest.mark.parametrize("end", ["10^9", "10^{10^{10}}", "n"])
def test_a_long_sum_asks_no_other_process(end: str) -> None:
    before = time.process_time()
    assert "math-verify" not in compare(rf"\sum_{{k=1}}^{{{end}}} k", "5").path
    assert time.process_time() - before < 1


def test_an_afterword_is_no_part_of_the_answer_that_a_response_gives() -> None:
    assert grade("7", "So the answer is x = 7, as desired.").verdict == "equal"
    assert grade("7", r"Hence $\boxed{x = 8, \text{as desired}}$").verdict == "different"
