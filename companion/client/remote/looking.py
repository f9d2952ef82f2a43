"""Looking back through an owner."""

from __future__ import annotations

from companion import wire
from companion.api.looking import WEEKS_TOLD
from companion.client.remote.asker import Asker, result_of
from companion.records.looking import Accuracy, TimelinePage, TimelineQuery


class Looking(Asker):
    """See `companion.api.looking.Looking` for the verbs."""

    def timeline(self, query: TimelineQuery) -> TimelinePage:
        """What happened, newest first, a page at a time, with a count for each month."""
        return result_of(TimelinePage, self._read("/timeline", query=wire.encode(query)))

    def accuracy(self, weeks: int = WEEKS_TOLD) -> Accuracy:
        """How well prediction did on this project."""
        return result_of(Accuracy, self._read("/accuracy", weeks=weeks))
