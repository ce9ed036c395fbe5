"""What the clients below fsspec and the Hub's library raise where they reach nobody any more."""

from __future__ import annotations

import sys

_CLIENT_ERRORS = {
    "aiohttp": "ClientError",
    "httpx": "HTTPError",
    "httpx2": "HTTPError",
    "botocore.exceptions": "BotoCoreError",
    "google.auth.exceptions": "GoogleAuthError",
    "azure.core.exceptions": "AzureError",
}


def client_errors() -> tuple[type[Exception], ...]:
    """Return `OSError` and these errors of the clients that are loaded by now, for others raised nothing.

    A client of an object store raises its own where it opens a connection, and those of the HTTP client below it where
    one is lost in the middle of a read.
    """
    loaded = [(sys.modules[module], name) for module, name in _CLIENT_ERRORS.items() if module in sys.modules]
    return (OSError, *(getattr(module, name) for module, name in loaded))
