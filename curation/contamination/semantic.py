"""Sentence embeddings propose items that a text may state in other words; the evidence of signatures decides.

Any model that Sentence Transformers loads will do: a name on the Hub, a folder, or the name of an installed package
that carries one in its folder ``model``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from curation.errors import InputError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

DEFAULT = "default"
"""The name that means `DEFAULT_MODEL`."""
DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"

_PROPOSED = 5
_RIVALS = 10
_ONE_PROBLEM = 0.85
_LEAST_SIMILARITY = 0.5
_NATS_FOR_SIMILARITY = 12.0
_LEAST_LEAD = 0.05
_NATS_FOR_LEAD = 20.0
_MOST_NATS = 5.0
_BATCH = 32
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which model embedded the texts.

    Attributes:
        name: as the user gave it.
        revision: the Hub's commit, where it was fetched from there.
        sha256: of the weights, where they lie in a folder.
    """

    name: str
    revision: str | None
    sha256: str | None


class Similarity(NamedTuple):
    """How near an item is to a text by embeddings.

    Attributes:
        cosine: of the two embeddings.
        lead: by how much the nearest item, or one that is as good as the same, is nearer than any other; 0 for others.
    """

    cosine: float
    lead: float


NOT_NEAR = Similarity(0.0, 0.0)


class SemanticIndex:
    """Embeddings of benchmark items; finds those nearest to a text."""

    def __init__(self, texts: Sequence[str], model: str) -> None:
        """Load a model and embed the items.

        Raises:
            InputError: the extra is not installed, or the model cannot be loaded.
        """
        self._model, self.identity = _load(model)
        self._items = self._embed(texts)

    def similar(self, texts: Sequence[str]) -> list[dict[int, Similarity]]:
        """Return for each text the items nearest to it, a handful at most."""
        if not texts or not len(self._items):
            return [{} for _ in texts]
        cosines = self._embed(texts) @ self._items.T
        nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :_RIVALS]
        return [self._of_one(own[chosen], chosen) for own, chosen in zip(cosines, nearest, strict=True)]

    def _of_one(self, cosines: np.ndarray, nearest: np.ndarray) -> dict[int, Similarity]:
        # Benchmarks repeat each other's problems: those are no rivals of the first.
        like_first = self._items[nearest] @ self._items[nearest[0]] >= _ONE_PROBLEM
        rivals = cosines[~like_first]
        lead = float(cosines[0] - rivals[0]) if rivals.size else 0.0
        return {
            int(number): Similarity(float(cosine), lead if like else 0.0)
            for number, cosine, like in zip(nearest[:_PROPOSED], cosines, like_first, strict=False)
            if cosine > _LEAST_SIMILARITY
        }

    def _embed(self, texts: Sequence[str]) -> np.ndarray:
        if not texts:
            return np.zeros((0, 1), dtype=np.float32)
        return np.asarray(
            self._model.encode(list(texts), batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False)
        )


def closeness_evidence(similarity: Similarity) -> float:
    """Return what it says for two texts stating one problem, in nats as in `likeness`; never against it.

    Texts of one topic are near each other, but rarely so much nearer to one item than to all others as a text is to
    the item that it rewords.
    """
    near = _NATS_FOR_SIMILARITY * (similarity.cosine - _LEAST_SIMILARITY)
    if near <= 0:
        return 0.0
    leading = _NATS_FOR_LEAD * (similarity.lead - _LEAST_LEAD)
    return min(_MOST_NATS, near) + min(_MOST_NATS, max(0.0, leading))


def closeness(similar: Mapping[int, Similarity]) -> dict[int, float]:
    """Return the evidence of a text's nearest items."""
    return {number: closeness_evidence(similarity) for number, similarity in similar.items()}


def weights_of(name: str) -> str | None:
    """Return the sha256 of a model's weights where they lie in a folder or package; None for a model on the Hub."""
    place = _folder(DEFAULT_MODEL if name == DEFAULT else name)
    return None if place is None else _weights_sha256(place)


def _load(name: str) -> tuple[SentenceTransformer, ModelIdentity]:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise InputError("--semantic needs the extra semantic: pip install 'curation[semantic]'") from None
    name = DEFAULT_MODEL if name == DEFAULT else name
    place = _folder(name)
    try:
        model = SentenceTransformer(name if place is None else str(place), trust_remote_code=False)
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n")[0]
        raise InputError(
            f"--semantic: the model {name!r} cannot be loaded ({reason}): give a name or a folder"
        ) from None
    revision = model.model_card_data.base_model_revision if place is None else None
    return model, ModelIdentity(name, revision, None if place is None else _weights_sha256(place))


def _folder(name: str) -> Path | None:
    """Return the folder of a model: the name itself, or that of an installed package; None for a name on the Hub."""
    if Path(name).is_dir():
        return Path(name)
    if os.sep in name or not name.isidentifier():
        return None
    found = importlib.util.find_spec(name)
    folder = Path(found.origin).parent / "model" if found is not None and found.origin else None
    return folder if folder is not None and folder.is_dir() else None


def _weights_sha256(folder: Path) -> str | None:
    files = sorted({path for pattern in _WEIGHTS for path in folder.rglob(pattern)})
    if not files:
        return None
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
