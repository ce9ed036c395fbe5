"""A proxy that closes every connection to a server after so many bytes of what the server sends."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

_PIECE = 1 << 16


@contextlib.contextmanager
def cutting(server: str, after: int) -> Iterator[str]:
    """Give the address of a proxy to ``http://HOST:PORT`` that lets through ``after`` bytes a connection."""
    host, _, port = server.removeprefix("http://").partition(":")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        accepting = threading.Thread(target=_accept, args=(listener, (host, int(port)), after), daemon=True)
        accepting.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        # Closing a socket ends no call that waits for a connection.
        listener.shutdown(socket.SHUT_RDWR)
        accepting.join()


def _accept(listener: socket.socket, server: tuple[str, int], after: int) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        away = socket.create_connection(server)
        threading.Thread(target=_pass_on, args=(client, away, None), daemon=True).start()
        threading.Thread(target=_pass_on, args=(away, client, after), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket, left: int | None) -> None:
    with contextlib.suppress(OSError), source, target:
        while data := source.recv(_PIECE):
            target.sendall(data[:left])
            left = None if left is None else left - len(data)
            if left is not None and left <= 0:
                break
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
