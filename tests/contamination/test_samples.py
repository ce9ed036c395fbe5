"""Code problems by their samples, whatever the story."""

from __future__ import annotations

import pytest

from curation.contamination.index import Index
from curation.contamination.items import BenchmarkItem
from curation.contamination.match import Matcher, MatchOptions
from curation.contamination.samples import samples_of

ITEM = """A gardener waters n pots in a row; pot i needs a_i litres. He may skip no two pots side by side.
Print the fewest litres that he needs.

Input

The first line holds n, the second the needs.

Output

Print one integer.

Sample Input 1

4
7 1 9 2

Sample Output 1

3

He skips the first pot and the third.

Sample Input 2

2
5 8

Sample Output 2

5
"""
RETOLD = """Guards stand at towers with wages; of two neighbouring towers one at least is guarded. Minimise the wages.

Example 1:

Input: wages = [7,1,9,2], n = 4
Output: {first}
Explanation: guards at the second and the last.

Example 2:

Input: n = 2, wages = [5, 8]
Output: 5
"""


def kinds(text: str) -> list[tuple[str, str | None]]:
    matcher = Matcher(Index([BenchmarkItem("cup", "pots", ITEM)]), MatchOptions())
    return [(one.kind, one.detail) for one in matcher.match(text)]


def test_samples_are_read_in_both_notations() -> None:
    assert (("4", "7", "1", "9", "2"), ("3",)) in samples_of(ITEM)
    assert samples_of("Input: nums = [1, -2], k = 3\nOutput: yes\nExplanation: -") == [(("1", "-2", "3"), ("yes",))]
    assert samples_of("The output of the input is 3.") == []


@pytest.mark.parametrize(("first", "found"), [("3", [("reworded", "2 samples equal")]), ("9", [])])
def test_another_story_with_the_same_samples_is_reworded(first: str, found: list[tuple[str, str]]) -> None:
    text = RETOLD.format(first=first).replace("wages = [7,1,9,2], n = 4", "n = 4, wages = [7,1,9,2]")
    assert kinds(text) == found


def test_one_small_sample_says_nothing() -> None:
    assert kinds("Add two numbers.\n\nInput: 2 5 8\nOutput: 5\n") == []
