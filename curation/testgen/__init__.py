"""New tests for a problem: inputs from an inferred grammar, answers that accepted programs agree on, kills."""

from __future__ import annotations

from curation.testgen.grow import Grown, Options, grow

__all__ = ["Grown", "Options", "grow"]
