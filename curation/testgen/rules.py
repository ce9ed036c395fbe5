"""What makes an input of the right shape a valid one: bounds, relations, alphabets, lengths, order, trees and graphs.

Rules come from the statement; one that a known input breaks is dropped and named. What the statement does not bound
keeps to the range of the known inputs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from curation.testgen.document import Part, parts
from curation.testgen.expressions import Expression, Inequality, Name, evaluate, names_in
from curation.testgen.grammar import Values, fields_of, parse
from curation.testgen.inference import Shape, tidy
from curation.testgen.statement import Statement

_CLASSES = (
    (r"lower-?\s?case", "abcdefghijklmnopqrstuvwxyz"),
    (r"upper-?\s?case|capital", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    (r"\bdigits\b|\bdecimal digit", "0123456789"),
    (r"binary string", "01"),
)
_QUOTED = re.compile(r"[`'\"‘“]{1,2}([!-~])['\"`’”]{1,2}|\\texttt\{\\?([!-~])\}")
_ORDER = (
    ("permutation", r"\bpermutation\b"),
    ("distinct", r"\bdistinct\b|\bdifferent\b|\bunique\b|no two [\w ]*(?:same|equal)"),
    ("strictly ascending", r"strictly increasing|strictly ascending"),
    ("ascending", r"non-?decreasing|\bsorted\b|ascending order|increasing order"),
    ("descending", r"non-?increasing|descending order|decreasing order"),
)
_NETWORK = (
    ("tree", r"\btree\b"),
    ("connected", r"\bconnected\b|from any [\w ]+ to any"),
    ("no loops", r"(?:no|without|not contain|not have)[\w ,]* (?:self-?)?loops|simple graph|\btree\b"),
    (
        "no repeated edges",
        r"(?:no|without|not contain|not have)[\w ,-]* multiple|simple graph|at most one (?:road|edge)",
    ),
)
_LENGTH = re.compile(
    r"(?:length|characters long)[a-z ]{0,25}?(?:at most|up to|not exceeding|not exceed|no more than|<=) ([\d^*() ]+)|"
    r"(?:at most|up to|not exceeding|no more than) ([\d^*() ]+?) (?:[a-z-]+ ){0,3}(?:characters|letters|symbols)"
)

_DEEPEST = 3
"""How many names without values one bound may be found through."""

Side: TypeAlias = tuple[tuple[Expression, int], ...]
Sides: TypeAlias = tuple[Side, Side]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a shape.

    Attributes:
        shape: the shape.
        inequalities: between named fields.
        observed: the least and greatest value (of words: length) in the known inputs, by key.
        lengths: the name of the integer that is each word's length, by key.
        alphabets: the characters of each word, by key.
        orders: what holds in a column, by key: ``permutation``, ``distinct``, ``ascending``, ...
        networks: what holds of the edges in the table whose first two columns begin at a key.
        sums: bounds on sums over all test cases.
        longest: the bound on the length of words that the statement gives in words.
        sides: what the inequalities put below and above each name; with 1 where the two may not be equal.
        decimals: how many decimals a number with a fraction has at most in the known inputs, by key.
        dropped: rules that a known input breaks.
    """

    shape: Shape
    inequalities: tuple[Inequality, ...]
    observed: dict[int, tuple[int, int]]
    lengths: dict[int, str]
    alphabets: dict[int, str]
    orders: dict[int, frozenset[str]]
    networks: dict[int, frozenset[str]]
    sums: tuple[tuple[str, Expression], ...]
    longest: int | None
    sides: Mapping[str, Sides]
    decimals: Mapping[int, int]
    dropped: tuple[str, ...] = ()

    def name(self, key: int) -> str:
        """Return a field's name in the statement; ``token 3`` for one without."""
        return self.shape.names[key] or f"token {key + 1}"

    def is_stated(self, key: int) -> bool:
        """Whether the statement bounds a field from both sides (of a word: its length)."""
        name = self.shape.names[key]
        if key in self.lengths:
            return True
        own = [self.sides[which] for which in (name, f"|{name}|") if which in self.sides]
        return bool(name) and any(below for below, _ in own) and any(above for _, above in own)

    def depends_on(self, key: int, names: Collection[str]) -> bool:
        """Whether a field's bounds refer to one of these names."""
        name = self.shape.names[key]
        if self.lengths.get(key) in names:
            return True
        sides = [side for which in (name, f"|{name}|") if which in self.sides for side in self.sides[which]]
        return any(names_in(expression) & set(names) for side in sides for expression, _ in side)


def bounds(rules: Rules, key: int, scope: dict[str, int], is_word: bool) -> tuple[int, int]:
    """Return the least and greatest value of a field (of a word: its length) where these names have these values."""
    name = rules.shape.names[key]
    if is_word and key in rules.lengths and (length := scope.get(rules.lengths[key])) is not None:
        return length, length
    low, high = _stated(rules, f"|{name}|" if is_word else name, scope, 0) if name else (None, None)
    least, most = rules.observed[key]
    if is_word and high is None and rules.longest is not None:
        low, high = (1 if low is None else low), rules.longest
    if low is None:
        low = min(least, high) if high is not None else least
    return low, max(low, most) if high is None else high


def _stated(rules: Rules, name: str, scope: dict[str, int], depth: int) -> tuple[int | None, int | None]:
    """Return what the inequalities allow; a name without a value stands for its own bound."""
    low: int | None = None
    high: int | None = None
    if depth > _DEEPEST or name not in rules.sides:
        return None, None
    below, above = rules.sides[name]
    for expression, strict in below:
        value = _extreme(rules, expression, scope, depth, want_low=True)
        if value is not None and (low is None or value + strict > low):
            low = value + strict
    for expression, strict in above:
        value = _extreme(rules, expression, scope, depth, want_low=False)
        if value is not None and (high is None or value - strict < high):
            high = value - strict
    return low, high


def _extreme(rules: Rules, side: Expression, scope: dict[str, int], depth: int, *, want_low: bool) -> int | None:
    value = evaluate(side, scope)
    if value is not None:
        return value
    known = dict(scope)
    for name in names_in(side) - set(scope):
        low, high = _stated(rules, name, scope, depth + 1)
        bound = low if want_low else high
        if bound is None:
            return None
        known[name] = bound
    return evaluate(side, known)


def _sides(inequalities: Sequence[Inequality]) -> dict[str, Sides]:
    found: dict[str, tuple[list[tuple[Expression, int]], list[tuple[Expression, int]]]] = {}
    for one in inequalities:
        if one.relation == "!=" or one.left == one.right:
            continue
        strict = int(one.relation == "<")
        if isinstance(one.right, Name):
            found.setdefault(one.right.text, ([], []))[0].append((one.left, strict))
        if isinstance(one.left, Name):
            found.setdefault(one.left.text, ([], []))[1].append((one.right, strict))
    return {name: (tuple(below), tuple(above)) for name, (below, above) in found.items()}


def make_rules(shape: Shape, statement: Statement, inputs: Sequence[str]) -> Rules:
    """Return the rules that the statement gives for a shape and that all known inputs keep."""
    documents = [values for text in inputs if (values := parse(shape.nodes, tidy(text))) is not None]
    found = [part for values in documents for part in parts(shape.nodes, values, shape.names)]
    known = {*filter(None, shape.names), *(f"|{name}|" for name in shape.names if name), "i"}
    rules = Rules(
        shape=shape,
        inequalities=tuple(
            one for one in dict.fromkeys(statement.inequalities) if names_in(one.left) | names_in(one.right) <= known
        ),
        observed=_observed(shape, found),
        lengths=_lengths(shape, found),
        alphabets={key: _alphabet(statement, used) for key, used in _used(found).items()},
        orders=_orders(shape, statement, found),
        networks={},
        sums=tuple(one for one in statement.sums if one[0] in known),
        longest=_longest(statement),
        sides={},
        decimals=_decimals(found),
    )
    rules = replace(rules, sides=_sides(rules.inequalities))
    rules = replace(rules, networks=_networks(rules, statement, found))
    return _kept(rules, documents)


def _kept(rules: Rules, documents: list[Values]) -> Rules:
    """Drop the rules that a known input breaks."""
    from curation.testgen.validity import violations

    broken = {violation.rule for values in documents for violation in violations(rules, values)}
    dropped = tuple(sorted(str(one) for one in broken))
    inequalities = tuple(one for one in rules.inequalities if one not in broken)
    return replace(
        rules,
        inequalities=inequalities,
        sides=_sides(inequalities),
        orders={key: frozenset(one for one in some if (key, one) not in broken) for key, some in rules.orders.items()},
        networks={
            key: frozenset(one for one in some if (key, one) not in broken) for key, some in rules.networks.items()
        },
        sums=tuple(one for one in rules.sums if one not in broken),
        longest=None if "longest" in broken else rules.longest,
        dropped=dropped,
    )


def _observed(shape: Shape, found: list[Part]) -> dict[int, tuple[int, int]]:
    seen: dict[int, tuple[int, int]] = {field.key: (0, 0) for field in fields_of(shape.nodes)}
    first: set[int] = set()
    for part in found:
        for place, field in enumerate(part.fields):
            column = part.column(place)
            if not column:
                continue
            if field.kind == "real":
                # Whole numbers around what was seen, which everything that was seen lies between.
                sizes = [end(float(token)) for token in column for end in (math.floor, math.ceil)]
            else:
                sizes = [len(token) if field.kind == "word" else int(token) for token in column]
            low, high = seen[field.key] if field.key in first else (sizes[0], sizes[0])
            seen[field.key] = (min(low, *sizes), max(high, *sizes))
            first.add(field.key)
    return seen


def _decimals(found: list[Part]) -> dict[int, int]:
    most: dict[int, int] = {}
    for part in found:
        for place, one in enumerate(part.fields):
            if one.kind == "real":
                seen = [len(token.partition(".")[2]) for token in part.column(place)]
                most[one.key] = max([most.get(one.key, 0), *seen])
    return most


def vertex_names(rules: Rules) -> frozenset[str]:
    """Return the names of the integers that bound the ends of edges: how many vertices there are."""
    ends = [rules.shape.names[key] for key in rules.networks]
    sides = [rules.sides[name][1] for name in ends if name in rules.sides]
    return frozenset(expression.text for side in sides for expression, _ in side if isinstance(expression, Name))


def _lengths(shape: Shape, found: list[Part]) -> dict[int, str]:
    """Return the integer whose value is always a word's length; the latest where several are."""
    fitting: dict[int, list[str]] = {}
    for part in found:
        for place, field in enumerate(part.fields):
            if field.kind != "word":
                continue
            for token in part.column(place):
                equal = [name for name, value in part.scope.items() if value == len(token) and not name.startswith("|")]
                fitting[field.key] = [name for name in fitting.get(field.key, equal) if name in equal]
    return {key: names[-1] for key, names in fitting.items() if names}


def _used(found: list[Part]) -> dict[int, set[str]]:
    used: dict[int, set[str]] = {}
    for part in found:
        for place, field in enumerate(part.fields):
            if field.kind == "word":
                used.setdefault(field.key, set()).update(*part.column(place))
    return used


def _alphabet(statement: Statement, used: set[str]) -> str:
    """Return the characters that the statement names, where all that were seen are among them."""
    quoted = {next(filter(None, match.groups())) for match in _QUOTED.finditer(statement.input_text)}
    if quoted and used <= quoted:
        return "".join(sorted(quoted))
    named: set[str] = set()
    for pattern, characters in _CLASSES:
        if re.search(pattern, statement.input_text, re.IGNORECASE):
            named.update(characters)
    if not named and statement.says(r"(?:english|latin) letters"):
        named.update("abcdefghijklmnopqrstuvwxyz")
    return "".join(sorted(named if used <= named else used))


def _orders(shape: Shape, statement: Statement, found: list[Part]) -> dict[int, frozenset[str]]:
    tables = {part.fields[0].key for part in found if part.is_table and len(part.fields) == 1}
    columns = {field.key for part in found if part.is_table for field in part.fields if field.kind != "real"}
    orders: dict[int, set[str]] = {}
    for sentence in statement.sentences():
        for order, pattern in _ORDER:
            if not re.search(pattern, sentence, re.IGNORECASE):
                continue
            named = {
                key
                for key in columns
                if shape.names[key] and re.search(rf"(?<![\w-]){shape.names[key]}(?![\w])", sentence)
            }
            for key in named or (tables if len(tables) == 1 else set()):
                orders.setdefault(key, set()).add(order)
    for one in statement.inequalities:
        # A chain such as a <= a <= … <= a says that the list is in order, or with != that it is distinct.
        if isinstance(one.left, Name) and one.left == one.right:
            order = {"<": "strictly ascending", "<=": "ascending", "!=": "distinct"}[one.relation]
            for key in columns:
                if shape.names[key] == one.left.text:
                    orders.setdefault(key, set()).add(order)
    return {key: frozenset(some) for key, some in orders.items()}


def _networks(rules: Rules, statement: Statement, found: list[Part]) -> dict[int, frozenset[str]]:
    """Return what is said of edges: of tables whose first two columns are bounded by one and the same variable."""
    said = frozenset(name for name, pattern in _NETWORK if re.search(pattern, statement.text, re.IGNORECASE))
    networks = {}
    for part in found:
        if not part.is_table or len(part.fields) < 2 or any(field.kind != "int" for field in part.fields[:2]):
            continue
        first, second = (rules.shape.names[field.key] for field in part.fields[:2])
        limits = [
            {one.right for one in rules.inequalities if one.left == Name(name) and isinstance(one.right, Name)}
            for name in (first, second)
        ]
        if first and second and limits[0] & limits[1] - {Name(second)}:
            differ = any(
                one.relation == "!=" and {one.left, one.right} == {Name(first), Name(second)}
                for one in rules.inequalities
            )
            networks[part.fields[0].key] = said | {"no loops"} if differ else said
    return networks


def _longest(statement: Statement) -> int | None:
    from curation.testgen.expressions import first_expression

    for match in _LENGTH.finditer(statement.input_text):
        bound = first_expression(match[1] or match[2])
        value = None if bound is None else evaluate(bound, {})
        if value is not None:
            return value
    return None
