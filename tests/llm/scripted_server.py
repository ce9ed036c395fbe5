"""A real HTTP server with the OpenAI interface whose faults follow a script."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fault = tuple[int, dict[str, str], bytes]
"""Status, headers and body of an answer that is no completion."""


def completion(text: str | None, finish_reason: str = "stop", **message: object) -> bytes:
    """Return the body of a completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish_reason}
    return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}).encode()


@dataclass
class ScriptedServer:
    """What the server was asked and what it says.

    Attributes:
        faults: given out one a request before anything else; ``None`` closes the connection without a word.
        write: the text for a request's payload; bytes are sent as the whole body.
        delay_s: how long it thinks.
    """

    faults: list[Fault | None] = field(default_factory=list)
    write: Callable[[dict[str, Any]], str | bytes] = lambda payload: f"seed {payload['seed']}"
    delay_s: float = 0.0
    url: str = ""
    payloads: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answered: Counter[tuple[str, int]] = field(default_factory=Counter)
    arrivals: list[float] = field(default_factory=list)
    most_at_once: int = 0


@contextmanager
def running(server: ScriptedServer) -> Iterator[ScriptedServer]:
    """Run the server on a free port and set its ``url``."""
    lock = threading.Lock()
    now: set[int] = set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                server.payloads.append({"path": self.path, **payload})
                server.headers.append(dict(self.headers))
                server.arrivals.append(time.monotonic())
                fault = server.faults.pop(0) if server.faults else False
                now.add(threading.get_ident())
                server.most_at_once = max(server.most_at_once, len(now))
            time.sleep(server.delay_s)
            with lock:
                now.discard(threading.get_ident())
            if fault is None:
                self.close_connection = True
                return
            if fault:
                self.respond(*fault)
                return
            written = server.write(payload)
            self.respond(200, {}, written if isinstance(written, bytes) else completion(written))
            with lock:
                server.answered[(payload["messages"][0]["content"], payload["seed"])] += 1

        def respond(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            if headers.get("Content-Length"):
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that hangs up is part of the script."""

    http = Quiet(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
