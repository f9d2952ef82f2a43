"""How much a memory matters now: a short list of named features, each 0 to 1, and a reason for each.

A feature is a function and a line in FEATURES. One that has nothing to say about a memory (no query
was given, a fact has no date) gives None and leaves its weight to the others. Use moves a score
within bounds: being cited helps, being passed over hurts a little, and neither can bury a decision
or lift a trifle. How often something was merely shown counts for nothing here, so that assembling a
context never changes the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from math import log2

from companion.records import (
    Activity,
    Decision,
    Episode,
    EvidenceKind,
    Failure,
    Kind,
    Memory,
    Pattern,
    Reason,
)

HALF_LIFE = timedelta(days=90)
"""An episode is half as interesting after a quarter of a year: a release or two in most projects."""
NAMES_AT_HAND = 0.85
"""A memory of another file that is open, edited or in the error."""
NAMES_NEIGHBOUR = 0.2, 0.6
"""A memory of a neighbouring file: at least, and how much more for one that is surely needed."""
HOLDS_FOLDER = 0.35, 0.45
"""A memory whose scope is a folder above the file: at least, and how much more for the nearest."""
CITED_HALFWAY = 3
"""Citations that give half of the gain from use: cited in three sessions is significant (spec M3)."""
IGNORED_HALFWAY = 20
"""Times passed over that give half of the loss: a habit, not a click."""
USE_GAIN, USE_LOSS = 0.5, 0.2
"""The most that citations add to, and being passed over takes from, the neutral half."""

TASK_TRUST = 0.8
"""How far a match of words is believed: a named file is certain, a likeness is not."""

Scored = tuple[float, str] | None
"""A feature's value and a sentence for people; None where it has nothing to say."""
NOTHING = (0.0, "")


@dataclass(frozen=True)
class Lens:
    """Through what memories are looked at: the moment, the files at hand, their neighbours, the task.

    `current` is the file in focus (or empty); `at_hand` other files open, edited or named by an error;
    `neighbours` maps predicted files to 0..1; `matched` maps memory ids to how well search found
    them for the task's text, and is None if there was no text.
    """

    now: datetime
    activity: Activity
    current: str = ""
    at_hand: frozenset[str] = frozenset()
    neighbours: Mapping[str, float] = field(default_factory=dict)
    matched: Mapping[str, float] | None = None

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The folders above the current file, nearest first."""
        parts = self.current.split("/")[:-1]
        return tuple("/".join(parts[:n]) for n in range(len(parts), 0, -1))

    @cached_property
    def fits(self) -> Mapping[str, float]:
        """How well each sort of memory serves the activity."""
        return FITS[self.activity]

    @cached_property
    def helps(self) -> str:
        """What is said of a memory whose sort serves the activity."""
        return f"helps when {_DOING[self.activity]}"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A memory with its score, the parts of it, and the paths it is about.

    `touch` is how near it is to the files at hand, `match` how well it fits the task's words; both
    are in the score already, as what the memory is about.
    """

    memory: Memory
    score: float
    touch: float
    match: float
    files: tuple[str, ...]
    parts: tuple[tuple[str, float, float, str], ...]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The parts of the score, strongest first."""
        ordered = sorted(self.parts, key=lambda part: (-part[1] * part[2], part[0]))
        return tuple(Reason(name, round(value, 4), weight, says) for name, value, weight, says in ordered)


def rank(memory: Memory, lens: Lens) -> Ranked:
    """A memory's score from 0 to 1: the weighted mean of the features that apply."""
    seen = Seen(memory, lens)
    parts = []
    total = score = 0.0
    for name, weight, feature in FEATURES:
        scored = feature(seen)
        if scored is not None:
            value, says = scored
            parts.append((name, value, weight, says))
            total += weight
            score += value * weight
    return Ranked(memory, round(score / total, 4), seen.place[0], seen.task[0], seen.files, tuple(parts))


class Seen:
    """A memory through a lens, with what several features need worked out once.

    `place` is how near it is to the files at hand (it names one, a folder above, or a neighbour),
    `task` how well search found it for the words of the task, each with a sentence.
    """

    __slots__ = ("files", "lens", "memory", "place", "task")

    def __init__(self, memory: Memory, lens: Lens) -> None:
        self.memory = memory
        self.lens = lens
        self.files = paths_of(memory)
        self.place = _nearest(self.files, lens)
        if memory.draft.kind is Kind.EPISODE and len(self.files) > 1:
            # What a commit over many files says of each one thins out.
            self.place = (self.place[0] / log2(1 + len(self.files)) ** 0.5, self.place[1])
        found = lens.matched.get(memory.id, 0.0) if lens.matched else 0.0
        self.task = (min(max(found, 0.0), 1.0), "matches the task") if found else NOTHING


def paths_of(memory: Memory) -> tuple[str, ...]:
    """The files and folders a memory names: by entity, by evidence, by scope; in that order."""
    draft = memory.draft
    named = [key.removeprefix("file:") for key in draft.entities if key.startswith("file:")]
    named += [e.ref for e in draft.evidence if e.kind is EvidenceKind.FILE]
    if draft.scope.path:
        named.append(draft.scope.path)
    return tuple(dict.fromkeys(named))


def happened_at(memory: Memory) -> datetime | None:
    """When an episode occurred, or since when a fact is true; None if nobody knows."""
    body = memory.draft.body
    return body.occurred_at if isinstance(body, Episode) else memory.draft.valid_from


def _about(seen: Seen) -> Scored:
    """Is it about the place or the task? Either is enough, both together are more (noisy or)."""
    lens = seen.lens
    if not lens.current and not lens.at_hand and lens.matched is None:
        return None
    (at, where), (on, what) = seen.place, seen.task
    return 1 - (1 - at) * (1 - TASK_TRUST * on), " and ".join(
        part for part in (where, what) if part
    ) or "not about file or task"


def _nearest(files: tuple[str, ...], lens: Lens) -> tuple[float, str]:
    best = NOTHING
    for path in files:
        found = _nearness(path, lens)
        if found[0] > best[0]:
            best = found
    return best


def _nearness(path: str, lens: Lens) -> tuple[float, str]:
    if path == lens.current:
        return 1.0, "names this file"
    if path in lens.at_hand:
        return NAMES_AT_HAND, f"names {_base(path)}"
    if path in lens.folders:
        least, more = HOLDS_FOLDER
        return least + more / (1 + lens.folders.index(path)), f"applies to {path}/"
    if path in lens.neighbours:
        least, more = NAMES_NEIGHBOUR
        return least + more * lens.neighbours[path], f"names {_base(path)}"
    return NOTHING


def _base(path: str) -> str:
    return path.rpartition("/")[2]


_IMPORTANCE = tuple((level / 3, f"importance {level} of 3") for level in range(4))


def _importance(seen: Seen) -> Scored:
    return _IMPORTANCE[seen.memory.draft.importance]


def _pinned(seen: Seen) -> Scored:
    return (1.0, "pinned") if seen.memory.draft.pinned else None


def _fits(seen: Seen) -> Scored:
    """Is this the sort of thing that helps in what is being done?"""
    fits, value = seen.lens.fits, FIT_DEFAULT
    for sort in sorts_of(seen.memory):
        value = max(value, fits.get(sort, 0.0))
    return value, seen.lens.helps


def _recency(seen: Seen) -> Scored:
    if seen.memory.draft.kind is not Kind.EPISODE:
        return None
    at = happened_at(seen.memory) or seen.memory.created_at
    ago = max(seen.lens.now - at, timedelta())
    return 0.5 ** (ago / HALF_LIFE), f"{ago.days} days ago"


def _confidence(seen: Seen) -> Scored:
    sure = min(max(seen.memory.draft.confidence, 0.0), 1.0)
    return sure, f"{sure:.0%} sure"


def _use(seen: Seen) -> Scored:
    """Neutral at one half; bounded on both sides."""
    usage = seen.memory.usage
    if not usage.cited and not usage.ignored:
        return 0.5, "never cited nor passed over"
    gain = USE_GAIN * usage.cited / (usage.cited + CITED_HALFWAY)
    loss = USE_LOSS * usage.ignored / (usage.ignored + IGNORED_HALFWAY)
    return 0.5 + gain - loss, f"cited {usage.cited} times, passed over {usage.ignored} times"


Feature = Callable[[Seen], Scored]
FEATURES: tuple[tuple[str, float, Feature], ...] = (
    ("about", 0.60, _about),
    ("importance", 0.12, _importance),
    ("activity", 0.10, _fits),
    ("pinned", 0.10, _pinned),
    ("recency", 0.06, _recency),
    ("confidence", 0.06, _confidence),
    ("use", 0.06, _use),
)
"""Name, weight and function. What a memory is about outweighs all the rest together; the six small
ones order what is equally near."""

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


def sorts_of(memory: Memory) -> tuple[str, ...]:
    """The words that FITS knows a memory by: its kind, its type, what an episode changed; some are empty."""
    draft = memory.draft
    body = draft.body
    more: tuple[str, ...] = ()
    if isinstance(body, Episode):
        more = (body.change,)
    elif isinstance(body, Decision):
        more = ("decision",)
    elif isinstance(body, Failure):
        more = ("error",)
    elif isinstance(body, Pattern):
        more = (body.trigger, draft.attribute)
    return (draft.kind, draft.type, draft.label, *more)
