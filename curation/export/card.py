"""The data-set card: YAML that tells `datasets` what is where, and text that tells a reader where it is from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import datasets
import jinja2
import polars as pl
from datasets.info import DatasetInfosDict
from huggingface_hub import DatasetCardData

from curation import bundled
from curation.funnel import Funnel
from curation.llm import engines
from curation.recipe import Recipe, Sampler, SolveSection, StageTwoSection, VoteSection
from curation.steps import EarlierStep

TEMPLATE = "dataset_card.md.j2"
"""The file in templates/."""

_CELL_CHARACTERS = 300
_LISTED = 12


@dataclass(frozen=True, slots=True)
class Config:
    """One config of the data set, as the card declares it.

    Attributes:
        name: its name, and the name of its folder.
        what: one sentence for a reader.
        features: columns and types.
        rows: rows of its one split, ``train``.
        file_bytes: size of its Parquet files.
        text_bytes: size of its text before compression.
    """

    name: str
    what: str
    features: datasets.Features
    rows: int
    file_bytes: int
    text_bytes: int


def metadata(configs: Sequence[Config], title: str, licence: str) -> str:
    """Return the card's YAML block, with its dashes.

    The first config is the default one. Features are declared, so that `datasets` never infers them.
    """
    infos = DatasetInfosDict(
        {
            config.name: datasets.DatasetInfo(
                features=config.features,
                splits=datasets.SplitDict(
                    {"train": datasets.SplitInfo("train", num_bytes=config.text_bytes, num_examples=config.rows)}
                ),
                download_size=config.file_bytes,
                dataset_size=config.text_bytes,
            )
            for config in configs
        }
    )
    data = DatasetCardData(
        pretty_name=title,
        license=licence,
        configs=[
            {
                "config_name": config.name,
                "data_files": [{"split": "train", "path": f"{config.name}/train-*.parquet"}],
                **({"default": True} if place == 0 else {}),
            }
            for place, config in enumerate(configs)
        ],
    )
    infos.to_dataset_card_data(data)
    return f"---\n{data.to_yaml()}\n---\n"


def features_only(features: Mapping[str, datasets.Features]) -> str:
    """Return a YAML block that declares the features of each config and leaves the layout to `datasets`."""
    data = DatasetCardData()
    DatasetInfosDict(
        {name: datasets.DatasetInfo(features=kinds) for name, kinds in features.items()}
    ).to_dataset_card_data(data)
    return f"---\n{data.to_yaml()}\n---\n"


def text(
    recipe: Recipe,
    earlier: Sequence[EarlierStep],
    funnel: Funnel,
    configs: Sequence[Config],
    problems: pl.DataFrame,
    grades: Mapping[str, int],
    limit: int | None,
) -> str:
    """Return the card's text, without its YAML block.

    Args:
        recipe: the run's recipe.
        earlier: the steps before the export, in order.
        funnel: their counts.
        configs: what is exported.
        problems: the exported problems, of `records.PROBLEM_SCHEMA`.
        grades: how many exported responses are right, wrong and unknown.
        limit: rows read of each source at most.
    """
    loader = jinja2.FileSystemLoader(bundled.folder("templates"))
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=False, keep_trailing_newline=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["cell"] = _cell
    contamination = [step for step in earlier if step.name == "decontaminate"]
    return environment.get_template(TEMPLATE).render(
        title=recipe.export.title,
        intro=f"Built by the recipe `{recipe.name}` with seed {recipe.seed}.",
        configs=[{"name": config.name, "rows": config.rows, "what": config.what} for config in configs],
        marker=recipe.stage1.marker,
        empty=[config.name for config in configs if config.rows == 0],
        sources=_licences(problems),
        steps=funnel.steps.to_dicts(),
        reasons=funnel.reasons.to_dicts(),
        flow=funnel.sources,
        selection=_selection(recipe),
        decontamination=[
            *_decontamination(recipe),
            *(line for step in contamination for line in _lines(step.findings)),
        ],
        models=_models(recipe),
        findings=[
            {"name": step.name, "lines": _lines(step.findings)}
            for step in earlier
            if step.findings and step.name != "decontaminate"
        ],
        gaps=_gaps(recipe, configs, grades, limit),
    )


def _cell(value: object) -> str:
    text = " ".join(str("" if value is None else value).split()).replace("|", "\\|")
    return text if len(text) <= _CELL_CHARACTERS else text[:_CELL_CHARACTERS] + " ..."


def _licences(problems: pl.DataFrame) -> list[dict[str, object]]:
    named = pl.col("attribution").drop_nulls().unique().sort()
    return (
        problems.group_by("source", "group", "licence")
        .agg(pl.len().alias("problems"), named.head(3).str.join("; ").alias("attribution"))
        .sort("source", "group", "licence")
        .to_dicts()
    )


def _selection(recipe: Recipe) -> list[str]:
    one, two = recipe.stage1, recipe.stage2
    sentences = [
        f"A row's messages are drawn with a seed made of {recipe.seed} and its problem_id, kept as message_seed.",
        f"Stage 1 keeps {one.above:.6g} < accuracy < {one.math_below:.6g} for math, < {one.code_below:.6g} for code.",
        "Accuracy is the share of right responses among all graded responses of the problem's pool, drawn or not.",
        f"The number of messages is uniform from {one.messages_low} to {one.messages_high}, drawn without replacement.",
    ]
    if two is None:
        return [*sentences, "Stage 2 was not made."]
    fed = "every problem with a response pool" if two.feeds == "pool" else "the problems of stage 1"
    return [
        *sentences,
        f"Stage 2 asks for {two.samples} syntheses of {fed} and keeps {two.above:.6g} < accuracy < {two.below:.6g}.",
    ]


def _decontamination(recipe: Recipe) -> list[str]:
    section = recipe.decontaminate
    return [
        f"Checked against: {', '.join(section.against) or 'nothing'}.",
        f"Kinds of match that drop a row: {', '.join(section.drop_kinds) or 'none'}.",
        f"Contests left out whole: {', '.join(section.exclude_contests) or 'none'}.",
        f"Overlap is looked for with {section.ngram}-grams of {section.ngram_unit}s.",
    ]


def _models(recipe: Recipe) -> list[dict[str, object]]:
    screen = recipe.proposer.screen if recipe.proposer is not None else None
    uses = (
        ("validity votes", recipe.vote, recipe.vote and recipe.vote.votes),
        *((f"votes on {name}", question, question.votes) for name, question in recipe.questions.items()),
        ("screening before the proposer", screen, screen and screen.samples),
        ("proposer", recipe.proposer, recipe.proposer and recipe.proposer.samples),
        ("response pool", recipe.pool, recipe.pool and recipe.pool.samples),
        ("synthesis", recipe.stage2, recipe.stage2 and recipe.stage2.samples),
    )
    return [
        {
            "use": use,
            **_identity(recipe, section.model),
            "samples": samples,
            "sampler": _samplers(section),
        }
        for use, section, samples in uses
        if section is not None
    ]


def _samplers(section: VoteSection | SolveSection | StageTwoSection) -> str:
    def told(sampler: Sampler) -> str:
        return ", ".join(f"{name} {value}" for name, value in sampler if value != ())

    code = None if isinstance(section, VoteSection) else section.code_sampler
    return told(section.sampler) + (f"; programs: {told(code)}" if code is not None else "")


def _identity(recipe: Recipe, name: str) -> dict[str, str]:
    """Name a model without the path it has on this machine."""
    section = recipe.models[name]
    if section.engine == "replay":
        return {"model": Path(section.model).name, "revision": "responses of a pool that was there before"}
    model, revision = engines.fingerprint(recipe, name)
    return {"model": model, "revision": revision or "not pinned"}


def _lines(findings: Mapping[str, object]) -> list[str]:
    return [f"{title}: {_shown(value)}" for title, value in findings.items()]


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        parts = [f"{key}: {_shown(item)}" for key, item in value.items()]
    elif isinstance(value, list | tuple):
        parts = [_shown(item) for item in value]
    else:
        return _cell(value) or "none"
    if not parts:
        return "none"
    more = f"; and {len(parts) - _LISTED} more" if len(parts) > _LISTED else ""
    return _cell("; ".join(parts[:_LISTED]) + more)


def _gaps(recipe: Recipe, configs: Sequence[Config], grades: Mapping[str, int], limit: int | None) -> list[str]:
    unknown, all_responses = grades.get("unknown", 0), sum(grades.values())
    gaps = [
        f"{unknown:,} of {all_responses:,} exported responses could not be graded: they are neither right nor wrong.",
        "Contamination was looked for in the benchmarks named above and nowhere else.",
    ]
    if recipe.vote is None:
        gaps.append("No validity votes were taken: statements and answers are as the sources gave them.")
    elif not recipe.vote.act:
        gaps.append("Validity votes were taken and dropped nothing.")
    gaps += [f"The config {config.name} is empty." for config in configs if config.rows == 0]
    identities = {str(model["model"]): model["revision"] for model in _models(recipe)}
    gaps += [
        f"The revision of the model {model} is not pinned."
        for model, revision in identities.items()
        if revision == "not pinned"
    ]
    if limit is not None:
        gaps.append(f"At most {limit:,} rows of each source were read.")
    return [*gaps, *recipe.notes]
