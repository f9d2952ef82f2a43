"""The verbs: what every way in may ask of Companion, whoever answers.

A module is a family of verbs: the records it answers with, and a protocol. `Companion` is all of them together. The
command line speaks this protocol and nothing else; the HTTP API in front of it speaks the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.api.asking import *
    from companion.api.bringing import *
    from companion.api.browsing import *
    from companion.api.companion import *
    from companion.api.consolidating import *
    from companion.api.host import *
    from companion.api.judging import *
    from companion.api.keeping import *
    from companion.api.looking import *
    from companion.api.notes import *
    from companion.api.nudges import *
    from companion.api.observing import *
    from companion.api.opened import *
    from companion.api.reasoning import *
    from companion.api.settling import *
    from companion.api.storied import *
    from companion.api.talking import *
    from companion.api.tending import *
    from companion.api.turns import *

_NAMES = {
    "asking": "ARCHIVED_MATCH Asking Card Expansion Explained Explanation Order",
    "bringing": "Bringing BulkReview LogRead TalkImport TalkSource",
    "browsing": "Browsing",
    "companion": "Asked Companion",
    "consolidating": (
        "CHANGES_TOLD AskedBy Consolidating DecisionNeeded Detail Involved RunChange RunOrder RunReport "
        "PassReport PurgeReport"
    ),
    "host": "Host News OwnerState Watched",
    "judging": "Judging",
    "keeping": "NOT_USEFUL SHOWN_AND_LEFT Keeping Note",
    "looking": "WEEKS_TOLD Looking",
    "notes": "Notes",
    "nudges": "NUDGES_TOLD Nudges",
    "observing": "AtWork Observing why_in_full",
    "opened": "Opened",
    "reasoning": "INFLUENCES_TOLD Reasoning",
    "settling": "Settling Verdict",
    "storied": "LONG_OVERDUE_DAYS Greeting Identity Storied Todo",
    "talking": "BY_HAND TALKS_TOLD Edit Erased Remembered Talking Transcript",
    "tending": "Finding Learned Refreshed ScanReport Stats Tending",
    "turns": "MOVES_TOLD SESSIONS_TOLD Turns",
}
"""The names of each module; `tests/test_house.py` holds them against what is asked for."""

__getattr__ = lazily(__name__, _NAMES)
