"""What the clients of object stores raise beside `OSError` where a store cannot be reached."""

from __future__ import annotations

import importlib
from functools import cache

_CLIENT_ERRORS = {
    "s3": ("botocore.exceptions", "BotoCoreError"),
    "s3a": ("botocore.exceptions", "BotoCoreError"),
    "gs": ("google.auth.exceptions", "GoogleAuthError"),
    "gcs": ("google.auth.exceptions", "GoogleAuthError"),
    "az": ("azure.core.exceptions", "AzureError"),
    "abfs": ("azure.core.exceptions", "AzureError"),
    "abfss": ("azure.core.exceptions", "AzureError"),
}


@cache
def client_errors(protocol: str) -> tuple[type[Exception], ...]:
    """Return these errors for the protocol of an address; none where it has no such client, or none is installed."""
    module, name = _CLIENT_ERRORS.get(protocol, ("", ""))
    try:
        return (getattr(importlib.import_module(module), name),) if module else ()
    except ImportError:
        return ()
