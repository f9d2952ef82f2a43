"""Views that take seconds to make: one at a time is made for all who ask, and given again for a while."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field

from msgspec import Struct

from companion.surfaces.page.room import PageView

KEPT_S = 60.0
"""How long a view is given again: a room that is left and come back to looks at the whole store once, not each time."""


class Last(Struct, frozen=True):
    """The view that was made last; `old` once it is no longer given again, but made anew for whoever asks."""

    view: PageView
    old: bool


@dataclass
class Once:
    """What was made lately, by what it is about. To be asked on one event loop, but for `last`."""

    clock: Callable[[], float] = time.monotonic
    _made: dict[Hashable, tuple[float, PageView]] = field(default_factory=dict)
    _under_way: dict[Hashable, asyncio.Task[None]] = field(default_factory=dict)

    async def view(self, about: Hashable, make: Callable[[], Awaitable[PageView]], *, again: bool = False) -> PageView:
        """The view, made anew if there is none yet, if it is old, or if `again` asks for one begun from now on.

        Who asks while one is made waits for that one, and holds no thread; it is made to its end though all of them
        go away. Raises what `make` raises.
        """
        since = self.clock() - (0.0 if again else KEPT_S)
        while (made := self._made.get(about)) is None or made[0] < since:
            if about not in self._under_way:
                self._under_way[about] = task = asyncio.create_task(self._make(about, make))
                task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            await asyncio.shield(self._under_way[about])
        return made[1]

    def last(self, about: Hashable) -> Last | None:
        """What was made last, whatever its age; None if nothing was."""
        made = self._made.get(about)
        return None if made is None else Last(made[1], made[0] < self.clock() - KEPT_S)

    async def _make(self, about: Hashable, make: Callable[[], Awaitable[PageView]]) -> None:
        begun_at = self.clock()
        try:
            self._made[about] = (begun_at, await make())
        finally:
            del self._under_way[about]
