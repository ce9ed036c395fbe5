"""Message sets, stage 1 and stage 2: which problems go into which training set, and with which messages."""

from curation.selection.stage_one import StageOne

__all__ = ["StageOne"]
