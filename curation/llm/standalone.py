"""The recipe of a single command: its options, over the sections of a recipe where one is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from pydantic import ValidationError

from curation import recipe as recipes
from curation.errors import InputError
from curation.ingest.user_rows import Field
from curation.recipe import ModelSection, Recipe
from curation.records import Group

Engine = Literal["embedded", "http", "replay"]
SectionName = Literal["proposer", "pool", "vote", "writer", "infer"]

SMALLEST_MODEL = "smollm2-135m-instruct"
"""The embedded engine's model where none is named."""

_MODEL = "model"
_ENGINES = {"embedded": "llama.cpp", "http": "http", "replay": "replay"}
_NOTHING: Mapping[str, object] = {"name": "command", "sources": [{"use": "rows"}]}


@dataclass(frozen=True)
class Options:
    """What a command was given; None and empty mappings leave a thing as the recipe, or the default, has it.

    Attributes:
        recipe: a recipe's path or name.
        question: the name of one of its ``[vote.NAME]`` sections, in place of ``[vote]``.
        engine: which engine; ``http`` where a server is given, else the embedded one.
        model: fields of `recipe.ModelSection`.
        sampler: fields of `recipe.Sampler`.
        section: fields of the section.
        stage1: fields of `recipe.StageOneSection`.
    """

    recipe: str | None = None
    question: str | None = None
    engine: Engine | None = None
    model: Mapping[str, object] = field(default_factory=dict)
    sampler: Mapping[str, object] = field(default_factory=dict)
    section: Mapping[str, object] = field(default_factory=dict)
    stage1: Mapping[str, object] = field(default_factory=dict)


def one_section(options: Options, name: SectionName) -> Recipe:
    """Return a recipe that holds this section, its model and stage 1's band.

    Raises:
        InputError: the recipe lacks the section, or an option says what none can say.
    """
    base = recipes.load(options.recipe) if options.recipe is not None else None
    section: dict[str, object] = {}
    model: dict[str, object] = {}
    values: dict[str, object] = dict(_NOTHING)
    if base is not None:
        found = base.questions.get(options.question) if options.question is not None else getattr(base, name)
        if found is None:
            wanted = f"{name}.{options.question}" if options.question is not None else name
            raise InputError(f"{options.recipe} has no [{wanted}] section: add one or leave --recipe out")
        section = found.model_dump()
        model = base.models[found.model].model_dump()
        screen = section.get("screen")
        if isinstance(screen, dict):
            values["models"] = {screen["model"]: base.models[screen["model"]].model_dump()}
        values |= {"seed": base.seed, "judge": base.judge.model_dump(), "stage1": base.stage1.model_dump()}
        values["directory"] = base.directory
    if options.model or options.engine or base is None:
        model = _model(options, model)
    given_sampler = {key: value for key, value in options.sampler.items() if value is not None}
    for sampler in ("sampler", "code_sampler"):
        if given_sampler and (sampler == "sampler" or section.get(sampler) is not None):
            section[sampler] = {**_mapping(section.get(sampler)), **given_sampler}
    section |= {key: value for key, value in options.section.items() if value is not None}
    values["models"] = {**_mapping(values.get("models")), _MODEL: model}
    values["stage1"] = {
        **_mapping(values.get("stage1")),
        **{key: value for key, value in options.stage1.items() if value is not None},
    }
    return validated({**values, name: {**section, "model": _MODEL}})


def vote_recipe(options: Options) -> Recipe:
    """Return the recipe of a vote on rows of any group; where only the number of votes is given, all must agree.

    Raises:
        InputError: as `one_section`.
    """
    section = {**options.section, "groups": get_args(Group)}
    if section.get("required") is None:
        section["required"] = section.get("votes")
    return one_section(replace(options, section=section), "vote")


def validated(values: Mapping[str, object]) -> Recipe:
    """Return the recipe of these values.

    Raises:
        InputError: a value is none that a recipe can have; names it.
    """
    try:
        return Recipe.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        told = f"{first['msg'].removeprefix('Value error, ')}"
        raise InputError(f"{where}: {told}: change the option" if where else f"{told}: change the option") from None


def named_columns(given: Sequence[str]) -> dict[Field, str]:
    """Return what ``--column statement=body`` says.

    Raises:
        InputError: an entry names no field.
    """
    columns: dict[Field, str] = {}
    for entry in given:
        name, mark, expression = entry.partition("=")
        field_name = next((known for known in get_args(Field) if known == name), None)
        if field_name is None or not mark or not expression:
            raise InputError(f"--column {entry}: write statement=NAME, answer=NAME or id=NAME")
        columns[field_name] = expression
    return columns


def _model(options: Options, base: Mapping[str, object]) -> dict[str, object]:
    given = {key: value for key, value in options.model.items() if value is not None}
    engine = options.engine or ("http" if "url" in given else None)
    if engine is None and base:
        return {**base, **given}
    engine = engine or "embedded"
    if engine == "http" and "url" not in given and not base.get("url"):
        raise InputError("--engine http needs --server URL, the server's base address with /v1")
    if engine != "embedded" and "model" not in given and not base:
        raise InputError(f"--engine {engine} needs --model NAME: which model answers")
    kept = {key: value for key, value in base.items() if key in ModelSection.model_fields}
    start: dict[str, object] = {"model": SMALLEST_MODEL, "context_tokens": 4096} if engine == "embedded" else {}
    return {**start, **kept, **given, "engine": _ENGINES[engine]}


def _mapping(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, Mapping) else {}
