"""Answering an editor: why a place is as it is, what is known of a file, what to look at in it."""

from __future__ import annotations

from companion.app.checkout import OpenCheckout
from companion.records import Hint, Mark, Why


class Answering(OpenCheckout):
    """The verbs about places in the code. See `companion.api.Companion`."""

    def why(self, path: str, line: int) -> Why:
        """Why the definition around a line (from 1) is as it is, in ten lines at most."""
        raise NotImplementedError

    def marks(self, path: str) -> tuple[Mark, ...]:
        """The definitions of a file that something is remembered about, by line."""
        raise NotImplementedError

    def hints(self, path: str) -> tuple[Hint, ...]:
        """Open contradictions and departures from conventions in a file, by line."""
        raise NotImplementedError
