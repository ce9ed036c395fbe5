"""Word problems by the thousand, of our own grammar: rows and benchmark items that share words, numbers and phrases."""

from __future__ import annotations

import random
import re

_NAMES = [
    "Aylin", "Bruno", "Chidi", "Dalia", "Emeka", "Farah", "Goran", "Hana", "Ivo", "Jonas", "Kiri", "Lena", "Milan",
    "Nadia", "Oskar", "Petra", "Quentin", "Rosa", "Samir", "Tove", "Ulla", "Viktor", "Wanda", "Ximena", "Yusuf",
    "Zofia",
]  # fmt: skip
_THINGS = [
    "tickets", "marbles", "apples", "stamps", "bricks", "lanterns", "ribbons", "tiles", "bottles", "cards", "shells",
    "coins", "books", "candles", "ropes", "buttons", "melons", "bicycles", "kites", "pencils", "cakes", "barrels",
    "seeds", "postcards", "ladders", "planks", "beads", "crates", "lamps", "chairs",
]  # fmt: skip
_PLACES = [
    "market", "harbour", "library", "orchard", "workshop", "station", "bakery", "school", "garden", "theatre",
    "museum", "mill",
]  # fmt: skip
_SHAPES = [
    "triangle", "rectangle", "circle", "pentagon", "trapezoid", "hexagon", "cube", "cone", "parallelogram", "square",
    "sphere", "prism",
]  # fmt: skip
_FORMULAS = (
    "$x^2 + {a}x - {b}$", "$\\frac{{{a}}}{{{b}}}$", "$AB = {a}$", "$\\angle ABC = {a}^\\circ$", "$n \\leq {a}$",
    "$f(x) = {a}x^3 - {b}$", "$\\sqrt{{{a}}}$", "$\\gcd(n, {a}) = {b}$", "${a}! + {b}$", "$\\log_{{{a}}} {b}$",
)  # fmt: skip
_SENTENCES = (
    "{name} buys {a} {things} at the {place} in {town} and gives {b} of them to {other}.",
    "Each of the {a} {things} costs {b} cents, but every {c}th one is free.",
    "In {town} there are {a} {things} for every {b} people who visit the {place}.",
    "A {shape} has a side of length {a} and an area of {b} square units.",
    "Let {formula} be given, where $a$ and $b$ are positive integers with $a + b = {c}$.",
    "Suppose that {formula} holds for all real numbers $x$ between {a} and {b}.",
    "{name} walks from the {place} to {town} at {a} kilometers per hour and comes back at {b} kilometers per hour.",
    "The points $P$, $Q$ and $R$ lie on a {shape} so that $PQ = {a}$ and $QR = {b}$.",
    "Two of the {a} {things} are chosen at random from a box that holds {b} {other_things} too.",
    "After {a} days {name} has {b} percent more {things} than {other}.",
    "The {word} of a {shape} is {a} times as long as its {other_word}.",
    "A sequence begins with {a}, {b} and {c}, and each later term is the sum of the three before it.",
    "When {name} puts the {things} into rows of {a}, there are {b} left over.",
    "The {word} in {town} weighs {a} kilograms less than {b} {things}.",
    "It is known that {formula} and that the remainder on division by {a} is {b}.",
    "{other} paints {a} of the {things} red, {b} of them blue and the rest in the colour of a {word}.",
)
_QUESTIONS = (
    "How many {things} does {name} have in the end?",
    "Find the number of ways in which this can be done.",
    "What is the probability that both are red? Write it as $\\frac{{m}}{{n}}$ in lowest terms and find $m + n$.",
    "Find the largest possible area of the {shape}.",
    "Compute the remainder when the sum is divided by {a}.",
    "How many minutes does the walk take, to the nearest minute?",
)
_SYLLABLES = [
    "ba", "ke", "lo", "mi", "nu", "ra", "se", "ti", "vo", "za", "dor", "fel", "gan", "hul", "jin", "kar", "lem",
    "nor", "pol", "quin", "rus", "sul", "tan", "ver", "wil",
]  # fmt: skip
_PLAIN_WORD = re.compile(r"(?<![\\$\w])[a-z]{3,}(?![\w$])")
_VARIED = 0.3


class WordProblems:
    """Writes problems; the same seed writes the same ones."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self._words = ["".join(self._draw.choices(_SYLLABLES, k=self._draw.randrange(2, 5))) for _ in range(8_000)]

    def problem(self, words: int) -> str:
        """Return a problem of about so many words: sentences, then a question."""
        sentences: list[str] = []
        question = self._fill(self._draw.choice(_QUESTIONS))
        while sum(len(sentence.split()) for sentence in (*sentences, question)) < words - 8:
            sentences.append(self._fill(self._draw.choice(_SENTENCES)))
        return " ".join([*sentences, question])

    def answer(self) -> str:
        """Return an answer: most are small."""
        return str(self._number())

    def _fill(self, sentence: str) -> str:
        draw = self._draw
        numbers = {name: self._number() for name in "abc"}
        formula = draw.choice(_FORMULAS).format(**numbers)
        name, other = draw.sample(_NAMES, 2)
        things, other_things = draw.sample(_THINGS, 2)
        filled = sentence.format(
            **numbers, formula=formula, name=name, other=other, things=things, other_things=other_things,
            place=draw.choice(_PLACES), shape=draw.choice(_SHAPES), town=self._word().capitalize(),
            word=self._word(), other_word=self._word(),
        )  # fmt: skip
        return _PLAIN_WORD.sub(lambda found: self._word() if draw.random() < _VARIED else found.group(), filled)

    def _word(self) -> str:
        """Return a made-up word; some are common and most are rare, as in a language."""
        return self._words[int(len(self._words) * self._draw.random() ** 3)]

    def _number(self) -> int:
        return self._draw.randrange(2, 10 ** self._draw.choice((1, 2, 2, 3)))
