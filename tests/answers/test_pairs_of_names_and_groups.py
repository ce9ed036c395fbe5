"""Pairs of named values, grouped lists, roundings, systems, conditions in brackets and local notations."""

from __future__ import annotations

import pytest

from curation.answers import checkable, compare

NAMES = [
    ("equal", r"\sin B=\frac{5}{13}", r"\frac{5}{13}"),
    ("equal", r"\tan\angle PQR = 4", "4"),
    ("equal", r"\angle PQR = 50^\circ", "50"),
    ("equal", r"m\angle P = 50^{\circ}", r"50^\circ"),
    ("equal", r"\overline{PQ}=9", "9"),
    ("equal", r"|PQ| = 3\sqrt{2}", r"\sqrt{18}"),
    ("equal", r"\overrightarrow{PQ} = (4,1)", "(4,1)"),
    ("equal", "f(4) = 9", "9"),
    ("different", "f(4) = 9", "8"),
    ("equal", "f(x)=x+3", "f(t)=t+3"),
    ("equal", "g(x)=2x", "2x"),
    ("unknown", "P(A)=0.2", "P(B)=0.2"),
    ("unknown", r"\sin x=0.2", r"\sin y=0.2"),
    ("unknown", r"\sin A=0.2", r"\cos A=0.2"),
    ("unknown", r"\tan t=3t", r"\tan x=3t"),
]
NO_NAMES = [
    (r"|x|=7", "7"),
    (r"\lfloor x \rfloor = 7", "7"),
    ("x! = 720", "720"),
    (r"\ln x = 3", "3"),
    (r"|x|=7", "x=7"),
]
GROUPS = [
    ("equal", "1, 2; 3, 4", "3, 4; 1, 2"),
    ("unknown", "1, 2; 3, 4", "1, 3; 2, 4"),
    ("unknown", "1, 2; 3, 4", "1, 2, 3, 4"),
    ("different", "1, 2; 3, 4", "1, 2; 3, 5"),
    ("different", "1, 2; 3, 4", "1, 2"),
    ("equal", "1, 2 and 3", "3, 2, 1"),
    ("equal", "6; 7", "7, 6"),
    ("unknown", r"2, 9 \text{ or } 4, 7", r"2, 4 \text{ or } 9, 7"),
    ("equal", "x=1, y=5 or x=2, y=6", "x=2, y=6 or x=1, y=5"),
    ("unknown", "x=1, y=5 or x=2, y=6", "x=1, y=6 or x=2, y=5"),
    ("equal", "x=1, y=5; x=2, y=6", "(1,5), (2,6)"),
    ("unknown", "x=1, y=5; x=2, y=6", "(1,6), (2,5)"),
    ("different", "x=1, y=5; x=2, y=6", "(1,5)"),
    ("equal", "x<1 or x>2, x<3", "x<1 or 2<x<3"),
    ("different", "x<1 or x>2, x<3", r"\mathbb{R}"),
]
ROUNDINGS = [
    ("equal", r"3\sqrt{2}", r"3\sqrt{2} \approx 4.24"),
    ("equal", r"3\sqrt{2}", r"x = 3\sqrt{2} \approx 4.2"),
    ("equal", r"3\sqrt{2}", r"3\sqrt{2} \approx 4"),
    ("unknown", r"3\sqrt{2}", r"3\sqrt{2} \approx 4.34"),
    ("unknown", r"3\sqrt{2}", r"x = 3\sqrt{2} \approx 6"),
    ("equal", r"-3\sqrt{2}", r"-3\sqrt{2} \approx -4.24"),
    ("unknown", r"-3\sqrt{2}", r"-3\sqrt{2} \approx -4.34"),
    ("equal", r"200\pi", r"200\pi \approx 600"),
    ("unknown", r"200\pi", r"200\pi \approx 800"),
    ("different", r"3\sqrt{2}", r"\approx 4.24"),
    ("unknown", r"\sqrt2,\sqrt3", r"x=\sqrt2\approx 1.41, x=\sqrt3\approx 1.93"),
]
NOTATIONS = [
    ("equal", "2.345.678", "2345678"),
    ("equal", "2'345", "2345"),
    ("different", "2.345", "2345"),
    ("equal", "7{,}25", "7.25"),
    ("different", "7{,}25", "725"),
    ("equal", "7{,}250", "7250"),
    ("equal", "0x1F", "31"),
    ("equal", "0b101", "5"),
    ("different", "0b101", "101"),
    ("equal", r"\left.\frac{1}{9}\right.", r"\frac19"),
    ("equal", "{}_6C_2", "15"),
    ("equal", "^{6}C_{2}", "15"),
    ("different", "^{6}C_{2}", "30"),
    ("equal", "]2,5]", "(2,5]"),
    ("different", "]2,5]", "[2,5]"),
    ("equal", "]-1;1[", "(-1,1)"),
    ("equal", r"-\$4", r"\$-4"),
    ("different", r"-\$4", r"\$4"),
    ("equal", "Rs. 40", "40 rupees"),
    ("equal", "8¢", "8 cents"),
    ("different", "8¢", r"\$8"),
    ("equal", r"40 \frac{\text{km}}{\text{h}}", "40 km/h"),
    ("different", r"40 \frac{\text{km}}{\text{h}}", "40 m/s"),
    ("different", "7 mg", "7 Mg"),
    ("different", r"4\text{ tens}", "4"),
    ("equal", r"6\text{ thousands}", "6000"),
    ("equal", r"\overline{2+5i}", "2-5i"),
    ("different", r"\overline{2+5i}", "2+5i"),
    ("equal", r"4 \pmod 9", r"13 \pmod 9"),
    ("different", r"4 \pmod 9", r"5 \pmod 9"),
    ("equal", "4 (mod 9)", "4"),
    ("equal", r"\frac{\pi}{3}+2k\pi\ (k\in\mathbb{Z})", r"2n\pi+\frac{\pi}{3}, n\in\mathbb{Z}"),
    ("different", r"\frac{\pi}{3}+2k\pi\ (k\in\mathbb{Z})", r"k\pi+\frac{\pi}{3}\ (k\in\mathbb{Z})"),
    ("equal", r"y^2=6x (x \ne 0)", r"y^2=6x\ (x\neq 0)"),
    ("equal", r"5x \pm 2y = 0", r"y=\pm\frac52x"),
    ("different", r"5x \pm 2y = 0", r"y=\pm\frac25x"),
]


@pytest.mark.parametrize(("verdict", "gold", "pred"), [*NAMES, *GROUPS, *ROUNDINGS, *NOTATIONS])
def test_the_verdict_holds_both_ways_round(verdict: str, gold: str, pred: str) -> None:
    assert (compare(gold, pred).verdict, compare(pred, gold).verdict) == (verdict, verdict)


@pytest.mark.parametrize(("equation", "value"), NO_NAMES)
def test_an_equation_is_not_its_right_side(equation: str, value: str) -> None:
    assert "equal" not in (compare(equation, value).verdict, compare(value, equation).verdict)


def test_a_grouped_list_is_checkable() -> None:
    assert checkable("x=1, y=5; x=2, y=6").verdict == "equal"


def test_a_condition_is_looked_for_within_few_tokens() -> None:
    assert compare("2(" * 20 + "x" + ")" * 20, "3").verdict != "equal"
