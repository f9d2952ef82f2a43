"""A line to a server that can be cut, held or slowed, and that repeats what came: a proxy on the loopback in front of a socket."""

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
        self.delay_s = 0.0
        """How long each packet is on its way."""
        self.sent: list[bytearray] = []
        """What came for the server, over each connection; also while it is held."""
        self.free = threading.Event()
        self.free.set()
        self._closed = threading.Event()
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
        self._closed.set()
        self.free.set()
        with suppress(OSError):  # wakes who waits for a caller, where the system does not by closing alone
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.cut()

    @property
    def came(self) -> int:
        """How many bytes came for the server."""
        return sum(map(len, self.sent))

    def repeat(self) -> bytes:
        """Send what came over each connection again, over one of its own each, all at once; what the server answers."""
        heard: list[bytes] = []

        def again(data: bytes) -> None:
            with socket.socket(socket.AF_UNIX) as far:
                far.connect(self._target)
                sending = threading.Thread(target=self._send_all, args=(far, data))
                sending.start()
                with suppress(OSError):
                    while answer := far.recv(65_536):
                        heard.append(answer)
                sending.join()

        repeating = [threading.Thread(target=again, args=(bytes(one),)) for one in self.sent]
        for one in repeating:
            one.start()
        for one in repeating:
            one.join()
        return b"".join(heard)

    @staticmethod
    def _send_all(far: socket.socket, data: bytes) -> None:
        with suppress(OSError):
            far.sendall(data)
            far.shutdown(socket.SHUT_WR)

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
                    self.sent.append(sent := bytearray())
                threading.Thread(target=self._pass, args=(near, far, "cut_after", sent), daemon=True).start()
                threading.Thread(target=self._pass, args=(far, near, "cut_back_after"), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, limit: str, noted: bytearray | None = None) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if noted is not None:
                    noted += data
                self._closed.wait(self.delay_s)
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
