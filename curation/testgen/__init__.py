"""New tests for a problem: inputs from an inferred grammar, answers that accepted programs agree on, kills."""

from __future__ import annotations

from curation.testgen.grow import grow
from curation.testgen.grown import Grown, Options

__all__ = ["Grown", "Options", "grow"]
