"""Through what memories are looked at in one ask, and how near each is to the files at hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property

from msgspec import Struct, field

from companion.engine.recalling.traits import traits_of
from companion.records import Activity, Draft, Memory, Pattern

NAMES_AT_HAND = 0.85
"""A memory of another file that is open, edited or in the error."""
NAMES_NEIGHBOUR = 0.2, 0.6
"""A memory of a neighbouring file: at least, and how much more for one that is surely needed."""
HOLDS_FOLDER = 0.35, 0.45
"""A memory whose scope is a folder above the file: at least, and how much more for the nearest."""

NAME_LEAST = 4
"""Letters of a sort's name; a shorter one stands in other words."""
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_LAST_WORD = re.compile(r"[A-Z]?[^A-Z]+")

NOTHING = (0.0, "")
"""How near a memory is that names nothing at hand, and what is said of it."""


class ScoringContext(Struct, frozen=True, dict=True):
    """Through what memories are looked at: the moment, the files at hand, their neighbours, the task.

    `current` is the file in focus (or empty); `at_hand` other files open, edited or named by an error;
    `neighbours` maps predicted files to 0..1; `matched` maps memory ids to how well search found
    them for the task's text, and is None if there was no text; `usual` are steps usually taken now;
    `task` is the task in words.
    """

    now: datetime
    activity: Activity
    current: str = ""
    at_hand: frozenset[str] = frozenset()
    neighbours: Mapping[str, float] = field(default_factory=dict)
    matched: Mapping[str, float] | None = None
    usual: frozenset[str] = frozenset()
    task: str = ""

    @cached_property
    def squeezed_task(self) -> str:
        """The letters and digits of the task's first line, lower case."""
        return _BETWEEN_WORDS.sub("", self.task.strip().partition("\n")[0].lower())

    def makes(self, draft: Draft) -> bool:
        """Whether the task adds a piece of a pattern's sort: it names the folder, or the class that is extended.

        Of a name of several words the last counts, of a folder all: `ScrapyCommand` are commands.
        """
        if self.activity is not Activity.NEW_FEATURE or not isinstance(draft.body, Pattern):
            return False
        sort = draft.subject.rpartition(" ")[2].rpartition("/")[2]
        word = _LAST_WORD.findall(sort)[-1:] or [""]
        name = _BETWEEN_WORDS.sub("", word[0].lower()).removesuffix("s")
        return len(name) >= NAME_LEAST and name in self.squeezed_task

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The folders above the current file, nearest first."""
        parts = self.current.split("/")[:-1]
        return tuple("/".join(parts[:n]) for n in range(len(parts), 0, -1))

    @cached_property
    def fitting(self) -> dict[tuple[str, ...], float]:
        """How well memories of the same sorts serve the activity, each worked out once."""
        return {}

    @cached_property
    def near(self) -> dict[str, tuple[float, str]]:
        """How near paths are to the files at hand, each worked out once."""
        return {}


class Seen:
    """A memory in a scoring context, with what several features need worked out once.

    `place` is how near it is to the files at hand (it names one, a folder above, or a neighbour) with
    a sentence, `task` how well search found it for the words of the task.
    """

    __slots__ = ("memory", "place", "scoring", "task", "traits")

    def __init__(self, memory: Memory, scoring: ScoringContext) -> None:
        self.memory = memory
        self.scoring = scoring
        self.traits = traits = traits_of(memory)
        near, says = _nearest(traits.files, scoring)
        self.place = (near / traits.thinning, says)
        found = scoring.matched.get(memory.id, 0.0) if scoring.matched else 0.0
        self.task = min(max(found, 0.0), 1.0)


def _nearest(files: tuple[str, ...], scoring: ScoringContext) -> tuple[float, str]:
    best, near = NOTHING, scoring.near
    for path in files:
        found = near.get(path)
        if found is None:
            found = near[path] = _nearness(path, scoring)
        if found[0] > best[0]:
            best = found
    return best


def _nearness(path: str, scoring: ScoringContext) -> tuple[float, str]:
    if path == scoring.current:
        return 1.0, "mentions this file"
    if path in scoring.at_hand:
        return NAMES_AT_HAND, f"mentions {_base(path)}"
    if path in scoring.folders:
        least, more = HOLDS_FOLDER
        return least + more / (1 + scoring.folders.index(path)), f"applies to {path}/"
    if path in scoring.neighbours:
        least, more = NAMES_NEIGHBOUR
        return least + more * scoring.neighbours[path], f"mentions {_base(path)}"
    return NOTHING


def _base(path: str) -> str:
    return path.rpartition("/")[2]
