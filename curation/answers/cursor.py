"""A cursor over the tokens of an answer."""

from __future__ import annotations

from curation.answers.tokens import Token, UnreadableError


class Cursor:
    """Reads tokens one after the other; the ``end`` token comes again and again."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def peek(self, ahead: int = 0) -> Token:
        """Return the token that comes next, or ``ahead`` tokens later."""
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def take(self) -> Token:
        """Return the next token and go past it."""
        token = self._tokens[self._at]
        if token.kind != "end":
            self._at += 1
        return token

    def accept(self, kind: str, text: str) -> bool:
        """Go past the next token if it is this one."""
        token = self._tokens[self._at]
        if token.kind == kind and token.text == text:
            self._at += 1
            return True
        return False

    def expect(self, closing: str) -> None:
        """Go past a closing bracket.

        Raises:
            UnreadableError: another token comes next.
        """
        if not self.accept("close", closing):
            raise UnreadableError(f"a missing {closing}")

    def expect_open(self, opening: str) -> None:
        """Go past an opening bracket.

        Raises:
            UnreadableError: another token comes next.
        """
        if not self.accept("open", opening):
            raise UnreadableError(f"a missing {opening}")
