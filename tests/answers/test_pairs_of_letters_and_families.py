"""Pairs whose letters are constants, parameters, matrices or functions, and words that are forms of one word."""

from __future__ import annotations

import pytest

from curation.answers import compare

LETTERS = [
    ("unknown", "f(x)=cx+1", "f(x)=kx+1"),
    ("different", "f(x)=cx+1", "f(x)=kx+2"),
    ("unknown", "c_1e^{2x}+c_2e^{-x}", "Ae^{-x}+Be^{2x}"),
    ("different", "c_1e^{2x}+c_2e^{-x}", "Ae^{-x}+Be^{3x}"),
    ("different", "PQ", "PR"),
    ("different", "2n", "2m"),
    ("unknown", "PQ", "QP"),
    ("unknown", "P^{-1}Q", "QP^{-1}"),
    ("equal", "pq", "qp"),
    ("equal", "2PQ", "PQ+PQ"),
    ("unknown", r"\varphi", r"\frac{1+\sqrt5}{2}"),
    ("different", r"\varphi", r"\frac{1+\sqrt3}{2}"),
    ("unknown", "n=2k+1", "n=2k-1"),
    ("different", "n=2k+1", "n=2k"),
    ("different", "a_k=2k+1", "a_k=2k-1"),
    ("equal", r"x=k\pi+\frac{\pi}{3}, k\in\mathbb{Z}", r"x=k\pi-\frac{2\pi}{3},k\in\mathbf{Z}"),
    ("different", r"x=k\pi+\frac{\pi}{3}, k\in\mathbb{Z}", r"x=k\pi-\frac{\pi}{3},k\in\mathbb{Z}"),
    ("equal", r"a_n=3n-1 (n\in\mathbb{N}^*)", "a_n=3n-1"),
    ("different", r"a_n=3n-1 (n\in\mathbb{N}^*)", "a_n=3n+1"),
    ("unknown", r"n=2k+1, k\in\mathbb{N}", r"n=2k-1, k\in\mathbb{N}"),
    ("different", r"k\in\mathbb{Z}^+", r"k\in\mathbb{Z}"),
]
FUNCTIONS = [
    ("equal", r"\zeta(2)", r"\frac{\pi^2}{6}"),
    ("equal", r"\zeta(6)", r"\frac{\pi^6}{945}"),
    ("different", r"\zeta(2)", r"\frac{\pi^2}{8}"),
    ("unknown", r"\zeta(3)", "2"),
    ("equal", r"\Gamma\left(\frac12\right)", r"\sqrt{\pi}"),
    ("equal", r"\Gamma\left(\frac72\right)", r"\frac{15}{8}\sqrt{\pi}"),
    ("different", r"\Gamma\left(\frac72\right)", r"\frac{15}{4}\sqrt{\pi}"),
    ("unknown", "(2n)!!", "2^n n!"),
    ("unknown", r"\gcd(n,2n)", "n"),
    ("unknown", r"\log 5", r"\ln 5"),
    ("equal", r"\frac{\log 9}{\log 3}", "2"),
]
FORMS = [
    ("equal", r"\left\{\begin{array}{l}x=3\\y=-1\end{array}\right.", "(3,-1)"),
    ("equal", r"\begin{cases}x=3\\y=-1\end{cases}", "y=-1, x=3"),
    ("different", r"\begin{cases}x=3\\y=-1\end{cases}", "y=3, x=-1"),
    (
        "equal",
        r"\begin{cases}x=3\\y=1\end{cases} \text{ or } \begin{cases}x=1\\y=3\end{cases}",
        "(1,3),(3,1)",
    ),
    ("equal", r"\left\{\begin{aligned}x&=3\\y&=-1\end{aligned}\right.", "(3,-1)"),
    ("equal", "a=3, b=-1; a=4, b=0", "(a,b)=(3,-1), (4,0)"),
    ("equal", "[[1,5],[2,6]]", r"\begin{pmatrix}1&5\\2&6\end{pmatrix}"),
    ("different", "[[1,5],[2,6]]", r"\begin{pmatrix}1&2\\5&6\end{pmatrix}"),
    ("equal", "a=b=c=4", "(4,4,4)"),
    ("unknown", "a=b=c=4", "(4,4,5)"),
    ("unknown", "2, 2, 3", "2, 3, 2"),
    ("equal", "2, 2, 3", "2, 2, 3"),
    ("equal", r"4\text{ hours and } 15 \text{ minutes}", "255 minutes"),
    ("different", r"4\text{ hours and } 15 \text{ minutes}", "415 minutes"),
    ("equal", r"6\text{ cats and }2\text{ dogs}", r"2\text{ dogs and }6\text{ cats}"),
    ("equal", "4th", "fourth"),
    ("equal", r"4^{\text{th}}", "4th"),
    ("different", "4th", "5th"),
    ("different", "4th", "fifth"),
    ("equal", "4th", "4"),
    ("different", "4th", "0.25"),
    ("equal", "Wed", "Wednesday"),
    ("different", "Tue", "Thursday"),
    ("unknown", "diverges", "divergent"),
    ("different", "diverges", "converges"),
    ("different", "carts", "cards"),
    ("different", "Anna", "Annie"),
]


@pytest.mark.parametrize(("verdict", "gold", "pred"), [*LETTERS, *FUNCTIONS, *FORMS])
def test_the_verdict_holds_both_ways_round(verdict: str, gold: str, pred: str) -> None:
    assert (compare(gold, pred).verdict, compare(pred, gold).verdict) == (verdict, verdict)
