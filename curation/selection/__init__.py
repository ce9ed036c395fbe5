"""Message sets, stage 1 and stage 2: which problems go into which training set, and with which messages."""

from curation.selection.stage_one import StageOne
from curation.selection.stage_two import StageTwo

__all__ = ["StageOne", "StageTwo"]
