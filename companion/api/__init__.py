"""The verbs: what every way in may ask of Companion, whoever answers.

A module is a family of verbs: the records it answers with, and a protocol. `Companion` is all of them together. The
command line speaks this protocol and nothing else; the HTTP API in front of it speaks the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.api.asking import ARCHIVED_MATCH, Asking, Card, Expansion, Explained, Explanation, Order
    from companion.api.bringing import Bringing, BulkReview, LogRead, TalkImport, TalkSource
    from companion.api.browsing import Browsing
    from companion.api.companion import Asked, Companion
    from companion.api.consolidating import (
        CHANGES_TOLD,
        AskedBy,
        Consolidating,
        Detail,
        Involved,
        NightChange,
        NightOrder,
        NightReport,
        PassReport,
        PurgeReport,
    )
    from companion.api.host import Host, News, OwnerState, Watched
    from companion.api.judging import Judging
    from companion.api.keeping import NOT_USEFUL, SHOWN_AND_LEFT, Keeping, Note
    from companion.api.looking import WEEKS_TOLD, Looking
    from companion.api.notes import Notes
    from companion.api.nudges import NUDGES_TOLD, Nudges
    from companion.api.observing import AtWork, Observing, why_in_full
    from companion.api.reasoning import INFLUENCES_TOLD, Reasoning
    from companion.api.settling import Settling, Verdict
    from companion.api.storied import Greeting, Identity, Storied, Todo
    from companion.api.talking import BY_HAND, TALKS_TOLD, Edit, Erased, Remembered, Talking, Transcript
    from companion.api.tending import Finding, Learned, Refreshed, ScanReport, Stats, Tending
    from companion.api.turns import MOVES_TOLD, SESSIONS_TOLD, Turns

_NAMES = {
    "asking": "ARCHIVED_MATCH Asking Card Expansion Explained Explanation Order",
    "bringing": "Bringing BulkReview LogRead TalkImport TalkSource",
    "browsing": "Browsing",
    "companion": "Asked Companion",
    "consolidating": (
        "CHANGES_TOLD AskedBy Consolidating Detail Involved NightChange NightOrder NightReport PassReport PurgeReport"
    ),
    "host": "Host News OwnerState Watched",
    "judging": "Judging",
    "keeping": "NOT_USEFUL SHOWN_AND_LEFT Keeping Note",
    "looking": "WEEKS_TOLD Looking",
    "notes": "Notes",
    "nudges": "NUDGES_TOLD Nudges",
    "observing": "AtWork Observing why_in_full",
    "reasoning": "INFLUENCES_TOLD Reasoning",
    "settling": "Settling Verdict",
    "storied": "Greeting Identity Storied Todo",
    "talking": "BY_HAND TALKS_TOLD Edit Erased Remembered Talking Transcript",
    "tending": "Finding Learned Refreshed ScanReport Stats Tending",
    "turns": "MOVES_TOLD SESSIONS_TOLD Turns",
}
"""The names of each module; `tests/test_house.py` holds them against the imports above."""

__getattr__ = lazily(__name__, _NAMES)
