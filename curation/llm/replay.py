"""The engine without a model: answers come from a pool that was filled before, or from imported logs.

A request whose key is in the pool gets that response. Otherwise, since nobody knows the prompt of an imported log, a
request to solve gets the imported responses to the same question, known by its folded statement, one for each sample
index. What the pool lacks is a failure, so it counts as unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice

import polars as pl

from curation.errors import InputError
from curation.json_reader import dumps
from curation.llm.engine import Answer, ModelIdentity, Request, failed, sampler_json
from curation.llm.places import PoolPath
from curation.llm.pool import IMPORTED, Pool, check_pool
from curation.records import Response
from curation.storage import sha256_text
from curation.text import fold

NAME = "replay"
_REQUESTS_AT_ONCE = 256


class StoredOnly:
    """A model that nobody asks: what the pool does not hold under its name is a failure."""

    failures_allowed = 1.0

    def __init__(self, identity: ModelIdentity) -> None:
        """Take whose responses the pool holds."""
        self.identity = identity

    def answer(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Fail every request."""
        for request in requests:
            yield Answer(request, failed(request, self.identity, NAME, "not in the pool"))


class ReplayEngine:
    """Answers from one pool, in the order of the requests."""

    def __init__(self, directory: PoolPath, label: str | None) -> None:
        """Take the pool's directory and the model whose responses count; None for all.

        Raises:
            InputError: there is no pool, or it holds no response of the model.
        """
        check_pool(directory)
        self._pool = Pool(directory)
        keys = self._pool.keys()
        self._keys = keys if label is None else keys.filter(pl.col("model") == label)
        if self._keys.is_empty():
            models = ", ".join(keys["model"].unique().sort().to_list()) or "none"
            wanted = "" if label is None else f" of model {label!r}"
            raise InputError(f"{directory} holds no response{wanted}: the models it knows are {models}")
        known = self._keys.select("model", "model_revision").unique().sort("model", "model_revision").rows()
        # Several models in one pool answer as one, which is known by all their names.
        self._identity = ModelIdentity(*known[0]) if len(known) == 1 else ModelIdentity(NAME, sha256_text(repr(known)))

    @property
    def identity(self) -> ModelIdentity:
        """The model that filled the pool; where there were several, a name for all of them."""
        return self._identity

    @property
    def failures_allowed(self) -> float:
        """No other try brings what a pool lacks, so that never stops a run."""
        return 1.0

    def answer(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Answer each request from the pool."""
        source = iter(requests)
        while batch := list(islice(source, _REQUESTS_AT_ONCE)):
            keys = [self._key(request) for request in batch]
            found = self._pool.read([key for key in keys if key is not None])
            for request, key in zip(batch, keys, strict=True):
                stored = found.get(key) if key is not None else None
                if stored is None:
                    yield Answer(request, failed(request, self._identity, NAME, "not in the pool"))
                else:
                    yield Answer(request, self._as_answer(request, stored))

    def _key(self, request: Request) -> str | None:
        """Return the key of the stored response that answers the request."""
        key = request.key(self._identity)
        if key in self._pool or request.statement is None:
            return key
        same_question = self._imported.get((request.purpose, fold(request.statement)), [])
        return same_question[request.sample_index] if request.sample_index < len(same_question) else None

    def _as_answer(self, request: Request, stored: Response) -> Response:
        return replace(
            stored,
            response_id=request.key(self._identity),
            problem_id=request.problem_id,
            purpose=request.purpose,
            prompt_sha256=request.prompt_sha256,
            model=self._identity.model,
            model_revision=self._identity.revision,
            sampler=sampler_json(request.sampler),
            sample_index=request.sample_index,
            engine=NAME,
            key_rest=dumps(rest) if (rest := request.key_rest(self._identity)) else None,
        )

    @cached_property
    def _imported(self) -> dict[tuple[str, str], list[str]]:
        """The imported responses by purpose and folded question, in the order of model and sample index."""
        imported = self._keys.filter(pl.col("engine") == IMPORTED).sort("model", "sample_index", "response_id")
        by_question: dict[tuple[str, str], list[str]] = {}
        statements = dict(self._pool.statements().iter_rows())
        folded = {statement: fold(statement) for statement in set(statements.values())}
        for response_id in imported["response_id"]:
            by_question.setdefault(("solve", folded[statements[response_id]]), []).append(response_id)
        return by_question
