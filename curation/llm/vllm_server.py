"""The engine on vLLM: its own OpenAI server as a child process, with the settings of ``[models.NAME.vllm]``.

A process of its own because vLLM's server, and not its Python interface, is what has the chat templates, the reasoning
parsers and the parallelism of all its models under flags that stay, and because an engine that dies takes nothing
along. Tokens stream, so that `curation.llm.stalls` sees an engine that hangs while its health check is fine.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx

from curation import processes
from curation.errors import InputError, OutsideError
from curation.recipe import ModelSection

NAME = "vllm"
_POLL_S = 0.5
_HEALTH_S = 5.0
_END_OF_THE_LOG = 4096


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


def command(section: ModelSection, directory: Path, port: int) -> list[str]:
    """Return the command that starts the server.

    Args:
        section: the model section.
        directory: where paths in it begin.
        port: to listen on, on this machine alone.
    """
    settings = section.vllm
    options: dict[str, object] = {
        "model": model_source(section, directory),
        "served-model-name": section.model,
        "host": "127.0.0.1",
        "port": port,
        "max-model-len": section.context_tokens,
        "max-num-seqs": section.concurrency,
        "tensor-parallel-size": settings.tensor_parallel,
        "data-parallel-size": settings.data_parallel,
        "gpu-memory-utilization": settings.memory_share,
        "revision": section.revision or None,
        "reasoning-parser": settings.reasoning_parser,
        "chat-template": None if settings.chat_template is None else directory / settings.chat_template,
    }
    given = [f"--{name}={value}" for name, value in options.items() if value is not None]
    given.append("--enable-prefix-caching" if settings.prefix_caching else "--no-enable-prefix-caching")
    return [sys.executable, "-m", "vllm.entrypoints.openai.api_server", *given, *settings.arguments]


@contextmanager
def serve(section: ModelSection, directory: Path) -> Iterator[str]:
    """Start the server and give its base address with ``/v1`` once the model is loaded; stop it on leaving.

    Call it from a thread that outlives the server.

    Raises:
        InputError: vLLM is not installed.
        OutsideError: the server ended, or did not come up in time; the message holds its last line.
    """
    check()
    with tempfile.TemporaryFile() as log:
        port = _free_port()
        process = processes.start(command(section, directory, port), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            # vLLM's own children hold the GPUs.
            with processes.group_ends_with_us(process):
                _wait_until_healthy(process, port, section.vllm.start_s, log)
                yield f"http://127.0.0.1:{port}/v1"
        finally:
            processes.kill_group(process)


def model_source(section: ModelSection, directory: Path) -> str:
    """Return what vLLM loads: a directory below ``directory``, or a name of the Hub's."""
    local = directory / Path(section.model).expanduser()
    return os.fspath(local) if local.is_dir() else section.model.removeprefix("hub://")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_until_healthy(process: subprocess.Popen[bytes], port: int, start_s: float, log: IO[bytes]) -> None:
    deadline = time.monotonic() + start_s
    with httpx.Client(trust_env=False, timeout=_HEALTH_S) as client:
        while process.poll() is None and time.monotonic() < deadline:
            try:
                if client.get(f"http://127.0.0.1:{port}/health").status_code == httpx.codes.OK:
                    return
            except httpx.TransportError:
                pass
            time.sleep(_POLL_S)
    what = f"was not ready after {start_s:g} s" if process.poll() is None else f"ended with {process.returncode}"
    raise OutsideError(f"vLLM {what} ({_last_line(log)}): check the model, the memory and [models.NAME.vllm]")


def _last_line(log: IO[bytes]) -> str:
    size = log.seek(0, os.SEEK_END)
    log.seek(max(0, size - _END_OF_THE_LOG))
    lines = [line for line in log.read().decode(errors="replace").splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing"
