"""Going through memories by an owner."""

from __future__ import annotations

from companion import wire
from companion.client.remote.asker import Asker, result_of
from companion.records.browsing import Browsed, BrowseQuery, Dossier


class Browsing(Asker):
    """See `companion.api.browsing.Browsing` for the verbs."""

    def browse(self, query: BrowseQuery) -> Browsed:
        """Memories newest first, a page at a time."""
        return result_of(Browsed, self._read("/browse", query=wire.encode(query)))

    def dossier(self, id_: str) -> Dossier:
        """All that is known of one memory."""
        return result_of(Dossier, self._read("/dossier", id=id_))
