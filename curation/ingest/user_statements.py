"""Where a row of a user's has its statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curation.json_reader import JsonValue

STATEMENT_COLUMNS = ("problem", "statement", "question", "prompt", "text", "messages", "conversation", "conversations")
"""Where a statement is looked for, the likeliest first; names count whatever the case of their letters."""

_USERS = ("user", "human")


def statement_of(row: Mapping[str, JsonValue], names: Sequence[str] = STATEMENT_COLUMNS) -> str | None:
    """Return the text of the first of these columns that has one."""
    folded = {name.casefold(): value for name, value in row.items()}
    return next((text for name in names if (text := text_of(folded.get(name))) is not None), None)


def text_of(value: JsonValue) -> str | None:
    """Return a text as it is, and of a chat the last message of the user; None for anything else."""
    if isinstance(value, str):
        return str(value)
    if not isinstance(value, list):
        return None
    messages = [message for message in value if isinstance(message, dict)]
    asked = [message for message in messages if message.get("role", message.get("from")) in _USERS]
    for message in reversed(asked or messages):
        content = message.get("content", message.get("value"))
        if isinstance(content, list):
            parts = [part.get("text") for part in content if isinstance(part, dict)]
            content = "\n".join(part for part in parts if isinstance(part, str)) or None
        if isinstance(content, str):
            return str(content)
    return None
