"""Who of a team has its language model read what all share: one laptop at a time, which knows what others said.

The others leave such questions alone and are told what was answered. About its own memories each asks its own model.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from companion.app.checkout import OpenCheckout
from companion.app.team.linking import link_of
from companion.app.team.servers import open_server
from companion.app.team.syncing import synchronise
from companion.errors import CompanionError


@contextmanager
def elected(here: OpenCheckout) -> Iterator[bool]:
    """Whether this laptop is the one, for the length of a block; what it answers there goes out at the end.

    Where a project shares through no server, each is. Where the server cannot be used, none is: the questions wait.
    """
    link = link_of(here.runtime, here.project)
    if link is None:
        yield True
        return
    with ExitStack() as until:
        won = False
        with suppress(CompanionError):
            server = open_server(link)
            until.callback(server.release)
            if server.elect():
                synchronise(here, server, here.go_on)
                won = True
        yield won
        if won:
            with suppress(CompanionError):  # it goes with what is sent next
                synchronise(here, server, here.go_on)
