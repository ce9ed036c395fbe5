"""Bindings for testlib: compile and run checkers, validators, generators and interactors, all of it in the sandbox.

testlib (Mike Mirzayanov, https://github.com/MikeMirzayanov/testlib) is the C++ library that Codeforces and Polygon
problems write these programs with. Its conventions are described where they are used.
"""

from __future__ import annotations

from curation.judging.testlib.checker import Checker
from curation.judging.testlib.compilation import Header, compile_program, locate_header
from curation.judging.testlib.generator import Generated, generate
from curation.judging.testlib.input_validator import BoundsHit, Validation, validate_input
from curation.judging.testlib.interactor import Interactor
from curation.judging.testlib.toolchain import Toolchain

__all__ = [
    "BoundsHit",
    "Checker",
    "Generated",
    "Header",
    "Interactor",
    "Toolchain",
    "Validation",
    "compile_program",
    "generate",
    "locate_header",
    "validate_input",
]
