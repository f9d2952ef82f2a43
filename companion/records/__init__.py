"""The nouns: frozen records that know no disk, no clock and no library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.records.code import *
    from companion.records.context import *
    from companion.records.events import *
    from companion.records.findings import *
    from companion.records.judgements import *
    from companion.records.live import *
    from companion.records.memory import *
    from companion.records.passages import *
    from companion.records.search import *
    from companion.records.sorts import *
    from companion.records.tidying import *

_NAMES = {
    "code": (
        "CodeForms Import Link LinkKind ParsedFile Problem Reference ReferenceKind FileRole Shape ShapeFamily Symbol "
        "SymbolKind"
    ),
    "context": (
        "Activity Candidate Context Dropped Forecast Form Format ContextItem Prediction Reason Signals Tier TierReport"
    ),
    "events": "ChangeStatus Commit ErrorReport FileChange FileSeen Frame Person RepoState Skipped",
    "findings": ("Alike CheckResult Judged Linked Nearness Relation Ruling Statement Twins Wording"),
    "judgements": "Inquiry JudgeAnswer JudgedBatch JudgedText Judgement JudgeQuestion JudgeVerdict fold",
    "live": (
        "ASKING UNCOMMITTED Blamed Diagnosed Diagnostic Event Happening Hint Interest CodeLens Observation Ran "
        "Serving Severity Touch Touched Why WhyLine"
    ),
    "memory": (
        "ASSISTANT Artifact Body Contradiction Decision Draft Episode Evidence Failure Levels Memory Pattern Scope "
        "Superseded Usage Workflow entity memory_key over_since places told_at"
    ),
    "passages": "Passage PassageHit PassageKind Span",
    "search": "Hit Profile SearchHit SearchQuery",
    "sorts": (
        "ArtifactKind DecisionStatus EpisodeType EvidenceKind FactType Importance Kind Level Resolution Source "
        "Status Visibility Warmth"
    ),
    "tidying": (
        "CHANGES Change Merge Oppose Outdate Relate Rescope Retire Revive Reword Shorten Supersede Unite Unrelate Warm "
        "Weigh ids_in misfit"
    ),
}
"""The names of each module; `tests/test_house.py` holds them against what is asked for."""

__getattr__ = lazily(__name__, _NAMES)
