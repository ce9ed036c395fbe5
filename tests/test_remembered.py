"""A function of words that is looked up."""

from __future__ import annotations

from curation import remembered
from curation.remembered import Remembered


def test_a_word_is_worked_out_once_and_a_long_one_each_time() -> None:
    asked: list[str] = []

    def length(word: str) -> int:
        asked.append(word)
        return len(word)

    lengths = Remembered(length)
    long = "x" * 1_000
    assert list(map(lengths.__getitem__, ["one", long, "one", long])) == [3, 1_000, 3, 1_000]
    assert asked == ["one", long, long]


def test_it_holds_no_more_than_so_many_words() -> None:
    lengths = Remembered(len)
    most = 0
    for number in range(remembered._MOST + 1_000):
        assert lengths[str(number)] == len(str(number))
        most = max(most, len(lengths))
    assert most == remembered._MOST
