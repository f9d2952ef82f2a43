"""All verbs together, answered in this process for one checkout, each by the service of its family."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from companion.api.routes import ROUTES, Route
from companion.app.checkout import OpenCheckout
from companion.app.redacting import redacted
from companion.app.runtime import Runtime
from companion.app.verbs import service_of
from companion.records import RepoState

if TYPE_CHECKING:
    from companion.api import Companion

Around = Callable[["LocalCompanion", str, dict[str, object], Callable[..., object]], object]
"""Has a verb, by its name, answered with arguments by name; gives back the answer."""


@dataclass
class LocalCompanion(OpenCheckout):
    """Answers for one checkout. See `companion.api.Companion` for the verbs."""

    around: Around = lambda here, verb, given, answer: answer(**given)
    """Who has each verb answered, and sees to what follows from it: a daemon lets some wait their turn."""

    if TYPE_CHECKING:

        def __getattr__(self, verb: str) -> Any: ...  # set by name below, from the protocol

    @property
    def verbs(self) -> Companion:
        """The verbs, as the protocol declares them."""
        return cast("Companion", self)  # as above


def nowhere(runtime: Runtime, path: Path, *, owns_runtime: bool) -> LocalCompanion:
    """A companion outside of any repository: its project is the user's own space; it has no checkout and no history."""
    place = str(path.expanduser().absolute())
    state = RepoState(root=place, common_dir="", root_commit="", remote="", head="", branch="")
    return LocalCompanion(runtime, state, runtime.store.user, "", owns_runtime=owns_runtime)


def _answered(route: Route) -> Callable[..., object]:
    """The method that has a verb answered by its service, with arguments that hold no secret."""

    def verb(self: LocalCompanion, *listed: object, **named: object) -> object:
        given = _signature(route.family, route.verb).bind(self, *listed, **named).arguments
        del given["self"]
        answer = getattr(service_of(route.family, route.verb)(self, self.verbs), route.verb)
        return self.around(self, route.verb, redacted(route.verb, given, self.fit), answer)

    verb.__name__, verb.__doc__ = route.verb, f"See `companion.api.{route.family}`."
    return verb


@cache
def _signature(family: str, verb: str) -> inspect.Signature:
    return inspect.signature(getattr(service_of(family, verb), verb))


for _route in ROUTES:
    if not hasattr(LocalCompanion, _route.verb):
        setattr(LocalCompanion, _route.verb, _answered(_route))
