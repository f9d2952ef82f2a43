"""What can be asked of everything that is opened, whatever it answers."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Opened(Protocol):
    """Something that answers until it is closed."""

    def notices(self) -> tuple[str, ...]:
        """What the user should know beside the answers since this was asked last, in sentences."""

    def now(self) -> datetime:
        """The companion's clock, naive UTC."""

    def close(self) -> None:
        """Let go of the store."""
