"""A companion as the owner hands it to a client: it reads at once, and what takes long to write waits its turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from companion.api import Finding, Note, Refreshed, Remembered, RunOrder, RunReport, ScanReport, Verdict
from companion.app.local import LocalCompanion
from companion.app.prefetch import PrefetchKey
from companion.daemon.checkouts import Live
from companion.errors import UsageError
from companion.ports import Progress
from companion.records import (
    Context,
    Contradiction,
    JudgeAnswer,
    JudgedBatch,
    Memory,
    Observation,
    Touch,
    Touched,
)
from companion.records.runs import Undone
from companion.records.talk import Message, Turn
from companion.store.judgements import PERSON

T = TypeVar("T")

BEHIND = "Vectors are made in the background; `companion stats` tells how far they are."


class _Turns(Protocol):
    """What the owner does for a hosted companion: work that takes its turn, and what follows from what happened."""

    def in_turn(self, verb: str, work: Callable[[], T]) -> T:
        """Have `work` done by the writer, and wait for what it gives; `verb` names it for those who wait too."""

    def unless_leaving(self, progress: Progress) -> Progress:
        """Progress that breaks off the work which reports to it once the owner is to leave."""

    def later(self, note: Callable[[], None]) -> None:
        """Have the writer call `note` soon: it writes down what was served. Returns at once."""

    def changed(self, live: Live, paths: frozenset[str] | None) -> None:
        """Have a refresh look at these paths, or (None) at the whole checkout: something may have changed there."""

    def at_hand(self, live: Live) -> None:
        """Have a context prepared: something was opened, and one for it will be asked for."""

    def learned(self, live: Live) -> None:
        """Have new texts given their vectors, and new contradictions told to who is attached."""

    def said(self) -> None:
        """Have the texts of the user's own spaces given their vectors: something was said or remembered."""

    def was_read(self, live: Live) -> None:
        """The checkout was read to the end, and may be watched from now on."""

    def settle(self, live: Live) -> None:
        """Have what was put off (kinds that look at the whole code, the ranker) done in a quiet moment."""

    def tidied(self, live: Live) -> None:
        """Have indexes and attached editors follow: a run changed what is remembered, or was taken back."""

    def took_in(self, live: Live, refreshed: Refreshed, paths: Sequence[str] | None) -> None:
        """Note what a refresh found, and tell attached editors if it found anything."""


@dataclass(kw_only=True)
class Hosted(LocalCompanion):
    """Answers one request for one client. Made for each request, so what is said to one reaches no other."""

    turns: _Turns
    live: Live
    owns_rooms: bool = False

    def scan(self, progress: Progress, *, full: bool = False, embed: bool = True) -> ScanReport:
        """Read what is new and learn from it; vectors are made behind it, in slices."""
        heard = self.turns.unless_leaving(progress)
        report = self.turns.in_turn("scan", partial(super().scan, heard, full=full, embed=False))
        self.turns.was_read(self.live)
        self.turns.learned(self.live)
        if embed and report.readiness.to_embed and self.rooms.embedder is not None:
            report = replace(report, notes=(*report.notes, BEHIND))
        return report

    def refresh(self, paths: Sequence[str] | None) -> Refreshed:
        """Take in what changed in these files (None: wherever anything did) and in the history."""
        refreshed = self.turns.in_turn("refresh", partial(super().refresh, paths))
        self.turns.took_in(self.live, refreshed, paths)
        if self.waits():
            self.turns.settle(self.live)
        return refreshed

    def consolidate(self, order: RunOrder, progress: Progress) -> RunReport:
        """Tidy the store, in the thread that asks: between two batches others write, and who asks is answered."""
        try:
            return super().consolidate(order, self.turns.unless_leaving(progress))
        finally:
            if not order.dry_run:
                self.turns.tidied(self.live)

    def undo(self, run: str, change: int | None = None) -> Undone:
        """Take back a run, or one change of it."""
        try:
            return super().undo(run, change)
        finally:
            self.turns.tidied(self.live)

    def rebuild(self, progress: Progress) -> tuple[Finding, ...]:
        """Make every derived index anew from what is canonical."""
        return self.turns.in_turn("rebuild", partial(super().rebuild, self.turns.unless_leaving(progress)))

    def import_file(self, path: Path) -> int:
        """Read an export back; returns the number of memories that were new."""
        added = self.turns.in_turn("import", partial(super().import_file, path))
        self.turns.learned(self.live)
        return added

    def backup(self, target: Path | None) -> Path:
        """A consistent copy of the whole store."""
        return self.turns.in_turn("backup", partial(super().backup, target))

    def remember(self, note: Note) -> Memory:
        """Keep what a person says."""
        memory = super().remember(note)
        self.turns.learned(self.live)
        return memory

    def settle(self, id_: str, verdict: Verdict) -> Contradiction:
        """Settle a contradiction as a person says."""
        settled = super().settle(id_, verdict)
        self.turns.learned(self.live)
        return settled

    def judge(self, answers: Sequence[JudgeAnswer], judge: str = PERSON) -> JudgedBatch:
        """Take answers, and carry out what follows from them."""
        done = super().judge(answers, judge)
        if done.changes:
            self.turns.learned(self.live)
        return done

    def unsettle(self, id_: str) -> Contradiction:
        """Take back how a contradiction was settled."""
        opened = super().unsettle(id_)
        self.turns.learned(self.live)
        return opened

    def confirm_review(self, conversation: str = "") -> Remembered:
        """Remember a conversation as its preview says."""
        remembered = super().confirm_review(conversation)
        self.turns.learned(self.live)
        self.turns.said()
        return remembered

    def add_turn(self, messages: Sequence[Message], conversation: str = "", channel: str = "") -> Turn:
        """Write down what was said; what is made of it is noted behind the answer."""
        turn = super().add_turn(messages, conversation, channel)
        self.turns.said()
        return turn

    def observe(self, seen: Sequence[Observation]) -> None:
        """Take note of what happened; what was saved is read, and what was opened will be asked about."""
        super().observe(seen)
        touched = [one for one in seen if isinstance(one, Touched)]
        if saved := frozenset(self._saved(touched)):
            self.turns.changed(self.live, saved)
        if any(one.how is Touch.OPENED for one in touched):
            self.turns.at_hand(self.live)

    def _saved(self, touched: Sequence[Touched]) -> Iterator[str]:
        """Paths that were saved, as the repository knows them; what lies outside it is nobody's business."""
        for one in touched:
            if one.how is Touch.SAVED:
                with suppress(UsageError):
                    yield self._inside(one.path)

    def _count_use(self, context: Context, wanted: PrefetchKey, *, ready: bool) -> None:
        self.live.last = wanted  # what is written behind the answer is known to `explain` at once
        super()._count_use(context, wanted, ready=ready)

    def _behind(self, note: Callable[[], None]) -> None:
        """What was served is written down behind the answer."""
        self.turns.later(note)

    def _last(self) -> PrefetchKey | None:
        return self.live.last or super()._last()
