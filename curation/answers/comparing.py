"""Compares two read answers: their kinds choose the comparison."""

from __future__ import annotations

import re

from curation.answers.answer_forms import chain_of_names
from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.determinants import written_out_determinant
from curation.answers.formulas import compare_formulas, has_unknown_kinds
from curation.answers.grouped_lists import compare_grouped
from curation.answers.groups import (
    compare_matrices,
    compare_ordered,
    compare_unordered,
    rows_of_lists,
    scaled_matrix,
)
from curation.answers.interval_sets import NotASetError
from curation.answers.letter_readings import read_letters_anew
from curation.answers.listings import (
    compare_brackets,
    compare_listing_with_bracket,
    compare_listings,
    compare_several_with_one,
    compare_unordered_lists,
    holds_relation,
)
from curation.answers.names import named_value
from curation.answers.open_letters import with_open_letters, with_open_parameter
from curation.answers.parameters import GENERAL, moved, renamed, with_parameter
from curation.answers.plus_minus import expanded, is_open
from curation.answers.quantities import (
    compare_measured,
    compare_ratio_with_formula,
    compare_ratios,
    degree_left_out,
    settle_units,
)
from curation.answers.real_sets import compare_sets, describes_set, infinite_sign, real_set
from curation.answers.relations import (
    compare_equation_with_formula,
    compare_relations,
    constant_value,
    holds,
)
from curation.answers.remainders import compare_remainders, is_remainder
from curation.answers.roundings import with_roundings
from curation.answers.tree import (
    VALUED,
    Bracket,
    Combination,
    Formula,
    Grouped,
    Listing,
    Matrix,
    Measured,
    Node,
    Qualified,
    Ratio,
    Relation,
    SetBuilder,
)
from curation.text import fold

_GENERAL_REMARK = re.compile(
    r"(?!.*\b(?:non\w*|positive|negative|odd|even|prime|distinct|except|not|between|other)\b)"
    r"(?:for|where|with)\b.*\b(?:any|all|every|some|each|arbitrary|constant|integer|real)s?\b[^<>=≠≤≥\d]*"
)


def compare_nodes(first: Node, second: Node) -> Comparison:
    """Compare two read answers; the verdict is the same with the sides swapped."""
    if first == second:
        return equal("identical", "both answers read the same")
    family = _family(first, second)
    if family is not None:
        return family
    if isinstance(first, Qualified) or isinstance(second, Qualified):
        return _qualified(first, second)
    if is_remainder(first) or is_remainder(second):
        return compare_remainders(first, second)
    first, second = (scaled_matrix(written_out_determinant(expanded(settle_units(side)))) for side in (first, second))
    if any(isinstance(side, VALUED) and has_unknown_kinds(side) for side in (first, second)):
        return unknown("formula", "a formula without a single value")
    if is_open(first) or is_open(second):
        return unknown("tuple", "a tuple with several plus-minus signs")
    if isinstance(first, Measured) or isinstance(second, Measured):
        return compare_measured(first, second, compare_nodes)
    if isinstance(first, Grouped) or isinstance(second, Grouped):
        return _sets_or_none(first, second) or compare_grouped(first, second, compare_nodes)
    if isinstance(first, Relation) or isinstance(second, Relation):
        return with_roundings(first, second, _with_relation(first, second))
    if isinstance(first, Listing | Bracket) or isinstance(second, Listing | Bracket):
        return with_roundings(first, second, _with_members(first, second))
    if describes_set(first) or describes_set(second):
        return _as_sets(first, second)
    if isinstance(first, Ratio) or isinstance(second, Ratio):
        return _with_ratio(first, second)
    if isinstance(first, Matrix) and isinstance(second, Matrix):
        return compare_matrices(first, second, compare_nodes)
    if isinstance(first, Matrix) or isinstance(second, Matrix):
        return _with_matrix(first, second)
    if infinite_sign(first) or infinite_sign(second):
        return _with_infinity(first, second)
    if isinstance(first, VALUED) and isinstance(second, VALUED):
        special = degree_left_out(first, second) or read_letters_anew(first, second, compare_nodes)
        return special or with_open_letters(first, second, compare_formulas(first, second))
    return unknown("none", "answers of kinds that are not compared")


def _with_matrix(first: Node, second: Node) -> Comparison:
    """Compare a matrix with what is none; the entries of a vector may be meant by a list of the same entries."""
    matrix, other = (first, second) if isinstance(first, Matrix) else (second, first)
    if not isinstance(matrix, Matrix) or matrix.kind == "cases":
        return unknown("matrix", "a case distinction against something else")
    entries = [entry for row in matrix.rows for entry in row]
    if len(entries) == 1 or matrix.kind == "determinant":
        return unknown("matrix", "a matrix that may stand for a number")
    rows = rows_of_lists(other)
    if rows is not None:
        return compare_matrices(matrix, rows, compare_nodes)
    if isinstance(other, Listing | Bracket) and 1 in (len(matrix.rows), len(matrix.rows[0])):
        same = compare_ordered("matrix", entries, other.members, compare_nodes)
        return same if same.verdict == "different" else unknown("matrix", "a vector against a list of its entries")
    return different("matrix", "a matrix against something else")


def _with_infinity(first: Node, second: Node) -> Comparison:
    if infinite_sign(first) == infinite_sign(second):
        return equal("infinity", "both are infinite")
    if isinstance(first, VALUED) and isinstance(second, VALUED):
        return different("infinity", "one is infinite")
    return unknown("infinity", "infinity against something else")


def _family(first: Node, second: Node) -> Comparison | None:
    """Compare answers with a declared parameter, whatever its name; None where none is declared."""
    here, there = with_parameter(first), with_parameter(second)
    if here is None and there is None:
        return None
    if here is None or there is None:
        declared, plain = (here, second) if here is not None else (there, first)
        if declared is None or declared[2] not in GENERAL:
            return None
        result = compare_nodes(declared[0], plain)
        return result if result.verdict == "equal" else None
    other = there[0] if here[1] == there[1] else renamed(there[0], there[1], here[1])
    if other is None:
        return unknown("family", "parameters that cannot be renamed")
    result = compare_nodes(here[0], other)
    if (result.verdict == "different" or result.path == "letters") and here[2] == there[2] == "integer":
        same = (one for one in moved(other, here[1]) if compare_nodes(here[0], one).verdict == "equal")
        return result if next(same, None) is None else equal("family", "the same values for all integers")
    if result.verdict == "equal" and here[2] != there[2]:
        return unknown("family", "parameters of different kinds")
    return result


def _qualified(first: Node, second: Node) -> Comparison:
    answers = [side.answer if isinstance(side, Qualified) else side for side in (first, second)]
    remarks = [side.remark if isinstance(side, Qualified) else "" for side in (first, second)]
    result = compare_nodes(answers[0], answers[1])
    if result.verdict != "equal" or fold(remarks[0]) == fold(remarks[1]):
        return result
    if not all(remarks) and _GENERAL_REMARK.fullmatch(" ".join(remarks).strip()):
        return equal(result.path, "equal; one adds what its symbols stand for")
    return unknown(result.path, "equal but for a remark")


def _with_relation(first: Node, second: Node) -> Comparison:
    for one, other in ((first, second), (second, first)):
        value = constant_value(one) if isinstance(one, Relation) else None
        if value is not None and isinstance(one, Relation) and not _is_constant_chain(other):
            return _with_constant_chain(one, value, other)
    if isinstance(first, Relation) and isinstance(second, Relation):
        if describes_set(first) or describes_set(second):
            found = _sets_or_none(first, second)
            if found is not None:
                again = compare_relations(first, second) if found.verdict == "unknown" else found
                return again if again.verdict == "equal" else found
        names = named_value(first), named_value(second)
        if names[0] is not None and names[1] is not None and names[0][0] == names[1][0]:
            values = names[0][1], names[1][1]
            result = compare_nodes(*values)
            if isinstance(values[0], VALUED) and isinstance(values[1], VALUED):
                return with_open_parameter(names[0][0], values[0], values[1], result)
            return result
        return compare_relations(first, second)
    relation, other = (first, second) if isinstance(first, Relation) else (second, first)
    if not isinstance(relation, Relation):
        return unknown("none", "no relation")
    chain = chain_of_names(relation) if isinstance(other, Listing | Bracket) else None
    if chain is not None:
        return compare_nodes(chain, other)
    named = named_value(relation)
    point = named is not None and isinstance(named[0], Bracket)
    if named is not None and (point or not (isinstance(other, Listing) and holds_relation(other))):
        return compare_nodes(named[1], other)
    if relation.signs == ("∈",) and isinstance(relation.sides[1], Bracket) and relation.sides[1].opening == "\\{":
        return compare_nodes(relation.sides[1], other)
    if describes_set(relation):
        return _as_sets(relation, other)
    if isinstance(other, Listing):
        return compare_unordered_lists((relation,), other.members, compare_nodes)
    if isinstance(other, VALUED):
        return compare_equation_with_formula(relation, other)
    return different("equation", "an equation against something else")


def _is_constant_chain(node: Node) -> bool:
    return isinstance(node, Relation) and constant_value(node) is not None


def _with_constant_chain(relation: Relation, value: Formula, other: Node) -> Comparison:
    result = compare_nodes(value, other)
    if result.verdict == "equal" and not holds(relation):
        return unknown("equation", "an equation that does not hold")
    return result


def _with_members(first: Node, second: Node) -> Comparison:
    if describes_set(first) or describes_set(second):
        found = _sets_or_none(first, second)
        if found is not None:
            return found
    if isinstance(first, Bracket) and isinstance(second, Bracket):
        return compare_brackets(first, second, compare_nodes)
    if isinstance(first, Listing) and isinstance(second, Listing):
        return compare_listings(first, second, compare_nodes)
    for one, other in ((first, second), (second, first)):
        if isinstance(one, Listing) and isinstance(other, Bracket):
            return compare_listing_with_bracket(one, other, compare_nodes)
    members, single = (first, second) if isinstance(first, Listing | Bracket) else (second, first)
    if isinstance(single, Matrix):
        return _with_matrix(single, members)
    if isinstance(members, Listing | Bracket) and isinstance(single, VALUED):
        return compare_several_with_one(members, single, compare_nodes)
    return different("list", "a list against something else")


def _sets_or_none(first: Node, second: Node) -> Comparison | None:
    try:
        return compare_sets(real_set(first), real_set(second))
    except NotASetError:
        return None


def _as_sets(first: Node, second: Node) -> Comparison:
    found = _sets_or_none(first, second)
    if found is not None:
        return found
    if isinstance(first, Combination) and isinstance(second, Combination) and first.sign == second.sign == "∪":
        result = compare_unordered("set", first.parts, second.parts, compare_nodes, repeats=False)
        return result if result.verdict == "equal" else unknown("set", "unions that could not be ordered")
    if isinstance(first, SetBuilder) and isinstance(second, SetBuilder):
        pairs = ((first.element, second.element), (first.condition, second.condition))
        if all(compare_nodes(one, other).verdict == "equal" for one, other in pairs):
            return equal("set", "the same elements under the same condition")
    single = [isinstance(side, (*VALUED, Ratio, Matrix)) and not describes_set(side) for side in (first, second)]
    if single[0] != single[1]:
        return different("set", "a set against a single value")
    return unknown("set", "sets that could not be read")


def _with_ratio(first: Node, second: Node) -> Comparison:
    if isinstance(first, Ratio) and isinstance(second, Ratio):
        return compare_ratios(first, second)
    ratio, other = (first, second) if isinstance(first, Ratio) else (second, first)
    if not isinstance(ratio, Ratio) or not isinstance(other, VALUED):
        return different("ratio", "a ratio or time against something else")
    return compare_ratio_with_formula(ratio, other)
