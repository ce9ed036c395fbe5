"""The sections of a source file that are about code problems: their tests, submissions and checkers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pydantic import Field, field_validator, model_validator

from curation.ingest.columns import Expression
from curation.ingest.sections import Column, PathExpression, Section
from curation.json_reader import JsonValue, as_text

_PLACE = r"\{(?P<column>\w+)(?::0(?P<width>\d+))?\}"


class Tests(Section):
    """How a row's tests are written.

    ``inputs`` and ``outputs`` name lists of equal length. An element is the text of a stream, a list of its lines, or,
    where ``function`` names a function, its arguments: a JSON list of them, or text with one JSON value a line.
    ``asserts`` names Python text that raises when the submission is wrong, or a list of such texts; one that holds an
    assertion a line becomes as many tests. A source with tests in several places has the section several times; a test
    that stands in two of them is taken once.
    """

    group: str | None = Field(
        default=None, pattern=r"^[a-z]+$", description="begins the tests' names: sample for what the statement shows"
    )
    names: PathExpression | None = Field(default=None, description="the tests' names, a list as long as the inputs")
    inputs: PathExpression | None = None
    outputs: PathExpression | None = None
    function: PathExpression | None = Field(
        default=None, description="the function to call; rows without one use streams"
    )
    asserts: PathExpression | None = None
    wrapped_results: bool = Field(
        default=False,
        description="a function's result may stand in a list of one, where all of a row's results do and a program with"
        " the function shows that it gives something else",
    )
    starter_code: PathExpression | None = Field(default=None, description="the function's head, which tells its result")
    cut: str | None = Field(
        default=None,
        min_length=1,
        description="what stands where the source cut a text off; such tests are left out",
    )

    @model_validator(mode="after")
    def _complete(self) -> Tests:
        if (self.inputs is None) != (self.outputs is None):
            raise ValueError("inputs and outputs belong together")
        if self.inputs is None and self.asserts is None:
            raise ValueError("give inputs and outputs, or asserts")
        return self

    def expressions(self) -> list[Expression]:
        """Return all expressions of the section."""
        parts = (self.inputs, self.outputs, self.names, self.function, self.asserts, self.starter_code)
        return [part for part in parts if part is not None]


class Submissions(Section):
    """One kind of programs that come with a row: one text, or a list of them."""

    code: PathExpression
    language: Column = Field(description="one for all, or a list as long as code's")
    languages: dict[str, str] = Field(default={}, description="our names of the source's languages")
    expected: Literal["correct", "incorrect"] | None = None


class RowChecker(Section):
    """Where a row says how outputs are compared, if not token by token; the first that has a value counts.

    A program's text goes into the table of checkers, see `curation.records.CheckerSource`. Names and flags of the
    checkers that come with the program are a row's column ``checker``; beside a validator, it holds its flags.
    """

    testlib: PathExpression | None = Field(default=None, description="a checker in C++ that is written with testlib")
    python: PathExpression | None = Field(default=None, description="a checker in Python")
    validator: PathExpression | None = Field(
        default=None, description="an object with the files of an output validator of the ICPC problem package format"
    )
    special: PathExpression | None = Field(
        default=None, description="true where the problem needs a checker that the source does not have"
    )

    def expressions(self) -> list[Expression]:
        """Return all expressions of the section."""
        parts = (self.testlib, self.python, self.validator, self.special)
        return [part for part in parts if part is not None]


class RowsBeside(Section):
    """Other files of the source with more of a row: those of their rows that have its key, as one list.

    ``files = "tests/of_{contest}.parquet"`` takes the name of each row's file from its columns; ``{contest:04}`` pads a
    number with zeros. A file that is not there gives nothing.
    """

    files: str
    key: str = Field(description="the column of the other rows that names the row ...")
    of: str = Field(description="... by this column of its own")
    into: str = Field(description="the row's new column")

    @field_validator("files")
    @classmethod
    def _names_columns(cls, files: str) -> str:
        if not re.search(_PLACE, files) or re.search(r"[{}]", re.sub(_PLACE, "", files)):
            raise ValueError("name a column of the row in braces, as in {contest} or {contest:04}")
        return files

    @property
    def glob(self) -> str:
        """A pattern that the names of all its files fit."""
        return re.sub(_PLACE, "*", self.files)

    def needs(self) -> frozenset[str]:
        """Return the columns of a row that say where its other rows are."""
        return frozenset({self.of, *(found["column"] for found in re.finditer(_PLACE, self.files))})

    def file(self, row: Mapping[str, JsonValue]) -> str | None:
        """Return the name of the file with a row's other rows; None where the row lacks what names it."""
        texts = {column: as_text(row.get(column)) for column in self.needs()}
        if any(text is None for text in texts.values()):
            return None
        return re.sub(_PLACE, lambda found: (texts[found["column"]] or "").zfill(int(found["width"] or 0)), self.files)
