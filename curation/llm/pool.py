"""The response pool: every finished response, stored at once, keyed by everything that could change it.

POOL/responses/part-000001.parquet   `RESPONSE_SCHEMA`; appended, never changed; no key twice; see `curation.llm.parts`
POOL/verdicts/, POOL/problems/       what `curation.llm.verdicts` and `curation.llm.pool_problems` keep
POOL/journals/                       what a running writer has not folded into a part yet; empty otherwise; for a pool
                                     in an object store on the writer's machine, see `curation.llm.places`

``polars.read_parquet("POOL/responses/*.parquet")`` reads a pool without this program. Truncated responses are stored,
failures are not: they are asked for again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeVar

import polars as pl

from curation import storage
from curation.errors import InputError, OutsideError
from curation.llm import journal, parts, places
from curation.llm.engine import ModelIdentity, Request
from curation.llm.places import PoolPath
from curation.records import RESPONSE_SCHEMA, Response, to_frame

RESPONSES = "responses"
IMPORTED = "import"
"""The engine of responses that came with an imported log."""

JOURNALS = "journals"
_T = TypeVar("_T")
_ORDER = ("problem_id", "purpose", "sample_index", "response_id")
_ROWS_AT_ONCE = 256
_ROW_GROUPS_KEPT = 2
_GROUPS_A_PART = 1 << 16

JOURNAL_BYTES = 64 << 20
"""A journal that has grown to this size becomes a part, so that folding it takes bounded memory."""

JOURNAL_S = 300.0
"""In an object store a journal of this age becomes a part, so that other machines see what was answered."""


@contextmanager
def open_pool(directory: PoolPath) -> Iterator[Pool]:
    """Open a pool, taking in what killed writers left; on leaving, everything added is in Parquet parts.

    Raises:
        InputError: a part is damaged.
    """
    pool = Pool(directory)
    try:
        yield pool
    finally:
        pool.fold()


class Pool:
    """An open pool. Holds the keys of all responses in memory (about 150 bytes each), their texts on disk."""

    def __init__(self, directory: PoolPath, journal_bytes: int = JOURNAL_BYTES, journal_s: float = JOURNAL_S) -> None:
        """Open the pool in ``directory``, which comes into being with the first response; see `open_pool`.

        Args:
            directory: the pool.
            journal_bytes: a journal of this size becomes a part.
            journal_s: a journal of this age becomes a part where others see nothing but parts, not in a directory.
        """
        self.directory = directory
        self._journals = places.home(directory) / JOURNALS
        self._journal_bytes = journal_bytes
        self._journal_s = math.inf if isinstance(directory, Path) else journal_s
        self._since = 0.0
        self._journal: journal.Journal | None = None
        self._pending: set[bytes] = set()
        self._parts: list[PoolPath] = []
        self._places: dict[bytes, int] = {}
        self._row_groups: dict[tuple[int, tuple[str, ...]], pl.DataFrame] = {}
        self._refresh()
        self._mend()

    def __len__(self) -> int:
        """Return the number of responses."""
        return len(self._places) + len(self._pending)

    def __contains__(self, response_id: str) -> bool:
        """Tell whether the response is stored."""
        key = bytes.fromhex(response_id)
        return key in self._places or key in self._pending

    def add(self, response: Response) -> None:
        """Store a finished response; one whose key is there already is left out.

        Raises:
            ValueError: the response is a failure.
            OutsideError: the disk is full or may not be written.
        """
        if response.failure is not None:
            raise ValueError("a failure is no response and cannot be stored")
        if response.response_id in self:
            return
        try:
            if self._journal is None:
                with places.locked(self.directory):
                    self._journal = journal.Journal(self._journals)
                self._since = time.monotonic()
            self._journal.append(response)
        except OSError as error:
            raise OutsideError(
                f"{self._journals.parent} cannot be written ({error.strerror}): make room and rerun, what was stored "
                "stays"
            ) from None
        self._pending.add(bytes.fromhex(response.response_id))
        if self._journal.size >= self._journal_bytes or time.monotonic() - self._since >= self._journal_s:
            self.fold()

    def fold(self) -> None:
        """Turn this writer's journal into a part."""
        if self._journal is None:
            return
        with places.locked(self.directory):
            self._take_in(self._journal.path)
        self._journal.close()
        self._journal = None
        self._pending.clear()

    def row_groups_of(self, response_ids: Sequence[str]) -> list[int]:
        """Return a number for the row group that holds each response; -1 for one that is in no part.

        Who reads responses in the order of these numbers reads every row group once.
        """
        return [self._places.get(bytes.fromhex(response_id), -1) for response_id in response_ids]

    def read(self, response_ids: Sequence[str], without: Sequence[str] = ()) -> dict[str, Response]:
        """Return those of the responses that are in parts, by identifier; `fold` turns what was added into a part.

        Args:
            response_ids: which; best in the order of `row_groups_of`.
            without: columns of `records.RESPONSE_SCHEMA` that may be null and are not read; they are None.
        """
        return self._in_spite_of_compaction(lambda: self._read(response_ids, tuple(without)))

    def _read(self, response_ids: Sequence[str], without: tuple[str, ...]) -> dict[str, Response]:
        wanted: dict[int, list[str]] = {}
        for response_id in response_ids:
            place = self._places.get(bytes.fromhex(response_id))
            if place is not None:
                wanted.setdefault(place, []).append(response_id)
        found: dict[str, Response] = {}
        for place, ids in wanted.items():
            rows = self._row_group(place, without).filter(pl.col("response_id").is_in(ids))
            found.update((row["response_id"], Response(**row)) for row in rows.iter_rows(named=True))
        return found

    def answers(self, requests: Sequence[Request], identity: ModelIdentity) -> list[Response | None]:
        """Return the stored response to each request, None where there is none."""
        keys = [request.key(identity) for request in requests]
        found = self.read(keys)
        return [found.get(key) for key in keys]

    def keys(self) -> pl.DataFrame:
        """Return the columns that tell responses apart, without their texts, by problem, purpose and sample index.

        Columns: problem_id, purpose, sample_index, response_id, model, model_revision, sampler, finish_reason,
        prompt_tokens, completion_tokens, engine. What was added since the last `fold` is not among them.
        """
        columns = [*_ORDER, "model", "model_revision", "sampler"]
        columns += ["finish_reason", "prompt_tokens", "completion_tokens", "engine"]
        schema = pl.Schema({name: RESPONSE_SCHEMA[name] for name in columns})

        def read() -> list[pl.DataFrame]:
            return [parts.columns(path, schema) for path in self._parts]

        found = pl.concat([pl.DataFrame(schema=schema), *self._in_spite_of_compaction(read)])
        return found.unique("response_id", keep="first", maintain_order=True).sort(_ORDER)

    def statements(self) -> pl.DataFrame:
        """Return the questions of the imported responses: response_id, statement."""
        columns = ["response_id", "statement"]
        schema = pl.Schema({name: RESPONSE_SCHEMA[name] for name in columns})
        stated = pl.col("statement").is_not_null()

        def read() -> list[pl.DataFrame]:
            return [parts.columns(path, schema).filter(stated) for path in self._parts]

        found = pl.concat([pl.DataFrame(schema=schema), *self._in_spite_of_compaction(read)])
        return found.unique("response_id", keep="first", maintain_order=True)

    def iterate(self) -> Iterator[Response]:
        """Yield all responses that are in parts by problem, purpose and sample index, holding a few hundred at once."""
        ids = self.keys()["response_id"]
        for start in range(0, len(ids), _ROWS_AT_ONCE):
            batch = ids.slice(start, _ROWS_AT_ONCE).to_list()
            found = self.read(batch)
            yield from (found[response_id] for response_id in batch)

    def _in_spite_of_compaction(self, read: Callable[[], _T]) -> _T:
        try:
            return read()
        except (InputError, OSError):
            if all(parts.is_there(path) for path in self._parts):
                raise
        self._refresh()
        return read()

    def _mend(self) -> None:
        """Take in the journals of killed writers of this machine, and delete what they and compactions left."""
        here = places.home(self.directory)
        superseded = parts.superseded(self.directory / RESPONSES)
        if superseded or any(self._journals.glob("*")) or any(here.rglob(f"{storage.TEMPORARY_MARK}*")):
            with places.locked(self.directory):
                for path in superseded:
                    places.remove(path)
                # Parts are written under the lock only, so whatever is half written is a dead writer's.
                storage.remove_leftovers(here)
                for path in journal.dead(self._journals):
                    self._take_in(path)

    def _refresh(self) -> None:
        now = parts.paths(self.directory / RESPONSES)
        if now[: len(self._parts)] != self._parts:
            # Parts were put together: their row groups are counted anew.
            self._parts, self._places, self._row_groups = [], {}, {}
        for path in now[len(self._parts) :]:
            for group, ids in enumerate(parts.text_column(path, "response_id")):
                for response_id in ids:
                    self._places.setdefault(bytes.fromhex(response_id), len(self._parts) * _GROUPS_A_PART + group)
            self._parts.append(path)

    def _take_in(self, path: Path) -> None:
        # Another writer may have stored the same key since; the first one stays.
        self._refresh()
        new: dict[str, Response] = {}
        for response in journal.read(path):
            if bytes.fromhex(response.response_id) not in self._places:
                new.setdefault(response.response_id, response)
        if new:
            frame = to_frame(list(new.values()), RESPONSE_SCHEMA).sort(_ORDER)
            parts.append(self.directory / RESPONSES, frame, RESPONSE_SCHEMA)
            self._refresh()
        path.unlink()

    def _row_group(self, place: int, without: tuple[str, ...]) -> pl.DataFrame:
        if (place, without) not in self._row_groups:
            while len(self._row_groups) >= _ROW_GROUPS_KEPT:
                del self._row_groups[next(iter(self._row_groups))]
            part, group = divmod(place, _GROUPS_A_PART)
            self._row_groups[place, without] = parts.row_group(
                self._parts[part], group, RESPONSE_SCHEMA, without=without
            )
        return self._row_groups[place, without]


def check_pool(directory: PoolPath) -> None:
    """Refuse what holds no responses and was not begun as a pool either.

    Raises:
        InputError: it is no pool.
        OutsideError: the file system cannot be reached.
    """
    if not places.exists(directory / RESPONSES) and not (places.home(directory) / JOURNALS).is_dir():
        raise InputError(
            f"{directory} is no response pool: give RUN/pool of a run, or fill one with `curation sample` or "
            "`curation pool import`"
        )


def stats(directory: PoolPath, by: Literal["model", "problem"] = "model") -> pl.DataFrame:
    """Count a pool's responses.

    Raises:
        InputError: there is no pool, or a part is damaged.

    Returns:
        one row for each model, revision and purpose (and problem, if asked for): responses, problems, how many ended
        by themselves, were cut at the token limit or ended otherwise, and their tokens.
    """
    check_pool(directory)
    with open_pool(directory) as pool:
        keys = pool.keys()
    groups = ["model", "model_revision", "purpose", *(["problem_id"] if by == "problem" else [])]
    reason = pl.col("finish_reason")
    return (
        keys.group_by(groups)
        .agg(
            pl.len().alias("responses"),
            pl.col("problem_id").n_unique().alias("problems"),
            (reason == "stop").sum().alias("stop"),
            (reason == "length").sum().alias("length"),
            (~reason.is_in(["stop", "length"])).sum().alias("other"),
            pl.col("prompt_tokens").cast(pl.Int64).sum(),
            pl.col("completion_tokens").cast(pl.Int64).sum(),
        )
        .sort(groups)
    )
