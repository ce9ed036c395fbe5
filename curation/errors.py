"""The errors a user can meet, and the exit code of each.

Every message is one sentence that names the file, row or option and says what to do.
"""

from __future__ import annotations


class CurationError(Exception):
    """Base of all errors that end a command with one sentence instead of a traceback."""

    exit_code: int = 3


class InputError(CurationError):
    """What the user gave cannot be used: a file, a row, a recipe, an option. Exit code 2."""

    exit_code = 2


class OutsideError(CurationError):
    """Something outside failed: a server, the Hub, a missing tool, the disk. Exit code 3."""

    exit_code = 3


class LedgerError(CurationError):
    """Rows in do not equal rows kept plus rows dropped: the program lost or invented a row. Exit code 3."""

    exit_code = 3
