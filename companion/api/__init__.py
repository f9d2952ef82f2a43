"""The verbs: what every way in may ask of Companion, whoever answers.

A module is a family of verbs: the records it answers with, and a protocol. `Companion` is all of them together. The
command line speaks this protocol and nothing else; the HTTP API in front of it speaks the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.api.admin import *
    from companion.api.ask import *
    from companion.api.code import *
    from companion.api.companion import *
    from companion.api.consolidation import *
    from companion.api.conversation import *
    from companion.api.host import *
    from companion.api.memory import *
    from companion.api.team import *

_NAMES = {
    "admin": "WEEKS_TOLD Finding Stats AdminVerbs",
    "ask": "ARCHIVED_MATCH INFLUENCES_TOLD Order Explained Explanation Expansion AskVerbs",
    "code": "ASKED_AGAIN FACTS_TOLD PATIENCE_S ScanReport Refreshed AtWork CodeVerbs is_there split_place why_in_full",
    "companion": "Companion",
    "consolidation": (
        "CHANGES_TOLD AskedBy RunOrder Involved RunChange DecisionNeeded Detail PassReport RunReport PurgeReport "
        "ConsolidationVerbs"
    ),
    "conversation": (
        "BY_HAND TALKS_TOLD SESSIONS_TOLD MOVES_TOLD NUDGES_TOLD LOGS_TOLD LONG_OVERDUE_DAYS Edit Remembered "
        "Transcript Todo Greeting Trace TraceSort TalkSource LogRead TalkImport BulkReview ConversationVerbs"
    ),
    "host": "Watched DaemonState News Host",
    "memory": "NOT_USEFUL Note Noted Verdict Card MemoryVerbs",
    "team": (
        "SENT_TOLD SentToTeam Shareable SharedMemory TeamExport TeamImport TeamStanding ServerStanding SyncReport "
        "SharedHit TeamVerbs"
    ),
}
"""The names of each module; `tests/test_house.py` holds them against what is asked for."""

if not TYPE_CHECKING:
    __getattr__ = lazily(__name__, _NAMES)
