"""The companion that a daemon answers for: every verb is a request, what comes back is the same as at home.

What is sent and what is understood follow from the protocol (`companion.api`) and its table of routes.
"""

from __future__ import annotations

import inspect
import secrets
import threading
import typing
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from companion import wire
from companion.api.routes import ROUTES, Pace, Route
from companion.client.calling import READ_S, SILENCE_S, SLOW_S, WRITE_S, Caller, error_of
from companion.client.finding import Address
from companion.errors import CompanionError, DaemonGone, UsageError

if TYPE_CHECKING:  # whoever asks one verb loads no records but that verb's
    from companion.api import Companion, DaemonState
    from companion.ports import Progress

T = TypeVar("T")

ID_BYTES = 16
"""Of a request's id: no two are ever the same."""


def companion_of(address: Address, path: Path, reconnect: Callable[[], Address] | None = None) -> Companion:
    """The companion of a repository that a daemon answers for."""
    return cast("Companion", RemoteCompanion(address, path, reconnect))  # most of its methods are set by name below


class _Beside(threading.local):
    """The notices of a thread's answers, each once, until they are asked for."""

    def __init__(self) -> None:
        self.notices: dict[str, None] = {}


class RemoteCompanion:
    """One repository's requests to a daemon; it may be shared by threads. See `companion.api.Companion` for the verbs.

    `reconnect` is asked where a daemon is when the one at `address` went away.
    """

    def __init__(self, address: Address, path: Path, reconnect: Callable[[], Address] | None = None) -> None:
        self._caller = Caller(address, reconnect)
        self._repo = str(path.absolute())
        self._beside = _Beside()

    def notices(self) -> tuple[str, ...]:
        """What the user should know beside this thread's answers since it asked last; else what the daemon says."""
        if not self._beside.notices:
            self._ask("/notices", {})
        said = tuple(self._beside.notices)
        self._beside.notices.clear()
        return said

    def state(self) -> DaemonState:
        """What the background service is and does."""
        from companion.api import DaemonState

        said = self._caller.ask("GET", "/status", None, READ_S, again=True)
        return _decoded(DaemonState, lambda: said["result"])

    def page(self) -> str:
        """A link to the repository's page, for a browser; it works once, within a minute."""
        said = self._ask("/page", {}, Pace.SLOW)
        return _decoded(str, lambda: said["result"])

    def close(self) -> None:
        """Nothing is held between two requests; the daemon goes on."""

    def _verbatim(self, route: Route, listed: tuple[object, ...], named: Mapping[str, object]) -> object:
        """Ask a verb as the protocol declares it. Raises TypeError for parameters that it does not have."""
        hints = _hints(route.verb)
        bound = inspect.signature(route.declared).bind(self, *listed, **named).arguments
        del bound["self"]
        progress = bound.pop("progress", None)
        asked = {name.rstrip("_"): wire.encode(_here(value), hints[name]) for name, value in bound.items()}
        if progress is not None:
            said = self._followed(progress, route.plain_path, asked)
        else:
            said = self._ask(route.plain_path, asked, route.pace)
        return _understood(route.verb, lambda: said["result"])

    def _ask(self, path: str, given: Mapping[str, object], pace: Pace = Pace.READ) -> dict[str, object]:
        """The answer to a request; what writes has an id, under which it is asked again where the daemon ended."""
        deadline_s = {Pace.READ: READ_S, Pace.WRITE: WRITE_S}.get(pace, SLOW_S)
        id_ = "" if pace is Pace.READ else secrets.token_hex(ID_BYTES)
        asked = {"repo": self._repo, **given}
        return self._heard(self._caller.ask("POST", path, asked, deadline_s, again=True, id_=id_))

    def _followed(self, progress: Progress, path: str, given: Mapping[str, object]) -> dict[str, object]:
        """The last line of long work: progress is passed on as it comes; leaving (Ctrl-C) ends the work there."""
        with self._caller.lines("POST", path, {"repo": self._repo, **given}, SILENCE_S) as lines:
            for line in lines:
                if isinstance(problem := line.get("problem"), dict):
                    raise error_of(problem)
                if isinstance(step := line.get("progress"), dict):
                    progress.step(str(step["stage"]), int(step["done"]), step["total"])
                else:
                    return self._heard(line)
        raise DaemonGone("The background service closed the connection.", "Run the command again: it goes on.")

    def _heard(self, said: dict[str, object]) -> dict[str, object]:
        """An answer, its notices kept beside."""
        beside = said.pop("notices", ())
        if isinstance(beside, list):
            self._beside.notices.update(dict.fromkeys(str(one) for one in beside))
        return said


_ROUTES = {route.verb: route for route in ROUTES}


@cache
def _hints(verb: str) -> Mapping[str, type]:
    """The types of a verb's parameters, and under `return` that of its answer."""
    return typing.get_type_hints(_ROUTES[verb].declared)


def _here(value: object) -> object:
    """A path as it means the same to a daemon, which works in another folder."""
    return value.absolute() if isinstance(value, Path) else value


def _asked_as_declared(route: Route) -> Callable[..., object]:
    """A method that asks the verb of a route."""

    def verb(self: RemoteCompanion, *listed: object, **named: object) -> object:
        return self._verbatim(route, listed, named)

    verb.__name__, verb.__doc__ = route.verb, f"See `companion.api.{route.family}`."
    return verb


for _route in ROUTES:
    if not hasattr(RemoteCompanion, _route.verb):
        setattr(RemoteCompanion, _route.verb, _asked_as_declared(_route))


def _understood(verb: str, shape: Callable[[], object]) -> object:
    """The record that a verb answers with."""
    return _decoded(_hints(verb)["return"], shape)


def _decoded(declared: type[T], shape: Callable[[], object]) -> T:
    """The record an answer holds; a daemon of another version may answer what we do not know."""
    try:
        return wire.decode(declared, shape())
    except (UsageError, KeyError, TypeError) as wrong:
        raise CompanionError(
            f"The background service sent an answer that this version does not understand. {wrong}",
            "Restart it with `companion stop`; the next command starts one of this version.",
        ) from wrong
