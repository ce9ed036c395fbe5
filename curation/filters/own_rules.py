"""A user's own rules: a Python file with one function that takes a row and returns what speaks against it.

::

    def about_triangles(row):
        \"\"\"It is about triangles.\"\"\"
        return "triangle" if "triangle" in row.statement.lower() else None

The function's name is the rule's name, the first line of its docstring the reason. It returns None to keep the row, or
the text that decided (True where there is none to show).
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from curation.errors import InputError
from curation.filters.rule import BOTH, DropRule, Row

_FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
    re.error,
)
"""What the code of a rule raises when it is wrong."""


def load(path: Path) -> DropRule:
    """Read a rule from a user's file; the file is run, as any Python module is when it is imported.

    Raises:
        InputError: the file is missing, no Python, or does not hold one public function of one argument.
    """
    specification = spec_from_file_location(f"own_rule_{path.stem}", path)
    if not path.is_file() or specification is None or specification.loader is None:
        raise InputError(f"{path} is no Python file (.py) that is there: give the path of one that holds a rule")
    module = module_from_spec(specification)
    try:
        specification.loader.exec_module(module)
    except (SyntaxError, ImportError, *_FAULTS) as error:
        raise InputError(f"{path} cannot be imported ({type(error).__name__}: {error}): mend the file") from None
    except SystemExit:
        raise InputError(f"{path} ends the program when it is imported: take its exit out") from None
    functions = [
        found
        for name, found in inspect.getmembers(module, inspect.isfunction)
        if found.__module__ == module.__name__ and not name.startswith("_")
    ]
    if len(functions) != 1:
        raise InputError(f"{path} holds {len(functions)} public functions: a rule's file holds one")
    if len(inspect.signature(functions[0]).parameters) != 1:
        raise InputError(f"{path}: {functions[0].__name__} takes one argument, the row")
    sentence = (
        inspect.getdoc(functions[0]) or f"The rule {functions[0].__name__} of {path.name} says so."
    ).splitlines()[0]
    name = functions[0].__name__
    return DropRule(name, name, sentence, _checked(functions[0], path), BOTH)


def fingerprint(path: Path) -> str:
    """Return the hash of a rule's file.

    Raises:
        InputError: the file is missing.
    """
    if not path.is_file():
        raise InputError(f"{path} is no Python file (.py) that is there: give the path of one that holds a rule")
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _checked(function: Callable[[Row], object], path: Path) -> Callable[[Row], str | None]:
    def find(row: Row) -> str | None:
        try:
            found = function(row)
        except _FAULTS as error:
            raise InputError(
                f"{path}: {function.__name__} failed on the statement {row.statement[:60]!r} "
                f"({type(error).__name__}: {error}): mend the rule"
            ) from None
        except SystemExit:
            raise InputError(
                f"{path}: {function.__name__} ends the program on the statement {row.statement[:60]!r}: "
                "return None or the text that decided"
            ) from None
        if found is None or found is False:
            return None
        if found is True:
            return ""
        if isinstance(found, str):
            return found
        raise InputError(
            f"{path}: {function.__name__} returned {type(found).__name__}: return None, True or the text that decided"
        )

    return find
