"""Records of a team for tests, and as a server keeps them."""

from __future__ import annotations

from datetime import datetime

from companion.ports import LogEntry
from companion.records import Draft, Kind, Levels, Source, memory_key
from companion.records.team import SharedVersion, TeamRecord, Withdrawal
from companion.team.text import line, record_id

ADA, BOB = "Ada <ada@example.org>", "Bob <bob@example.org>"
AT = datetime(2026, 3, 1, 12, 0)


def version(text: str, author: str = ADA) -> SharedVersion:
    """A version that says a text, about something of its own, as the door lets it through."""
    levels = Levels(text, text, text, text[:50])
    draft = Draft(Kind.FACT, "preference", text[:40], "rule", text, levels, "", source=Source.BY_HAND)
    return SharedVersion(memory_key(draft, ""), draft, author, AT)


def withdrawal(of: TeamRecord, author: str = ADA) -> Withdrawal:
    return Withdrawal(record_id(of), author, AT)


def entry(record: TeamRecord) -> LogEntry:
    return LogEntry(record_id(record), type(record).__name__, record.author, record.made_at, line(record))
