"""The verbs of `companion.api.Companion`, answered with the store opened in this process: a service a family.

A service is one class, or a few that share a family's folder. None inherits another: each has the checkout it is asked
about, and asks other families their verbs. What only some verbs need is imported inside them: a context from a cold
shell must not wait for the parsers of a scan.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.app.checkout import Service

SERVICES = {
    "ask": ("ask.contexts.Contexts", "ask.search.Search", "ask.requests.Requests"),
    "memory": ("memory.memories.KeptMemories", "memory.acts.Acts"),
    "code": ("code.files.KnownFiles", "code.work.CodeAtWork", "code.scans.RepositoryScans", "code.past.CodePast"),
    "conversation": (
        "conversation.talks.Talks",
        "conversation.past.PastTalk",
        "conversation.open_ends.OpenEnds",
        "conversation.nudges.NudgeOffers",
        "conversation.imports.TalkImports",
    ),
    "consolidation": ("consolidation.ConsolidationService",),
    "admin": ("admin.AdminService",),
    "team": ("team.Team", "team_server.TeamOnServer"),
}
"""The classes that answer for each family, those first that are asked most: what comes after them is not loaded."""


def modules() -> tuple[str, ...]:
    """The modules of all services, by their full names, for who stays and loads them before they are asked."""
    return tuple(f"{__name__}.{place.rpartition('.')[0]}" for places in SERVICES.values() for place in places)


@cache
def service_of(family: str, verb: str) -> type[Service]:
    """The class that answers a verb of a family."""
    for place in SERVICES[family]:
        module, _, name = place.rpartition(".")
        kind: type[Service] = getattr(import_module(f"companion.app.verbs.{module}"), name)
        if hasattr(kind, verb):
            return kind
    raise AttributeError(f"No service of the family {family} answers {verb}.")
