"""How much a memory matters now: a short list of named features, each 0 to 1, and a reason for each.

A feature is a value, what is said of it, and a line in FEATURES. Hundreds of memories are looked at
for each context and dozens shown, so sentences are written only for those that are shown. One that
has nothing to say about a memory (no query was given, a fact has no date) gives None and leaves its
weight to the others. Use moves a score within bounds, in three parts: citations at once, and what the
run has made of citing, passing over and resting. None of them can bury a decision or lift a trifle. How
often something was shown or passed over since that run counts for nothing here, so that assembling a
context never changes the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import NamedTuple

from companion.engine.recalling.scoring_context import ScoringContext, Seen
from companion.records import Activity, Kind, Memory, Reason, Warmth, Workflow
from companion.records.wording import sureness

HALF_LIFE = timedelta(days=90)
"""An episode is half as interesting after a quarter of a year: a release or two in most projects."""
CITED_HALFWAY = 3
"""Citations that give half of the gain from use: cited in three sessions is significant (spec M3)."""
CITED_GAIN = 0.5
"""The most that citations add to the neutral half."""
USEFUL_GAIN, USEFUL_LOSS = 0.5, 0.3
"""The most that being useful adds to the neutral half, and being of no use takes from it: silence is weak evidence."""

TASK_TRUST = 0.8
"""How far a match of words is believed: a named file is certain, a likeness is not."""

NEITHER = "not about file or task"


class Ranked(NamedTuple):
    """A memory with its score, and what it was seen as.

    `touch` is how near it is to the files at hand, `match` how well it fits the task's words; both
    are in the score already, as what the memory is about.
    """

    memory: Memory
    score: float
    touch: float
    match: float
    seen: Seen

    @property
    def files(self) -> tuple[str, ...]:
        """The paths it is about."""
        return self.seen.traits.files

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The parts of the score, strongest first."""
        seen = self.seen
        parts = [
            (-value * weight, name, Reason(name, round(value, 4), weight, says(seen)))
            for name, weight, of, says in FEATURES
            if (value := of(seen)) is not None
        ]
        return tuple(reason for _, _, reason in sorted(parts))


def rank(memory: Memory, scoring: ScoringContext) -> Ranked:
    """A memory's score from 0 to 1: the weighted mean of the features that apply."""
    seen = Seen(memory, scoring)
    total, score = 0.0, 0.0
    for _, weight, of, _ in FEATURES:
        value = of(seen)
        if value is not None:
            total += weight
            score += value * weight
    return Ranked(memory, round(score / total, 4), seen.place[0], seen.task, seen)


def _about(seen: Seen) -> float | None:
    """Is it about the place or the task? Either is enough, both together are more (noisy or)."""
    scoring = seen.scoring
    if not scoring.current and not scoring.at_hand and scoring.matched is None:
        return None
    return 1 - (1 - seen.place[0]) * (1 - TASK_TRUST * seen.task)


def _says_about(seen: Seen) -> str:
    parts = (seen.place[1], "matches the task" if seen.task else "")
    return " and ".join(part for part in parts if part) or NEITHER


def _fits(seen: Seen) -> float:
    """Is this the sort of thing that helps in what is being done?"""
    fitting, sorts = seen.scoring.fitting, seen.traits.sorts
    value = fitting.get(sorts)
    if value is None:
        fits = FITS[seen.scoring.activity]
        value = fitting[sorts] = max(FIT_DEFAULT, *(fits.get(sort, 0.0) for sort in sorts))
    return value


def _ago(seen: Seen) -> timedelta:
    at = seen.traits.happened_at or seen.memory.created_at
    return max(seen.scoring.now - at, timedelta())


def _recency(seen: Seen) -> float | None:
    if seen.memory.draft.kind is not Kind.EPISODE:
        return None
    value: float = 0.5 ** (_ago(seen) / HALF_LIFE)
    return value


def _confidence(seen: Seen) -> float:
    return min(max(seen.memory.draft.confidence, 0.0), 1.0)


def _cited(seen: Seen) -> float:
    """Neutral at one half; the first citations count most."""
    cited = seen.memory.usage.cited
    return 0.5 + CITED_GAIN * cited / (cited + CITED_HALFWAY) if cited > 0 else 0.5


def _says_cited(seen: Seen) -> str:
    cited = seen.memory.usage.cited
    return "never cited" if not cited else "cited once" if cited == 1 else f"cited {cited} times"


def _usefulness(seen: Seen) -> float:
    """Neutral at one half, bounded on both sides whatever stands in the store."""
    found = min(max(seen.memory.usefulness, -1.0), 1.0)
    return 0.5 + (USEFUL_GAIN if found > 0 else USEFUL_LOSS) * found


def _says_usefulness(seen: Seen) -> str:
    found = seen.memory.usefulness
    if not found:
        return "its past use is neutral"
    return f"was {'useful' if found > 0 else 'ignored'} when it was shown ({found:+.2f})"


def _usual(seen: Seen) -> float | None:
    """Is it a workflow that is usually gone through at this time? Of all else this says nothing."""
    usual = seen.scoring.usual
    if not usual or not isinstance(seen.memory.draft.body, Workflow):
        return None
    return 1.0 if usual.intersection(seen.memory.draft.body.steps) else None


FEATURES: tuple[tuple[str, float, Callable[[Seen], float | None], Callable[[Seen], str]], ...] = (
    ("about", 0.60, _about, _says_about),
    (
        "importance",
        0.12,
        lambda seen: seen.memory.draft.importance / 3,
        lambda seen: f"importance {int(seen.memory.draft.importance)} of 3",
    ),
    ("activity", 0.10, _fits, lambda seen: f"helps when {_DOING[seen.scoring.activity]}"),
    ("pinned", 0.10, lambda seen: 1.0 if seen.memory.draft.pinned else None, lambda _: "pinned"),
    ("recency", 0.06, _recency, lambda seen: f"{_ago(seen).days} days ago"),
    ("confidence", 0.06, _confidence, lambda seen: sureness(_confidence(seen))),
    ("cited", 0.02, _cited, _says_cited),
    ("usefulness", 0.04, _usefulness, _says_usefulness),
    (
        "warmth",
        0.02,
        lambda seen: _WARMTH[seen.memory.warmth],
        lambda seen: f"{seen.memory.warmth}: {_RESTED[seen.memory.warmth]}",
    ),
    ("usual", 0.20, _usual, lambda _: "usual at this time of day or week"),
)
"""Name, weight, how a memory does in it, 0 to 1 (None: it does not apply), and how that is told. What a memory is
about outweighs all the rest together; the small ones order what is equally near."""

_WARMTH: Mapping[Warmth, float] = {Warmth.HOT: 1.0, Warmth.WARM: 0.7, Warmth.COLD: 0.4}
"""It orders what is equally near, and hides nothing."""
_RESTED: Mapping[Warmth, str] = {
    Warmth.HOT: "used or learned within days of work",
    Warmth.WARM: "used or learned within weeks of work",
    Warmth.COLD: "not used for weeks of work",
}

FIT_DEFAULT = 0.3
"""What sort of memory it is says little against it."""
FITS: Mapping[Activity, Mapping[str, float]] = {
    Activity.NEW_FEATURE: {
        "decision": 1.0, "pattern": 0.9, "feature": 0.8, "branch": 0.8, "preference": 0.7,
        "relationship": 0.6,
    },
    Activity.DEBUGGING: {
        "error": 1.0, "fix": 1.0, "revert": 1.0, "debugging": 1.0, "friction": 0.9, "error handling": 0.8,
        "decision": 0.6, "test": 0.6,
    },
    Activity.REVIEW: {"decision": 1.0, "preference": 0.9, "pattern": 0.8, "revert": 0.8, "friction": 0.6},
    Activity.REFACTORING: {
        "pattern": 1.0, "refactor": 0.9, "decision": 0.8, "test": 0.7, "removal": 0.7, "relationship": 0.7,
    },
    Activity.EXPLORING: {
        "decision": 0.9, "branch": 0.8, "relationship": 0.8, "feature": 0.7, "fact": 0.6, "workflow": 0.6,
    },
}  # fmt: skip
"""How well each sort of memory serves each activity (spec C3)."""
_DOING: Mapping[Activity, str] = {
    Activity.NEW_FEATURE: "building something new",
    Activity.DEBUGGING: "debugging",
    Activity.REVIEW: "reviewing",
    Activity.REFACTORING: "refactoring",
    Activity.EXPLORING: "exploring",
}
