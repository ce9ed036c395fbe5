"""The embedded default engine: llama.cpp in a child process, started with the first request and stopped at the end.

xllamacpp carries llama.cpp's server in a wheel, so that nothing needs a compiler. Run as a program, this module is that
child: it prints the address it listens on and serves until its standard input closes, which happens when the parent is
gone, however it went.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import select
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx

from curation import processes
from curation.errors import InputError, OutsideError
from curation.llm.engine import ModelIdentity
from curation.llm.own_server import OwnServer, OwnServerEngine
from curation.progress import Reporter
from curation.recipe import ModelSection

NAME = "llama.cpp"
_START_LIMIT_S = 180.0
_POLL_S = 0.05


class LlamaEngine(OwnServerEngine):
    """llama.cpp with a GGUF file."""

    def __init__(
        self, section: ModelSection, identity: ModelIdentity, find_model: Callable[[], Path], reporter: Reporter
    ) -> None:
        """Take the model section, the identity for the keys, and what finds the GGUF file once it is needed."""

        @contextmanager
        def start() -> Iterator[OwnServer]:
            model = find_model()
            reporter.note(f"starting llama.cpp with {model.name}")
            with serve(section, model) as address:
                yield OwnServer(f"{address}/v1")

        super().__init__(section, identity, start, NAME)


@contextmanager
def serve(section: ModelSection, model: Path) -> Iterator[str]:
    """Start the server and give its address once it answers; stop it on leaving.

    Call it from a thread that outlives the server.

    Raises:
        InputError: the extra that brings llama.cpp is not installed.
        OutsideError: the server did not come up; the message holds its last line.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        raise InputError("engine llama.cpp needs xllamacpp: pip install 'curation[demo]', or choose http or replay")
    command = [sys.executable, "-m", "curation.llm.llama_server", "--model", os.fspath(model)]
    command += ["--slots", str(section.concurrency), "--context", str(section.context_tokens)]
    command += ["--threads", str(section.threads or _spare_threads())]
    with tempfile.TemporaryFile() as log:
        read_end, write_end = os.pipe()
        # The child's standard input: it reads the end of the file when this process is gone.
        alive_read, alive_write = os.pipe()
        with os.fdopen(read_end, "rb") as address_pipe, os.fdopen(alive_write, "wb"):
            with os.fdopen(write_end, "wb") as out, os.fdopen(alive_read, "rb") as alive:
                process = processes.start(command, stdin=alive, stdout=out, stderr=log)
            try:
                address = _read_address(address_pipe, log)
                _wait_until_healthy(address, log)
                yield address
            finally:
                processes.kill_group(process)


def _spare_threads() -> int:
    # llama.cpp's threads wait for each other by spinning. One thread more than there are free processors slows it down
    # tenfold and more; one less costs half.
    return max(1, (os.cpu_count() or 1) - 1)


def _read_address(pipe: IO[bytes], log: IO[bytes]) -> str:
    ready, _, _ = select.select([pipe], [], [], _START_LIMIT_S)
    address = pipe.readline().decode().strip() if ready else ""
    if not address.startswith("http://"):
        raise _did_not_start(log)
    return address


def _wait_until_healthy(address: str, log: IO[bytes]) -> None:
    deadline = time.monotonic() + _START_LIMIT_S
    with httpx.Client(trust_env=False, timeout=_START_LIMIT_S) as client:
        while time.monotonic() < deadline:
            try:
                if client.get(f"{address}/health").status_code == httpx.codes.OK:
                    return
            except httpx.TransportError:
                break
            time.sleep(_POLL_S)
    raise _did_not_start(log)


def _did_not_start(log: IO[bytes]) -> OutsideError:
    log.seek(0)
    lines = log.read().decode(errors="replace").strip().splitlines()
    said = lines[-1] if lines else "it said nothing"
    return OutsideError(f"llama.cpp did not start ({said}): check the model file and the free memory")


def _main() -> None:
    import xllamacpp

    parser = argparse.ArgumentParser()
    for option in ("--slots", "--context", "--threads"):
        parser.add_argument(option, type=int, required=True)
    parser.add_argument("--model", required=True)
    options = parser.parse_args()
    parameters = xllamacpp.CommonParams()
    parameters.model.path = options.model
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    # Warnings and errors only: its log of every request would fill the disk in a long run.
    parameters.verbosity = 2
    parameters.n_parallel = options.slots
    parameters.n_ctx = options.slots * options.context
    parameters.cpuparams.n_threads = options.threads
    # The sampler's fields say all there is to say about sampling: llama.cpp's own cuts are switched off.
    parameters.sampling.top_k = 0
    parameters.sampling.min_p = 0.0
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    # The server's threads have nothing to save, and waiting for them may take as long as a generation.
    os._exit(0)


if __name__ == "__main__":
    _main()
