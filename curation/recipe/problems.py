"""The sections of a recipe that make and choose problems: sources, filters, duplicates, benchmarks, arithmetic."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from curation.languages import LANGUAGES
from curation.recipe.section import NaturalNumber, Section, Weight

_USUAL_PRIME = str(2**61 - 1)


def _is_prime(number: str) -> bool:
    # SymPy takes a while to import, and most recipes keep the default.
    if number == _USUAL_PRIME:
        return True
    from sympy import isprime

    return bool(isprime(int(number)))


class SourceUse(Section):
    """One source of the run: a bundled source file, or the user's own, with what differs this time."""

    use: str
    name: str | None = None
    path: str | None = Field(
        default=None, min_length=1, description="a local copy to read instead of the address in the source file"
    )
    licence: str | None = None
    attribution: str | None = Field(default=None, description="whom to name, where a path brings other rows")
    revision: str | None = None
    limit: int | None = Field(default=None, ge=1, description="read at most so many rows")


class IngestSection(Section):
    """How strictly the sources are read."""

    row_counts: Literal["report", "fail"] = Field(
        default="report",
        description="fail: stop where a whole source has another number of rows than its source file says",
    )


class FilterSection(Section):
    """Rules that clean, then rules that drop."""

    skip_rules: tuple[str, ...] = ()
    languages: tuple[str, ...] = Field(default=("en", "zh"), min_length=1)
    own_rules: tuple[str, ...] = Field(default=(), description="Python files with one rule function each")
    check_answers: bool = Field(
        default=False,
        description="drop a row whose answer no comparison can tell from a wrong one; 0.3 ms for a formula",
    )

    @field_validator("languages")
    @classmethod
    def _languages_are_known(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        unknown = next((code for code in languages if code not in LANGUAGES), None)
        if unknown is not None:
            raise ValueError(f"{unknown!r} is no language that can be told apart: give codes such as en, zh, de")
        return languages


Disagreement = Literal["drop", "keep_majority", "vote"]
"""What becomes of duplicates that give different answers."""


class DedupSection(Section):
    """Rows that state one problem: equal folded statements, and nearly equal ones.

    The similarity bounds how many words of a near duplicate may be others, beside the words that no problem hangs on; a
    pair must also pass all that `curation.dedup.verification` asks. 0.9 lets one word in ten differ. A condition has a
    dozen words or so: where one is missing from a problem of up to five sentences, the similarity is lower.
    """

    near: bool = Field(default=True, description="false: only equal folded statements are duplicates")
    similarity: float = Field(
        default=0.9, ge=0.7, le=1, description="least shared share of both wordings, 2 shared / (words of both)"
    )
    disagreement: Disagreement = Field(
        default="drop",
        description="drop: all rows of the cluster go; keep_majority: the answer of more than half of those with one "
        "survives, without such an answer all go; vote: the answer given most often survives, of equals the first",
    )


class DecontaminateSection(Section):
    """Which benchmarks, and which kinds of match drop a row."""

    against: tuple[Annotated[str, Field(min_length=1)], ...] = ("matharena",)
    drop_kinds: tuple[str, ...] = ("excluded_contest", "exact", "folded", "embedded", "numbers_changed", "near")
    exclude_contests: tuple[str, ...] = Field(
        default=("aime-2024", "aime-2025", "hmmt-feb-2025", "brumo-2025", "smt-2025", "cmimc-2025", "hmmt-nov-2025"),
        description="whole contests that PaCoRe leaves out, as contest-year",
    )
    ngram: int = Field(default=13, ge=2, description="length of the n-gram; PaCoRe says 64 for its SFT data")
    ngram_unit: Literal["token", "word"] = Field(default="token", description="the paper leaves the unit open")
    semantic: str | None = Field(
        default=None,
        min_length=1,
        description="an embedding model that proposes reworded items: default, a Hub name, a folder or a package",
    )
    missing_benchmarks: Literal["fail", "report"] = Field(
        default="fail", description="report: go on without benchmarks that cannot be had and name them"
    )


Operation = Literal["addition", "subtraction", "multiplication", "modular_exponentiation"]


class ArithmeticSection(Section):
    """Synthetic large-integer problems as PaCoRe describes them; the prime and the ends of the range are open."""

    count: int = Field(default=13_400, ge=0)
    low: NaturalNumber = Field(default="100000000000", description="smallest operand, 10^11")
    high: NaturalNumber = Field(default="10000000000000", description="largest operand, 10^13")
    include_high: bool = False
    operations: dict[Operation, Weight] = Field(
        default={"addition": 1, "subtraction": 1, "multiplication": 1, "modular_exponentiation": 1},
        description="weights of the four operations",
    )
    prime: NaturalNumber = Field(default=_USUAL_PRIME, description="the modulus, 2^61 - 1 by default")
    templates: str = Field(default="arithmetic", description="a file of question wordings in templates/")

    @model_validator(mode="after")
    def _exercises_exist(self) -> ArithmeticSection:
        if self.count == 0:
            return self
        if int(self.low) > int(self.high) - (not self.include_high):
            raise ValueError(f"the range from {self.low} to {self.high} is empty")
        if not any(self.operations.values()):
            raise ValueError("operations gives no operation a weight above 0")
        if self.operations.get("modular_exponentiation", 0) > 0 and not _is_prime(self.prime):
            raise ValueError(f"prime = {self.prime} is no prime")
        return self
