"""Refreshing: a few changed files or commits are taken in while someone works."""

from __future__ import annotations

from collections.abc import Sequence

from companion.api import Refreshed
from companion.app.checkout import OpenCheckout


class Refreshing(OpenCheckout):
    """The verb of the watcher. See `companion.api.Companion`."""

    def refresh(self, paths: Sequence[str] | None) -> Refreshed:
        """Take in what changed in these files (None: wherever anything did) and in the history."""
        raise NotImplementedError
