"""What the run reads and asks: the archive, who tells likeness and contradiction, and a pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from companion.ports.outside import BatchJudge, Checker, LanguageModel

if TYPE_CHECKING:
    from companion.records import (
        Alike,
        Change,
        CheckResult,
        Contradiction,
        Inquiry,
        Judged,
        Judgement,
        JudgeQuestion,
        Relate,
        Ruling,
        Statement,
        Twins,
        Unite,
        Unrelate,
        Wording,
    )
    from companion.records.readings import DialogueAct, PairReading


Record = TypeVar("Record")


class Archive(Protocol):
    """What a pass may ask: candidates in sets, read-only, in a stable order, never everything."""

    def rows(self, kind: type[Record], query: str, **given: object) -> Iterator[Record]:
        """What a query of the pass finds, in its order, as records whose fields are its columns.

        It may name $project, $now and what is given to it, $faded (why what nobody asked for is in the archive)
        and $shown_and_left (the context of a use that was none).
        """

    def twins(self) -> Iterator[Twins]:
        """Groups of active memories of one subject, scope and source that say the same, by the one to stay."""

    def near_twins(self) -> Iterator[Inquiry | Twins]:
        """Pairs that people told, near in meaning: of which the reader is sure, and a question for each other."""

    def ask(self, inquiries: Iterable[Inquiry]) -> None:
        """Put questions into the queue of the judges; one that was put before is not put again."""

    def to_weigh(self, question: JudgeQuestion, limit: int) -> Sequence[str]:
        """Memories of history that no judge was asked this about yet, so many that at most `limit` wait."""

    def verdicts(self) -> Iterator[Judgement]:
        """Questions with an answer that was not carried out, and those without one that open a contradiction anyway.

        The language model is asked first, about what it was not asked before.
        """

    def spellings(self) -> Iterator[Unite]:
        """Entities that are another spelling of one and were not known as such: people and topics."""

    @property
    def language_model(self) -> LanguageModel | None:
        """The model that may word things better; None where none is configured."""

    @property
    def batches(self) -> BatchJudge | None:
        """The language model as a judge; None where none is configured."""

    @property
    def checker(self) -> Checker | None:
        """What a model's words are checked by; without one none are used."""

    def to_reword(self, limit: int) -> Iterator[Wording]:
        """Memories that the language model was not asked about yet, or in vain some runs ago; dearest first."""

    def reworded(self, wording: Wording, why_not: str) -> None:
        """Note what a model's words came to, so that nothing is asked twice a run; empty: they were accepted."""

    def tokens(self, text: str) -> int:
        """Tokens of a text, as contexts count them."""

    def count(self, step: str, what: str, many: int = 1) -> None:
        """Add to what a pass counts beside its changes; it stands in the report of the run."""

    def checked(self) -> Iterator[CheckResult]:
        """Memories of history that the check against today speaks against, and those it had ended that hold again.

        Before them what people told that is over by its own words, or because what was to be done of it is done.
        """

    def contradictions(self) -> tuple[Contradiction, ...]:
        """The open ones, newest first."""

    def ties(self) -> Iterator[Relate | Unrelate]:
        """What memories have to do with one another where it is new or has changed, strongest first by relation."""

    def judged(self) -> Iterator[Judged]:
        """Pairs of statements that could contradict one another and were not noted yet, with what a judge says."""


class Likeness(Protocol):
    """Tells whether two texts say the same; see `companion.judge.likeness`."""

    def difference(self, a: str, b: str) -> str:
        """In a few words what only one of them says; empty where they say the same."""

    def read(self, longer: str, shorter: str) -> Alike | None:
        """How it is known that the longer says all of the shorter, read beside it; None where that is not sure."""


class Reader(Protocol):
    """Reads two texts together; see `companion.adapters.reader`. What it makes of them are shares that sum to one."""

    @property
    def version(self) -> str:
        """Of its weights."""

    def pair(self, a: str, b: str) -> PairReading:
        """What two statements are to one another."""

    def act(self, context: str, sentence: str) -> Mapping[DialogueAct, float]:
        """What a sentence does in a conversation; both texts as `companion.talk.hearing.framed` makes them."""


class Judge(Protocol):
    """Says whether two statements can both hold."""

    @property
    def name(self) -> str:
        """Name and version: what it ruled is kept under both."""

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """What it makes of the two, `a` the older. Never raises: what it cannot say is a ruling of None."""


class Pass(Protocol):
    """One step of the run: proposes changes, carries none out. Found by the entry points `companion.passes`."""

    def plan(self, archive: Archive) -> Iterator[Change]:
        """The changes it would make, each with its reason."""
