"""The real clock, naive UTC, that never runs backwards within a process."""

from __future__ import annotations

from datetime import UTC, datetime


def on_the_wall(moment: datetime) -> datetime:
    """A moment, given in UTC, as the clock on the wall shows it where this machine stands; naive, too."""
    return moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=None)


class SystemClock:
    """The machine's clock. If it is set back, time stands still until it has caught up."""

    def __init__(self) -> None:
        self._latest = datetime.min

    def now(self) -> datetime:
        """The present moment, never earlier than the last answer."""
        self._latest = max(self._latest, datetime.now(UTC).replace(tzinfo=None))
        return self._latest
