"""vLLM in this process: its engine client and its own OpenAI application, which is called without a socket.

The application is what has the chat templates, the reasoning parsers, the structured answers and the formats of all of
vLLM's models, under the names of its command line. The model itself runs in vLLM's own children, one for each copy and
each GPU, so an engine that dies takes nothing along. vLLM does not end them when this process is killed:
`curation.end_guard` does.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import importlib.util
import io
import logging
import os
import re
import sys
import tempfile
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, redirect_stderr
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

from curation import end_guard, processes
from curation.errors import InputError, OutsideError
from curation.llm.application_transport import ApplicationTransport
from curation.llm.own_server import OwnServer
from curation.recipe import ModelSection

NAME = "vllm"
_ADDRESS = "http://vllm.in-this-process/v1"
_TOKENS_AT_ONCE = 16
"""A stream's pieces: each costs this process a fraction of a millisecond, and a stall is seen by any."""

_ENVIRONMENT = {
    # A process that is split off would keep our locks and threads.
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",
    # Its standard output is ours.
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",
    # vLLM counts its uses for its makers, unless told otherwise.
    "VLLM_NO_USAGE_STATS": "1",
}
_END_OF_THE_LOG = 1 << 16
_RAISED = re.compile(r"(?:^|\s)((?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Interrupt): .*)$")


def check() -> None:
    """Say what is missing.

    Raises:
        InputError: vLLM is not installed.
    """
    if importlib.util.find_spec("vllm") is None:
        raise InputError(
            "engine vllm needs vLLM and a GPU: pip install 'curation[vllm]', or choose engine http and give the url of "
            "a server that runs the model"
        )


def options(section: ModelSection, directory: Path) -> list[str]:
    """Return a section's settings as vLLM's command line has them.

    Args:
        section: the model section.
        directory: where paths in it begin.
    """
    settings = section.vllm
    values: dict[str, object] = {
        "model": model_source(section, directory),
        "served-model-name": section.model,
        "max-model-len": section.context_tokens,
        "max-num-seqs": section.concurrency,
        "tensor-parallel-size": settings.tensor_parallel,
        "data-parallel-size": settings.data_parallel,
        "gpu-memory-utilization": settings.memory_share,
        "revision": section.revision or None,
        "reasoning-parser": settings.reasoning_parser,
        "chat-template": None if settings.chat_template is None else directory / settings.chat_template,
        "stream-interval": _TOKENS_AT_ONCE,
    }
    given = [f"--{name}={value}" for name, value in values.items() if value is not None]
    given.append("--enable-prefix-caching" if settings.prefix_caching else "--no-enable-prefix-caching")
    return [*given, "--disable-log-stats", *settings.arguments]


@contextmanager
def serve(section: ModelSection, directory: Path) -> Iterator[OwnServer]:
    """Load the model and give the application that answers for it; end vLLM's processes on leaving.

    Raises:
        InputError: vLLM is not installed, or has no such option.
        OutsideError: the model was not loaded, or not in time; the message holds what vLLM said last.
    """
    check()
    os.environ.update({name: value for name, value in _ENVIRONMENT.items() if name not in os.environ})
    os.environ["VLLM_ENGINE_READY_TIMEOUT_S"] = str(max(1, round(section.vllm.start_s)))
    with tempfile.TemporaryFile() as log, processes.writers_end_with_us(log), _event_loop() as loop:
        served = _Served()
        try:
            with _said_into(log):
                arguments = _parsed(options(section, directory))
                starting = asyncio.run_coroutine_threadsafe(served.start(arguments), loop)
                try:
                    error = starting.exception()
                except BaseException:
                    # Loading takes minutes, and its loop hears of nothing before it ends.
                    end_guard.kill_writers(log.fileno())
                    raise
            if error is not None:
                raise OutsideError(
                    f"vLLM did not start ({_reason(error, log)}): check the model, the memory and [models.NAME.vllm]"
                )
            logging.getLogger("vllm").setLevel(logging.CRITICAL)
            transport = ApplicationTransport(served.application, loop, lambda: served.obituary(log))
            yield OwnServer(_ADDRESS, transport, {"vllm": _version()})
        finally:
            asyncio.run_coroutine_threadsafe(served.resources.aclose(), loop).result()


def model_source(section: ModelSection, directory: Path) -> str:
    """Return what vLLM loads: a directory below ``directory``, or a name of the Hub's."""
    local = directory / Path(section.model).expanduser()
    return os.fspath(local) if local.is_dir() else section.model.removeprefix("hub://")


class _Served:
    """vLLM's engine client and application, which live in one event loop."""

    def __init__(self) -> None:
        self.resources = AsyncExitStack()
        self.application: Any = None
        self._client: Any = None

    async def start(self, arguments: Namespace) -> None:
        from vllm.entrypoints.launchers.api_server.app_state import init_app_state
        from vllm.entrypoints.launchers.api_server.entry import build_async_engine_client
        from vllm.entrypoints.launchers.app import build_app

        self._client = await self.resources.enter_async_context(build_async_engine_client(arguments))
        tasks = await self._client.get_supported_tasks()
        self.application = build_app(arguments, tasks, self._client.model_config)
        await init_app_state(self._client, self.application.state, arguments, tasks)
        # What the application tells to stop once its engine is dead.
        self.application.state.server = SimpleNamespace(should_exit=False)

    def obituary(self, log: IO[bytes]) -> str | None:
        """Return why the engine is dead; None as long as it lives."""
        return f"its engine died: {_last_error(log) or 'it said nothing'}" if self._client.errored else None


def _parsed(given: list[str]) -> Namespace:
    from vllm.entrypoints.launchers.cli_args import make_arg_parser, validate_parsed_serve_args
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    said = io.StringIO()
    try:
        with redirect_stderr(said):
            arguments: Namespace = make_arg_parser(FlexibleArgumentParser(prog=NAME)).parse_args(given)
        validate_parsed_serve_args(arguments)
    except SystemExit:
        raise InputError(f"[models.NAME.vllm] {said.getvalue().strip().splitlines()[-1]}: mend the recipe") from None
    except ValueError as error:
        raise InputError(f"[models.NAME.vllm] {error}: mend the recipe") from None
    return arguments


@contextmanager
def _said_into(log: IO[bytes]) -> Iterator[None]:
    """Within the block, let standard output and error go into a file: those who begin there keep it."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = {descriptor: os.dup(descriptor) for descriptor in (1, 2)}
    try:
        for descriptor in kept:
            os.dup2(log.fileno(), descriptor)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for descriptor, copy in kept.items():
            os.dup2(copy, descriptor)
            os.close(copy)


@contextmanager
def _event_loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name=NAME, daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _reason(error: BaseException, log: IO[bytes]) -> str:
    # Of an error in one of its children the client says only that there was one.
    return _last_error(log) or f"{type(error).__name__}: {error}"


def _last_error(log: IO[bytes]) -> str | None:
    # Read without moving the place at which the others write.
    size = os.fstat(log.fileno()).st_size
    end = os.pread(log.fileno(), _END_OF_THE_LOG, max(0, size - _END_OF_THE_LOG)).decode(errors="replace")
    found = [match[1] for line in end.splitlines() if (match := _RAISED.search(line))]
    told = [error for error in found if "See root cause above" not in error]
    return told[-1].strip()[:300] if told else None


def _version() -> str:
    names = importlib.metadata.packages_distributions().get("vllm", ["vllm"])
    try:
        return f"{names[0]} {importlib.metadata.version(names[0])}"
    except importlib.metadata.PackageNotFoundError:
        return "vllm"
