"""The nouns: frozen records that know no disk, no clock and no library but msgspec, which makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.records.browsing import *
    from companion.records.code import *
    from companion.records.context import *
    from companion.records.declared import *
    from companion.records.events import *
    from companion.records.findings import *
    from companion.records.identity import *
    from companion.records.judgements import *
    from companion.records.live import *
    from companion.records.looking import *
    from companion.records.memory import *
    from companion.records.notes import *
    from companion.records.nudges import *
    from companion.records.passages import *
    from companion.records.reasoning import *
    from companion.records.runs import *
    from companion.records.search import *
    from companion.records.sorts import *
    from companion.records.story import *
    from companion.records.talk import *
    from companion.records.team import *
    from companion.records.tidying import *
    from companion.records.turn_history import *

_NAMES = {
    "browsing": "Use Dossier",
    "code": (
        "CodeForms Import Link LinkKind ParsedFile Reference ReferenceKind FileRole Shape ShapeFamily Symbol SymbolKind"
    ),
    "context": (
        "Activity Candidate Context Dropped Forecast Form Format ContextItem Prediction Reason Signals Tier TierReport"
    ),
    "declared": "Declaration",
    "events": "ChangeStatus Commit ErrorReport FileChange FileSeen Frame Person RepoState Skipped Learned",
    "findings": "Alike CheckResult Judged Linked Nearness Relation Ruling Statement Twins Wording",
    "identity": "Identity",
    "judgements": "Inquiry JudgeAnswer JudgedBatch JudgedText Judgement JudgeQuestion JudgeVerdict fold",
    "live": (
        "UNCOMMITTED Blamed Diagnosed Diagnostic Event Happening Hint Interest CodeLens Observation Ran "
        "Serving Severity Touch Touched Why WhyLine"
    ),
    "looking": (
        "TimelineQuery Happened MonthCount TimelinePage Rate WorkedWeek Measured Replayed Accuracy PastCommit "
        "WorkedFile ChangedTogether Overview Contributor FilePast CommitTold"
    ),
    "memory": (
        "ASSISTANT Artifact Body Contradiction Decision Draft Episode Evidence Failure Levels Memory Pattern Scope "
        "Superseded Usage Workflow entity memory_key over_since places told_at"
    ),
    "notes": "NoteSort StatusField NotePage Preamble",
    "nudges": "NudgeSort NudgeState NudgeAnswer Nudge",
    "passages": "Passage PassageHit PassageKind Span",
    "reasoning": (
        "Destination Consumer Semantics Reading AnswerKind Outcome Conformance How Axis Influence Classified Step "
        "Known Decomposed RuleToJudge Verified Answered Example Recorded Influences"
    ),
    "runs": "RunState ChangeState ConsolidationRun RowMoved Kept Undone Purgeable",
    "search": "Hit Profile SearchHit SearchQuery",
    "sorts": (
        "ArtifactKind DecisionStatus EpisodeType EvidenceKind FactType Importance Kind Level Resolution Source "
        "Status Visibility Warmth"
    ),
    "story": "HistoryEnd LineChange LineHistory StoryLink StoryStep",
    "talk": (
        "TalkState Role ItemType TodoSort ItemState Message Turn Conversation TurnHit Item Settles Suggestion "
        "Extraction Part NamedItem Preview Act Theme Erased"
    ),
    "team": "Conflict SharedResolution SharedVerdict SharedVersion TeamRecord TeamState Withdrawal",
    "tidying": (
        "CHANGES Change Decide Merge Oppose Outdate Relate Rescope Retire Revive Reword Shorten Supersede Unite "
        "Unrelate Warm Weigh ids_in misfit"
    ),
    "turn_history": (
        "Anchor TurnPart HandedTurn History TurnMove SessionSummary Rolling TalkSession Whole TalkProgress Block "
        "ArrayMessage RunningArray Compaction"
    ),
}
"""The names of each module; `tests/test_house.py` holds them against what is asked for."""

if not TYPE_CHECKING:
    __getattr__ = lazily(__name__, _NAMES)
