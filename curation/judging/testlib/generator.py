"""testlib generators: a command line in, an input out; equal command lines give equal inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curation.judging.compilation import Prepared
from curation.judging.output_checker import CHECKER_LIMITS, MESSAGE_BYTES
from curation.judging.sandbox import RunLimits, Sandbox

_LIMITS = RunLimits(
    cpu_s=CHECKER_LIMITS.cpu_s,
    wall_s=CHECKER_LIMITS.wall_s,
    memory_mb=CHECKER_LIMITS.memory_mb,
    output_mb=256,
    disk_mb=CHECKER_LIMITS.disk_mb,
    file_mb=CHECKER_LIMITS.file_mb,
)


@dataclass(frozen=True, slots=True)
class Generated:
    """What a generator wrote: the input, or None and why there is none."""

    content: bytes | None
    message: str


def generate(sandbox: Sandbox, program: Prepared, arguments: Sequence[str], limits: RunLimits = _LIMITS) -> Generated:
    """Run a generator.

    Args:
        sandbox: where it runs.
        program: the compiled generator.
        arguments: its command line, which is also the seed of its random numbers.
        limits: what it may use.

    Raises:
        OutsideError: no sandbox can be started.
    """
    command = [part.format(memory_mb=limits.memory_mb) for part in program.command]
    execution = sandbox.run([*command, *arguments], limits, files=program.files)
    if execution.failure is not None:
        return Generated(None, f"the generator could not be run: {execution.failure}")
    if execution.stopped is not None:
        return Generated(None, f"the generator passed its {execution.stopped} limit")
    if execution.exit_code != 0:
        message = execution.error[-MESSAGE_BYTES:].decode(errors="replace").strip()
        return Generated(None, f"the generator ended with {execution.exit_code}: {message}")
    return Generated(execution.output, "")
