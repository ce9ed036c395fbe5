"""The sections of a recipe about judging, the two stages, the export and where the work is done."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from curation.recipe.models import Sampler
from curation.recipe.section import Section, Share, check_window


class JudgeSection(Section):
    """Code problems: judged with the submissions that came with them."""

    min_tests: int = Field(default=1, ge=1)
    require_accepted: bool = Field(
        default=True, description="drop a problem whose submissions labelled correct all fail"
    )
    time_factor: float = Field(default=3.0, gt=0, description="limit = this times the stated CPU seconds, for Python")
    max_submissions: int = Field(default=8, ge=1)
    time_limit_s: float = Field(default=4.0, gt=0, description="where the problem states none")
    memory_limit_mb: int = Field(default=512, ge=16, description="where the problem states none")
    match_checkers: bool = Field(
        default=True, description="find the checker of a problem that names none, and test the one that it brings"
    )
    matching_submissions: int = Field(
        default=5, ge=0, description="how many submissions labelled correct show what right outputs look like"
    )
    without_isolation: bool = Field(
        default=False, description="run programs with the judge's own rights where the machine isolates none"
    )


class StageOneSection(Section):
    """Stage 1: above < mean message accuracy < below."""

    above: Share = 0.0
    math_below: Share = 9 / 24
    code_below: Share = 15 / 24
    messages_low: int = Field(default=16, ge=1)
    messages_high: int = Field(default=24, ge=1)
    marker: str = Field(default="</think>", description="a message is what follows its last occurrence")
    truncated: Literal["keep", "leave_out"] = Field(
        default="keep",
        description="whether a response cut at the token limit may be a message; the paper leaves it open",
    )

    @model_validator(mode="after")
    def _range_is_not_empty(self) -> StageOneSection:
        check_window(self.above, self.math_below, "above and math_below")
        check_window(self.above, self.code_below, "above and code_below")
        if self.messages_low > self.messages_high:
            raise ValueError("messages_low is larger than messages_high")
        return self


class StageTwoSection(Section):
    """Stage 2: 0 < synthesis accuracy < 1 of a stage-1 checkpoint."""

    model: str
    samples: int = Field(default=8, ge=1)
    sampler: Sampler = Sampler()
    code_sampler: Sampler | None = Field(default=None, description="for code problems; sampler where it is not given")
    prompt: str = "synthesis"
    feeds: Literal["pool", "stage1"] = Field(
        default="pool",
        description="which problems are tried; the released stage 2 is larger than stage 1, so the pool by default",
    )
    above: Share = 0.0
    below: Share = 1.0

    @model_validator(mode="after")
    def _window_is_not_empty(self) -> StageTwoSection:
        check_window(self.above, self.below, "above and below")
        return self


class PublishedCounts(Section):
    """What a paper reports for one group, to stand beside ours in the plan and the report."""

    before: int | None = Field(default=None, ge=0, description="problems before the accuracy filter")
    stage1: int | None = Field(default=None, ge=0)
    stage2: int | None = Field(default=None, ge=0)


class ClusterSection(Section):
    """A Ray cluster for what costs processor time, and for the engine `ray`; changes no result."""

    address: str = Field(
        default="auto", description="auto where this machine is a node of it, HOST:PORT of its head, or ray://HOST:PORT"
    )


class ExportSection(Section):
    """How the data set is named and described."""

    title: str = "A data set of problems with verifiable answers"
    licence: str = "other"
    kill_submissions: int = Field(
        default=0,
        ge=0,
        description="with 1 or more, the ground truth of code rows weighs their tests by which of so many submissions"
        " labelled incorrect each kills, and says what a trivial program earns",
    )
