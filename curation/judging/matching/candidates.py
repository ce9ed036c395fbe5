"""The checkers that can be meant, strictest first.

White space is free everywhere by convention, so the strictest is the sequence of tokens, letter by letter; the order
of lines, tokens and cases is freed last. The built-in comparison stands before a bundled checker that says the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from curation.judging.matching.answers import Shape
from curation.judging.matching.claims import Claim

TOLERANCES = (1e-9, 1e-6, 1e-4)


def candidates(shape: Shape, claims: Iterable[Claim]) -> list[str]:
    """Return names of checkers, as in `curation.judging.named_checkers`."""
    found = ["tokens case_sensitive"]
    if shape.has_labels:
        found.append("checkers:case_labels")
    if shape.has_words or shape.has_labels:
        found.append("tokens")
    only_integers = shape.has_integers and not (shape.has_decimals or shape.has_words or shape.has_labels)
    if only_integers:
        found.append("checkers:integers")
    numbers = shape.has_decimals or shape.has_integers
    if numbers:
        flags = [_flag(tolerance, claims) for tolerance in _tolerances(claims)]
        found += [f"tokens case_sensitive {flag}" for flag in flags]
        found += [f"tokens {flag}" for flag in flags] if shape.has_words or shape.has_labels else []
    if shape.single_token and shape.only_yes_no:
        found.append("checkers:yes_no")
    if shape.only_permutations:
        # Without the order nothing is left of a permutation: every other one would be as right.
        return found
    if shape.lines_of_several:
        found.append("checkers:unordered_in_lines")
    if shape.several_lines:
        found.append("checkers:unordered_lines")
    if not shape.single_token:
        found += ["checkers:integer_multiset"] if only_integers else []
        found.append("checkers:unordered_tokens")
    return found


def is_order_free(name: str) -> bool:
    """Say whether a candidate lets tokens or lines stand in another order."""
    return name.startswith(("checkers:unordered", "checkers:integer_multiset"))


def _tolerances(claims: Iterable[Claim]) -> list[float]:
    stated = {claim.tolerance for claim in claims if claim.tolerance is not None}
    return sorted({*TOLERANCES, *stated})


def _flag(tolerance: float, claims: Iterable[Claim]) -> str:
    measure = next((claim.measure for claim in claims if claim.tolerance == tolerance), "either")
    name = {"absolute": "float_absolute_tolerance", "relative": "float_relative_tolerance"}.get(measure)
    return f"{name or 'float_tolerance'} {tolerance:g}"
