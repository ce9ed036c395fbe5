"""A real HTTP server with the OpenAI interface whose faults follow a script."""

from __future__ import annotations

import json
import re
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


def events(payload: dict[str, Any], text: str, texts: int) -> list[bytes]:
    """Return a completion as the events of a stream: a piece for each word of each choice, then the usage."""
    chat = "messages" in payload
    sent = [b": keep-alive\n\n"]
    for index in range(texts):
        for word in re.findall(r"\s*\S+|\s+$", f"{text} {index}" if texts > 1 else text) or [text]:
            piece: dict[str, object] = {"delta": {"content": word}} if chat else {"text": word}
            if payload.get("logprobs"):
                content = [{"token": word, "logprob": -0.25, "top_logprobs": [{"token": "x", "logprob": -2}]}]
                piece["logprobs"] = {"content": content}
            sent.append(_event({"choices": [{"index": index, **piece, "finish_reason": None}]}))
        last: dict[str, object] = {"delta": {}} if chat else {"text": ""}
        sent.append(_event({"choices": [{"index": index, **last, "finish_reason": "stop"}]}))
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    told = {"choices": [], "usage": usage, "model": "served-model", "system_fingerprint": "build-7"}
    return [*sent, _event(told), b"data: [DONE]\n\n"]


def _event(document: dict[str, object]) -> bytes:
    return f"data: {json.dumps(document)}\n\n".encode()


@dataclass
class ScriptedServer:
    """What the server was asked and what it says.

    Attributes:
        faults: given out one a request before anything else; ``None`` closes the connection without a word.
        write: the text for a request's payload, streamed where that is asked for; bytes are sent as the whole body.
        delay_s: how long it thinks.
        capacity: more requests at once than these get HTTP 429.
        retry_after: what those are told.
        stall_after: so many events of a stream are sent, then nothing until the server is stopped.
        tear_after: so many events of a stream are sent, then the connection is closed.
        choices: it gives at most so many to a request.
    """

    faults: list[Fault | None] = field(default_factory=list)
    write: Callable[[dict[str, Any]], str | bytes] = lambda payload: f"seed {payload['seed']}"
    delay_s: float = 0.0
    capacity: int | None = None
    retry_after: str = "0.01"
    stall_after: Callable[[dict[str, Any]], int | None] = lambda _: None
    tear_after: Callable[[dict[str, Any]], int | None] = lambda _: None
    choices: int = 128
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
    stopped = threading.Event()
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
                if server.capacity is not None and len(now) > server.capacity:
                    fault = (429, {"Retry-After": server.retry_after}, b"too many")
            if fault is False or fault is None:
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
            if isinstance(written, str) and payload.get("stream"):
                self.stream(payload, written)
            else:
                self.respond(200, {}, written if isinstance(written, bytes) else completion(written))
            with lock:
                prompt = payload["messages"][0]["content"] if "messages" in payload else payload["prompt"]
                server.answered[(prompt, payload["seed"])] += 1

        def stream(self, payload: dict[str, Any], text: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            for number, event in enumerate(events(payload, text, min(payload.get("n", 1), server.choices))):
                if number == server.tear_after(payload):
                    return
                if number == server.stall_after(payload):
                    stopped.wait()
                    return
                self.wfile.write(event)

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
        stopped.set()
        http.shutdown()
        http.server_close()
