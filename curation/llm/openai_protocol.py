"""What OpenAI-compatible servers are told and say: a request's payload, the choices of a whole or streamed answer.

Both endpoints and both ways of answering come out as one `Reply`. Where several choices are asked for at once,
``usage`` cannot tell how long each is (llama.cpp counts one of them, vLLM all), so their log probabilities are asked
for as well and counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pydantic import BaseModel, ConfigDict, ValidationError

from curation.errors import InputError
from curation.json_reader import JsonNumber, JsonTextError, JsonValue, dumps, loads
from curation.llm.engine import Request, as_json
from curation.recipe import ModelSection

LARGEST_ANSWER = 64 << 20
_COUNT = re.compile(r"\d{1,9}")
_EVENT_FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")
_ABORTED = frozenset({"abort", "error"})
"""Finish reasons by which vLLM and SGLang say that they gave the request up."""


class UnreadableError(Exception):
    """The server's answer is no completion; the message says why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One finished choice.

    Attributes:
        tokens: how many it has; None where nobody can tell.
        logprobs: as `records.Response` keeps them.
    """

    text: str
    reasoning: str | None
    finish_reason: str
    tokens: int | None
    logprobs: str | None


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer: its choices by index, and what the server says of itself."""

    choices: dict[int, Choice]
    prompt_tokens: int | None
    versions: dict[str, str]


def path(section: ModelSection) -> str:
    """Return the endpoint's path below the base address."""
    return "chat/completions" if section.endpoint == "chat" else "completions"


def payload(section: ModelSection, requests: Sequence[Request]) -> dict[str, object]:
    """Return the body of one call that asks for a choice for each of the requests, which differ in sample index alone.

    Raises:
        InputError: a conversation is to be sent to the completion endpoint.
    """
    request, sampler, count = requests[0], requests[0].sampler, len(requests)
    asked: dict[str, object] = {
        "model": section.model,
        "temperature": sampler.temperature,
        "top_p": sampler.top_p,
        "max_tokens": sampler.max_tokens,
        "seed": request.seed,
    }
    # llama.cpp gives no log probability at all where those of no other token are asked for.
    others = max(1, section.logprobs or 0) if section.logprobs is not None or count > 1 else None
    if section.endpoint == "chat":
        asked["messages"] = as_json(request.messages)
        if others is not None:
            asked |= {"logprobs": True, "top_logprobs": others}
    else:
        if len(request.messages) != 1:
            raise InputError(
                f"endpoint completion takes one text and the prompt has {len(request.messages)} messages: choose chat"
            )
        asked["prompt"] = request.messages[0].content
        if others is not None:
            asked["logprobs"] = others
    if sampler.stop:
        asked["stop"] = list(sampler.stop)
    if request.schema is not None:
        shape = {"name": "response", "strict": True, "schema": loads(request.schema)}
        asked["response_format"] = {"type": "json_schema", "json_schema": shape}
    if count > 1:
        asked["n"] = count
    if section.stream:
        asked |= {"stream": True, "stream_options": {"include_usage": True}}
    return asked


class _Words(BaseModel):
    model_config = ConfigDict(strict=True)

    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(BaseModel):
    model_config = ConfigDict(strict=True)

    index: object = None
    message: _Words | None = None
    delta: _Words | None = None
    text: str | None = None
    finish_reason: str | None = None
    logprobs: object = None


class _Event(BaseModel):
    choices: list[_Choice] = []
    usage: object = None
    model: object = None
    system_fingerprint: object = None
    error: object = None


@dataclass(slots=True)
class _Growing:
    """A choice while its pieces arrive."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    finish_reason: str | None = None
    logprobs: list[JsonValue] = field(default_factory=list)


class AnswerReader:
    """Takes in an answer's bytes as they arrive, whole or as server-sent events, whatever the headers call it."""

    def __init__(self, logprobs_wanted: bool) -> None:
        """Take whether log probabilities are kept, beside being counted."""
        self._logprobs_wanted = logprobs_wanted
        self._buffer = bytearray()
        self._size = 0
        self._streamed: bool | None = None
        self._growing: dict[int, _Growing] = {}
        self._usage: object = None
        self._versions: dict[str, str] = {}

    def feed(self, data: bytes) -> int:
        """Take in some bytes; return how many pieces of text they brought.

        Raises:
            UnreadableError: they are no completion, or tell of an error.
        """
        self._size += len(data)
        if self._size > LARGEST_ANSWER:
            raise UnreadableError(f"the answer is longer than {LARGEST_ANSWER >> 20} MiB")
        self._buffer += data
        if self._streamed is None and (start := bytes(self._buffer[:8]).lstrip()):
            self._streamed = start.startswith(_EVENT_FIELDS)
        if not self._streamed or b"\n" not in data:
            return 0
        *lines, rest = bytes(self._buffer).split(b"\n")
        self._buffer = bytearray(rest)
        return sum(self._line(line) for line in lines)

    def finish(self) -> Reply:
        """Return the reply once all bytes are in.

        Raises:
            UnreadableError: it is no completion, is cut off, or the server gave it up.
        """
        rest = bytes(self._buffer)
        if self._streamed:
            self._line(rest)
        elif not rest.strip():
            raise UnreadableError("the answer is empty")
        else:
            self._event(rest)
        if not self._growing:
            raise UnreadableError("the answer is no completion: choices: there are none")
        return Reply(
            {index: self._finished(growing) for index, growing in sorted(self._growing.items())},
            self._count("prompt_tokens"),
            self._versions,
        )

    def _line(self, line: bytes) -> int:
        if not line.startswith(b"data:"):
            return 0
        data = line[5:].strip()
        return 0 if data in (b"", b"[DONE]") else self._event(data)

    def _event(self, data: bytes) -> int:
        event = _parsed(data)
        if event.error is not None:
            raise UnreadableError(f"the server says {dumps(event.error)[:160]}")
        self._usage = event.usage or self._usage
        for name, value in (("served_model", event.model), ("server", event.system_fingerprint)):
            if isinstance(value, str) and value:
                # Where the file lies on the server is nobody's business.
                self._versions[name] = PurePosixPath(value).name if value.startswith("/") else value
        return sum(self._piece(choice) for choice in event.choices)

    def _piece(self, choice: _Choice) -> int:
        index = int(choice.index) if isinstance(choice.index, JsonNumber) and _COUNT.fullmatch(choice.index) else 0
        growing = self._growing.setdefault(index, _Growing())
        words = choice.delta or choice.message or _Words()
        text = words.content or choice.text or ""
        reasoning = words.reasoning_content or words.reasoning or ""
        growing.text.append(text)
        growing.reasoning.append(reasoning)
        growing.finish_reason = choice.finish_reason or growing.finish_reason
        growing.logprobs += _logprobs(choice.logprobs)
        return bool(text or reasoning)

    def _finished(self, growing: _Growing) -> Choice:
        if growing.finish_reason is None:
            raise UnreadableError("the answer is cut off: a choice has no finish_reason")
        if growing.finish_reason in _ABORTED:
            raise UnreadableError(f"the server gave up: finish_reason {growing.finish_reason}")
        counted = len(growing.logprobs) or None
        return Choice(
            text="".join(growing.text),
            reasoning="".join(growing.reasoning) or None,
            finish_reason=growing.finish_reason,
            tokens=counted if len(self._growing) > 1 else self._count("completion_tokens") or counted,
            logprobs=dumps(growing.logprobs) if self._logprobs_wanted and growing.logprobs else None,
        )

    def _count(self, name: str) -> int | None:
        count = self._usage.get(name) if isinstance(self._usage, dict) else None
        return int(count) if isinstance(count, JsonNumber) and _COUNT.fullmatch(count) else None


def _parsed(data: bytes) -> _Event:
    try:
        return _Event.model_validate(loads(data.decode()))
    except (UnicodeDecodeError, JsonTextError) as error:
        raise UnreadableError(f"the answer is no JSON: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the answer"
        raise UnreadableError(f"the answer is no completion: {where}: {first['msg']}") from None


def _logprobs(value: object) -> list[JsonValue]:
    """Return ``[token, logprob, {other: logprob}]`` for each token, from the forms of both endpoints."""
    if not isinstance(value, dict):
        return []
    content = value.get("content")
    if isinstance(content, list):
        tokens = [entry for entry in content if isinstance(entry, dict)]
        return [[entry.get("token"), entry.get("logprob"), _others(entry.get("top_logprobs"))] for entry in tokens]
    names, numbers, others = (value.get(name) for name in ("tokens", "token_logprobs", "top_logprobs"))
    if not isinstance(names, list):
        return []
    numbers = numbers if isinstance(numbers, list) else []
    others = others if isinstance(others, list) else []
    return [
        [name, numbers[place] if place < len(numbers) else None, others[place] if place < len(others) else {}]
        for place, name in enumerate(names)
    ]


def _others(value: JsonValue) -> JsonValue:
    entries = value if isinstance(value, list) else []
    return {str(entry.get("token")): entry.get("logprob") for entry in entries if isinstance(entry, dict)}
