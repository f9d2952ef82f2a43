"""Looking back: what happened, in its order, and how well prediction did."""

from __future__ import annotations

from typing import Protocol

from companion.records.looking import Accuracy, TimelinePage, TimelineQuery

WEEKS_TOLD = 26
"""Weeks of work that `accuracy` tells unless more are asked for: half a year, as many points as a chart shows well."""


class Looking(Protocol):
    """What people look back at. Every verb raises CompanionError with a next step."""

    def timeline(self, query: TimelineQuery) -> TimelinePage:
        """What happened, newest first, a page at a time, with a count for each month."""

    def accuracy(self, weeks: int = WEEKS_TOLD) -> Accuracy:
        """How well prediction did on this project: on commits before it learned from them, and week by week at work.

        What was shown counts as foreseen if it was then opened, edited or cited; nothing is counted twice.
        """
