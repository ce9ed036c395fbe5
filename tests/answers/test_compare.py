"""One table a kind of answer; each pair is compared both ways round."""

from __future__ import annotations

import pytest

from curation.answers import compare

NUMBERS = [
    ("equal", "007", "7"),
    ("equal", r"\frac{9}{12}", "0.75"),
    ("equal", "2.0e3", "2000"),
    ("equal", r"6.02 \times 10^{3}", "6020"),
    ("equal", r"0.1\overline{6}", r"\frac{1}{6}"),
    ("equal", r"5\tfrac{1}{4}", r"\frac{21}{4}"),
    ("equal", "5 1/4", "5.25"),
    ("equal", r"\frac58", "5/8"),
    ("equal", r"{2 \over 7}", r"\dfrac27"),
    ("equal", "1{,}204", "1204"),
    ("equal", r"31\,415\,926", "31415926"),
    ("equal", r"\text{eleven}", "11"),
    ("equal", "10^{30}+1", "1" + "0" * 29 + "1"),
    ("different", "0.142857", r"\frac17"),
    ("different", "12.3", r"\frac{37}{3}"),
    ("different", r"5\tfrac{1}{4}", r"\frac{5}{4}"),
    ("different", "-9007199254740995", "-9007199254740994"),
    ("different", "2^{-80}", "2^{-81}"),
    ("different", r"\frac{1}{120!}", r"\frac{1}{121!}"),
    ("different", "9" * 30, "9" * 29 + "8"),
    ("unknown", r"7\frac{22}{3}", r"\frac{154}{3}"),
    ("unknown", "1/2x", r"\frac{x}{2}"),
    ("unknown", "a/bc", r"\frac{a}{bc}"),
]

REALS = [
    ("equal", r"\sqrt{50}", r"5\sqrt2"),
    ("equal", r"\frac{6}{\sqrt3}", r"2\sqrt{3}"),
    ("equal", r"\sqrt[3]{54}", r"3\sqrt[3]2"),
    ("equal", r"\sqrt{7+4\sqrt3}", r"2+\sqrt3"),
    ("equal", r"\sqrt[3]{7+5\sqrt2}", r"1+\sqrt2"),
    ("equal", r"\sqrt{2}+\sqrt{3}", r"\sqrt{5+2\sqrt6}"),
    ("equal", r"\frac{1}{\sqrt5-2}", r"\sqrt5+2"),
    ("equal", r"\cos\frac{\pi}{12}", r"\frac{\sqrt6+\sqrt2}{4}"),
    ("equal", r"\tan 60^\circ", r"\sqrt3"),
    ("equal", r"\sin\frac{\pi}{10}", r"\frac{\sqrt5-1}{4}"),
    ("equal", r"\log_9 27", "1.5"),
    ("equal", r"\ln 12", r"2\ln2+\ln3"),
    ("equal", "exp(2)", "e^2"),
    ("equal", r"\arctan\sqrt3", r"\frac\pi3"),
    ("equal", r"|1-\sqrt2|", r"\sqrt2-1"),
    ("equal", r"\lfloor\pi\rfloor", "3"),
    ("equal", r"\binom{8}{3}", "56"),
    ("equal", "6!", "720"),
    ("different", r"\sqrt2", "1.4142135623730950488"),
    ("different", r"\pi", "3.141592653589793"),
    ("different", r"\sqrt[4]{5}", r"4\sqrt5"),
    ("different", r"1-\frac{1}{e}", r"1+\frac1e"),
    ("different", r"\sqrt{5+2\sqrt6}", r"\sqrt2+\sqrt3+10^{-60}"),
    ("different", r"\binom{8}{3}", r"\binom{8}{4}"),
    ("unknown", r"\log 1000", "3"),
]

FORMULAS = [
    ("equal", "(p+2)(p-3)", "p^2-p-6"),
    ("equal", r"\frac{x^2-4}{x-2}", "x+2"),
    ("equal", "1-\\sin^2 x", r"\cos^2 x"),
    ("equal", r"\sin 2t", r"2\sin t\cos t"),
    ("equal", "3^{n+2}", "9*3^n"),
    ("equal", r"\frac{(n+2)!}{n!}", "(n+1)(n+2)"),
    ("equal", r"\binom{n}{2}", "n(n-1)/2"),
    ("equal", r"\sqrt{\frac{a}{b}}", r"\frac{\sqrt{a}}{\sqrt{b}}"),
    ("equal", r"\sqrt{t^2}", "|t|"),
    ("equal", r"\ln(xy)", r"\ln x+\ln y"),
    ("equal", r"\alpha\beta", "β α"),
    ("different", r"\sqrt{t^2}", "t"),
    ("different", "2^n", "n^2"),
    ("different", "x^2y", "xy^2"),
    ("different", "a+b", "a-b"),
    ("different", "n!", "(n+1)!"),
    ("different", "k", "K"),
    ("different", r"I(0)e^{-t}", r"-I(0)e^{-t}"),
    ("different", r"O(n\log n)", r"O(\log n)"),
]

COMPLEX = [
    ("equal", "3+4i", "4i+3"),
    ("equal", "2.0 + -1.0i", "2-i"),
    ("equal", "(1+i)^2", "2i"),
    ("equal", r"e^{i\pi/2}", "i"),
    ("equal", r"2(\cos\frac\pi3+i\sin\frac\pi3)", r"1+i\sqrt3"),
    ("different", "3+4i", "3-4i"),
    ("different", "3+4i", "4+3i"),
    ("equal", r"2\operatorname{cis}60^\circ", r"1+i\sqrt3"),
]

COLLECTIONS = [
    ("equal", "4, -1", "-1, 4"),
    ("equal", r"4 \text{ and } -1", "-1,4"),
    ("equal", r"\{2,4,9\}", "9, 2 and 4"),
    ("equal", r"\{2,2,4\}", r"\{4,2\}"),
    ("equal", r"\pm 6", "6, -6"),
    ("equal", r"1\pm\sqrt{2}", r"1-\sqrt2, 1+\sqrt2"),
    ("equal", r"x=2 \text{ or } x=7", "7, 2"),
    ("equal", "k = 2, 7", "2, 7"),
    ("equal", r"(1, \frac{1}{2})", "(1, 0.5)"),
    ("equal", r"\left(1,2\right),\left(3,4\right)", "(3,4),(1,2)"),
    ("equal", r"\langle 1,2\rangle", "(1,2)"),
    ("equal", r"\{5\}", "5"),
    ("equal", "（1，2）", "(1,2)"),
    ("equal", r"1, 3, \ldots, 2n-1", r"1,3,\dots,2n-1"),
    ("different", "(1,2)", "(2,1)"),
    ("different", "(1,2)", "[1,2]"),
    ("different", r"\{1,2\}", "(1,2)"),
    ("different", "4, -1", "4, 1"),
    ("different", "4, -1", "4"),
    ("different", "k = 2, 7", "k = 3, 7"),
    ("different", r"\pm 6", "6"),
    ("different", "a, b", "c, d"),
    ("different", r"1, 3, \ldots, 2n-1", r"1,3,\ldots,3n-1"),
    ("unknown", "(1,2)", "1,2"),
    ("unknown", "3, 3, 1", "3, 1"),
    ("unknown", "120,200", "120, 200"),
    ("equal", "x = 1, y = 2", "y = 2, x = 1"),
    ("equal", "x = 1, y = 2", "(1, 2)"),
    ("different", "x = 1, y = 2", "x = 2, y = 1"),
    ("unknown", "x = 1, y = 2", "2, 1"),
    ("unknown", "P, R, Q", "P, Q, R"),
    ("unknown", "[1,2,3]", "(1,2,3)"),
    ("equal", r"\pm1\pm\sqrt2", r"1+\sqrt2, 1-\sqrt2, -1+\sqrt2, -1-\sqrt2"),
    ("equal", r"3\pm1\mp2", "2, 4"),
    ("equal", r"\{\pm 1\}", r"\{1,-1\}"),
    ("unknown", "2(1,3)", "(2,6)"),
    ("equal", "3 & 5", "5, 3"),
]

SETS = [
    ("equal", "x > 2", r"(2,\infty)"),
    ("equal", r"x \ge 2", r"x \in [2, +\infty)"),
    ("equal", r"-1 \le x < 4", "[-1,4)"),
    ("equal", r"x<0 \text{ or } x>1", r"(-\infty,0)\cup(1,\infty)"),
    ("equal", r"\{x \mid 0<x\le 1\}", "(0,1]"),
    ("equal", r"x \ne 5", r"(-\infty,5)\cup(5,\infty)"),
    ("equal", r"(1,2)\cup(2,3)\cup\{2\}", "(1,3)"),
    ("equal", "3x-1<5", "x<2"),
    ("equal", "-3x<6", "x>-2"),
    ("equal", r"\mathbb{R}", r"(-\infty,\infty)"),
    ("equal", r"\text{all real numbers}", r"\mathbb{R}"),
    ("different", "x > 2", r"x \ge 2"),
    ("different", "x > 2", "x < 2"),
    ("different", "[0,1)", "[0,1]"),
    ("different", r"(-\infty,0)\cup(1,\infty)", r"(-\infty,0)\cup[1,\infty)"),
    ("different", "x > 2", "2"),
    ("unknown", "x > 2", "y > 2"),
    ("equal", "|x-1|<2", "(-1,3)"),
    ("equal", r"|x|\ge 3", r"(-\infty,-3]\cup[3,\infty)"),
    ("equal", r"\mathbb{R}\setminus\{4\}", r"x \ne 4"),
]

RELATIONS = [
    ("equal", "y = 3x - 2", "3x - y = 2"),
    ("equal", r"\frac{x^2}{4}+\frac{y^2}{7}=1", "7x^2+4y^2=28"),
    ("equal", "xy = 3", r"y = \frac{3}{x}"),
    ("equal", "y = 3x - 2", "3x - 2"),
    ("equal", "S = 12", "12"),
    ("equal", "g(t) = t^3", "g(x) = x^3"),
    ("equal", r"f(x)=kx \text{ for any constant } k", "f(x)=kx"),
    ("equal", r"0.25 = 25\%", "1/4"),
    ("equal", r"n \equiv 10 \pmod{7}", r"n \equiv 3 \pmod 7"),
    ("equal", "a < b", "b > a"),
    ("different", "y = 3x - 2", "y = 3x + 2"),
    ("different", "y = 3x - 2", "x = 3y - 2"),
    ("different", "x = 5", "y = 5"),
    ("different", "f(x) = x^2", "f(x) = x^2 + 1"),
    ("different", "n = 4m", "4"),
    ("different", r"n \equiv 3 \pmod 7", r"n \equiv 4 \pmod 7"),
    ("different", "2x - y + 1 = 0", "2x + y + 1 = 0"),
    ("unknown", "A = 5", "B = 5"),
    ("equal", r"\frac{200}{7} \approx 28.57", r"\frac{200}{7}"),
    ("equal", r"x = \sqrt3 \approx 1.73", r"\sqrt3"),
    ("equal", "AB = 7", "7"),
    ("different", r"\frac{200}{7} \approx 28.57", "28.57"),
    ("unknown", r"\frac{dy}{dx} = 2y", r"\frac{y}{x} = 2y"),
    ("unknown", r"f(n)=2n \text{ for all even integers } n", "f(n)=2n"),
    ("different", "3 + 4 = 8", "7"),
    ("equal", r"x=2k\pi, k\in\mathbb{Z}", r"2n\pi, n\in\mathbb{Z}"),
    ("equal", r"7k, k\in\mathbb{Z}", "7k"),
    ("different", r"7k, k\in\mathbb{Z}", r"6n, n\in\mathbb{Z}"),
    ("unknown", r"7k, k\in\mathbb{Z}", r"7k, k\in\mathbb{N}"),
    ("equal", "(x,y)=(3,4)", "(3,4)"),
    ("equal", "(y,x)=(3,4)", "x=4, y=3"),
]

QUANTITIES = [
    ("equal", r"12\text{ cm}", "12"),
    ("equal", r"12\text{ cm}^2", r"12\ \mathrm{cm^2}"),
    ("equal", r"1.5\text{ m}", r"150\text{ cm}"),
    ("equal", r"90\text{ minutes}", r"1.5\text{ hours}"),
    ("equal", r"36 \text{ km/h}", r"10 \text{ m/s}"),
    ("equal", r"\$3.50", r"350\text{ cents}"),
    ("equal", "€12", r"12 \text{ euros}"),
    ("equal", r"7\text{ apples}", "7"),
    ("equal", r"15\%", "0.15"),
    ("equal", r"15\%", r"15\text{ percent}"),
    ("equal", r"45^\circ", r"\frac{\pi}{4}"),
    ("equal", r"45^\circ", "45"),
    ("equal", r"22^\circ 30'", r"22.5^\circ"),
    ("equal", "4:6", "2:3"),
    ("equal", "4:6", r"\frac23"),
    ("equal", r"7:05\text{ p.m.}", r"7:05 \text{ PM}"),
    ("equal", "1011_2", "11"),
    ("equal", "1F_{16}", "31"),
    ("different", "5 cm", "5 m"),
    ("different", r"12\text{ cm}", r"12\text{ cm}^2"),
    ("different", r"15\%", "15"),
    ("different", r"45^\circ", r"54^\circ"),
    ("different", "4:6", "3:2"),
    ("different", r"7:05\text{ a.m.}", r"7:05\text{ p.m.}"),
    ("different", "1011_2", "1011"),
    ("different", "345_6", "345_7"),
    ("unknown", r"7\text{ apples}", r"7\text{ pears}"),
    ("unknown", "2:30", "1:15"),
    ("equal", r"3\text{ hours }20\text{ minutes}", r"200\text{ min}"),
    ("equal", r"1.5\text{ million}", "1500000"),
    ("equal", r"2 \text{ dozen}", "24"),
    ("equal", r"20^\circ C", r"20^\circ"),
    ("equal", "1011 base 2", "11"),
    ("equal", r"\text{Area} = 12\text{ cm}^2", "12"),
    ("different", "1011 base 2", "1011"),
    ("different", r"30\text{ million}", "30"),
    ("different", r"2\text{ rad}", r"2^\circ"),
    ("different", r"45\text{ cm}", r"45^\circ"),
    ("unknown", r"3\text{ fifths}", "3"),
    ("unknown", r"5\text{ squared}", "5"),
    ("unknown", r"5\text{ below zero}", "5"),
    ("equal", r"12\text{ m}", "12 m"),
    ("equal", r"12\,\mathrm{m/s}", "12 m/s"),
    ("equal", r"6\frac12\%", "0.065"),
]

MATRICES = [
    ("equal", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{bmatrix}1&2\\3&4.0\\\end{bmatrix}"),
    ("different", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&3\\2&4\end{pmatrix}"),
    ("different", r"\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}1&2\end{pmatrix}"),
    ("different", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "5"),
    ("unknown", r"\begin{pmatrix}1\\2\end{pmatrix}", "(1,2)"),
    ("equal", r"\frac12\begin{pmatrix}2\\4\end{pmatrix}", r"\begin{pmatrix}1\\2\end{pmatrix}"),
    ("unknown", r"\begin{pmatrix}1\\2\end{pmatrix}^T", r"\begin{pmatrix}1&2\end{pmatrix}"),
]

WORDS = [
    ("equal", r"\text{Tuesday}", "tuesday"),
    ("equal", r"\text{an ellipse}", "ellipse"),
    ("equal", "Yes", r"\text{yes}"),
    ("equal", r"\text{No solution}", r"\emptyset"),
    ("equal", r"\text{(C)}", "C"),
    ("equal", r"\textbf{(B)}\ \frac34", "B"),
    ("equal", r"(B) \frac34", "0.75"),
    ("equal", r"\text{two lines}", "$two lines$"),
    ("different", r"\text{Tuesday}", r"\text{Thursday}"),
    ("different", "yes", "no"),
    ("different", "C", "D"),
    ("different", r"\text{(B)}\ 12", r"\text{(C)}\ 12"),
    ("different", r"\text{impossible}", "3"),
    ("unknown", r"4\text{ more than }y", "4"),
    ("unknown", r"\text{two lines}", "2"),
    ("different", r"\angle PQR", r"\angle QPR"),
    ("unknown", "1 2", "12"),
    ("unknown", r"f \circ g", r"g \circ f"),
]

ALL = NUMBERS + REALS + FORMULAS + COMPLEX + COLLECTIONS + SETS + RELATIONS + QUANTITIES + MATRICES + WORDS


@pytest.mark.parametrize(("verdict", "gold", "pred"), ALL, ids=[f"{gold[:30]} {pred[:30]}" for _, gold, pred in ALL])
def test_verdict_and_its_symmetry(verdict: str, gold: str, pred: str) -> None:
    there, back = compare(gold, pred), compare(pred, gold)
    assert (there.verdict, back.verdict) == (verdict, verdict), there.why
    assert there.path
    assert there.why


@pytest.mark.parametrize("text", sorted({text for _, *pair in ALL for text in pair}))
def test_every_answer_equals_itself(text: str) -> None:
    assert compare(text, f" {text} ").verdict == "equal"


def test_empty_answers_are_no_match() -> None:
    assert compare("", "").verdict == "unknown"
    assert compare("3", " ").verdict == "unknown"
