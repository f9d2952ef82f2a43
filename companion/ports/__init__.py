"""What the rooms need from outside, as protocols: the composition root hands them real things.

`outside` is the clock, tokens, vectors, a redactor and a language model; the engine reads through `Library`, kinds
learn through `World`, the night reads an `Archive`: the store keeps all three. Small fakes that tests may use live
in `tests/fakes.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.ports.learning import Kind, World
    from companion.ports.library import (
        CommitSummary,
        Library,
        LineMaker,
        Neighbour,
        Owner,
        PastChange,
        Readiness,
        Recent,
        Standing,
        TextMatch,
        Topic,
    )
    from companion.ports.night import Archive, Judge, Likeness, PairReader, Pass
    from companion.ports.outside import (
        BatchJudge,
        Checker,
        Clock,
        Embedder,
        LanguageModel,
        Progress,
        Redactor,
        TokenCounter,
    )

_NAMES = {
    "learning": "Kind World",
    "library": "Library LineMaker Neighbour Owner PastChange Readiness Recent Standing TextMatch CommitSummary Topic",
    "night": "Archive Judge Likeness PairReader Pass",
    "outside": "BatchJudge Checker Clock Embedder LanguageModel Progress Redactor TokenCounter",
}

__getattr__ = lazily(__name__, _NAMES)

__all__ = [
    "Archive",
    "BatchJudge",
    "Checker",
    "Clock",
    "CommitSummary",
    "Embedder",
    "Judge",
    "Kind",
    "LanguageModel",
    "Library",
    "Likeness",
    "LineMaker",
    "Neighbour",
    "Owner",
    "PairReader",
    "Pass",
    "PastChange",
    "Progress",
    "Readiness",
    "Recent",
    "Redactor",
    "Standing",
    "TextMatch",
    "TokenCounter",
    "Topic",
    "World",
]
