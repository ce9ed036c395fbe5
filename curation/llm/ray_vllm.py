"""vLLM on the nodes of a Ray cluster, by the vLLM processor of Ray's LLM batch API.

The prompt is made here, and not by Ray's stages for templates and tokens, which put a second beginning-of-text token
before a template's own. Ray passes no finish reason on: a response is cut where it has all the tokens that it may.
"""

from __future__ import annotations

import importlib.metadata
import math
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from curation.errors import InputError
from curation.json_reader import dumps
from curation.llm.engine import Answer, ModelIdentity, Request, as_json, written
from curation.llm.vllm_app import model_source
from curation.recipe import ModelSection

if TYPE_CHECKING:
    from ray.data.llm import Processor

BLOCK = 8
"""So many responses come back together; whoever is killed loses the unfinished blocks."""

_JSON = TypeAdapter(Any)
_LITTLE = {"num_cpus": 0.1, "concurrency": 2}
"""What making prompts and reading responses takes of the cluster, each."""


class _Given(BaseModel):
    """A request on its way to a worker."""

    messages: list[dict[str, str]]
    sampling: dict[str, Any]


class _Came(BaseModel):
    """A response on its way back."""

    text: str
    prompt_tokens: int
    tokens: int
    seconds: float
    version: str


@dataclass(frozen=True)
class VllmForm:
    """Copies of the model on the cluster's nodes; see `curation.llm.ray_engine.Form`."""

    section: ModelSection
    identity: ModelIdentity
    engine: str
    directory: Path

    def processor(self) -> Processor:
        """Return what runs ``data_parallel`` copies of the model, each on ``tensor_parallel`` GPUs.

        Where the cluster has no GPU, each copy takes a processor.
        """
        import ray
        from ray.data.llm import build_processor, vLLMEngineProcessorConfig

        settings = self.section.vllm
        gpus = "GPU" in ray.cluster_resources()  # type: ignore[no-untyped-call]
        config = vLLMEngineProcessorConfig(
            model_source=model_source(self.section, self.directory),
            engine_kwargs=engine_arguments(self.section),
            concurrency=(settings.data_parallel, settings.data_parallel),
            batch_size=BLOCK,
            max_concurrent_batches=math.ceil(self.section.concurrency / BLOCK),
            # One row's failure is that row's; the others go on.
            should_continue_on_error=True,
            log_engine_metrics=False,
            chat_template_stage=False,
            tokenize_stage=False,
            detokenize_stage=False,
            placement_group_config=None if gpus else {"bundles": [{"CPU": 1}] * settings.tensor_parallel},
        )
        source = model_source(self.section, self.directory)
        template = None
        if settings.chat_template is not None:
            template = (self.directory / settings.chat_template).read_text(encoding="utf-8")
        sent = partial(_sent, source, self.section.revision or None, self.section.endpoint == "chat", template)
        return build_processor(config, sent, _received, preprocess_map_kwargs=_LITTLE, postprocess_map_kwargs=_LITTLE)

    def given(self, request: Request) -> str:
        """Return the messages with vLLM's sampling parameters.

        Raises:
            InputError: a conversation is to be completed.
        """
        if self.section.endpoint != "chat" and len(request.messages) != 1:
            raise InputError("endpoint completion takes one text and the prompt has several messages: choose chat")
        sampler = request.sampler
        sampling: dict[str, Any] = {
            "temperature": sampler.temperature,
            "top_p": sampler.top_p,
            "max_tokens": sampler.max_tokens,
            "seed": request.seed,
            "stop": list(sampler.stop) or None,
            "structured_outputs": None if request.schema is None else {"json": request.schema},
        }
        return _Given(messages=as_json(request.messages), sampling=sampling).model_dump_json()

    def answer(self, request: Request, came: str) -> Answer:
        """Return the response."""
        got = _Came.model_validate_json(came)
        room = min(request.sampler.max_tokens, self.section.context_tokens - got.prompt_tokens)
        response = written(
            request,
            self.identity,
            self.engine,
            text=got.text,
            finish_reason="length" if got.tokens >= room else "stop",
            prompt_tokens=got.prompt_tokens,
            completion_tokens=got.tokens,
            latency_s=round(got.seconds, 3),
            versions=dumps({"vllm": got.version}),
        )
        return Answer(request, response)


def check(section: ModelSection) -> None:
    """Check what the section asks of vLLM.

    Raises:
        InputError: Ray's batch API cannot do that.
    """
    if section.logprobs is not None:
        raise InputError("engine ray keeps no logprobs: leave them out, or choose engine vllm or http")
    if section.vllm.reasoning_parser is not None:
        raise InputError(
            "engine ray leaves the reasoning in the text, where [stage1] marker finds its end: leave reasoning_parser "
            "out, or choose engine vllm or http"
        )


def engine_arguments(section: ModelSection) -> dict[str, Any]:
    """Return the section's settings under the names of vLLM's engine arguments.

    Raises:
        InputError: one of ``arguments`` is no option.
    """
    settings = section.vllm
    given: dict[str, Any] = {
        "max_model_len": section.context_tokens,
        "max_num_seqs": section.concurrency,
        "tensor_parallel_size": settings.tensor_parallel,
        "gpu_memory_utilization": settings.memory_share,
        "enable_prefix_caching": settings.prefix_caching,
        "disable_log_stats": True,
    }
    if section.revision:
        given["revision"] = section.revision
    for argument in settings.arguments:
        name, separator, value = argument.removeprefix("--").partition("=")
        if not argument.startswith("--") or not name:
            raise InputError(f"[models] arguments: {argument!r} is no option: write --name or --name=value")
        key = name.replace("-", "_")
        if separator:
            given[key] = _value(value)
        else:
            given[key.removeprefix("no_")] = not key.startswith("no_")
    return given


def _value(text: str) -> Any:
    try:
        return _JSON.validate_json(text)
    except ValidationError:
        return text


def _sent(source: str, revision: str | None, chat: bool, template: str | None, row: dict[str, Any]) -> dict[str, Any]:
    given = _Given.model_validate_json(row["given"])
    tokenizer = _tokenizer(source, revision)
    if chat:
        text = tokenizer.apply_chat_template(
            given.messages, tokenize=False, add_generation_prompt=True, chat_template=template
        )
    else:
        text = given.messages[0]["content"]
    tokens = tokenizer(text, add_special_tokens=not chat)["input_ids"]
    return {"tokenized_prompt": tokens, "sampling_params": given.sampling}


@lru_cache(maxsize=1)
def _tokenizer(source: str, revision: str | None) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(source, revision=revision)


def _received(row: dict[str, Any]) -> dict[str, Any]:
    came = _Came(
        text=row["generated_text"],
        prompt_tokens=row["num_input_tokens"],
        tokens=row["num_generated_tokens"],
        seconds=row["time_taken_llm"],
        version=_version(),
    )
    return {"place": row["place"], "came": came.model_dump_json()}


def _version() -> str:
    for name in importlib.metadata.packages_distributions().get("vllm", ["vllm"]):
        return f"{name} {importlib.metadata.version(name)}"
    return "vllm"
