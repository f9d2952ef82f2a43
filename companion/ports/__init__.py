"""What the rooms need from outside, as protocols: the composition root hands them real things.

`outside` is the clock, tokens, vectors, a redactor and a language model; the engine reads through `Library`, kinds
learn through `World`, the run reads an `Archive`: the store keeps all three. Small fakes that tests may use live
in `tests/fakes.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.ports.consolidation import *
    from companion.ports.learning import *
    from companion.ports.library import *
    from companion.ports.outside import *
    from companion.ports.team import *

_NAMES = {
    "learning": "Extractor World",
    "library": (
        "Library LineMaker Neighbour FileOwner PastChange Readiness Recent Standing TextMatch CommitSummary Topic"
    ),
    "consolidation": "Archive Judge Likeness Reader Pass",
    "outside": "BatchJudge Checker Clock Embedder LanguageModel FOUND NoProgress Progress Redactor TokenCounter",
    "team": "LogEntry LogPlace Pulled TeamHit TeamServer",
}

if not TYPE_CHECKING:
    __getattr__ = lazily(__name__, _NAMES)
