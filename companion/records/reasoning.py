"""A request, how it is read, what is known of it, and what came of the answer."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace


class Destination(StrEnum):
    """Where the answer to a request goes: shown at once, kept in a file, or done by running something."""

    STREAM = "stream"
    FILE = "file"
    PROCESS = "process"


class Consumer(StrEnum):
    """Who takes the result: somebody who reads it, or a program (a compiler, a build, a server)."""

    HUMAN = "human"
    MACHINE = "machine"


class Semantics(StrEnum):
    """What is done: something that is there is fetched, something is thought about, or something is changed."""

    READ = "read"
    INTERPRET = "interpret"
    EXECUTE = "execute"


class Reading(Struct, frozen=True):
    """How a request is to be taken, on all three axes."""

    destination: Destination
    consumer: Consumer
    semantics: Semantics

    def __str__(self) -> str:
        """As it is typed: `process/machine/execute`."""
        return f"{self.destination}/{self.consumer}/{self.semantics}"

    def with_label(self, label: str) -> Reading:
        """The reading with this label on the axis it belongs to. Raises ValueError for a word that is no label."""
        if label in set(Destination):
            return replace(self, destination=Destination(label))
        if label in set(Consumer):
            return replace(self, consumer=Consumer(label))
        return replace(self, semantics=Semantics(label))


class AnswerKind(StrEnum):
    """Which verb gave an answer."""

    CLASSIFY = "classify"
    DECOMPOSE = "decompose"
    VERIFY = "verify"


class Outcome(StrEnum):
    """What a person made of an answer."""

    ACCEPTED = "accepted"
    CORRECTED = "corrected"
    REJECTED = "rejected"


class Conformance(StrEnum):
    """Whether an action fits what is known; unknown wherever that is not sure."""

    FITS = "fits"
    CONFLICTS = "conflicts"
    UNKNOWN = "unknown"


class How(StrEnum):
    """In which way something that is known influenced an answer."""

    DISAMBIGUATION = "disambiguation"
    PATTERN = "pattern_match"
    ENTITY = "entity_reference"
    INTENT = "intent_verification"


class Axis(Struct, frozen=True):
    """One axis of a reading: the label, the share of certainty each label has, and why, the weightiest first."""

    label: str
    shares: tuple[tuple[str, float], ...]
    reasons: tuple[str, ...] = ()

    @property
    def confidence(self) -> float:
        """The share of the label that was chosen."""
        return dict(self.shares)[self.label]


class Influence(Struct, frozen=True):
    """What one thing that is known did to one answer.

    `source` is the id of a memory, of an open item or of an earlier answer, `title` what it is called. `weight` is
    how much of the certainty it moved: above 0 towards the answer, below 0 against it, 0 where it was read and
    changed nothing.
    """

    source: str
    title: str
    how: How
    weight: float
    why: str
    answer: str = ""


class Classified(Struct, frozen=True, kw_only=True):
    """How a request is read, how surely, by what that is known; `question` is empty unless it stays ambiguous."""

    id: str
    request: str
    reading: Reading
    confidence: float
    destination: Axis
    consumer: Axis
    semantics: Axis
    influences: tuple[Influence, ...] = ()
    question: str = ""
    made_by: str = "rules"
    notes: tuple[str, ...] = ()
    """What was left out of the request, or could not be asked."""


class Step(Struct, frozen=True):
    """One step of a task, where it comes from, and what may hold it up (ids of open items)."""

    text: str
    reading: Reading
    why: str
    sources: tuple[str, ...] = ()
    blocked_by: tuple[str, ...] = ()


class Known(Struct, frozen=True):
    """Something known that bears on a request: a past task, a decision, an open end. `score` is 0 to 1."""

    id: str
    title: str
    score: float
    why: str
    steps: tuple[str, ...] = ()


class Decomposed(Struct, frozen=True, kw_only=True):
    """A request in steps, by the similar past tasks, the decisions in force and what is open."""

    id: str
    request: str
    steps: tuple[Step, ...]
    similar: tuple[Known, ...] = ()
    decisions: tuple[Known, ...] = ()
    open: tuple[Known, ...] = ()
    influences: tuple[Influence, ...] = ()
    made_by: str = "rules"
    notes: tuple[str, ...] = ()


class RuleToJudge(Struct, frozen=True):
    """A rule that may bear on an action, with the clause that is nearest to it: who understands both can tell.

    `question` is the id under which `judge` takes what they say, `source` that of the memory, `text` what it says.
    """

    question: str
    source: str
    title: str
    clause: str
    text: str


class Verified(Struct, frozen=True, kw_only=True):
    """Whether an intended action fits what is known: by which rules or answers, and what else may be meant.

    `confidence` is that of the verdict, 0 where it is unknown. `related` speaks of the same matter and decides nothing.
    Where it is unknown, `to_judge` has the rules that whoever asked should judge by: fits, conflicts, silent or unsure.
    """

    id: str
    action: str
    request: str
    verdict: Conformance
    confidence: float
    supporting: tuple[Influence, ...] = ()
    against: tuple[Influence, ...] = ()
    related: tuple[Influence, ...] = ()
    why: str = ""
    other_reading: str = ""
    to_judge: tuple[RuleToJudge, ...] = ()
    made_by: str = "rules"
    notes: tuple[str, ...] = ()


class Answered(Struct, frozen=True):
    """An answer as it is kept, and what came of it. `said` is what it said in a line, `right` what was right instead.

    Empty words mean that something it quoted was deleted since.
    """

    id: str
    kind: AnswerKind
    request: str
    at: datetime
    said: str
    confidence: float
    made_by: str = "rules"
    action: str = ""
    outcome: Outcome | None = None
    right: str = ""
    note: str = ""
    outcome_at: datetime | None = None


class Example(Struct, frozen=True):
    """A request (or an action) with what came of the answer: what later ones are compared with and learned from.

    `reading` is what was right for an accepted or corrected one and what was wrong for a rejected one; None where the
    answer was no reading. `vector` is empty where there was no embedding model.
    """

    answer: str
    text: str
    outcome: Outcome
    at: datetime
    reading: Reading | None = None
    note: str = ""
    right: str = ""
    said: str = ""
    vector: tuple[float, ...] = ()


class Recorded(Struct, frozen=True):
    """What was taken down of an outcome, what it taught, and what it took the place of."""

    answer: Answered
    taught: str
    before: Outcome | None = None
    changed: bool = True
    """Whether it is news: the same outcome given twice counts once."""


class Influences(Struct, frozen=True):
    """Who influenced whom: what an answer rests on, or the answers that rest on something, newest first.

    `answers` has all answers that are named, `of` is the id that was asked about. A chain goes on from an answer
    to those that learned from what came of it.
    """

    of: str
    influences: tuple[Influence, ...]
    answers: tuple[Answered, ...] = ()
