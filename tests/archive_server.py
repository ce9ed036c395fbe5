"""A local web server that stands for a contest archive: pages, robots.txt, ranges, marks of content, and faults."""

from __future__ import annotations

import hashlib
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType


@dataclass(frozen=True)
class Fault:
    """What one request for a path gets instead of its content.

    Attributes:
        status: with these headers and no content; 0 for content that is cut off.
        headers: of the answer.
        sent: how many bytes of the content are sent before the connection ends.
        waits: whether the connection stays open without a word until `ArchiveServer.release`.
    """

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    sent: int = 0
    waits: bool = False


@dataclass(frozen=True)
class Asked:
    """One request that came."""

    path: str
    headers: dict[str, str]


class ArchiveServer:
    """Serves ``files`` by path until the block ends; each request is noted in ``asked``."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.faults: dict[str, list[Fault]] = {}
        self.asked: list[Asked] = []
        self.ranges = True
        self.stuck = threading.Event()
        self.release = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def host(self) -> str:
        """Address and port."""
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The address without a path."""
        return f"http://{self.host}"

    def paths(self) -> list[str]:
        """Return what was asked for, without robots.txt."""
        return [one.path for one in self.asked if one.path != "/robots.txt"]

    def __enter__(self) -> ArchiveServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(archive) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                archive.asked.append(Asked(self.path, {name.lower(): value for name, value in self.headers.items()}))
                content = archive.files.get(self.path)
                fault = archive.faults[self.path].pop(0) if archive.faults.get(self.path) else None
                if fault is not None and fault.status:
                    self._answer(fault.status, b"", fault.headers)
                elif content is None:
                    self._answer(404, b"nothing here", {})
                else:
                    self._send(content, fault)

            def _send(self, content: bytes, fault: Fault | None) -> None:
                etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
                if self.headers.get("If-None-Match") == etag:
                    self._answer(304, b"", {"ETag": etag})
                    return
                status, headers, part = 200, {"ETag": etag}, content
                wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
                if wanted and archive.ranges and self.headers.get("If-Range") == etag:
                    start = int(wanted[1])
                    part, status = content[start:], 206
                    headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
                self._answer(status, part, headers, fault)

            def _answer(self, status: int, content: bytes, headers: dict[str, str], fault: Fault | None = None) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 304:
                    self.send_header("Content-Length", str(len(content)))
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(content if fault is None else content[: fault.sent])
                self.wfile.flush()
                if fault is not None and fault.waits:
                    archive.stuck.set()
                    archive.release.wait()

            def log_message(self, *words: object) -> None:
                pass

        return Handler
