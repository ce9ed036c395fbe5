"""Outputs made from an answer by one small change: what a checker must reject, and what it had better see."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from curation.judging.matching.answers import DECIMAL, INTEGER
from curation.judging.matching.claims import Measure

MUST_REJECT = frozenset(
    {"empty", "extra token", "dropped last token", "integer plus one", "integer minus one", "outside of the tolerance",
     "answer of another test"}
)  # fmt: skip
"""What no checker may accept, however loose."""

MUST_REJECT_OF_SEVERAL = frozenset({"empty", "extra token", "dropped last token"})
"""What no checker may accept where several outputs are right: another number, or another test's answer, may be."""

_TOKEN = re.compile(r"\S+")
_LABEL_BEFORE = re.compile(r"case\s+#?$", re.IGNORECASE)
_LOOSEST = 1e-2
_MANY_TIMES = 100.0
_NO_DECIMALS_FROM = 1e15
"""Where a double has no decimals left."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A changed output: what was done, and its text."""

    name: str
    text: str


def mutations_of(answer: str, others: Sequence[str], tolerance: float | None) -> Iterator[Mutation]:
    """Yield the mutations of one answer; each differs from it by more than white space, apart from a moved line break.

    Args:
        answer: the answer.
        others: the answers of other tests.
        tolerance: the error within which a decimal is right; None where none is.
    """
    tokens = list(_TOKEN.finditer(answer))
    if tokens:
        yield Mutation("empty", "")
        yield Mutation("dropped last token", answer[: tokens[-1].start()])
    yield Mutation("extra token", f"{answer.rstrip()} {tokens[-1].group() if tokens else '0'}\n")
    own = answer.split()
    other = next((text for text in others if text.split() != own), None)
    if other is not None:
        yield Mutation("answer of another test", other)
    yield from _numbers(answer, tokens, tolerance)
    if answer.swapcase() != answer:
        yield Mutation("changed case", answer.swapcase())
    word = next((token for token in reversed(tokens) if token.group()[-1].isalpha()), None)
    if word is not None:
        last = word.group()[-1]
        yield _with("changed word", answer, word, word.group()[:-1] + ("q" if last.lower() != "q" else "z"))
    yield from _orders(answer, tokens)
    if len(tokens) > 1:
        gap = answer[tokens[-2].end() : tokens[-1].start()]
        moved = " " if "\n" in gap else "\n"
        yield Mutation("moved line break", answer[: tokens[-2].end()] + moved + answer[tokens[-1].start() :])


def within_tolerance(answer: str, tolerance: float, measure: Measure) -> str | None:
    """Return the answer with a decimal moved by half of the tolerance, or None where it has no decimal."""
    for token in _TOKEN.finditer(answer):
        if DECIMAL.fullmatch(token.group()):
            value = float(token.group())
            scale = {"absolute": 1.0, "relative": abs(value), "either": _scale(value)}[measure]
            return _with("", answer, token, _written(value + tolerance / 2 * scale)).text
    return None


def _numbers(answer: str, tokens: list[re.Match[str]], tolerance: float | None) -> Iterator[Mutation]:
    numbers = [token for token in tokens if _is_answer(answer, token)]
    integers = [token for token in numbers if INTEGER.fullmatch(token.group())]
    # An integer among thousands is as good as the next: the last one is compared last.
    for token in integers[-1:]:
        yield _with("integer plus one", answer, token, _moved(token.group(), 1))
        yield _with("integer minus one", answer, token, _moved(token.group(), -1))
    for token in [token for token in numbers if DECIMAL.fullmatch(token.group())][-1:]:
        value, far = float(token.group()), min(_MANY_TIMES * (tolerance or 1e-9), _LOOSEST)
        yield _with("outside of the tolerance", answer, token, _written(value + 2 * far * _scale(value)))


def _is_answer(answer: str, token: re.Match[str]) -> bool:
    """Say whether a number is none of a label's."""
    return not _LABEL_BEFORE.search(answer[max(0, token.start() - 10) : token.start()])


def _orders(answer: str, tokens: list[re.Match[str]]) -> Iterator[Mutation]:
    for before, after in pairwise(tokens):
        same_line = "\n" not in answer[before.end() : after.start()]
        if same_line and before.group() != after.group() and all(_is_answer(answer, one) for one in (before, after)):
            swapped = answer[: before.start()] + after.group() + answer[before.end() : after.start()] + before.group()
            yield Mutation("swapped tokens", swapped + answer[after.end() :])
            break
    lines = answer.split("\n")
    for place in range(len(lines) - 1):
        one, other = lines[place], lines[place + 1]
        if one.strip() and other.strip() and one.split() != other.split():
            yield Mutation("swapped lines", "\n".join([*lines[:place], other, one, *lines[place + 2 :]]))
            break


def _with(name: str, answer: str, token: re.Match[str], text: str) -> Mutation:
    return Mutation(name, answer[: token.start()] + text + answer[token.end() :])


def _moved(text: str, by: int) -> str:
    """Add one to or take one from an integer of any size, digit by digit."""
    negative = text.startswith("-")
    digits = text.lstrip("+-").lstrip("0") or "0"
    if digits == "0":
        return str(by)
    grows = (by > 0) != negative
    turned, stays = ("9", "0") if grows else ("0", "9")
    head = digits.rstrip(turned)
    tail = stays * (len(digits) - len(head))
    last = str(int(head[-1]) + (1 if grows else -1)) if head else "1"
    result = head[:-1] + last + tail
    result = result.lstrip("0") or "0"
    return f"-{result}" if negative and result != "0" else result


def _scale(value: float) -> float:
    return max(1.0, abs(value))


def _written(value: float) -> str:
    return f"{value:.15f}" if abs(value) < _NO_DECIMALS_FROM else repr(value)
