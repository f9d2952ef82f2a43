"""Asking a daemon over HTTP: connections that are kept, errors as they were raised there, one reconnection.

Nothing but the standard library is imported; `companion.wire` turns what is sent and said into records elsewhere.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping

from companion import errors
from companion.client.finding import Address, connected
from companion.client.speaking import token_of
from companion.errors import CompanionError, DaemonGone, StoreHeld

CONNECT_S = 2.0
"""How long a connection may take; a living daemon accepts within milliseconds."""
READ_S = 12.0
"""How long an answer may take: a little more than the daemon gives itself, so that its word comes first."""
WRITE_S = 35.0
"""The same for what is written."""
SLOW_S = 610.0
"""The same for what goes over the whole store, or waits until a scan is over."""
SILENCE_S = 3_600.0
"""How long long work may say nothing: reading a history of a million commits has no steps."""
KEPT_MAX = 8
"""Connections kept for the next request; an editor asks from a handful of threads."""
PAUSES_S = (0.0, 0.1, 0.3, 0.6)
"""Before each repetition of what was cut off. One is not enough: a killed daemon goes on taking connections until the
system has ended the last of its threads, in a third of all kills longer than a reconnection takes."""

REQUEST_ID = "Idempotency-Key"
"""Head of a request that writes, with an id of the client's: asked again under it, nothing is done twice."""
LINES = "application/x-ndjson"
"""An answer of many lines, where there is a choice."""
GONE = "Look at `companion status`, and at what is there before you write it again."


class Caller:
    """Puts requests to a daemon, from any number of threads.

    Where the daemon went away, `reconnect` says where there is one now. A request that may have been heard is only
    repeated if it changes nothing, or under an id by which the daemon knows that it was kept.
    """

    def __init__(self, address: Address, reconnect: Callable[[], Address] | None = None) -> None:
        self._address = address
        self._reconnect = reconnect
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def ask(self, path: str, body: object, deadline_s: float, *, again: bool, id_: str = "") -> dict[str, object]:
        """The answer to a POST, asked `again` where the daemon ended: what writes has an `id_` then.

        Raises the error that was raised there: AlreadyKept for a write that was kept and whose answer is lost. Raises
        DaemonGone if nobody answers.
        """
        return self._exchange("POST", path, json.dumps(body).encode("ascii"), deadline_s, again=again, id_=id_)

    def get(self, path: str, deadline_s: float) -> dict[str, object]:
        """The answer to a GET, in the same way."""
        return self._exchange("GET", path, None, deadline_s, again=True)

    @contextlib.contextmanager
    def lines(self, method: str, path: str, body: object, silence_s: float | None) -> Iterator[Lines]:
        """An answer of many lines, read as they come; leaving the block hangs up. Raises like `ask`."""
        data = None if body is None else json.dumps(body).encode("ascii")
        plug, deadline_s = self._plug(), CONNECT_S + READ_S
        try:
            response = self._sent(plug, method, path, data, deadline_s, {"Accept": LINES})
        except (OSError, http.client.HTTPException) as wrong:
            plug.close()
            raise _silent(wrong, deadline_s) from wrong
        try:
            if response.status != 200:
                raise error_of(_document(response.read()))
            plug.sock.settimeout(silence_s)
            yield Lines(plug, response)
        finally:
            response.close()
            plug.close()

    def close(self) -> None:
        """Hang up every connection that is kept."""
        with self._lock:
            idle, self._idle = self._idle, []
        for plug in idle:
            plug.close()

    def _exchange(
        self, method: str, path: str, data: bytes | None, deadline_s: float, *, again: bool, id_: str = ""
    ) -> dict[str, object]:
        pauses = iter(PAUSES_S if again else ())
        heads = {REQUEST_ID: id_} if id_ else {}
        plug = self._plug()
        while True:
            try:
                response = self._sent(plug, method, path, data, deadline_s, heads)
                said = response.read()
                break
            except (OSError, http.client.HTTPException) as wrong:
                plug.close()
                pause_s = None if isinstance(wrong, TimeoutError) else next(pauses, None)
                if pause_s is None:
                    raise _silent(wrong, deadline_s) from wrong
            except BaseException:
                plug.close()
                raise
            time.sleep(pause_s)
            plug = self._renewed()
        status = response.status
        self._keep(plug)
        if status != 200:
            raise error_of(_document(said))
        return _document(said)

    def _sent(
        self,
        plug: http.client.HTTPConnection,
        method: str,
        path: str,
        data: bytes | None,
        deadline_s: float,
        heads: Mapping[str, str],
    ) -> http.client.HTTPResponse:
        plug.sock.settimeout(deadline_s)
        kind = {"Content-Type": "application/json"} if data is not None else {}
        plug.request(method, path, data, {**kind, **heads, **self._authority()})
        return plug.getresponse()

    def _plug(self) -> http.client.HTTPConnection:
        """A kept connection whose other end still stands, or a new one."""
        while True:
            with self._lock:
                plug = self._idle.pop() if self._idle else None
            if plug is None:
                break
            if _stands(plug):
                return plug
            plug.close()
        try:
            return _connection(self._address)
        except OSError:
            return self._renewed()

    def _renewed(self) -> http.client.HTTPConnection:
        """A connection to the daemon that there is now."""
        self.close()
        try:
            if self._reconnect is not None:
                self._address = self._reconnect()
            return _connection(self._address)
        except OSError as wrong:
            raise DaemonGone("The background service does not answer.", GONE) from wrong

    def _keep(self, plug: http.client.HTTPConnection) -> None:
        if plug.sock is None:  # the daemon said that it hangs up
            return
        with self._lock:
            if len(self._idle) < KEPT_MAX:
                self._idle.append(plug)
                return
        plug.close()

    def _authority(self) -> dict[str, str]:
        """What must be said on TCP: the token from the file that only its user can read."""
        if self._address.socket or not self._address.token:
            return {}
        try:
            return {"Authorization": f"Bearer {token_of(self._address)}"}
        except (OSError, ValueError) as wrong:
            raise DaemonGone(f"The token in {self._address.token} cannot be read: {wrong}.", GONE) from wrong


class Lines:
    """The lines of an answer as records of JSON; another thread may hang up."""

    def __init__(self, plug: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._plug = plug
        self._response = response

    def __iter__(self) -> Iterator[dict[str, object]]:
        """Line by line, until the daemon has said all. Raises DaemonGone if it breaks off."""
        while True:
            try:
                line = self._response.readline()
            except (OSError, ValueError, AttributeError, http.client.HTTPException) as wrong:
                # http.client fails with any of these when another thread hangs up
                raise DaemonGone("The background service closed the connection.", GONE) from wrong
            if not line:
                return
            yield _document(line)

    def hang_up(self) -> None:
        """End it from another thread: whoever reads sees the end."""
        with contextlib.suppress(OSError, AttributeError):
            self._plug.sock.shutdown(socket.SHUT_RDWR)


def error_of(problem: Mapping[str, object]) -> CompanionError:
    """The error that a problem tells of, as it was raised there."""
    what = str(problem.get("detail") or "The background service refused without giving a reason.")
    next_step = str(problem.get("next_step") or "")
    kind = getattr(errors, str(problem.get("code")), None)
    if kind is StoreHeld:
        holder = problem.get("holder_pid")
        return StoreHeld(what, next_step, holder if isinstance(holder, int) else None)
    if isinstance(kind, type) and issubclass(kind, CompanionError):
        return kind(what, next_step)
    return CompanionError(what, next_step)


def _connection(address: Address) -> http.client.HTTPConnection:
    plug = http.client.HTTPConnection("127.0.0.1" if not address.socket else "localhost", address.port or None)
    plug.sock = connected(address, CONNECT_S)
    if not address.socket:  # else the end of a request waits for word of its beginning, a tenth of a second
        plug.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return plug


def _stands(plug: http.client.HTTPConnection) -> bool:
    """Whether a resting connection is still held: one that can be read has been hung up, for nothing was asked."""
    try:
        readable, _, _ = select.select([plug.sock], [], [], 0)
    except (OSError, ValueError):
        return False
    return not readable


def _document(said: bytes) -> dict[str, object]:
    try:
        document = json.loads(said)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise CompanionError("The background service sent an invalid answer.", "Restart it: `companion stop`.")
    return document


def _silent(wrong: Exception, deadline_s: float) -> DaemonGone:
    if isinstance(wrong, TimeoutError):
        return DaemonGone(f"The background service gave no answer within {deadline_s:g} seconds.", GONE)
    return DaemonGone("The background service ended before it answered.", GONE)
