"""Nudges: a quiet message with an offer, at most one at a time, when a file is opened or saved, never by a clock.

Whether there is anything to offer is decided by who owns the store, apart from here, and mostly there is not. What
is shown can be answered; a message that is closed without a word counts as dismissed, and the next one of its sort
takes longer to come.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from companion.errors import CompanionError
from companion_lsp.addresses import MEMORY, VirtualDocument
from companion_lsp.features.virtual import show
from companion_lsp.server import COMMAND_S, CompanionServer, OpenDocument
from companion_lsp.texts import unlinked

if TYPE_CHECKING:
    from companion.records.nudges import Nudge, NudgeAnswer

ASKED_EACH_S = 60.0
"""Between two questions whether there is something: an editor that saves at each key asks no more often."""
MESSAGE, LOG = "message", "log"
"""How an offer is shown: with buttons, or as a line in the log of this server. Anything else: not at all."""
TITLES = {"Done": "done", "Later": "later", "Never": "never", "Open": "open"}
"""What can be answered, and the word of `companion.records.nudges` for it."""


def register(server: CompanionServer) -> None:
    """Asks for an offer after a file was opened or saved."""
    asker = _Asker(server)
    server.on_shown.append(asker.consider)
    server.on_saved.append(asker.consider)


class _Asker:
    """Asks at most once a minute, and not while an offer is on show."""

    def __init__(self, server: CompanionServer) -> None:
        self._server = server
        self._asked_at = -ASKED_EACH_S
        self._task: asyncio.Task[None] | None = None

    def consider(self, place: OpenDocument) -> None:
        """A file was opened or saved: a moment in which something may be offered. Returns at once."""
        now = time.monotonic()
        waits = self._task is not None and not self._task.done()
        if waits or now - self._asked_at < ASKED_EACH_S or self._server.settings.nudges not in {MESSAGE, LOG}:
            return
        self._asked_at = now
        self._task = asyncio.get_running_loop().create_task(self._offer(place))

    async def _offer(self, place: OpenDocument) -> None:
        # Whatever is offered counts as offered: it is waited for, though a daemon may have to start first.
        nudge = await self._server.answer(
            place, lambda companion, p: companion.offer_nudge(str(p.path)), None, deadline_s=COMMAND_S
        )
        if nudge is None:
            return
        if self._server.settings.nudges == LOG:
            self._server.say(f"{nudge.text} {nudge.next_step}")
            return
        said = await _asked(self._server, nudge)
        if said is None:
            return
        with suppress(CompanionError, OSError):
            await self._server.ask(place, lambda companion, _: companion.answer_nudge(nudge.id, _answer(said)))
            if said == "open":
                await _open(self._server, place, nudge)


async def _asked(server: CompanionServer, nudge: Nudge) -> str | None:
    """What the user makes of an offer; None where the editor cannot ask, or ends before anybody answers."""
    items = [types.MessageActionItem(title) for title in TITLES]
    asked = types.ShowMessageRequestParams(types.MessageType.Info, f"Companion: {unlinked(nudge.text)}", items)
    try:
        chosen = await server.window_show_message_request_async(asked)
    except JsonRpcException:
        return None
    return "dismissed" if chosen is None else TITLES.get(chosen.title, "dismissed")


async def _open(server: CompanionServer, place: OpenDocument, nudge: Nudge) -> None:
    """Show what an offer is about: the memory, where there is one, else the command that leads to it."""
    if nudge.opens:
        await show(server, VirtualDocument(MEMORY, nudge.opens, place.root))
    else:
        message = f"{unlinked(nudge.text)} In a terminal: `{nudge.next_step}`"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))


def _answer(said: str) -> NudgeAnswer:
    from companion.records.nudges import NudgeAnswer

    return NudgeAnswer(said)
