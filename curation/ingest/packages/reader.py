"""Problem packages in a folder as rows: one for each package, or the reason against it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from curation.errors import InputError
from curation.ingest.packages import kattis, polygon
from curation.ingest.packages.row import PackageError, PackageRow
from curation.ingest.readers import BadRow, RawRow, Rows

_READERS: dict[str, Callable[[Path, str], PackageRow]] = {
    kattis.MARK: kattis.kattis_row,
    polygon.MARK: polygon.polygon_row,
}


def read_packages(folder: Path) -> Rows:
    """Read every package under ``folder``, which may be one itself, in the order of their paths.

    Yields:
        rows with the keys of `curation.ingest.packages.row.PackageRow.value`; bad rows for packages that are damaged,
        have no statement as text, or need what a row cannot hold.

    Raises:
        InputError: the folder holds no package.
    """
    found = _packages(folder)
    if not found:
        raise InputError(
            f"{folder} holds no problem package: give a folder that has problem.yaml (Kattis, ICPC) or problem.xml"
            " (Polygon) in it or below; packages that are zip files have to be unpacked"
        )
    for path, mark in found:
        identifier = path.relative_to(folder).as_posix() if path != folder else path.resolve().name
        try:
            yield RawRow(identifier, _READERS[mark](path, identifier).value())
        except PackageError as error:
            yield BadRow(identifier, error.rule, str(error))
        except InputError as error:
            yield BadRow(identifier, "unreadable_package", str(error).replace(f"{folder}/", ""))


def _packages(folder: Path) -> list[tuple[Path, str]]:
    marked = {file.parent: mark for mark in reversed(_READERS) for file in sorted(folder.rglob(mark))}
    return sorted((path, mark) for path, mark in marked.items() if not any(parent in marked for parent in path.parents))
