"""Where a ranked memory belongs: its tier and section, by rules of which the first that speaks wins.

The rules are spec rows C2 and C3 in order of urgency. A new kind of content is a function and a line
in RULES.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from companion.engine.recalling.rank import Ranked
from companion.engine.recalling.recall import Recalled
from companion.engine.recalling.scoring_context import ScoringContext
from companion.records import (
    Activity,
    Decision,
    DecisionStatus,
    Episode,
    FactType,
    Failure,
    Kind,
    Memory,
    Pattern,
    Reason,
    Source,
    Tier,
)

TOUCHES = 0.8
"""Nearness from which a memory is about the files at hand: it names them, or the folder right above."""
NEAR = 0.45
"""Nearness from which it is about their surroundings: a folder further up, a strong neighbour."""
MATCHES = 0.6
"""Search score from which a memory is about the task; below it words agree by chance."""
RELATED = 0.4
"""Score under which nothing is relevant: such a memory is neither of the place nor of the task."""
KNOWN_FIX, SEEN_BEFORE = 0.95, 0.8
"""Scores of an earlier case of the very error at hand, with and without a fix."""
FIXED_HERE, FIXED_TODAY_ELSEWHERE = 0.85, 0.5
"""Scores of another error of the last day whose fix is known, in the files at hand and elsewhere. The first stands
with what is surely needed there: no gap (see `pack`) may part it from the rest of its tier."""
MODULE_PAST = 0.7
"""Score of what is known of the module's past: it comes before most of the background."""
FOUNDATION = 0.5
"""The least score of a foundation memory: a person or long use has said that it matters always."""

QUOTED = "Said to a program, quoted"
"""The section of what is no knowledge of the project, and is shown in quotation marks."""


class Placement(Struct, frozen=True):
    """A tier, a section of it, the score that counts there, and what gives that where it is no part of the rank."""

    tier: Tier
    section: str
    score: float
    reason: Reason | None = None


Rule = Callable[[Ranked, Recalled, ScoringContext], Placement | None]


def place(ranked: Ranked, recalled: Recalled, scoring: ScoringContext) -> Placement | None:
    """Where the memory goes; None if it has no business in this context."""
    for rule in RULES:
        found = rule(ranked, recalled, scoring)
        if found is not None:
            return found
    return None


def orders_a_program(memory: Memory) -> bool:
    """Whether a memory is no knowledge, but tells a program what to do."""
    return tells_a_program(memory.draft.levels.full)


def tells_a_program(text: str) -> bool:
    """Whether a text that somebody told orders a program about."""
    from companion.language import orders  # the phrases of English are loaded where something was told

    return orders.orders_a_program(text)


def _order(ranked: Ranked, _: Recalled, __: ScoringContext) -> Placement | None:
    """What was told and orders a program about: at most quoted, far from rules and decisions."""
    if ranked.memory.draft.source is Source.SCAN or not orders_a_program(ranked.memory):
        return None
    return Placement(Tier.BACKGROUND, QUOTED, ranked.score)


def _same_error(ranked: Ranked, recalled: Recalled, _: ScoringContext) -> Placement | None:
    if ranked.memory.id not in recalled.same_errors:
        return None
    least = KNOWN_FIX if _fix_known(ranked) else SEEN_BEFORE
    return Placement(Tier.CRITICAL, "This error before", max(ranked.score, least))


def _recent_error(ranked: Ranked, recalled: Recalled, _: ScoringContext) -> Placement | None:
    if ranked.memory.id not in recalled.recent_errors or not _fix_known(ranked):
        return None
    least = FIXED_HERE if ranked.touch >= NEAR else FIXED_TODAY_ELSEWHERE
    return Placement(Tier.CRITICAL, "Errors of the last day", max(ranked.score, least))


def _decision(ranked: Ranked, _: Recalled, __: ScoringContext) -> Placement | None:
    body = ranked.memory.draft.body
    if not isinstance(body, Decision):
        return None
    near = ranked.touch >= TOUCHES or ranked.match >= MATCHES
    if body.status is DecisionStatus.PROPOSED:
        return (
            Placement(Tier.CRITICAL, "Open questions", ranked.score) if near else _if_related(ranked, "Open questions")
        )
    if near:
        return Placement(Tier.CRITICAL, "Decisions", ranked.score)
    return _if_related(ranked, "Related decisions") if max(ranked.touch, ranked.match) >= NEAR else None


def _debugging(ranked: Ranked, _: Recalled, scoring: ScoringContext) -> Placement | None:
    """While debugging: what was fixed here, and what is known to hurt here."""
    draft = ranked.memory.draft
    here = ranked.touch >= TOUCHES * 0.75
    matches = draft.type == FactType.FRICTION and ranked.match >= MATCHES
    if scoring.activity is not Activity.DEBUGGING or not (here or matches):
        return None
    if isinstance(draft.body, Episode) and draft.body.change in {"fix", "revert"}:
        return Placement(Tier.CRITICAL, "Fixes here", ranked.score)
    if draft.type == FactType.FRICTION:
        return Placement(Tier.CRITICAL, "Known issues", ranked.score)
    return None


def _past_error(ranked: Ranked, _: Recalled, scoring: ScoringContext) -> Placement | None:
    if not isinstance(ranked.memory.draft.body, Failure) or _is_beside(ranked, scoring):
        return None
    if scoring.activity is Activity.DEBUGGING and ranked.match >= MATCHES:
        return Placement(Tier.CRITICAL, "Similar errors", ranked.score)
    return _if_related(ranked, "Past errors")


def _collaborator(ranked: Ranked, recalled: Recalled, scoring: ScoringContext) -> Placement | None:
    """What to know of the people at hand; what else they did belongs beside no task that it does not fit."""
    if ranked.memory.id not in recalled.with_people:
        return None
    wanted = ranked.memory.draft.type in {FactType.PREFERENCE, FactType.HABIT, FactType.RELATIONSHIP}
    if scoring.task.strip() and not wanted:
        return None
    score = max(ranked.score, FOUNDATION if wanted else RELATED)
    why = Reason("collaborator", score, 1.0, "about who works on this")
    return Placement(Tier.RELEVANT, "Collaborators", score, why)


def _departure(ranked: Ranked, _: Recalled, scoring: ScoringContext) -> Placement | None:
    """In a review: conventions that the files at hand depart from."""
    body = ranked.memory.draft.body
    if scoring.activity is not Activity.REVIEW or not isinstance(body, Pattern):
        return None
    here = {scoring.current, *scoring.at_hand}
    departs = any(evidence.ref in here for evidence in body.exceptions)
    return Placement(Tier.RELEVANT, "Departs from convention", max(ranked.score, TOUCHES)) if departs else None


def _pattern(ranked: Ranked, _: Recalled, scoring: ScoringContext) -> Placement | None:
    draft = ranked.memory.draft
    if draft.kind is not Kind.PATTERN:
        return None
    if scoring.makes(draft):
        return Placement(Tier.RELEVANT, "Patterns", max(ranked.score, FOUNDATION))
    wanted = scoring.activity in {Activity.NEW_FEATURE, Activity.REFACTORING}
    if wanted and (ranked.touch >= NEAR or ranked.match >= MATCHES):
        return Placement(Tier.RELEVANT, "Patterns", ranked.score)
    return Placement(Tier.BACKGROUND, "Patterns", ranked.score)


def _episode(ranked: Ranked, _: Recalled, scoring: ScoringContext) -> Placement | None:
    if ranked.memory.draft.kind is not Kind.EPISODE or _is_beside(ranked, scoring):
        return None
    if ranked.touch >= NEAR and ranked.score >= RELATED:
        return Placement(Tier.RELEVANT, "History", ranked.score)
    return Placement(Tier.RELEVANT, "Similar work", ranked.score) if ranked.match >= MATCHES else None


def _last_talk(ranked: Ranked, recalled: Recalled, _: ScoringContext) -> Placement | None:
    """Where one was last, whatever is asked: the latest session summary of spec C2."""
    if ranked.memory.id not in recalled.talked:
        return None
    return Placement(Tier.BACKGROUND, "Last conversation", max(ranked.score, FOUNDATION))


def _is_beside(ranked: Ranked, scoring: ScoringContext) -> bool:
    """Whether nothing but a file that is likely needed connects a memory with the task in words, or the files at hand.

    That a file is needed is a guess, and a file has seen hundreds of changes that have nothing to do with this one.
    """
    if ranked.match >= MATCHES:
        return False
    if scoring.task.strip():
        return ranked.touch < TOUCHES
    return scoring.at_hand.union([scoring.current, *scoring.folders]).isdisjoint(ranked.files)


def _workflow(ranked: Ranked, _: Recalled, __: ScoringContext) -> Placement | None:
    if ranked.memory.draft.kind is not Kind.WORKFLOW:
        return None
    tier = Tier.RELEVANT if ranked.match >= MATCHES else Tier.BACKGROUND
    return Placement(tier, "Workflows", ranked.score)


def _rule_that_binds(ranked: Ranked, recalled: Recalled, _: ScoringContext) -> Placement | None:
    binds = recalled.binding.get(ranked.memory.id)
    return None if binds is None else Placement(Tier.RELEVANT, "Rules", binds.value, binds)


def _foundation(ranked: Ranked, recalled: Recalled, _: ScoringContext) -> Placement | None:
    if ranked.memory.id not in recalled.foundation:
        return None
    return Placement(Tier.RELEVANT, "Foundation", max(ranked.score, FOUNDATION))


def _fact(ranked: Ranked, recalled: Recalled, _: ScoringContext) -> Placement | None:
    if ranked.memory.draft.kind is not Kind.FACT:
        return None
    if ranked.touch >= TOUCHES or ranked.match >= MATCHES:
        return Placement(Tier.RELEVANT, "Facts", ranked.score)
    if ranked.memory.id in recalled.conventions or ranked.memory.draft.type == FactType.PREFERENCE:
        return Placement(Tier.BACKGROUND, "Conventions", ranked.score)
    return Placement(Tier.BACKGROUND, "Facts", ranked.score) if ranked.touch >= NEAR else None


def _if_related(ranked: Ranked, section: str) -> Placement | None:
    return Placement(Tier.RELEVANT, section, ranked.score) if ranked.score >= RELATED else None


def _fix_known(ranked: Ranked) -> bool:
    body = ranked.memory.draft.body
    return isinstance(body, Failure) and bool(body.fix or body.fix_commit)


RULES: tuple[Rule, ...] = (
    _order,
    _same_error,
    _recent_error,
    _decision,
    _debugging,
    _past_error,
    _collaborator,
    _departure,
    _rule_that_binds,
    _foundation,
    _pattern,
    _episode,
    _last_talk,
    _workflow,
    _fact,
)
