"""The options of `curation select`, over the sections of a recipe where one is given."""

from __future__ import annotations

from collections.abc import Mapping

from curation import cluster
from curation import recipe as recipes
from curation.cluster import Cluster
from curation.errors import InputError
from curation.json_reader import JsonTextError, dumps, loads
from curation.llm import engines
from curation.llm.engine import sampler_json
from curation.llm.standalone import validated
from curation.recipe import Recipe
from curation.selection.from_pool import Wanted

_BAND = {"above", "below", "feeds"}


def wanted_of(
    recipe: str | None,
    stage1: Mapping[str, object],
    stage2: Mapping[str, object],
    *,
    seed: int | None,
    models: tuple[str, ...],
    samplers: tuple[str, ...],
    mixed: bool,
    regrade: bool,
    where: Cluster | None = None,
) -> Wanted:
    """Return what a selection is asked for.

    A recipe also says which responses count: those that its pool and stage 2 ask for. Where an option names models or
    samplers, or lets them mix, all of these count instead, whatever their prompts.

    Args:
        recipe: a recipe's path or name.
        stage1: fields of `recipe.StageOneSection`; None leaves one as it is.
        stage2: ``above``, ``below`` and ``feeds`` of `recipe.StageTwoSection`.
        seed: of the draws.
        models: only these models' responses.
        samplers: only responses with these samplers, as JSON.
        mixed: whether several models or samplers count as one pool.
        regrade: whether answers are compared.
        where: a cluster where responses are graded; the recipe's by default, or else this machine.

    Raises:
        InputError: an option says what none can say, or the recipe cannot be used.
    """
    base = recipes.load(recipe) if recipe is not None else None
    values: dict[str, object] = {"name": "command", "sources": [{"use": "rows"}]}
    if base is not None:
        values |= {"stage1": base.stage1.model_dump(), "seed": base.seed, "judge": base.judge.model_dump()}
    values["stage1"] = {**_mapping(values.get("stage1")), **_given(stage1)}
    second = base.stage2.model_dump(include=_BAND) if base is not None and base.stage2 else {}
    values["stage2"] = {"model": "nobody", **second, **_given(stage2)}
    values["models"] = {"nobody": {"engine": "replay", "model": "nobody"}}
    asked = validated(values)
    counted = bool(models or samplers or mixed or not regrade)
    if base is not None and base.pool is not None:
        models = models or (_model_of(base),)
        both = [base.pool.sampler, *([base.pool.code_sampler] if base.pool.code_sampler else [])]
        samplers = samplers or tuple(sampler_json(sampler) for sampler in both)
    else:
        samplers = tuple(_sampler(text) for text in samplers)
    if asked.stage2 is None:
        raise InputError("the options of stage 2 cannot be used: give others")
    return Wanted(
        stage1=asked.stage1,
        above=asked.stage2.above,
        below=asked.stage2.below,
        feeds=asked.stage2.feeds,
        seed=seed if seed is not None else asked.seed,
        models=models,
        samplers=samplers,
        mixed=mixed,
        regrade=regrade,
        judge=asked.judge,
        cluster=where or (cluster.of(base) if base is not None else None),
        recipe=None if counted or base is None or base.pool is None else _changed(base, asked, seed),
    )


def _changed(base: Recipe, asked: Recipe, seed: int | None) -> Recipe:
    """Return the recipe with what the options say."""
    changes: dict[str, object] = {"stage1": asked.stage1, "seed": base.seed if seed is None else seed}
    if base.stage2 is not None and asked.stage2 is not None:
        band = {name: getattr(asked.stage2, name) for name in _BAND}
        changes["stage2"] = base.stage2.model_copy(update=band)
    return base.model_copy(update=changes)


def _model_of(recipe: Recipe) -> str:
    name = recipe.pool.model if recipe.pool is not None else ""
    section = recipe.models[name]
    return section.model if section.engine == "replay" else engines.identify(recipe, name).model


def _sampler(text: str) -> str:
    try:
        value = loads(text)
    except JsonTextError as error:
        raise InputError(
            f"--sampler {text}: {error}: give the JSON as the message about several samplers shows it"
        ) from None
    return dumps(value)


def _given(options: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in options.items() if value is not None}


def _mapping(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, Mapping) else {}
