"""Clusters without chains."""

from __future__ import annotations

from curation.dedup.proposals import banding
from curation.dedup.signatures import sign
from curation.dedup.stars import Node, cluster
from curation.dedup.verification import verify
from curation.dedup.wording import folded_wording

FIRST = (
    "Amina has 12 baskets with 7 pears in each. She gives 9 apples to the old miller, bakes 3 cakes with 5 plums each, "
    "and carries the crates home from the market beside the river. How many fruits does Amina have left?"
)
SECOND = FIRST.replace("miller", "farmer").replace("market", "harbour").replace("crates", "sacks")
THIRD = SECOND.replace("home", "uphill").replace("river", "castle")


def like(one: str, other: str) -> bool:
    words = (folded_wording("math", one), folded_wording("math", other))
    return verify(*words, 0.9, same_answer=lambda: True) is not None


def clustered(*statements: str, answers: tuple[str, ...] = ("60",)) -> list[int]:
    bands = sign([("math", statement) for statement in statements], banding(0.9)).bands
    nodes = [
        Node("math", statement, answers, tuple(row.tolist())) for statement, row in zip(statements, bands, strict=True)
    ]
    return cluster(nodes, 0.9)


def test_the_ends_of_a_chain_stay_apart() -> None:
    assert like(FIRST, SECOND)
    assert like(SECOND, THIRD)
    assert not like(FIRST, THIRD)
    assert clustered(FIRST, SECOND, THIRD) == [0, 0, 2]
    # Whichever comes first starts the cluster.
    assert clustered(SECOND, FIRST, THIRD) == [0, 0, 2]
    assert clustered(SECOND, THIRD, FIRST) == [0, 0, 2]


def test_rows_that_disagree_about_one_wording_vouch_for_no_other_wording() -> None:
    assert clustered(FIRST, SECOND, answers=("60",)) == [0, 0]
    assert clustered(FIRST, SECOND, answers=("60", "61")) == [0, 1]
    assert clustered(FIRST, SECOND, answers=()) == [0, 1]


def test_no_nodes_no_clusters() -> None:
    assert cluster([], 0.9) == []
