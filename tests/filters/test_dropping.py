"""Dropping: each kind of defect in several shapes, and the ordinary rows that look like one."""

from __future__ import annotations

import pytest

from curation.filters import catalog
from curation.filters.rule import LONGEST_TEXT, SPAN_CHARACTERS, Row
from curation.filters.screening import screen, select
from curation.recipe import FilterSection

RULES = select(FilterSection())

DROPPED: list[tuple[str, str, str | None]] = [
    # a picture, or words that need one
    ("image", "[asy]\ndraw((0,0)--(1,1));\n[/asy] How long is the segment?", "2"),
    ("image", "How long is it? \\begin{tikzpicture}\\draw (0,0)--(1,1);\\end{tikzpicture}", "2"),
    ("image", "How long is it? \\includegraphics[width=3cm]{plan}", "2"),
    ("image", "How long is it? <img src='a.gif'>", "2"),
    ("image", "How long is it? ![](pictures/4.png)", "2"),
    ("image", "<image>\nHow long is it?", "2"),
    ("image", "In the diagram, $AB=3$ and $BC=4$. Find $AC$.", "5"),
    ("image", "Four squares overlap as shown. What is the total area?", "7"),
    ("image", "Using the blocks in Figure 2, how high is the tower?", "7"),
    ("image", "The graph of $y=f(x)$ is pictured. Find $f(2)$.", "3"),
    ("image", "The picture shows a fence made of posts. How many posts are hidden?", "3"),
    ("image", "The table below lists the prices of three fruits. What do they cost together?", "9"),
    ("image", "What is the area of the shaded region?", "9"),
    ("image", "What fraction of the square is shaded?", "\\frac13"),
    ("image", "What is the area of triangle $PQR$?", "30"),
    ("image", "Find $x$.", "30"),
    ("image", "如右图，正方形的边长为4，求阴影部分的面积。", "8"),
    ("image", "Refer to the figure. Find $x$ if the two lines are parallel.", "40"),
    ("image", "The shape drawn above consists of five squares. What is its perimeter?", "12"),
    ("image", "According to the graph, how many books were sold in May?", "12"),
    ("image", "根据统计图，共有多少人参加？", "40"),
    # links
    ("link", "Watch youtu.be/abc123 and count the steps.", "5"),
    ("link", "Average the data at https://example.org/data.csv and round it.", "3"),
    ("link", "Read www.example.org/task and count the letters.", "3"),
    ("link", "Do exercise 4 of [this sheet](http://example.org/a.pdf).", "3"),
    # several parts
    ("multi_part", "Let $f(x)=x^2$. (a) Find $f(2)$. (b) Find $f(3)$.", "4"),
    ("multi_part", "Let $n=4$.\n\n(i) How many divisors has $n$?\n\n(ii) What is their sum?", "3"),
    ("multi_part", "1. What is $5+5$? 2. What is $5\\cdot5$?", "10"),
    (
        "multi_part",
        "A coin is tossed.\n\nPart A: Find the chance of heads.\n\nPart B: Find the chance of tails.",
        "1/2",
    ),
    ("multi_part", "[b]p1.[/b] What is $1+1$?\n\n[b]p2.[/b] What is $2+2$?", "2"),
    ("multi_part", "Evaluate each of the following: (a) $2^3$ (b) $3^2$", "8"),
    ("multi_part", "\\begin{itemize}\\item Find $a$. \\item Find $b$.\\end{itemize}", "2"),
    ("multi_part", "已知 $a=1$。（1）求 $a+1$；（2）求 $a+2$。", "2"),
    ("multi_part", "What is the sum of the digits?", "(a) 3; (b) 4"),
    ("multi_part", "How many apples has Tom? How many pears has he?", "3"),
    ("multi_part", "三个数的和是多少？最大的是几？", "12; 5"),
    ("multi_part", "Find the smallest $n$ with $n^2>50$.\n\nDetermine the largest $m$ with $m^3<100$.", "8"),
    # several answers
    ("multi_answer", "What are the values of $p, q$ and $r$?", "1, 2, 3"),
    ("multi_answer", "Find both the area and the perimeter of a unit square.", "(1, 4)"),
    ("multi_answer", "The ages of two sisters sum to 10 and differ by 2. Find their ages.", "6, 4"),
    ("multi_answer", "Two primes have sum 9. What are they?", "2 and 7"),
    ("multi_answer", "How big is a unit square?", "area 1, perimeter 4"),
    ("multi_answer", "What line goes through both points?", "m = 2, b = 3"),
    ("multi_answer", "What are they worth?", "{'first': 3, 'second': 4}"),
    ("multi_answer", "Their sum is ____ and their product is ____.", "5"),
    ("multi_answer", "函数的最大值为 $\\qquad$ ，最小值为 $\\qquad$ ．", "2"),
    # proofs
    ("proof", "Prove that $\\sqrt2$ is irrational.", ""),
    ("proof", "Let $n$ be odd. Show that $8$ divides $n^2-1$.", "8"),
    ("proof", "Find the minimum of $x^2+1$, and prove that it is attained.", "1"),
    ("proof", "Determine, with proof, the number of such sets.", "4"),
    ("proof", "Find the largest such $n$. Justify your\nanswer.", "7"),
    ("proof", "Evaluate the sum. Use your result to show that it is at most $2$.", "2"),
    ("proof", "求证：$a^2+b^2\\ge 2ab$。", ""),
    ("proof", "Let $a>0$. What follows for $a+1$?", "proof"),
    ("proof", "Deduce that $x=y$ for all such $x$.", "1"),
    ("open_ended", "Sketch the graph of $y=x^2$.", "y=x^2"),
    # open ended, any of many, estimates
    ("open_ended", "Explain how you found the sum of $1$ and $2$.", "3"),
    ("open_ended", "Write a word problem for $3\\times4=12$.", "12"),
    ("open_ended", "Add $1$ to itself five times. What do you notice?", "6"),
    ("open_ended", "为什么 $1+1=2$？", "2"),
    ("non_checkable", "Give an example of a prime number above $100$.", "101"),
    ("non_checkable", "写出一个大于 $100$ 的质数。", "101"),
    ("non_checkable", "Roughly how many hairs are on a head?", "100000"),
    ("non_checkable", "How wide is the river?", "about 40 metres"),
    ("non_checkable", "How wide is the river?", "\\approx 40.3"),
    ("non_checkable", "How long does it take?", "minutes"),
    ("non_checkable", "Which $n$ works?", "any integer above 3"),
    ("non_checkable", "For which $s$ does it hold?", "$s(0,3]$"),
    ("non_checkable", "What is $\\sqrt2$?", "1.414..."),
    ("non_checkable", "Which $n$ works?", "There are many answers"),
    # words
    ("prose_answer", "On what day does the month end?", "Tuesday"),
    ("prose_answer", "What kind of quadrilateral has four equal sides?", "\\text{a rhombus}"),
    ("prose_answer", "Where is the sum smallest?", "\\text{at }Q_3"),
    ("prose_answer", "谁最高？", "小明"),
    ("prose_answer", "Find all such $n$.", "All numbers of the form $4k+3$"),
    # options, yes or no
    ("multiple_choice", "What is $2+2$? (A) $3$ (B) $4$ (C) $5$", "4"),
    ("multiple_choice", "What is $2+2$?\nA. $3$\nB. $4$\nC. $5$\nD. $6$", "B"),
    ("multiple_choice", "What is $2+2$? $\\textbf{(A)}\\ 3 \\qquad \\textbf{(B)}\\ 4 \\qquad \\textbf{(C)}\\ 5$", "4"),
    ("multiple_choice", "What is $2+2$? ['A)3', 'B)4', 'C)5']", "B"),
    ("multiple_choice", "What is $3+4$? a) 5 b) 6 c) 7 d) 8", "7"),
    ("multiple_choice", "What is $3+4$? Five, six, seven or none of these?", "7"),
    ("multiple_choice", "Which of the following is a prime?", "7"),
    ("multiple_choice", "Which expression is equal to $x+x$?", "C"),
    ("multiple_choice", "The root of $x^3=3$ is closest to", "1.44"),
    ("multiple_choice", "The statements are true for", "$\\text{I and II only}$"),
    ("multiple_choice", "下列说法中正确的是（ ）", "甲"),
    ("yes_no", "Is $91$ a prime?", "No"),
    ("yes_no", "True or false: every prime is odd.", "1"),
    ("yes_no", 'Is $x^3$ odd or even? Enter "odd" or "even".', "\\text{odd}"),
    ("yes_no", "这样的数存在吗？", "不存在"),
    # empty, hollow, echo
    ("empty", "What is $1+1$?", None),
    ("empty", "What is $1+1$?", "  "),
    ("empty", "What is $1+1$?", "N/A"),
    ("empty", "What is $1+1$?", "See the solution."),
    ("empty", " ?! ", "2"),
    ("degenerate_answer", "What is $1+1$?", "$$"),
    ("degenerate_answer", "What is $1+1$?", "\\boxed{}"),
    ("degenerate_answer", "Let $g(x)=x+1$. Find $g(g(2))$.", "$g(g(2))$"),
    ("degenerate_answer", "What is half of three?", "\\frac{3}{"),
    ("degenerate_answer", "What is $1+1$?", "x ="),
    ("non_checkable", "What is $1+1$?", "First add one to one " * 40),
    # too little
    ("truncated", "(Continued from the previous question) What is the sum of both?", "4"),
    ("truncated", "Let $T = TNYWR$. Compute $T+1$.", "4"),
    ("truncated", "...and then adds 3. What does he get from 4?", "7"),
    ("truncated", "Find the sum of the first...", "7"),
    ("truncated", "Using the result of part (a), find $x$ with $x>2$.", "4"),
    ("truncated", "gon has twelve sides. What is the sum of its inner angles?", "1800"),
    ("truncated", "Let $ABC$ be a triangle with $AB=3$. Let $D$ be the point on side", "4"),
    ("truncated", "Suppose that $f$ is a function on $[0,1]$ with $f(0)=0$ and $f(1)=1$.", "4"),
    ("truncated", "根据第(1)问的结论，求 $x$。", "4"),
    # too much
    ("leaks_answer", "What is $2+3$? (Answer: 5)", "5"),
    ("leaks_answer", "What is $2+3$?\n\n**Solution.** Add them to get five.", "5"),
    ("leaks_answer", "What is $2+3$? The answer is $5$.", "5"),
    ("leaks_answer", "What is $2+3$? $\\boxed{5}$", "5"),
    ("leaks_answer", "What is $2+3$? 5", "5"),
    ("leaks_answer", "What is $2+3$? #### 5", "5"),
    ("leaks_answer", "What is $2+3$? <answer>5</answer>", "5"),
    ("leaks_answer", "What is $2+3$? [Answer] 5", "5"),
    ("leaks_answer", "计算 $2+3$。答案：5", "5"),
    # damage
    ("broken_text", "Evaluate \x0crac{1}{2}+1.", "3/2"),
    ("broken_text", "Evaluate $2 \times 3$.", "6"),
    ("broken_text", "Evaluate frac{1}{2}+1.", "3/2"),
    ("broken_text", "Let \ufffd be an angle of 30 degrees. Find its sine.", "1/2"),
    ("broken_text", "Find x with 3 â‰¤ x and x â‰¤ 3.", "3"),
    ("broken_text", "Evaluate $\\frac{\\sqrt{4}{2}$.", "1"),
    ("broken_text", "Evaluate $\\left(1+1$.", "2"),
    ("broken_text", "Evaluate \\begin{cases} 1 \\\\ 2.", "2"),
    ("broken_text", "word " * LONGEST_TEXT, "2"),
    ("non_checkable", "What is $1+1$?", "{" * (LONGEST_TEXT + 1)),
    # languages
    ("language", "Soit un triangle rectangle dont les côtés mesurent 3 et 4. Calculer son hypoténuse.", "5"),
    ("language", "Найдите сумму всех целых чисел от 1 до 10.", "55"),
    ("language", "三角形の面積を求めよ。底辺は4、高さは3である。", "6"),
    ("language", "Berechne die Summe der ersten zehn natürlichen Zahlen.", "55"),
]

KEPT: list[tuple[str, str]] = [
    # words of pictures without a picture
    ("What is the image of $[0,2]$ under $f(x)=x^2$?", "[0,4]"),
    ("How many three-figure numbers are multiples of $9$?", "100"),
    ("In a Venn diagram of two sets, 4 elements lie in both. How many lie in the second set of 9 only?", "5"),
    ("Find the area between the graph of $y=x$ and the $x$-axis for $0\\le x\\le2$.", "2"),
    ("A toy figure costs $4 and a picture book $6. What do two of each cost?", "20"),
    ("The signs in $1-2+3-\\ldots+9$ alternate, as shown. What is the sum?", "5"),
    ("The table shows $y$.\n\n| x | 1 | 2 |\n|---|---|---|\n| y | 3 | 5 |\n\nIf $y$ is linear, find $y(3)$.", "7"),
    ("In the product shown, find $B$: \\[\\begin{array}{r} B2 \\\\ \\times 3 \\\\ \\hline 96 \\end{array}\\]", "3"),
    ("A wall is shaded blue on one third of its area of $9$ square metres. How large is the shaded area?", "3"),
    ("求函数 $f(x)=x^2$ 的图象与直线 $y=1$ 的交点个数。", "2"),
    ("Find the area of triangle $PQR$ with $PQ=3$, $QR=4$, $PR=5$.", "6"),
    ("A photograph is 8 by 10 inches; in the picture frame it has a border of 1 inch. What area does it fill?", "120"),
    ("Plot the points $(0,0)$, $(3,0)$, $(0,4)$ and find the area of the triangle.", "6"),
    ("Draw a diagram to help you. How many handshakes are there among 5 people?", "10"),
    # links of chains
    ("A chain of $9$ links is cut at one link. How many pieces can there be?", "3"),
    ("Our website had 30 visitors a day for a week. How many were there?", "210"),
    # enumerations that are no parts
    ("Find the least $n$ such that (i) $n$ is even, (ii) $n>7$.", "8"),
    ("A move is one of:\n\n1. adding $2$;\n2. doubling.\n\nFrom $1$, how many moves lead to $10$?", "3"),
    ("For how many $a$ is it true that (1) $a<5$ and (2) $a^2<9$, $a$ a natural number?", "3"),
    ("A player may (1) choose a pile and halve it, (2) choose two piles and join them. How few moves suffice?", "3"),
    ("Let $(a)_n$ be the rising factorial. Compute $(2)_3$.", "24"),
    ("A list has \\begin{itemize}\\item two ones, \\item three twos.\\end{itemize} What is its sum?", "8"),
    ("The chance is $m/n$ in lowest terms. What is the chance of two heads? What is $m+n$?", "5"),
    ("Solve $x+1=3$.\n\nExpress your answer as an integer.", "2"),
    # one answer that looks like several
    ("Find all $x$ with $x^2=4$.", "2, -2"),
    ("Find the constants $p$ and $q$ as an ordered pair.", "(1,2)"),
    ("What is the range of $f$?", "(0,1) \\cup (2,3)"),
    ("How many seatings are there?", "4,\\!320"),
    ("How many seatings are there?", "43,200"),
    ("How long does the trip take?", "3 hours and 20 minutes"),
    ("What is the difference of the two roots of $x^2-5x+6$?", "1"),
    ("What is the chance that both numbers are even?", "\\frac14"),
    ("某数的平方为 $9$，则它的绝对值为 $\\qquad$ ．", "3"),
    # words of proofs
    ("How many ways are there to order the letters of PROOF?", "60"),
    ("It can be shown that $a_n$ has the limit $2$. Find $\\lim a_n^2$.", "4"),
    ("Show tickets cost $4 each. What do $9$ cost?", "36"),
    ("A rum of $80$ proof is $40\\%$ alcohol. How much is in $100$ ml of $30$ proof?", "15"),
    ("She picks a card to show the others. What is the chance that it is red?", "\\frac12"),
    ("Describe all values of $k$ for which there is a root.", "k>2"),
    ("Find the least $n$, or show that none exists, with $n^2>50$.", "8"),
    # words of other kinds
    ("For example, $12$ is even. How many even numbers lie below $10$?", "4"),
    ("When the root of $x$ is doubled, the answer is $8$. What is $x$?", "16"),
    ("A solution of salt weighs $3$ kg. What do $5$ such solutions weigh?", "15"),
    ("A test has $9$ true or false questions. How many answer sheets are there?", "512"),
    ("How many of the following are even: $1$, $2$, $4$?", "2"),
    ("There are $6$ topics to choose from. How many pairs are there?", "15"),
    ("Of 40 multiple-choice questions she got 30 right. What percentage is that?", "75\\%"),
    # answers that are values
    ("What is the area?", "12\\pi \\text{ cm}^2"),
    ("How much is it?", "\\$12.50"),
    ("Find $f$.", "f(x)=\\sin x+C"),
    ("Evaluate $\\lim(1+1/n)^n$.", "$e$"),
    ("Find $N$ in terms of $n$.", "$N=n$"),
    ("How many are there?", "twenty-three"),
    ("How many are there?", "0"),
    ("Find the set.", "\\{x \\mid x>3\\}"),
    ("Simplify.", "xyz+ab"),
    ("What is left?", "9" * 5_000),
    ("Find $x$, which may be any real number with $x>2$.", "x>2"),
    # whole without a question mark
    ("If $2x=6$, then $x=$", "3"),
    ("A triangle has sides $3$, $4$, $5$. The circle through its corners has radius", "5/2"),
    ("$\\sqrt{16}$", "4"),
    ("lim x->0 of sin(x)/x", "1"),
    ("Compute $7!/5!$.", "42"),
    ("计算：$1+1$", "2"),
    ("Résoudre.", "3"),
    ("The café made 5 euros and spent 3. What is its profit?", "2"),
]


@pytest.mark.parametrize(("reason", "statement", "answer"), DROPPED)
def test_a_defect_is_dropped_with_its_reason(reason: str, statement: str, answer: str | None) -> None:
    hits = screen(Row(statement, answer), RULES).hits
    assert hits, "kept"
    assert hits[0].reason == reason, hits
    assert len(hits[0].span) <= SPAN_CHARACTERS
    assert hits[0].sentence.endswith(".")


@pytest.mark.parametrize(("statement", "answer"), KEPT)
def test_an_ordinary_row_is_kept(statement: str, answer: str) -> None:
    assert screen(Row(statement, answer), RULES).hits == ()


def test_no_other_rule_looks_at_a_document() -> None:
    for row in (Row("Prove it. " * LONGEST_TEXT, "2"), Row("Prove it.", "{" * (LONGEST_TEXT + 1))):
        assert len(screen(row, RULES).hits) == 1


def test_the_span_is_the_text_that_decided() -> None:
    hits = screen(Row("As seen in the diagram below, $AB=3$. Find $BC$.", "4"), RULES).hits
    assert (hits[0].rule, hits[0].span.lower()) == ("missing_figure", "in the diagram")


def test_every_rule_has_a_name_of_its_own_and_something_to_drop() -> None:
    rules = catalog.dropping(("en", "zh"))
    names = [rule.name for rule in rules]
    assert len(set(names)) == len(names)
    hit = {hit.rule for _, statement, answer in DROPPED for hit in screen(Row(statement, answer), RULES).hits}
    of_math = {rule.name for rule in rules if "math" in rule.domains}
    assert of_math <= hit, of_math - hit


@pytest.mark.parametrize(
    ("statement", "answer"),
    [(s, a) for _, s, a in DROPPED if len(s) < LONGEST_TEXT and len(a or "") < LONGEST_TEXT] + KEPT,
)
def test_the_words_and_signs_of_a_rule_only_save_time(statement: str, answer: str | None) -> None:
    row = Row(statement, answer)
    tried = RULES.worth_trying(row)
    left_out = [rule for rule in RULES.dropping if row.domain in rule.domains and rule not in tried]
    assert [rule.name for rule in left_out if rule(row) is not None] == []
