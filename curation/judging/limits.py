"""What a submission may use: from what a problem states, its language, and the recipe."""

from __future__ import annotations

from dataclasses import dataclass

from curation.judging import languages
from curation.recipe import JudgeSection

_SANE_SECONDS = (0.1, 60.0)
_SANE_MEGABYTES = (4, 16_384)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a submission may use on one test.

    Attributes:
        cpu_s: CPU seconds.
        memory_mb: MiB.
        output_mb: MiB on standard output.
    """

    cpu_s: float
    memory_mb: int
    output_mb: int = 256

    @property
    def wall_s(self) -> float:
        """Seconds on the clock: enough for a busy machine, and an end for a program that sleeps."""
        return 3 * self.cpu_s + 10


def problem_limits(
    time_limit_s: float | None, memory_limit_mb: int | None, language: str, settings: JudgeSection
) -> Limits:
    """Return the limits of a submission to a problem.

    Args:
        time_limit_s: CPU seconds as the problem states them; None where it states none.
        memory_limit_mb: MiB as the problem states them; None where it states none.
        language: the submission's language; interpreted ones get ``time_factor`` times the seconds.
        settings: the recipe's section, for the factor and for what problems do not state.
    """
    seconds = settings.time_limit_s if time_limit_s is None else time_limit_s
    known = languages.find(language)
    factor = 1.0 if known is not None and known.family == "c" else settings.time_factor
    return Limits(cpu_s=seconds * factor, memory_mb=memory_limit_mb or settings.memory_limit_mb)


def not_sane(time_limit_s: float | None, memory_limit_mb: int | None) -> str | None:
    """Say what is wrong with the limits that a problem states; None where nothing is, or where it states none."""
    low, high = _SANE_SECONDS
    if time_limit_s is not None and not low <= time_limit_s <= high:
        return f"a time limit of {time_limit_s:g} s is not between {low:g} and {high:g}"
    least, most = _SANE_MEGABYTES
    if memory_limit_mb is not None and not least <= memory_limit_mb <= most:
        return f"a memory limit of {memory_limit_mb} MiB is not between {least} and {most}"
    return None
