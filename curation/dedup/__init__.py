"""Exact duplicates after folding: which rows state one problem, which of them survives, and who disagreed.

Numeric variants are no duplicates: a fold keeps every number. Every cluster keeps a survivor, except that a recipe may
drop clusters whose members give different answers.
"""

from curation.dedup.step import CLUSTER_SCHEMA, Deduplicate

__all__ = ["CLUSTER_SCHEMA", "Deduplicate"]
