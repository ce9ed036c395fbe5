from __future__ import annotations

import pytest

from curation.answers import answer_type


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("12", "integer"),
        ("$1{,}200$", "integer"),
        ("2^{10}", "integer"),
        (r"\frac{3}{4}", "rational"),
        (r"2\frac12", "rational"),
        ("0.75", "decimal"),
        (r"\sqrt{2}+1", "exact real"),
        (r"\frac{\pi}{3}", "exact real"),
        ("(1,2)", "tuple"),
        ("(1,2,3)", "tuple"),
        (r"\{1,2\}", "set"),
        ("1, 2", "list"),
        (r"\pm 3", "list"),
        ("[0,1)", "interval"),
        (r"(2,\infty)", "interval"),
        (r"(-1,0)\cup(1,2)", "interval"),
        ("x > 3", "inequality"),
        ("y = 2x + 1", "equation"),
        ("x = 5", "integer"),
        ("3n^2-n", "expression"),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", "matrix"),
        ("110_2", "base-n numeral"),
        ("2:3", "ratio"),
        (r"15\%", "percent"),
        (r"12\text{ cm}", "unit"),
        (r"\$5", "unit"),
        (r"60^\circ", "angle"),
        ("2-3i", "complex"),
        (r"\text{Monday}", "text label"),
        ("no solution exists here", "text label"),
        ("C", "choice letter"),
        (r"\text{(D)}", "choice letter"),
    ],
)
def test_kind_of_an_answer(answer: str, kind: str) -> None:
    assert answer_type(answer) == kind
