"""A local stand-in of the Hugging Face Hub: repositories, LFS uploads, commits and downloads of data sets, in memory.

It answers the requests that `huggingface_hub` and `datasets` send to create a repository, upload, commit, list, stream
and download. Give its address as ``HF_ENDPOINT`` to a process of its own, because the client reads it at import:

    with HubServer() as hub:
        subprocess.run([...], env=hub.environment(cache_directory))

Faults are planned with `HubServer.fail` and answered in order, each the given number of times.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "hf_stand_in_token"  # noqa: S105
USER = "tester"
NEVER = 0
"""The status of a planned fault that never answers."""


@dataclass
class Repository:
    """A data set repository: its commits, oldest first, each a whole tree."""

    private: bool
    commits: list[tuple[str, dict[str, bytes]]] = field(default_factory=list)

    @property
    def head(self) -> str:
        """The identifier of the newest commit."""
        return self.commits[-1][0]

    def files(self, revision: str) -> tuple[str, dict[str, bytes]] | None:
        """Return the commit and its tree at ``main`` or at a commit identifier."""
        if revision in ("main", "refs/heads/main"):
            return self.commits[-1]
        return next((commit for commit in self.commits if commit[0] == revision), None)

    def commit(self, files: dict[str, bytes]) -> str:
        """Add a commit with this tree and return its identifier."""
        identifier = hashlib.sha1(f"{len(self.commits)}{sorted(files)}".encode()).hexdigest()  # noqa: S324
        self.commits.append((identifier, files))
        return identifier


@dataclass
class _Fault:
    method: str
    pattern: re.Pattern[str]
    status: int
    left: int
    headers: dict[str, str]


class HubServer:
    """The stand-in on a free port of this machine; use it as a context manager."""

    def __init__(self) -> None:
        self.repositories: dict[str, Repository] = {}
        self.objects: dict[str, bytes] = {}
        self.requests: list[tuple[str, str]] = []
        self.authorizations: set[str] = set()
        self.parents: list[str | None] = []
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self._faults: list[_Fault] = []
        self._damage: re.Pattern[str] | None = None
        handler = type("Handler", (_Handler,), {"hub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> HubServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def environment(self, home: Path, token: str | None = TOKEN) -> dict[str, str]:
        """Return the environment of a process that takes this server for the Hub and keeps its caches in ``home``."""
        mine = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
        mine |= {"HF_ENDPOINT": self.url, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1", "NO_PROXY": "127.0.0.1"}
        if token is not None:
            mine["HF_TOKEN"] = token
        return mine

    def fail(self, method: str, pattern: str, status: int, times: int = 1, **headers: str) -> None:
        """Answer the next ``times`` requests whose path matches with ``status``."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._faults.append(_Fault(method, re.compile(pattern), status, times, named))

    def damage(self, pattern: str) -> None:
        """Flip a byte in every download whose path matches."""
        self._damage = re.compile(pattern)

    def next_fault(self, method: str, path: str) -> _Fault | None:
        """Return the fault planned for this request, and count it."""
        with self.lock:
            for fault in self._faults:
                if fault.left and fault.method == method and fault.pattern.search(path):
                    fault.left -= 1
                    return fault
        return None

    def served(self, path: str, content: bytes) -> bytes:
        """Return what a download gets: the content, or the content with a flipped byte."""
        if self._damage is not None and self._damage.search(path) and content:
            return content[:-1] + bytes([content[-1] ^ 1])
        return content


_DATA_SET = r"(?P<name>[\w.-]+/[\w.-]+)"


class _Handler(BaseHTTPRequestHandler):
    hub: HubServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def do_GET(self) -> None:
        self._answer("GET")

    def do_HEAD(self) -> None:
        self._answer("HEAD")

    def do_POST(self) -> None:
        self._answer("POST")

    def do_PUT(self) -> None:
        self._answer("PUT")

    def _answer(self, method: str) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not body and self.headers.get("Transfer-Encoding") == "chunked":
            body = b"".join(self._chunks())
        path = unquote(urlsplit(self.path).path)
        with self.hub.lock:
            self.hub.requests.append((method, path))
        fault = self.hub.next_fault(method, path)
        if fault is not None and fault.status == NEVER:
            self.hub.closing.wait(30)
            self.close_connection = True
            return
        if fault is not None:
            self._send(fault.status, json.dumps({"error": "planned fault"}).encode(), fault.headers)
            return
        for wanted, pattern, name in _ROUTES:
            match = re.fullmatch(pattern, path)
            if match is not None and method in wanted:
                authorization = self.headers.get("Authorization")
                if method in ("POST", "GET") and "/lfs-store/" not in path and authorization is not None:
                    self.hub.authorizations.add(authorization)
                getattr(self, name)(body, **match.groupdict())
                return
        self._send(404, b'{"error": "the stand-in has no such address"}', {})

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline().strip() or b"0", 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _send(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _json(self, value: object, status: int = 200) -> None:
        self._send(status, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def _may_write(self) -> bool:
        if self.headers.get("Authorization") == f"Bearer {TOKEN}":
            return True
        self._json({"error": "Invalid credentials in Authorization header"}, 401)
        return False

    def _repository(self, name: str) -> Repository | None:
        repository = self.hub.repositories.get(name)
        hidden = repository is not None and repository.private
        if repository is None or (hidden and self.headers.get("Authorization") != f"Bearer {TOKEN}"):
            self._send(404, b'{"error": "Repository not found"}', {"X-Error-Code": "RepoNotFound"})
            return None
        return repository

    def _tree_of(self, name: str, revision: str) -> tuple[str, dict[str, bytes]] | None:
        repository = self._repository(name)
        if repository is None:
            return None
        commit = repository.files(revision)
        if commit is None:
            self._send(404, b'{"error": "Revision not found"}', {"X-Error-Code": "RevisionNotFound"})
        return commit

    def whoami(self, body: bytes) -> None:
        if self._may_write():
            self._json({"type": "user", "id": "1", "name": USER, "fullname": USER, "orgs": [], "auth": {}})

    def create(self, body: bytes) -> None:
        if not self._may_write():
            return
        asked: dict[str, Any] = json.loads(body)
        name = f"{asked.get('organization') or USER}/{asked['name']}"
        with self.hub.lock:
            there = name in self.hub.repositories
            if not there:
                repository = Repository(private=asked.get("visibility") == "private")
                repository.commit({".gitattributes": b"*.parquet filter=lfs\n"})
                self.hub.repositories[name] = repository
        answer = {"url": f"{self.hub.url}/datasets/{name}", "name": name, "id": name}
        self._json(answer | ({"error": "You already created this repo"} if there else {}), 409 if there else 200)

    def validate(self, body: bytes) -> None:
        self._json({"errors": [], "warnings": []})

    def preupload(self, body: bytes, name: str, revision: str) -> None:
        files = [
            {
                "path": file["path"],
                "uploadMode": "lfs" if file["path"].endswith((".parquet", ".arrow")) else "regular",
                "shouldIgnore": False,
            }
            for file in json.loads(body)["files"]
        ]
        if self._may_write():
            self._json({"files": files})

    def lfs_batch(self, body: bytes, name: str) -> None:
        if not self._may_write():
            return
        objects = []
        for wanted in json.loads(body)["objects"]:
            answer: dict[str, object] = {"oid": wanted["oid"], "size": wanted["size"]}
            if wanted["oid"] not in self.hub.objects:
                answer["actions"] = {
                    "upload": {"href": f"{self.hub.url}/lfs-store/{wanted['oid']}"},
                    "verify": {"href": f"{self.hub.url}/lfs-verify"},
                }
            objects.append(answer)
        self._json({"transfer": "basic", "objects": objects})

    def lfs_put(self, body: bytes, oid: str) -> None:
        if hashlib.sha256(body).hexdigest() != oid:
            self._json({"error": "the bytes have another hash"}, 422)
            return
        self.hub.objects[oid] = body
        self._send(200, b"", {})

    def lfs_verify(self, body: bytes) -> None:
        self._json({}, 200 if json.loads(body)["oid"] in self.hub.objects else 404)

    def commit(self, body: bytes, name: str, revision: str) -> None:
        repository = self._repository(name) if self._may_write() else None
        if repository is None:
            return
        lines = [json.loads(line) for line in body.splitlines() if line]
        with self.hub.lock:
            parent = lines[0]["value"].get("parentCommit")
            self.hub.parents.append(parent)
            if parent is not None and parent != repository.head:
                self._json({"error": "A commit has happened since. Please refresh and try again."}, 412)
                return
            files = dict(repository.commits[-1][1])
            for line in lines[1:]:
                value = line["value"]
                if line["key"] == "file":
                    files[value["path"]] = base64.b64decode(value["content"])
                elif line["key"] == "lfsFile":
                    files[value["path"]] = self.hub.objects[value["oid"]]
                elif line["key"] == "deletedFile":
                    del files[value["path"]]
            identifier = repository.commit(files)
        self._json({"commitUrl": f"{self.hub.url}/datasets/{name}/commit/{identifier}", "commitOid": identifier})

    def info(self, body: bytes, name: str, revision: str | None = None) -> None:
        found = self._tree_of(name, revision or "main")
        if found is None:
            return
        identifier, files = found
        self._json(
            {
                "id": name,
                "_id": name,
                "sha": identifier,
                "private": self.hub.repositories[name].private,
                "tags": [],
                "downloads": 0,
                "likes": 0,
                "siblings": [{"rfilename": path} for path in sorted(files)],
            }
        )

    def tree(self, body: bytes, name: str, revision: str, path: str | None = None) -> None:
        found = self._tree_of(name, revision)
        if found is None:
            return
        recursive = parse_qs(urlsplit(self.path).query).get("recursive", ["false"])[0].lower() in ("true", "1")
        start = f"{path.strip('/')}/" if path and path.strip("/") else ""
        entries: dict[str, dict[str, object]] = {}
        for file, content in sorted(found[1].items()):
            if not file.startswith(start):
                continue
            parts = file[len(start) :].split("/")
            for depth in range(1, len(parts)):
                folder = start + "/".join(parts[:depth])
                if recursive or depth == 1:
                    entries[folder] = {"type": "directory", "path": folder, "oid": "0" * 40, "size": 0}
            if recursive or len(parts) == 1:
                entries[file] = self._entry(file, content)
        if not entries and start:
            self._send(404, b'{"error": "Entry not found"}', {"X-Error-Code": "EntryNotFound"})
            return
        self._json(list(entries.values()))

    def paths_info(self, body: bytes, name: str, revision: str) -> None:
        found = self._tree_of(name, revision)
        if found is None:
            return
        if self.headers.get("Content-Type", "").startswith("application/json"):
            wanted = json.loads(body)["paths"]
        else:
            wanted = parse_qs(body.decode()).get("paths", [])
        entries: list[dict[str, object]] = []
        for path in [wanted] if isinstance(wanted, str) else wanted:
            if path in found[1]:
                entries.append(self._entry(path, found[1][path]))
            elif any(file.startswith(f"{path}/") for file in found[1]):
                entries.append({"type": "directory", "path": path, "oid": "0" * 40, "size": 0})
        self._json(entries)

    def _entry(self, path: str, content: bytes) -> dict[str, object]:
        entry: dict[str, object] = {"type": "file", "path": path, "size": len(content), "oid": _blob_id(content)}
        if path.endswith((".parquet", ".arrow")):
            digest = hashlib.sha256(content).hexdigest()
            entry["lfs"] = {"oid": digest, "sha256": digest, "size": len(content), "pointerSize": 130}
        return entry

    def refs(self, body: bytes, name: str) -> None:
        repository = self._repository(name)
        if repository is not None:
            branch = {"name": "main", "ref": "refs/heads/main", "targetCommit": repository.head}
            self._json({"branches": [branch], "tags": [], "converts": []})

    def commits(self, body: bytes, name: str, revision: str) -> None:
        repository = self._repository(name)
        if repository is not None:
            self._json(
                [
                    {"id": identifier, "title": "", "message": "", "authors": [], "date": "2026-01-01T00:00:00.000Z"}
                    for identifier, _ in reversed(repository.commits)
                ]
            )

    def resolve(self, body: bytes, name: str, revision: str, path: str) -> None:
        found = self._tree_of(name, revision)
        if found is None:
            return
        identifier, files = found
        if path not in files:
            headers = {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": identifier}
            self._send(404, b'{"error": "Entry not found"}', headers)
            return
        content = self.hub.served(path, files[path])
        headers = {"X-Repo-Commit": identifier, "ETag": f'"{_blob_id(content)}"', "Accept-Ranges": "bytes"}
        headers["Content-Type"] = "application/octet-stream"
        span = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if span is None:
            self._send(200, content, headers)
            return
        first, last = int(span[1]), min(int(span[2] or len(content)), len(content) - 1)
        headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
        self._send(206, content[first : last + 1], headers)


def _blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # noqa: S324


_ROUTES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("GET",), r"/api/whoami-v2", "whoami"),
    (("POST",), r"/api/repos/create", "create"),
    (("POST",), r"/api/validate-yaml", "validate"),
    (("POST",), rf"/api/datasets/{_DATA_SET}/preupload/(?P<revision>[^/]+)", "preupload"),
    (("POST",), rf"/datasets/{_DATA_SET}\.git/info/lfs/objects/batch", "lfs_batch"),
    (("PUT",), r"/lfs-store/(?P<oid>[0-9a-f]{64})", "lfs_put"),
    (("POST",), r"/lfs-verify", "lfs_verify"),
    (("POST",), rf"/api/datasets/{_DATA_SET}/commit/(?P<revision>[^/]+)", "commit"),
    (("GET",), rf"/api/datasets/{_DATA_SET}", "info"),
    (("GET",), rf"/api/datasets/{_DATA_SET}/revision/(?P<revision>.+)", "info"),
    (("GET",), rf"/api/datasets/{_DATA_SET}/tree/(?P<revision>[^/]+)(?P<path>/.*)?", "tree"),
    (("POST",), rf"/api/datasets/{_DATA_SET}/paths-info/(?P<revision>[^/]+)", "paths_info"),
    (("GET",), rf"/api/datasets/{_DATA_SET}/refs", "refs"),
    (("GET",), rf"/api/datasets/{_DATA_SET}/commits/(?P<revision>[^/]+)", "commits"),
    (("GET", "HEAD"), rf"/datasets/{_DATA_SET}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "resolve"),
)
