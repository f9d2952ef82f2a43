"""A line to a server that can be cut, held or slowed: a proxy on the loopback in front of a socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Line:
    """Forwards connections. `cut_after` bytes towards the server everything is cut, once; `held` passes nothing on."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.cut_after: int | None = None
        self.cut_back_after: int | None = None
        """Bytes of answers after which everything is cut, once: what was asked was done, and nobody is told."""
        self.free = threading.Event()
        self.free.set()
        self._ends: list[socket.socket] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        self.free.clear()

    def cut(self) -> None:
        """End every connection, as a network that goes away."""
        with self._lock:
            ends, self._ends = self._ends, []
        for one in ends:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def close(self) -> None:
        self.free.set()
        with suppress(OSError):  # wakes who waits for a caller, where the system does not by closing alone
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.socket(socket.AF_UNIX)
                try:
                    far.connect(self._target)
                except OSError:
                    near.close()
                    continue
                with self._lock:
                    self._ends += [near, far]
                threading.Thread(target=self._pass, args=(near, far, "cut_after"), daemon=True).start()
                threading.Thread(target=self._pass, args=(far, near, "cut_back_after"), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, limit: str) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                self.free.wait()
                left = getattr(self, limit)
                if left is not None:
                    setattr(self, limit, left - len(data))
                    if left <= len(data):
                        setattr(self, limit, None)
                        target.sendall(data[:left] if limit == "cut_after" else b"")
                        break
                target.sendall(data)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


@contextmanager
def line_to(folder: str) -> Iterator[Line]:
    """A line to the server whose socket is in a folder."""
    line = Line(f"{folder}/.s.PGSQL.5432")
    try:
        yield line
    finally:
        line.close()
