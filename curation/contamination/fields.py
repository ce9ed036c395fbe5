"""Which fields of a row from outside hold text, an identifier, an answer, or the name of a contest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from curation.json_reader import JsonNumber, JsonValue, as_text

PROBLEM_FIELDS = (
    "problem", "statement", "question", "prompt", "text", "messages", "conversation", "conversations", "instruction",
    "query", "input", "question_content",
)  # fmt: skip
"""Names of the field that holds the problem, the likeliest first."""

_OTHER_TEXT = (
    "solution", "response", "responses", "completion", "completions", "output", "generation", "generations", "chosen",
    "rejected", "rationale", "reasoning", "solutions", "generated_solution",
)  # fmt: skip
_ANSWERS = (
    "answer", "final_answer", "expected_answer", "ground_truth", "reward_model", "gold", "short answer", "target",
    "answers",
)  # fmt: skip
_IDENTIFIERS = ("problem_id", "id", "unique_id", "problem_idx", "question_id", "uuid", "idx", "problem id")
_TAGS = (
    "contest", "competition", "exam", "year", "source", "url", "link", "source_id", "data_source", "tags", "problem_id",
    "id", "origin", "date", "extra_info", "metadata", "unique_id",
)  # fmt: skip

_LENGTH_OF_A_SOLUTION = 200

Row = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class TextField:
    """One text of a row, and the field it stands in."""

    column: str
    text: str


def as_row(value: JsonValue) -> Row | None:
    """Return a row as an object; a list gets its places as names; anything else is no row."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {str(place): item for place, item in enumerate(value)}
    return None


def text_columns(row: Row) -> list[str]:
    """Return the names of the fields that are worth reading: those with known names, else all that hold text.

    An answer is read where it is so long that it must be a solution.
    """
    known = {*PROBLEM_FIELDS, *_OTHER_TEXT}
    found = [
        name
        for name, value in row.items()
        if (name.lower() in known and _has_text(value))
        or (name.lower() in _ANSWERS and isinstance(value, str) and len(value) >= _LENGTH_OF_A_SOLUTION)
    ]
    unlikely = {*_IDENTIFIERS, *_TAGS, *_ANSWERS}
    return found or [name for name, value in row.items() if name.lower() not in unlikely and _has_text(value)]


def texts(row: Row, columns: Sequence[str]) -> Iterator[TextField]:
    """Yield the texts in the named fields; a list of messages is one text, other lists are a text for each element."""
    for column in columns:
        value = row.get(column)
        if isinstance(value, list) and value and not any(isinstance(item, dict) for item in value):
            for place, item in enumerate(value):
                if isinstance(item, str) and not isinstance(item, JsonNumber):
                    yield TextField(f"{column}[{place}]", item)
        elif (text := _text_of(value)) is not None:
            yield TextField(column, text)


def identifier(row: Row) -> str | None:
    """Return the row's own identifier as text."""
    return _first(row, _IDENTIFIERS)


def answer(row: Row) -> str | None:
    """Return the row's answer as text; of a nested one its ``ground_truth``."""
    lowered = {name.lower(): value for name, value in row.items()}
    for name in _ANSWERS:
        value = lowered.get(name)
        if isinstance(value, dict):
            value = value.get("ground_truth", value.get("value"))
        if isinstance(value, list):
            value = value[0] if len(value) == 1 else None
        if isinstance(value, str):
            return str(value)
    return None


def problem_text(row: Row) -> str | None:
    """Return the text of the field that holds the problem."""
    lowered = {name.lower(): value for name, value in row.items()}
    for name in PROBLEM_FIELDS:
        text = _text_of(lowered.get(name))
        if text is not None:
            return text
    return None


def tags(row: Row) -> list[str]:
    """Return what the row says about where it is from: short fields with telling names, contest and year joined."""
    lowered = {name.lower(): value for name, value in row.items()}
    found = [text for name in _TAGS if (text := as_text(lowered.get(name))) is not None and text and len(text) <= 500]
    contest = as_text(lowered.get("contest")) or as_text(lowered.get("competition")) or as_text(lowered.get("source"))
    year = as_text(lowered.get("year"))
    return [*found, f"{contest} {year}"] if contest and year else found


def _first(row: Row, names: Sequence[str]) -> str | None:
    lowered = {name.lower(): value for name, value in row.items()}
    for name in names:
        value = lowered.get(name)
        if isinstance(value, str) and value:
            return str(value)
    return None


def _has_text(value: JsonValue) -> bool:
    text = _text_of(value)
    if text is None and isinstance(value, list):
        return any(isinstance(item, str) and not isinstance(item, JsonNumber) for item in value)
    return text is not None


def _text_of(value: JsonValue) -> str | None:
    if isinstance(value, JsonNumber):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        inner = value.get("content", value.get("value"))
        return inner if isinstance(inner, str) and not isinstance(inner, JsonNumber) else None
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        parts = [part for item in value if (part := _text_of(item)) is not None]
        return "\n\n".join(parts) if parts else None
    return None
