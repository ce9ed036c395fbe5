"""Inputs that are almost valid, made systematically: what a validator must reject."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass

from curation.testgen.document import parts
from curation.testgen.grammar import Values, parse, render
from curation.testgen.rules import Rules, bounds

_BY_BOUNDS = ("least value", "greatest value", "too long", "too short")


@dataclass(frozen=True, slots=True)
class NearMiss:
    """An input that is not valid.

    Attributes:
        kind: what is wrong with it.
        text: the input.
        is_sure: it is wrong whatever the statement says, or by a bound that it states; else by what was inferred.
    """

    kind: str
    text: str
    is_sure: bool = True


def near_misses(rules: Rules | None, text: str) -> Iterator[NearMiss]:
    """Yield near misses of a valid input: of its form, its bounds, its alphabets, its orders and its networks.

    Args:
        rules: the inferred grammar; None where there is none, which leaves those of form.
        text: the input.
    """
    yield from _of_form(text, has_shape=rules is not None)
    if rules is None:
        return
    values = parse(rules.shape.nodes, text)
    if values is not None:
        yield from _of_values(rules, values)


def _of_form(text: str, *, has_shape: bool) -> Iterator[NearMiss]:
    # How many tokens and lines there are is only known to be wrong where the shape is known.
    lines = text.split("\n")[:-1]
    yield NearMiss("empty", "")
    yield NearMiss("no last line feed", text[:-1])
    yield NearMiss("an empty line at the end", text + "\n")
    yield NearMiss("a token at the end", text + "1\n", has_shape)
    yield NearMiss("an empty line at the start", "\n" + text)
    yield NearMiss("carriage returns", text.replace("\n", "\r\n"))
    yield NearMiss("a blank at a line's end", text[:-1] + " \n")
    yield NearMiss("a blank at a line's start", " " + text)
    if len(lines) > 1:
        yield NearMiss("the last line is missing", "\n".join(lines[:-1]) + "\n", has_shape)
        yield NearMiss("two lines joined", text.replace("\n", " ", 1), has_shape)
    if " " in text:
        yield NearMiss("two blanks", text.replace(" ", "  ", 1))
        yield NearMiss("a tab", text.replace(" ", "\t", 1))
    tokens = lines[-1].split(" ") if lines else []
    if len(tokens) > 1:
        yield NearMiss("the last token is missing", "\n".join([*lines[:-1], " ".join(tokens[:-1])]) + "\n", has_shape)


def _of_values(rules: Rules, values: Values) -> Iterator[NearMiss]:
    done: set[int] = set()
    for index, part in enumerate(parts(rules.shape.nodes, values, rules.shape.names)):
        for place, field in enumerate(part.fields):
            if field.key in done or not part.rows:
                continue
            done.add(field.key)
            token, name = part.rows[0][place], rules.name(field.key)
            changes: list[tuple[str, str]] = []
            stated = rules.is_stated(field.key)
            if field.kind == "int":
                low, high = bounds(rules, field.key, part.scope, is_word=False)
                changes = [
                    (f"{name} below its least value", str(low - 1)),
                    (f"{name} above its greatest value", str(high + 1)),
                    (f"{name} with a leading zero", "0" + token.lstrip("-")),
                    (f"{name} with a plus sign", "+" + token.lstrip("-")),
                    (f"{name} is no number", "x"),
                    (f"{name} with a fraction", token + ".0"),
                ]
            elif field.kind == "word":
                low, high = bounds(rules, field.key, part.scope, is_word=True)
                alphabet = rules.alphabets.get(field.key, "")
                other = next((one for one in "Qq7#*~" if one not in alphabet), None)
                if alphabet and high < 1_000_000:
                    changes.append((f"{name} is too long", alphabet[0] * (high + 1)))
                if alphabet and low > 1:
                    changes.append((f"{name} is too short", alphabet[0] * (low - 1)))
                if other is not None:
                    changes.append((f"{name} has another character", other + token[1:]))
            for kind, new in changes:
                is_sure = stated if kind.endswith(_BY_BOUNDS) else field.kind == "int"
                yield NearMiss(kind, render(_with(rules, values, index, 0, place, new)), is_sure)
            if part.is_table and len(part.rows) > 1:
                if rules.orders.get(field.key, frozenset()) & {"distinct", "permutation", "strictly ascending"}:
                    same = _with(rules, values, index, 1, place, token)
                    yield NearMiss(f"{name} has a value twice", render(same), is_sure=False)
                wanted = rules.networks.get(field.key, frozenset())
                if place == 0 and "no loops" in wanted:
                    loop = _with(rules, values, index, 0, 1, token)
                    yield NearMiss("an edge from a vertex to itself", render(loop), is_sure=False)
                if place == 0 and wanted & {"no repeated edges", "tree"}:
                    twice = _with(rules, values, index, 1, 0, part.rows[0][0])
                    again = _with(rules, twice, index, 1, 1, part.rows[0][1])
                    yield NearMiss("an edge twice", render(again), is_sure=False)


def _with(rules: Rules, values: Values, index: int, row: int, place: int, token: str) -> Values:
    """Return a copy with one token of one part changed."""
    changed = copy.deepcopy(values)
    found = list(parts(rules.shape.nodes, changed, rules.shape.names))[index]
    found.put(row, place, token)
    return changed
