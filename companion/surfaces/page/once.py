"""Views that take seconds to make: made for one at a time, and given again to whoever asks soon after."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from companion.surfaces.page.room import View

KEPT_S = 60.0
"""How long a view is given again: a room that is left and come back to looks at the whole store once, not each time."""


@dataclass
class Once:
    """What was made lately, by what it is about. Views that are asked for while one is made wait for that one."""

    clock: Callable[[], float] = time.monotonic
    _doors: dict[Hashable, threading.Lock] = field(default_factory=dict)
    _made: dict[Hashable, tuple[float, View]] = field(default_factory=dict)

    def view(self, about: Hashable, make: Callable[[], View], *, again: bool = False) -> View:
        """The view, made anew if there is none yet, if it is old, or if `again` asks for one begun from now on."""
        asked_at = self.clock()
        since = asked_at if again else asked_at - KEPT_S
        with self._doors.setdefault(about, threading.Lock()):
            begun_at, view = self._made.get(about, (-1.0, None))
            if view is None or begun_at < since:
                begun_at = self.clock()
                view = make()
                self._made[about] = (begun_at, view)
            return view
