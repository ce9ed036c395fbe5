"""Duplicates: which rows state one problem, which of them survives, who disagreed, and what the survivor inherits.

Two folded statements that are equal are one problem; so are statements that say the same in nearly the same words. An
index proposes near pairs (`proposals`), `verification` decides on each, `stars` builds clusters without chains. Numeric
variants are no duplicates: every number and sign counts. Every cluster keeps a survivor, except that a recipe may drop
clusters whose members give different answers.
"""

from curation.dedup.decision import CLUSTER_SCHEMA, PROVENANCE_SCHEMA
from curation.dedup.step import Deduplicate

__all__ = ["CLUSTER_SCHEMA", "PROVENANCE_SCHEMA", "Deduplicate"]
