"""What tells two versions of a file apart without reading it.

HTTP gives an ETag or a date, object stores a checksum or a generation, most others size and time. A file system that
says nothing of the kind marks all versions alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from curation import storage

_OF_CONTENT = ("ETag", "etag", "md5Hash", "crc32c", "Content-MD5", "Digest", "generation", "blob_id", "checksum")
_OF_TIME = ("LastModified", "Last-Modified", "last_modified", "updated", "mtime", "created")


def mark_of(files: Iterable[Mapping[str, object]]) -> str:
    """Return one text for the version of some files; equal where no file changed.

    Args:
        files: what ``info`` or ``find(detail=True)`` of an fsspec file system says of each.
    """
    return storage.sha256_text("\n".join(sorted(_mark(file) for file in files)))


def _mark(file: Mapping[str, object]) -> str:
    known = [key for key in _OF_CONTENT if file.get(key)] or [key for key in _OF_TIME if file.get(key)]
    marks = [f"{key}={file[key]}" for key in known]
    return " ".join([str(file.get("name")), f"size={file.get('size')}", *marks])
