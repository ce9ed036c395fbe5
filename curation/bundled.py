"""Where the files that a user reads, copies and extends are: sources, templates, checkers and recipes.

In a checkout they lie beside the package; a wheel carries them in ``curation/bundled``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from curation.errors import InputError

Folder = Literal["sources", "templates", "checkers", "recipes"]

_PACKAGE = Path(__file__).resolve().parent


def folder(name: Folder) -> Path:
    """Return the directory that holds the bundled files of one kind.

    Raises:
        InputError: the installation lacks the directory.
    """
    if name == "recipes":
        return _PACKAGE / "recipes"
    for candidate in (_PACKAGE / "bundled" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise InputError(f"this installation has no {name} folder: install the package again")


def resolve(path: str, directory: Path) -> Path:
    """Return where a path of a recipe or source file points.

    Args:
        path: absolute, relative to ``directory``, from the home directory (``~``), or ``sources:demo/dapo.jsonl`` for a
            bundled file, which has the same address in a checkout and in an installed package.
        directory: where relative paths start.
    """
    kind, mark, rest = path.partition(":")
    for name in get_args(Folder):
        if mark and kind == name:
            return folder(name) / rest
    return directory / Path(path).expanduser()


def find(name: Folder, file: str, suffix: str) -> Path:
    """Resolve ``file``: an existing path of the user's, else a bundled file by its stem.

    Args:
        name: the kind of file.
        file: a path, or the stem of a bundled file (``demo`` for ``recipes/demo.toml``).
        suffix: the bundled file's suffix, with its dot.

    Raises:
        InputError: there is neither; the message lists what is bundled.
    """
    given = Path(file)
    if given.is_file():
        return given
    directory = folder(name)
    if "/" not in file and file not in ("", ".", ".."):
        bundled = directory / (file if file.endswith(suffix) else file + suffix)
        if bundled.is_file():
            return bundled
    known = ", ".join(sorted(path.stem for path in directory.glob(f"*{suffix}")))
    raise InputError(
        f"no file and no bundled {name.removesuffix('s')} is called {file!r}: give a path, or one of {known}"
    )
