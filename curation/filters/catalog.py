"""All rules in the order in which they run; the first dropping rule that has something against a row decides.

What is certain and cheap comes first, then what a statement asks, then the form of its answer. A missing answer comes
late, so that a proof problem without an answer is dropped as a proof.
"""

from __future__ import annotations

from collections.abc import Sequence

from curation.filters import (
    answer_form,
    characters,
    choices,
    code_statements,
    code_wrappers,
    completeness,
    headings,
    leaks,
    markup,
    media,
    multiple_answers,
    prose_answers,
    requests,
    sources,
    text_quality,
    wrappers,
)
from curation.filters.language import language_rule
from curation.filters.rule import CleanRule, DropRule

CLEANING: tuple[CleanRule, ...] = (
    wrappers.leading_instruction,
    wrappers.trailing_instruction,
    code_wrappers.leading_code_instruction,
    code_wrappers.trailing_code_instruction,
    markup.html_entity,
    characters.mojibake,
    characters.invisible,
    characters.escaped_line_end,
    markup.html_tag,
    markup.wiki,
    markup.forum,
    characters.layout,
    characters.empty_formula,
    headings.problem_number,
    headings.points,
    sources.contest_tag,
    sources.author,
    sources.page_note,
    characters.spacing,
)

DROPPING: tuple[DropRule, ...] = (
    answer_form.overlong_statement,
    answer_form.overlong_answer,
    answer_form.no_statement,
    text_quality.control_characters,
    text_quality.lost_backslash,
    text_quality.replacement_characters,
    text_quality.mathematical_mojibake,
    media.picture_markup,
    code_statements.interactive,
    code_statements.file_input,
    code_statements.picture_in_rules,
    code_statements.figure_needed,
    code_statements.examples_lost,
    code_statements.code_stops_early,
    code_statements.code_too_short,
    media.link,
    requests.proof_wanted,
    answer_form.proof_sentinel,
    completeness.torn_from_context,
    multiple_answers.several_parts,
    multiple_answers.answer_in_parts,
    multiple_answers.several_questions,
    multiple_answers.several_paragraphs,
    media.missing_figure,
    media.shown_nowhere,
    media.shaded_nowhere,
    media.missing_table,
    media.missing_chinese_figure,
    media.undescribed_figure,
    leaks.solution_included,
    leaks.answer_said,
    leaks.answer_at_the_end,
    choices.options,
    choices.choice_wanted,
    choices.choice_wanted_in_chinese,
    choices.options_lost,
    choices.letter_answer,
    requests.explanation_wanted,
    requests.drawing_wanted,
    requests.example_wanted,
    requests.estimate_wanted,
    choices.yes_no_answer,
    choices.true_or_false,
    text_quality.unbalanced,
    answer_form.no_answer,
    answer_form.hollow_answer,
    answer_form.echoed_answer,
    answer_form.damaged_answer,
    answer_form.unit_only,
    answer_form.approximate_answer,
    answer_form.one_of_many,
    answer_form.garbled_interval,
    multiple_answers.several_blanks,
    multiple_answers.both_wanted,
    multiple_answers.named_values,
    multiple_answers.several_values,
    answer_form.long_answer,
    prose_answers.prose_answer,
    completeness.starts_late,
    completeness.stops_early,
    completeness.asks_nothing,
)

LANGUAGE = "other_language"
"""The name of the language rule, which is made for the wanted languages."""


GATE = "uncheckable_answer"
"""The name of the rule that ``check_answers`` adds."""


def names() -> frozenset[str]:
    """Return every name that ``skip_rules`` may hold: of rules and of reasons."""
    rules = {rule.name for rule in CLEANING} | {rule.name for rule in DROPPING} | {GATE}
    return frozenset(rules | {rule.reason for rule in DROPPING} | {LANGUAGE, "language"})


def dropping(languages: Sequence[str]) -> tuple[DropRule, ...]:
    """Return the dropping rules with the language rule for ``languages`` in its place."""
    place = DROPPING.index(media.link) + 1
    return (*DROPPING[:place], language_rule(tuple(languages)), *DROPPING[place:])
