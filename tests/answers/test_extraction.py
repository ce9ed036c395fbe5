from __future__ import annotations

import pytest

from curation.answers import grade
from curation.answers.extraction import final_answer


@pytest.mark.parametrize(
    ("response", "answer", "path"),
    [
        (r"So we get \boxed{41}.", "41", "boxed"),
        (r"First \boxed{3}, but no: in fact it is \boxed{\frac{1}{\sqrt{2}}}.", r"\frac{1}{\sqrt{2}}", "boxed"),
        (r"We find $\boxed{\left\{1, \tfrac{2}{3}\right\}}$", r"\left\{1, \tfrac{2}{3}\right\}", "boxed"),
        (r"Done: \boxed{12}." + "\n\n**Final Answer**\n" + r"\boxed{12}", "12", "boxed"),
        (r"The roots are $\boxed{2}$ and $\boxed{-5}$.", "2, -5", "boxes"),
        (r"So $x=\boxed{2}$, $y=\boxed{-5}$.", "2, -5", "boxes"),
        (r"<think>maybe \boxed{9}</think> It is \boxed{8}.", "8", "boxed"),
        ("<think>hm</think>\n\n**Answer:** 15", "15", "announced"),
        ("The answer is 7.", "7", "announced"),
        ("The final answer is $x = 3.5$. I hope it is correct.", "x = 3.5", "announced"),
        ("Adding up gives 12.\n#### 1,200", "1,200", "announced"),
        ("Therefore, the answer is (C).", "(C)", "announced"),
        ("So the correct answer is option B", "B", "announced"),
        ("所以答案是 42。", "42", "announced"),
        ("The answer is 12 apples. Check: 3 * 4 = 12", "12 apples", "announced"),
        (r"\boxed{5}" + "\n\nQuestion: What is 2+2?\n" + r"Answer: \boxed{4}", "5", "boxed"),
        ("Answer: 5\n\nHuman: and 2+2?\nAnswer: 4", "5", "announced"),
        (r"\frac{3}{4}", r"\frac{3}{4}", "bare"),
        ("an ellipse", "an ellipse", "bare"),
        ("We add the two numbers and get 3 + 4 = 7", "7", "last number"),
        ("After all of that he is left with 1,250 dollars in the bank", "1,250", "last number"),
        (r"\boxed 7", "7", "boxed"),
    ],
)
def test_finds_the_final_answer(response: str, answer: str, path: str) -> None:
    found = final_answer(response)
    assert (found.answer, found.path) == (answer, path)


@pytest.mark.parametrize(
    ("response", "why"),
    [
        ("", "no box"),
        ("I do not know how this can be solved at all.", "no box"),
        (r"so the answer is \boxed{\frac{1}{2", "ends inside"),
        (r"\boxed{3} would be wrong, it is \boxed{", "ends inside"),
        (r"<think> it is \boxed{4}, or is it", "not ended"),
        (r"It is \boxed{}", "empty"),
    ],
)
def test_says_when_there_is_none(response: str, why: str) -> None:
    found = final_answer(response)
    assert found.answer is None
    assert why in found.why


def test_a_letter_beside_a_box_is_seen() -> None:
    found = final_answer(r"The answer is $\boxed{\frac{3}{4}}$ \textbf{(B)}")
    assert (found.answer, found.letter) == (r"\frac{3}{4}", "B")


def test_hostile_text_is_no_trouble() -> None:
    assert grade("5", "{" * 100_000).verdict == "unknown"
    assert final_answer(r"\boxed{" * 20_000).answer is None
    assert final_answer("\\boxed{" + "\\" * 100_001 + "}").answer is None
