"""The nouns: frozen records that know no disk, no clock and no library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.records.code import (
        CodeForms,
        Import,
        Link,
        LinkKind,
        ParsedFile,
        Problem,
        Reference,
        ReferenceKind,
        Role,
        Shape,
        ShapeFamily,
        Symbol,
        SymbolKind,
    )
    from companion.records.context import (
        Activity,
        Candidate,
        Context,
        Dropped,
        Forecast,
        Form,
        Format,
        Item,
        Prediction,
        Reason,
        Signals,
        Tier,
        TierReport,
    )
    from companion.records.events import (
        ChangeStatus,
        Commit,
        ErrorReport,
        FileChange,
        FileSeen,
        Frame,
        Person,
        RepoState,
        Skipped,
        Tag,
    )
    from companion.records.findings import (
        Aged,
        CheckResult,
        Idle,
        Judged,
        Linked,
        Nearness,
        Relation,
        Ruling,
        Spelling,
        Statement,
        Tie,
        Twins,
        Wording,
        Worth,
    )
    from companion.records.judgements import (
        Inquiry,
        JudgeAnswer,
        JudgedBatch,
        JudgedText,
        Judgement,
        JudgeQuestion,
        JudgeVerdict,
    )
    from companion.records.live import (
        ASKING,
        UNCOMMITTED,
        Blamed,
        Diagnosed,
        Diagnostic,
        Event,
        Happening,
        Hint,
        Interest,
        Mark,
        Observation,
        Ran,
        Serving,
        Severity,
        Touch,
        Touched,
        Why,
        WhyLine,
    )
    from companion.records.memory import (
        Artifact,
        Body,
        Contradiction,
        Decision,
        Draft,
        Episode,
        Evidence,
        Failure,
        Levels,
        Memory,
        Pattern,
        Scope,
        Superseded,
        Usage,
        Workflow,
        entity,
        memory_key,
        places,
    )
    from companion.records.passages import Passage, PassageHit, PassageKind, Span
    from companion.records.search import Hit, Profile, SearchHit, SearchQuery
    from companion.records.sorts import (
        ArtifactKind,
        DecisionStatus,
        EpisodeType,
        EvidenceKind,
        FactType,
        Importance,
        Kind,
        Level,
        Resolution,
        Source,
        Status,
        Visibility,
        Warmth,
    )
    from companion.records.tidying import (
        Change,
        Merge,
        Oppose,
        Outdate,
        Relate,
        Rescope,
        Retire,
        Revive,
        Reword,
        Shorten,
        Supersede,
        Unite,
        Unrelate,
        Warm,
        Weigh,
        touched,
    )

_NAMES = {
    "code": (
        "CodeForms Import Link LinkKind ParsedFile Problem Reference ReferenceKind Role Shape ShapeFamily Symbol "
        "SymbolKind"
    ),
    "context": (
        "Activity Candidate Context Dropped Forecast Form Format Item Prediction Reason Signals Tier TierReport"
    ),
    "events": "ChangeStatus Commit ErrorReport FileChange FileSeen Frame Person RepoState Skipped Tag",
    "findings": (
        "Aged CheckResult Idle Judged Linked Nearness Relation Ruling Spelling Statement Tie Twins Wording Worth"
    ),
    "judgements": "Inquiry JudgeAnswer JudgedBatch JudgedText Judgement JudgeQuestion JudgeVerdict",
    "live": (
        "ASKING UNCOMMITTED Blamed Diagnosed Diagnostic Event Happening Hint Interest Mark Observation Ran "
        "Serving Severity Touch Touched Why WhyLine"
    ),
    "memory": (
        "Artifact Body Contradiction Decision Draft Episode Evidence Failure Levels Memory Pattern Scope "
        "Superseded Usage Workflow entity memory_key places"
    ),
    "passages": "Passage PassageHit PassageKind Span",
    "search": "Hit Profile SearchHit SearchQuery",
    "sorts": (
        "ArtifactKind DecisionStatus EpisodeType EvidenceKind FactType Importance Kind Level Resolution Source "
        "Status Visibility Warmth"
    ),
    "tidying": (
        "Change Merge Oppose Outdate Relate Rescope Retire Revive Reword Shorten Supersede Unite Unrelate Warm Weigh"
        " touched"
    ),
}
"""The names of each module; `tests/test_house.py` holds them against the imports above."""

__getattr__ = lazily(__name__, _NAMES)
