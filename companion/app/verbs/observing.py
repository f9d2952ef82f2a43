"""Observing: what happens in editors and shells, and what is at the centre of work."""

from __future__ import annotations

from collections.abc import Sequence

from companion.api import AtWork
from companion.app.checkout import OpenCheckout
from companion.records import Observation


class Observing(OpenCheckout):
    """The verbs about the present. See `companion.api.Companion`."""

    def observe(self, seen: Sequence[Observation]) -> None:
        """Take note of what happened in an editor or shell; written down before it is acted on."""
        raise NotImplementedError

    def at_work(self) -> AtWork:
        """What is at the centre of work now, and how that is known."""
        raise NotImplementedError
