"""Which engine a recipe's model section means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from curation import assets, cluster, storage
from curation.cluster import Cluster
from curation.errors import InputError
from curation.llm import places, vllm_app
from curation.llm.engine import Engine, ModelIdentity
from curation.llm.http import HttpEngine
from curation.llm.llama_server import LlamaEngine
from curation.llm.own_server import OwnServer, OwnServerEngine
from curation.llm.places import PoolPath
from curation.llm.replay import ReplayEngine, StoredOnly
from curation.progress import Reporter, Silent
from curation.recipe import ModelSection, Recipe


def identify(recipe: Recipe, name: str, pool: PoolPath | None = None) -> ModelIdentity:
    """Return who answers for ``[models.NAME]``, without starting or downloading anything where that can be avoided.

    Args:
        recipe: the recipe.
        name: the section's name.
        pool: the run's response pool, for an engine that replays it.

    Raises:
        InputError: the section cannot be used.
    """
    section = recipe.models[name]
    if section.engine == "llama.cpp":
        if section.model in assets.ASSETS:
            return ModelIdentity(section.model, assets.ASSETS[section.model].sha256)
        # A path says where the file lies here, which is nothing that changes a response.
        label = section.model if section.model.startswith("hub://") else Path(section.model).name
        return ModelIdentity(label, section.revision or storage.sha256_file(_model_file(recipe, section, Silent())))
    if section.engine == "replay":
        return _replay(recipe, section, pool).identity
    return ModelIdentity(section.model, section.revision, _form(recipe, section))


def fingerprint(recipe: Recipe, name: str) -> list[str]:
    """Return what of ``[models.NAME]`` changes a step's output: whose responses it asks for.

    Raises:
        InputError: the section cannot be used.
    """
    section = recipe.models[name]
    if section.engine == "replay":
        return [section.engine, section.model]
    identity = identify(recipe, name)
    return [identity.model, identity.revision, *([identity.form] if identity.form else [])]


@contextmanager
def open_engine(
    recipe: Recipe, name: str, reporter: Reporter, pool: PoolPath | None = None, *, stored_only: bool = False
) -> Iterator[Engine]:
    """Open the engine of ``[models.NAME]``; a server of our own starts with the first request and ends with the block.

    Args:
        recipe: the recipe.
        name: the section's name.
        reporter: told when something is downloaded or started.
        pool: the run's response pool, for an engine that replays it.
        stored_only: whether nobody is asked, see `curation.llm.replay.StoredOnly`.

    Raises:
        InputError: the section cannot be used.
        OutsideError: a model cannot be downloaded.
    """
    section = recipe.models[name]
    identity = identify(recipe, name, pool)
    if stored_only:
        yield StoredOnly(identity)
    elif section.engine == "http":
        if not section.url:
            raise InputError(f"[models.{name}] engine http needs url, the server's base address with /v1")
        yield HttpEngine(section, identity, section.url)
    elif section.engine == "llama.cpp":
        with closing(
            LlamaEngine(section, identity, lambda: _model_file(recipe, section, reporter), reporter)
        ) as engine:
            yield engine
    elif section.engine == "replay":
        yield _replay(recipe, section, pool)
    elif section.engine == "vllm":
        vllm_app.check()

        @contextmanager
        def start() -> Iterator[OwnServer]:
            reporter.note(f"starting vLLM with {section.model}")
            with vllm_app.serve(section, recipe.directory) as server:
                yield server

        with closing(OwnServerEngine(section, identity, start, vllm_app.NAME)) as own_server:
            yield own_server
    else:
        # Ray takes a second to load, and most runs need none.
        from curation.llm.ray_engine import RayEngine

        where = cluster.of(recipe) or Cluster()
        with closing(RayEngine(section, identity, where, recipe.directory, reporter)) as on_cluster:
            yield on_cluster


def _form(recipe: Recipe, section: ModelSection) -> str:
    """Return what a prompt is put into, where that is not chat with the model's own template."""
    if section.endpoint != "chat":
        return section.endpoint
    own_model = section.engine == "vllm" or (section.engine == "ray" and not section.url)
    if not own_model or section.vllm.chat_template is None:
        return ""
    template = recipe.directory / section.vllm.chat_template
    if not template.is_file():
        raise InputError(f"chat_template = {section.vllm.chat_template!r}: there is no file {template}")
    return f"template:{storage.sha256_file(template)}"


def _model_file(recipe: Recipe, section: ModelSection, reporter: Reporter) -> Path:
    return assets.locate(section.model, recipe.directory, reporter, section.revision or None)


def _replay(recipe: Recipe, section: ModelSection, pool: PoolPath | None) -> ReplayEngine:
    if "://" in section.model:
        return ReplayEngine(places.pool_path(section.model), None)
    directory = recipe.directory / Path(section.model).expanduser()
    if directory.is_dir():
        return ReplayEngine(directory, None)
    if pool is None:
        raise InputError(f"model = {section.model!r} is no directory: engine replay needs a response pool")
    return ReplayEngine(pool, section.model)
