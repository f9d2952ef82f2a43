"""Logs of assistants become conversations: read from where reading stopped, redacted, each to its own project.

Turns go in some at a time, each time with the mark of how far the log was read: a kill loses none and doubles none.
Nothing of it is remembered here; it waits for review.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from companion.api import LogRead
from companion.app.runtime import Runtime
from companion.app.talks.belonging import Belonging
from companion.app.talks.heard import LEFT_OUT, as_kept
from companion.errors import SourceError
from companion.records.talk import FIRST_WORDS, Conversation, Message, Role, TalkState, Turn
from companion.signals.transcripts import Facts, HeardTurn, Log, LogPosition, LogReading, heard, sealed, unchanged
from companion.store.foreign import rows_of
from companion.store.talk import log_import
from companion.store.talk.log_import import Brought, LogMark
from companion.store.texts import clean

KEPT_TURNS = 100
"""Turns of one commit: a hundredth of a second of writing each some megabytes."""
KEPT_CHARACTERS = 4_000_000
"""Characters of one commit, whatever number of turns that is; a long turn is one by itself."""
TITLE_MAX = 100
"""Characters of a title made of the first words: a line."""


class _Counted(Struct):
    """What came of a log so far."""

    talks: set[str] = field(default_factory=set)
    new: int = 0
    grown: int = 0
    deleted: int = 0
    unplaced: int = 0
    why: str = ""

    def add(self, came: Brought) -> None:
        """Some more turns were looked at."""
        self.new += came.new
        self.grown += came.grown
        self.deleted += came.deleted
        if came.conversation is not None:
            self.talks.add(came.conversation.outside)
        if came.deleted and not came.new:
            self.why = "what it says was deleted here before"


@dataclass
class Bringer:
    """Reads logs into one store. `dry_run` keeps nothing, and no mark either."""

    runtime: Runtime
    belonging: Belonging
    dry_run: bool = False

    def read(self, log: Log) -> LogRead | None:
        """Read what is new of a log; None where it is as it was."""
        told = LogRead(log.assistant.name, self._fit(str(log.path)))
        if log.why:
            return replace(told, why=log.why)
        kept = log_import.mark_of(self.runtime.store.database, log.assistant.name, log.name)
        if kept.unplaced and kept.checkouts != self.belonging.digest:
            kept = LogMark()
        try:
            if unchanged(log.assistant, log.path, _mark(kept)):
                return replace(told, why=kept.why) if kept.unplaced else None
            return self._read(log, kept, told)
        except SourceError as wrong:
            return replace(told, why=wrong.what)

    def _read(self, log: Log, kept: LogMark, told: LogRead) -> LogRead:
        reading, found = heard(log.assistant, log.path, _mark(kept), rows_of)
        state, counted = reading.mark, _Counted()
        for batch in _batches(found):
            self._keep(log, batch, counted, lambda: self._note(log, replace(reading.mark, size=-1), kept, counted))
        why = counted.why or _why(log, reading)
        counted.why = why
        self._note(log, replace(reading.mark, size=state.size, changed_ns=state.changed_ns), kept, counted, last=True)
        return replace(
            told,
            conversations=len(counted.talks),
            new=counted.new,
            grown=counted.grown,
            deleted=counted.deleted,
            faults=reading.faults,
            why=why,
        )

    def _keep(self, log: Log, batch: Sequence[HeardTurn], counted: _Counted, note: Callable[[], None]) -> None:
        """Keep the turns of one session and folder, if that belongs to a project, with the mark behind them."""
        first = batch[0]
        project = self.belonging.project_of(first.folder)
        if not project:
            counted.unplaced += len(batch)
            counted.why = f"{self.belonging.why(first.folder)}{f' ({self._fit(first.folder)})' if first.folder else ''}"
            return
        read = [turn for turn in (self._turn(log, one) for one in batch) if turn is not None]
        if not read:
            return
        until = max([one.until for one in batch if one.until] + [turn.at for turn in read])
        talk = self._talk(log, batch, read, project)
        if self.dry_run:
            counted.add(log_import.fresh_in(self.runtime.store.database, talk, read))
            return
        with self.runtime.store.database.write():
            counted.add(
                log_import.keep(self.runtime.store.database, talk, read, until, counter=self.runtime.adapters.counter)
            )
            note()

    def _talk(self, log: Log, batch: Sequence[HeardTurn], read: Sequence[Turn], project: str) -> Conversation:
        said = next((turn.said(Role.USER) for turn in read), "").strip()
        given = next((one.title for one in reversed(batch) if one.title), "")
        title = " ".join(self._fit(given or next(iter(said.splitlines()), "")).split())[:TITLE_MAX]
        return Conversation(
            id="",
            user=self.runtime.store.user,
            state=TalkState.ARCHIVED,
            started_at=read[0].at,
            project=project,
            source=log.assistant.name,
            title=title if given or not title else f"{title} {FIRST_WORDS}",
            outside=clean(f"{batch[0].session or log.name} {project}"),
        )

    def _turn(self, log: Log, one: HeardTurn) -> Turn | None:
        """A turn as it may be kept: redacted, without what we put into it; None where nothing was said."""
        fit = tuple(Message(said.role, as_kept(said.role, self._fit(said.text)) or LEFT_OUT) for said in one.messages)
        if all(message.text == LEFT_OUT for message in fit):
            return None
        at = one.at or datetime.fromtimestamp(log.path.stat().st_mtime, UTC).replace(tzinfo=None)
        return Turn("", "", 0, at, fit, channel=log.assistant.name, outside=clean(one.id))

    def _note(self, log: Log, mark: LogPosition, kept: LogMark, counted: _Counted, *, last: bool = False) -> None:
        if self.dry_run:
            return
        whole = sealed(log.path, mark)
        facts = asdict(replace(whole.facts, title=self._fit(whole.facts.title)))
        noted = LogMark(
            path=str(log.path),
            size=whole.size if last else -1,
            changed_ns=whole.changed_ns,
            place=whole.offset,
            digest=whole.check,
            facts=json.dumps(facts, default=str),
            turns=kept.turns + counted.new,
            unplaced=counted.unplaced,
            checkouts=self.belonging.digest,
            why=self._fit(counted.why),
        )
        log_import.note(
            self.runtime.store.database, log.assistant.name, log.name, noted, self.runtime.adapters.clock.now()
        )

    def _fit(self, text: str) -> str:
        return self.runtime.adapters.redactor.redact(clean(text))


def _batches(found: Iterator[HeardTurn]) -> Iterator[Sequence[HeardTurn]]:
    """Turns of one session and folder at a time, and not too many of them."""
    batch: list[HeardTurn] = []
    length = 0
    for turn in found:
        alike = not batch or (batch[0].session, batch[0].folder) == (turn.session, turn.folder)
        if batch and (not alike or len(batch) >= KEPT_TURNS or length >= KEPT_CHARACTERS):
            yield batch
            batch, length = [], 0
        batch.append(turn)
        length += sum(len(message.text) for message in turn.messages)
    if batch:
        yield batch


def _mark(kept: LogMark) -> LogPosition:
    said = json.loads(kept.facts)
    began = said.pop("began", None)
    facts = Facts(**said, began=datetime.fromisoformat(began) if began else None)
    return LogPosition(kept.place, kept.digest, facts, kept.size, kept.changed_ns)


def _why(log: Log, reading: LogReading) -> str:
    """What is to be said of a log that was read: that it is none, or that lines of it could not be."""
    if reading.faults and not reading.records:
        return f"it is not a log of {log.assistant.title}"
    if not reading.faults:
        return ""
    shown = ", ".join(map(str, reading.faulty)) + (", …" if reading.faults > len(reading.faulty) else "")
    return f"{reading.faults} of its lines could not be read: {shown}"
