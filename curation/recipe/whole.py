"""A whole recipe, read from TOML.

A recipe may build on another one: ``extends = "demo"`` takes that recipe and replaces what is given. Sections merge
key by key; lists are replaced whole.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, ValidationError, model_validator

from curation import bundled
from curation.errors import InputError
from curation.recipe.models import InferSection, ModelSection, PoolSection, ProposerSection, VoteSection, WriterSection
from curation.recipe.problems import (
    ArithmeticSection,
    DecontaminateSection,
    DedupSection,
    FilterSection,
    IngestSection,
    SourceUse,
)
from curation.recipe.results import (
    ClusterSection,
    ExportSection,
    JudgeSection,
    PublishedCounts,
    StageOneSection,
    StageTwoSection,
)
from curation.recipe.section import Section
from curation.records import Group
from curation.validation import first_fault


class Recipe(Section):
    """A whole run."""

    name: str
    seed: int = 0
    sources: tuple[SourceUse, ...] = Field(min_length=1)
    ingest: IngestSection = IngestSection()
    filter: FilterSection = FilterSection()
    dedup: DedupSection = DedupSection()
    decontaminate: DecontaminateSection = DecontaminateSection()
    arithmetic: ArithmeticSection = ArithmeticSection()
    models: dict[str, ModelSection] = {}
    vote: VoteSection | None = None
    questions: dict[str, VoteSection] = Field(default={}, description="more votes; in TOML they stand as [vote.NAME]")
    judge: JudgeSection = JudgeSection()
    writer: WriterSection | None = Field(
        default=None, description="writes the checkers of problems whose accepted submissions disagree"
    )
    proposer: ProposerSection | None = None
    pool: PoolSection | None = None
    stage1: StageOneSection = StageOneSection()
    stage2: StageTwoSection | None = None
    infer: InferSection | None = None
    export: ExportSection = ExportSection()
    cluster: ClusterSection | None = Field(default=None, description="None: the processes of this machine")
    published: dict[Group, PublishedCounts] = {}
    notes: tuple[str, ...] = Field(default=(), description="sentences that the plan and the report show")
    directory: Path = Field(default=Path(), description="where relative paths in the recipe start; set by the reader")
    archives: Path | None = Field(
        default=None, description="a folder with one folder an archive, as curation fetch fills it"
    )

    @model_validator(mode="before")
    @classmethod
    def _votes_with_names(cls, values: object) -> object:
        """Take ``[vote.NAME]`` out of ``[vote]``, whose one table of its own is its sampler."""
        vote = values.get("vote") if isinstance(values, dict) else None
        if not isinstance(values, dict) or not isinstance(vote, dict):
            return values
        named = {key: value for key, value in vote.items() if isinstance(value, dict) and key != "sampler"}
        own = {key: value for key, value in vote.items() if key not in named}
        questions = {**values.get("questions", {}), **named}
        return {**values, "vote": own or None, "questions": questions}

    @model_validator(mode="after")
    def _models_exist(self) -> Recipe:
        for name, section in (
            ("vote", self.vote),
            *((f"vote.{name}", question) for name, question in self.questions.items()),
            ("proposer", self.proposer),
            ("proposer.screen", self.proposer and self.proposer.screen),
            ("pool", self.pool),
            ("writer", self.writer),
            ("stage2", self.stage2),
            ("infer", self.infer),
        ):
            if section is not None and section.model not in self.models:
                raise ValueError(f"[{name}] model = {section.model!r} names no [models.{section.model}]")
        if self.pool is not None and self.pool.stop == "decided":
            raise ValueError("[pool] stop = 'decided' leaves kept problems without their messages: take outside")
        if self.pool is not None and self.pool.stop == "outside" and self.stage2 and self.stage2.feeds == "pool":
            raise ValueError("[pool] stop = 'outside' needs [stage2] feeds = 'stage1', or stage 2 lacks responses")
        names = [use.name or use.use for use in self.sources]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two sources are called {twice!r}: give one of them a name")
        return self


def load(recipe: str) -> Recipe:
    """Read a recipe by path or bundled name.

    Raises:
        InputError: the file is missing, no TOML, or says something that no recipe can say; names the key.
    """
    path = bundled.find("recipes", recipe, ".toml")
    merged = _read(path, ())
    merged["directory"] = path.resolve().parent
    try:
        return Recipe.model_validate(merged)
    except ValidationError as error:
        raise InputError(f"{path}: {first_fault(error, 'the recipe')}") from None


def filter_section(given: Mapping[str, object]) -> FilterSection:
    """Make the ``[filter]`` section of options that a user gave one by one.

    Raises:
        InputError: one of them says something that no recipe can say; names it.
    """
    try:
        return FilterSection.model_validate(given)
    except ValidationError as error:
        raise InputError(first_fault(error, "the recipe")) from None


def _read(path: Path, chain: tuple[Path, ...]) -> dict[str, object]:
    resolved = path.resolve()
    if resolved in chain:
        raise InputError(f"{path}: extends itself: take one extends line out")
    try:
        own: dict[str, object] = tomllib.loads(path.read_bytes().decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} is no TOML ({error}): mend the line") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    base = own.pop("extends", None)
    if base is None:
        return own
    if not isinstance(base, str):
        raise InputError(f"{path}: extends must be the name or path of one recipe")
    beside = path.parent / base
    parent = beside if beside.is_file() else bundled.find("recipes", base, ".toml")
    return _merge(_read(parent, (*chain, resolved)), own)


def _merge(base: dict[str, object], own: dict[str, object]) -> dict[str, object]:
    merged = dict(base)
    for key, value in own.items():
        below = merged.get(key)
        merged[key] = _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged
