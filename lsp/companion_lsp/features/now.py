"""`companion/now` and `companion/memory`: what is in the context of a file, and what is remembered, as rows in groups.

Looking at it is not using it: what is shown here is counted for nobody. Texts are cut to what a list can show and
cleaned of what cannot be seen; the whole of a row is the document that it opens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from msgspec import field

from companion import wire
from companion.wire import Between
from companion_lsp import convert
from companion_lsp.drawing import drawn
from companion_lsp.requests import SAYS_CHARACTERS, PlaceAsk, answers, place_of
from companion_lsp.server import COMMAND_S, CompanionServer, OpenDocument
from companion_lsp.settings import BUDGET_MOST

if TYPE_CHECKING:
    from companion.api import Companion

NOW, MEMORY = "companion/now", "companion/memory"


class NowAsk(PlaceAsk, frozen=True):
    """For which file (or work tree), within how many tokens; the settings say how many unless this does."""

    budget: Annotated[int, Between(0, BUDGET_MOST)] | None = None


class MemoryAsk(PlaceAsk, frozen=True):
    """Of which work tree, what to search for, and how many rows of a group, where that is not the first page."""

    search: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)


def register(server: CompanionServer) -> None:
    """Answers companion/now and companion/memory."""
    answers(server, NOW, lambda params: wire.decode(NowAsk, params), now)
    answers(server, MEMORY, lambda params: wire.decode(MemoryAsk, params), memory)


async def now(server: CompanionServer, ask: NowAsk) -> object:
    """The context of a place. Raises CompanionError."""
    place = place_of(server, ask.uri, ask.folder)
    budget = server.settings.budget_tokens if ask.budget is None else ask.budget
    file = "" if place.path == place.root else place.path.relative_to(place.root).as_posix()

    def read(companion: Companion, here: OpenDocument) -> object:
        from companion.api import Order
        from companion.records import Format, Signals
        from companion.surfaces import groups

        signals = Signals(current_file=str(here.path) if file else "")
        context = companion.assemble(budget, signals, Format.MARKDOWN, Order.PEOPLE, count_use=False)
        moment = companion.now()
        return {
            "root": convert.uri_of(here.root),
            "name": here.root.name,
            "file": file,
            "tokens": context.tokens,
            "budget": context.budget_tokens,
            "activity": context.activity.value,
            "rows": [drawn(row, here.root, moment) for row in groups.of_context(context, file)],
            "notices": _notices(context.missing),
        }

    return await server.ask(place, read)


async def memory(server: CompanionServer, ask: MemoryAsk) -> object:
    """What is remembered of a work tree. Raises CompanionError."""
    place = place_of(server, ask.uri, ask.folder)

    def read(companion: Companion, here: OpenDocument) -> object:
        from companion.surfaces import groups

        moment = companion.now()
        companion.at_work()  # which raises where nobody has read it: nothing at all would be shown
        found = [drawn(row, here.root, moment) for row in groups.of_memory(companion, ask.search, ask.counts)]
        return {"rows": found, "notices": _notices(companion.notices()) if ask.search else []}

    return await server.ask(place, read, COMMAND_S)


def _notices(texts: tuple[str, ...]) -> list[str]:
    from companion.escape import one_line

    return [one_line(text, SAYS_CHARACTERS) for text in texts]
