"""Recipes, requests and engines that the tests of this folder share."""

from __future__ import annotations

from pathlib import Path

from curation.llm.engine import Message, ModelIdentity, Request
from curation.llm.http import HttpEngine
from curation.recipe import ModelSection, Recipe, Sampler

MODEL = ModelIdentity("test-model", "r1")


def request(problem: str = "p1", index: int = 0, *, prompt: str | None = None, seed: int = 0) -> Request:
    """Return one request to solve."""
    text = prompt if prompt is not None else f"What is {problem}?"
    return Request(problem, "solve", (Message("user", text),), Sampler(max_tokens=64, seed=seed), index, text)


def section(url: str, **changes: object) -> ModelSection:
    """Return a model section for a server."""
    values = {"engine": "http", "model": "test-model", "revision": "r1", "url": url, "attempts": 2, "timeout_s": 20}
    return ModelSection.model_validate({**values, **changes})


def engine(url: str, **changes: object) -> HttpEngine:
    """Return an engine for a server."""
    return HttpEngine(section(url, **changes), MODEL, url)


def recipe(directory: Path, models: dict[str, object], **sections: object) -> Recipe:
    """Return a recipe with the models and sections."""
    values = {"name": "test", "sources": [{"use": "demo"}], "models": models, "directory": directory, **sections}
    return Recipe.model_validate(values)
