"""Pushes a data set to the Hugging Face Hub in one commit, then reads it back and compares.

One commit holds everything, with its parent named, so that two pushes never mix and no rate of commits is exceeded. The
card declares the features, and files of an older push that this one does not hold are deleted in the same commit: a
config never loads yesterday's shards.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import httpx2
import pyarrow.parquet as pq
import tenacity
from datasets.exceptions import DatasetsError
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, get_session, get_token
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]  # exported lazily

from curation import storage
from curation.errors import InputError, OutsideError
from curation.export.folder import CARD, Folder, Outgoing, open_folder, resolve, write_preview
from curation.progress import Reporter, tracked

Result = TypeVar("Result")

_TRANSIENT = frozenset({408, 409, 412, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how patiently a request is tried again.

    Attributes:
        attempts: tries at most.
        first_wait_s: seconds before the second try; doubled for each further one.
        longest_wait_s: seconds waited at most.
        silence_s: seconds without a byte after which a try counts as failed.
    """

    attempts: int = 5
    first_wait_s: float = 2.0
    longest_wait_s: float = 60.0
    silence_s: float = 120.0


@dataclass(frozen=True)
class PushResult:
    """What a push did, or would do.

    Attributes:
        repository: the data set's id on the Hub.
        dry_run: nothing was sent.
        url: where the commit is; None in a dry run.
        commit: the commit's identifier; None in a dry run.
        card: the text of README.md as sent.
        files: the files sent, README.md last.
        rows: rows of each config.
        deleted: files of an older push that the commit takes away; empty in a dry run, which does not ask the Hub.
        written: where a dry run wrote the repository as it would stand; None after a push.
    """

    repository: str
    dry_run: bool
    url: str | None
    commit: str | None
    card: str
    files: tuple[Outgoing, ...]
    rows: dict[str, int]
    deleted: tuple[str, ...] = ()
    written: Path | None = None


def push(
    directory: Path, repository: str, private: bool, dry_run: bool, reporter: Reporter, retries: Retries | None = None
) -> PushResult:
    """Push a run's export, an export or a folder of Parquet files, and compare what the Hub then holds with it.

    The token is the Hub's own (``HF_TOKEN`` or ``hf auth login``); it is neither shown nor stored.

    Args:
        directory: what to push.
        repository: ``owner/name``, or ``name`` for the token's owner.
        private: make the repository private; an existing public one is refused.
        dry_run: send nothing; write the card and the files beside the folder, as they would stand on the Hub.
        reporter: where progress goes.
        retries: how often a refused request is tried again.

    Raises:
        InputError: the folder or the repository's name cannot be pushed.
        OutsideError: there is no token, the Hub refuses, or what it holds afterwards is not what was sent.
    """
    try:
        validate_repo_id(repository)
    except HFValidationError:
        raise InputError(f"{repository!r} is no name of a data set on the Hub: give OWNER/NAME") from None
    folder = open_folder(directory)
    files = (*folder.files, _card_file(folder))
    rows = _rows(folder)
    if dry_run:
        return PushResult(repository, True, None, None, folder.card, files, rows, written=write_preview(folder))
    token = get_token()
    if token is None:
        raise OutsideError("the Hub knows no user: run `hf auth login` or set HF_TOKEN to a token with write access")
    hub = _Hub(HfApi(token=token), repository, retries or Retries(), reporter)
    hub.create(private)
    commit, url, deleted = hub.commit(folder)
    hub.compare(folder, commit)
    return PushResult(hub.repository, False, url, commit, folder.card, files, rows, deleted)


def _card_file(folder: Folder) -> Outgoing:
    return Outgoing(CARD, len(folder.card.encode()), storage.sha256_text(folder.card), None)


def _rows(folder: Folder) -> dict[str, int]:
    by_path = {file.path: file.rows or 0 for file in folder.files}
    return {name: sum(by_path.get(path, 0) for path in config.paths) for name, config in folder.configs.items()}


class _Hub:
    """One repository on the Hub, with bounded retries and errors of one sentence."""

    def __init__(self, api: HfApi, repository: str, retries: Retries, reporter: Reporter) -> None:
        self._api = api
        self._retries = retries
        self._reporter = reporter
        self.repository = repository

    def create(self, private: bool) -> None:
        """Make the repository where there is none; refuse a public one where a private one is wanted."""

        def made() -> str:
            return self._api.create_repo(self.repository, repo_type="dataset", private=private, exist_ok=True).repo_id

        self.repository = self._try("create the repository", made)
        is_private = self._try("look at the repository", lambda: self._api.dataset_info(self.repository).private)
        if private and not is_private:
            raise OutsideError(
                f"{self.repository} is on the Hub already and public: make it private there, or push without --private"
            )

    def commit(self, folder: Folder) -> tuple[str, str, tuple[str, ...]]:
        """Send everything as one commit; return its identifier, its address and the old files it deletes."""
        additions = [
            CommitOperationAdd(path_in_repo=file.path, path_or_fileobj=folder.directory / file.path)
            for file in folder.files
        ]
        additions.append(CommitOperationAdd(path_in_repo=CARD, path_or_fileobj=folder.card.encode()))
        sent = {addition.path_in_repo for addition in additions}

        def attempt() -> tuple[str, str, tuple[str, ...]]:
            head = self._api.dataset_info(self.repository)
            there = {sibling.rfilename for sibling in head.siblings or ()}
            stale = tuple(sorted(path for path in there - sent if path.endswith(".parquet")))
            made = self._api.create_commit(
                self.repository,
                [*additions, *(CommitOperationDelete(path_in_repo=path) for path in stale)],
                commit_message=f"Upload {len(sent)} files",
                repo_type="dataset",
                parent_commit=head.sha,
            )
            return made.oid, made.commit_url, stale

        return self._try("commit", attempt)

    def compare(self, folder: Folder, commit: str) -> None:
        """Download every file of the commit and compare bytes, rows, columns and configs with the folder.

        Raises:
            OutsideError: something differs.
        """
        for file in tracked(folder.files, self._reporter, "compare with the Hub", len(folder.files), "files"):
            self._compare_file(file, commit)
        root = f"hf://datasets/{self.repository}@{commit}"
        seen = self._try("read the card back", lambda: resolve(self.repository, root, commit))
        for name in sorted(folder.configs.keys() | seen.keys()):
            if folder.configs.get(name) != seen.get(name):
                raise OutsideError(
                    f"{self.repository}: config {name!r} has other columns or files on the Hub than here: "
                    f"look at {CARD} of commit {commit[:12]} and push again"
                )

    def _compare_file(self, file: Outgoing, commit: str) -> None:
        with tempfile.TemporaryDirectory(prefix="curation-") as place:

            def download() -> str:
                return self._api.hf_hub_download(
                    self.repository, file.path, repo_type="dataset", revision=commit, local_dir=place
                )

            copy = Path(self._try(f"download {file.path}", download))
            same = storage.sha256_file(copy) == file.sha256
            if not same or (file.rows is not None and pq.read_metadata(copy).num_rows != file.rows):
                raise OutsideError(
                    f"{self.repository}: {file.path} came back with other bytes than were sent: push again, and delete "
                    f"commit {commit[:12]} if it stays so"
                )

    def _try(self, what: str, attempt: Callable[[], Result]) -> Result:
        def bounded() -> Result:
            # The Hub's client waits for ever by default, and is made anew after a lost connection.
            get_session().timeout = httpx2.Timeout(self._retries.silence_s)
            return attempt()

        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(self._retries.attempts),
            wait=self._wait,
            retry=tenacity.retry_if_exception(_is_transient),
            before_sleep=lambda state: self._reporter.note(
                f"  {what}: {_cause(state)}, try {state.attempt_number + 1} of {self._retries.attempts}"
            ),
            reraise=True,
        )
        try:
            return retrying(bounded)
        except OfflineModeIsEnabled:
            raise OutsideError("HF_HUB_OFFLINE is set: unset it to push, or use --dry-run") from None
        except (httpx2.HTTPError, DatasetsError, OSError) as error:
            raise OutsideError(f"{self.repository}: cannot {what}: {_explained(error)}") from None

    def _wait(self, state: tenacity.RetryCallState) -> float:
        doubled = self._retries.first_wait_s * 2.0 ** (state.attempt_number - 1)
        error = state.outcome.exception() if state.outcome else None
        asked = error.response.headers.get("Retry-After", "") if isinstance(error, HfHubHTTPError) else ""
        return min(self._retries.longest_wait_s, max(doubled, float(asked) if asked.isdecimal() else 0.0))


def _is_transient(error: BaseException) -> bool:
    if isinstance(error, HfHubHTTPError):
        return error.response.status_code in _TRANSIENT
    return isinstance(error, httpx2.TransportError)


def _cause(state: tenacity.RetryCallState) -> str:
    error = state.outcome.exception() if state.outcome else None
    return f"HTTP {error.response.status_code}" if isinstance(error, HfHubHTTPError) else type(error).__name__


def _explained(error: Exception) -> str:
    if not isinstance(error, HfHubHTTPError):
        return f"the Hub does not answer as it should ({type(error).__name__}): check the connection and HF_ENDPOINT"
    status = error.response.status_code
    sentences = {
        401: "the Hub does not accept the token (HTTP 401): run `hf auth login` again or set HF_TOKEN",
        403: "the token may not write there (HTTP 403): use one with write access to this repository",
        404: "there is no such repository, or the token may not see it (HTTP 404): check the name",
        409: "somebody else is writing there (HTTP 409): push again when they are done",
        412: "another commit came first each time, or the token may only open pull requests (HTTP 412): push again, or "
        "use a token with write access",
        429: "the Hub's rate limit is reached (HTTP 429): push again later, files already sent are not sent twice",
    }
    return sentences.get(status, f"the Hub answered HTTP {status}: push again later")
