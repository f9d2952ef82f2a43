"""Asking a daemon: errors as they were raised there, and asked again where the daemon ended.

Nothing but the standard library is imported; `companion.wire` turns what is sent and said into records elsewhere.
"""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Callable, Iterator, Mapping

from companion import errors
from companion.client.finding import Address, connected
from companion.client.speaking import DaemonAnswer, request_of
from companion.errors import CompanionError, DaemonGone, StoreHeld

CONNECT_S = 2.0
"""How long a connection may take; a living daemon accepts within milliseconds."""
READ_S = 27.0
"""How long an answer may take: a little more than the daemon gives itself, so that its word comes first."""
WRITE_S = 35.0
"""The same for what is written."""
SLOW_S = 610.0
"""The same for what goes over the whole store, or waits until a scan is over."""
SILENCE_S = 3_600.0
"""How long long work may say nothing: reading a history of a million commits has no steps."""
PAUSES_S = (0.0, 0.1, 0.3, 0.6)
"""Before each repetition of what was cut off. One is not enough: a killed daemon goes on taking connections until the
system has ended the last of its threads, in a third of all kills longer than a reconnection takes."""

REQUEST_ID = "Idempotency-Key"
"""Head of a request that writes, with an id of the client's: asked again under it, nothing is done twice."""
LINES = "application/x-ndjson"
"""An answer of many lines, where there is a choice."""
GONE = "Look at `companion status`, and at what is there before you write it again."
NOTHING_WRITTEN = "Nothing was changed. Look at `companion status`, then ask again."


class Caller:
    """Puts requests to a daemon, from any number of threads, each on a connection of its own.

    Where the daemon went away, `reconnect` says where there is one now. A request that may have been heard is only
    repeated if it changes nothing, or under an id by which the daemon knows that it was kept.
    """

    def __init__(self, address: Address, reconnect: Callable[[], Address] | None = None) -> None:
        self._address = address
        self._reconnect = reconnect

    def ask(
        self, method: str, path: str, body: object, deadline_s: float, *, again: bool, id_: str = ""
    ) -> dict[str, object]:
        """The answer to a request, asked `again` where the daemon ended: what writes has an `id_` then.

        Raises the error that was raised there: AlreadyKept for a write that was kept and whose answer is lost. Raises
        DaemonGone if nobody answers.
        """
        pauses = iter(PAUSES_S if again else ())
        heads = [f"{REQUEST_ID}: {id_}"] if id_ else []
        plug = self._plug()
        while True:
            try:
                with plug:
                    plug.settimeout(deadline_s)
                    with DaemonAnswer(plug, self._request(method, path, body, *heads)) as answer:
                        said = answer.whole()
                break
            except OSError as wrong:
                pause_s = None if isinstance(wrong, TimeoutError) else next(pauses, None)
                if pause_s is None:
                    raise _silent(wrong, deadline_s, GONE if id_ else NOTHING_WRITTEN) from wrong
            time.sleep(pause_s)
            plug = self._renewed()
        if answer.status != 200:
            raise error_of(_document(said))
        return _document(said)

    @contextlib.contextmanager
    def lines(self, method: str, path: str, body: object, silence_s: float | None) -> Iterator[Lines]:
        """An answer of many lines, read as they come; leaving the block hangs up. Raises like `ask`."""
        deadline_s = CONNECT_S + READ_S
        with contextlib.ExitStack() as open_:
            plug = open_.enter_context(self._plug())
            try:
                plug.settimeout(deadline_s)
                answer = open_.enter_context(Lines(plug, self._request(method, path, body, f"Accept: {LINES}")))
                problem = None if answer.status == 200 else answer.whole()
            except OSError as wrong:
                raise _silent(wrong, deadline_s) from wrong
            if problem is not None:
                raise error_of(_document(problem))
            plug.settimeout(silence_s)
            yield answer

    def _plug(self) -> socket.socket:
        """A connection; where the daemon is gone, to the one that there is now."""
        try:
            return connected(self._address, CONNECT_S)
        except OSError:
            return self._renewed()

    def _renewed(self) -> socket.socket:
        """A connection to the daemon that there is now."""
        try:
            if self._reconnect is not None:
                self._address = self._reconnect()
            return connected(self._address, CONNECT_S)
        except OSError as wrong:
            raise DaemonGone("The background service does not answer.", GONE) from wrong

    def _request(self, method: str, path: str, body: object, *heads: str) -> bytes:
        try:
            return request_of(self._address, method, path, body, heads)
        except (OSError, ValueError) as wrong:
            raise DaemonGone(f"The token in {self._address.token} cannot be read: {wrong}.", GONE) from wrong


class Lines(DaemonAnswer):
    """An answer of lines, each a record of JSON; another thread may hang up."""

    def __iter__(self) -> Iterator[dict[str, object]]:
        """Line by line, until the daemon has said all. Raises DaemonGone if it breaks off."""
        try:
            for line in self.came:
                if not line.endswith(b"\n"):
                    raise ConnectionError("the line is cut off")
                yield _document(line)
        except (OSError, ValueError) as wrong:  # a file that another thread has closed has no value
            raise DaemonGone("The background service closed the connection.", GONE) from wrong

    def hang_up(self) -> None:
        """End it from another thread: whoever reads sees the end."""
        with contextlib.suppress(OSError):
            self.plug.shutdown(socket.SHUT_RDWR)


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


def _document(said: bytes) -> dict[str, object]:
    try:
        document = json.loads(said)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise CompanionError("The background service sent an invalid answer.", "Restart it: `companion stop`.")
    return document


def _silent(wrong: Exception, deadline_s: float, next_step: str = GONE) -> DaemonGone:
    if isinstance(wrong, TimeoutError):
        return DaemonGone(f"The background service gave no answer within {deadline_s:g} seconds.", next_step)
    return DaemonGone("The background service ended before it answered.", next_step)
