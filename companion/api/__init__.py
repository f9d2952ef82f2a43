"""The verbs: what every way in may ask of Companion, whoever answers.

A module is a family of verbs: the records it answers with, and a protocol. `Companion` is all of them together. The
command line speaks this protocol and nothing else; the HTTP API in front of it speaks the same.
"""

from __future__ import annotations

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

__all__ = [
    "ARCHIVED_MATCH",
    "BY_HAND",
    "CHANGES_TOLD",
    "INFLUENCES_TOLD",
    "MOVES_TOLD",
    "NOT_USEFUL",
    "NUDGES_TOLD",
    "SESSIONS_TOLD",
    "SHOWN_AND_LEFT",
    "TALKS_TOLD",
    "WEEKS_TOLD",
    "Asked",
    "AskedBy",
    "Asking",
    "AtWork",
    "Bringing",
    "Browsing",
    "BulkReview",
    "Card",
    "Companion",
    "Consolidating",
    "Detail",
    "Edit",
    "Erased",
    "Expansion",
    "Explained",
    "Explanation",
    "Finding",
    "Greeting",
    "Host",
    "Identity",
    "Involved",
    "Keeping",
    "Learned",
    "LogRead",
    "Looking",
    "News",
    "NightChange",
    "NightOrder",
    "NightReport",
    "Note",
    "Notes",
    "Nudges",
    "Observing",
    "Order",
    "OwnerState",
    "PassReport",
    "PurgeReport",
    "Reasoning",
    "Refreshed",
    "Remembered",
    "ScanReport",
    "Settling",
    "Stats",
    "Storied",
    "TalkImport",
    "TalkSource",
    "Talking",
    "Tending",
    "Todo",
    "Transcript",
    "Turns",
    "Verdict",
    "Watched",
    "why_in_full",
]
