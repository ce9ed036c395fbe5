"""What a problem asks for: two texts with one setting that ask for an area and for an angle are two problems."""

from __future__ import annotations

import re

from curation.contamination.concepts import concept_of, concepts_in
from curation.text import fold, tokens

# A remainder is no quantity here: it is the form in which contests want large numbers.
_QUANTITIES = frozenset(
    (
        *("angle", "area", "average", "base", "coefficient", "count", "degree", "diameter", "distance"),
        *("gcd", "increase", "lcm", "length", "logarithm", "maximum", "minimum", "money", "perimeter", "probability"),
        *("product", "radius", "ratio", "score", "speed", "sum", "time", "volume"),
    )
)
_ONE_FOR_ANOTHER = {"distance": "length", "money": "count"}
_SENTENCE = re.compile(r"[.?!;](?=\s|$|\\|\$)|[。？！；]|\n\s*\n")
_QUESTION = re.compile(
    r"\b(?:find|determine|compute|calculate|evaluate|what|how|which|give|count|hall[ae]|calcul\w+|encuentra|cuál\w*"
    r"|cuánt\w+|bestimm\w+|berechn\w+|finde|wie|welche\w*|trouve\w*|quel\w*|combien|найди\w*|определи\w*|вычисли\w*"
    r"|сколько|каков\w*)\b|求|多少|いくつ|구하",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\bhow many|\bnumber of|\bways\b|\bcount\b|\bcuánt[ao]s|\bnúmero de", re.IGNORECASE)


def asked(text: str) -> frozenset[str]:
    """Return the quantities that a problem's questions name, as concepts; none where they name none that we know."""
    named: set[str] = set()
    for sentence in filter(_QUESTION.search, _SENTENCE.split(text)):
        # A question is asked after what is given: "If the area is 3, find the angle".
        question = sentence[next(_QUESTION.finditer(sentence)).start() :] if sentence.isascii() else sentence
        concepts = {concept_of(word) for word in tokens(fold(question))} | concepts_in(question)
        named.update(concept for concept in concepts if concept in _QUANTITIES)
        if _COUNT.search(question):
            named.add("count")
    return frozenset(_ONE_FOR_ANOTHER.get(quantity, quantity) for quantity in named)


def ask_different_things(one: str, other: str) -> bool:
    """Say whether both texts name what they ask for and have nothing of it in common."""
    first = asked(one)
    return bool(first) and bool(second := asked(other)) and first.isdisjoint(second)
