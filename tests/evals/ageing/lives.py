"""One store lives through a long run: what is told is remembered, questions are searched for, runs follow days."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from journalled import journalled
from msgspec.structs import replace

from companion.api import RunOrder
from companion.app.compose import open_runtime
from companion.app.local import LocalCompanion
from companion.app.replay import SetClock
from companion.app.scanning.vectors import fill_vectors
from companion.config import Settings
from companion.kinds.by_hand import draft_from_note
from companion.ports import NoProgress
from companion.records import (
    ChangeStatus,
    Commit,
    Draft,
    EpisodeType,
    Evidence,
    EvidenceKind,
    FileChange,
    Kind,
    Merge,
    Person,
    Profile,
    RepoState,
    Retire,
    Revive,
    SearchQuery,
    Supersede,
    Visibility,
    entity,
)
from companion.records.runs import ChangeState
from companion.records.tidying import Change
from companion.store import projects
from companion.store.consolidation import journal
from companion.store.memories import usage
from evals.ageing.lifetimes import START, Added, Asked, DayOver, Event, Filed

AUTHOR = Person("Someone", "someone@example.org")


class Life:
    """A store in a folder and a clock that the stream sets; `memory_of` tells which memory a statement became."""

    def __init__(self, folder: Path, embeddings: str = "minilm-int8") -> None:
        self.clock = SetClock(START)
        self.runtime = open_runtime(folder, Settings(embeddings=embeddings), self.clock)
        self.runtime.shared = True  # nobody else wants this store: it need not be let go of between two texts
        state = RepoState(str(folder), str(folder / ".git"), _sha(str(0)), "", _sha("head"), "main")
        self.project, checkout = projects.identify(self.runtime.store.database, state, START)
        projects.set_scanned(self.runtime.store.database, checkout, state, START)
        self.companion = LocalCompanion(self.runtime, state, self.project, checkout)
        self.memory_of: dict[str, str] = {}
        self.added_at: dict[str, datetime] = {}
        self.gave_way: list[tuple[str, str]] = []
        """What was merged into, or superseded by, what."""
        self.run_ms: list[float] = []
        self.active: set[str] = set()
        """Ids of what an ordinary search can find."""
        self._seen: dict[str, datetime] = {}
        """Files that statements were told in, and since when they are known."""
        self._commits = 0
        self._unread = self._awake = False

    def close(self) -> None:
        """Let go of the store."""
        self.runtime.close()

    def meet(self, event: Event, limit: int) -> tuple[str, ...]:
        """Let the product meet what happens by day; the ids of what was told, or found (so many at most)."""
        self.clock.moment = max(self.clock.moment, event.at)
        self._awake |= not isinstance(event, DayOver)
        match event:
            case Added():
                return (self._remember(event),)
            case Asked(text=text):
                return self._answer(text, limit)
            case Filed(path=path, to=to):
                self._file(path, to)
            case DayOver():
                pass
        return ()

    def note_shown(self, shown: Sequence[str], file: str) -> None:
        """What was shown counts as retrieved for the file at hand."""
        usage.record(self.runtime.store.database, shown, "retrieved", file, self.clock.now())

    def sleep(self, now: datetime) -> None:
        """A run as the product has it: all passes planned, and the plan carried out; none where nothing is new."""
        self.clock.moment = max(self.clock.moment, now)
        if not self._awake:
            return
        self._awake = False
        start = time.perf_counter()
        self.companion.consolidate(RunOrder(), NoProgress())
        self.run_ms.append(1_000 * (time.perf_counter() - start))
        for change in self._changes():
            self._follow(change)

    def standing(self) -> set[str]:
        """Ids of what the store says is active; `active` is the same, followed from change to change."""
        return {one.id for one in self.runtime.store.memories.iterate(self.project)}

    def _changes(self) -> Iterator[Change]:
        """What the last run has changed."""
        for run in journal.runs(self.runtime.store.database, self.project, limit=1):
            for one in journalled(self.runtime.store.database, run.id, state=ChangeState.APPLIED):
                yield one.change

    def _follow(self, change: Change) -> None:
        match change:
            case Merge(keep, drop):
                self.active.difference_update(drop)
                self.gave_way += [(gone, keep) for gone in drop]
            case Supersede(old, new):
                self.active.discard(old)
                self.gave_way.append((old, new))
            case Retire(id_):
                self.active.discard(id_)
            case Revive(id_):
                self.active.add(id_)
            case _:
                pass

    def _remember(self, told: Added) -> str:
        if _is_file(told.source):
            self._seen.setdefault(told.source, told.at)
        memory = self.runtime.store.memories.remember(self.project, draft_of(told), self.clock.now())
        self.memory_of[told.id] = memory.id
        self.added_at[told.id] = told.at
        self.active.add(memory.id)
        self._unread = True
        return memory.id

    def _answer(self, text: str, limit: int) -> tuple[str, ...]:
        """Search as a person would; the archive is never asked."""
        if self._unread:
            fill_vectors(self.runtime, self.project, NoProgress())
            self._unread = False
        return tuple(
            hit.id for hit in self.companion.search(SearchQuery(text=text, profile=Profile.MEMORY, limit=limit))
        )

    def _file(self, path: str, to: str) -> None:
        """A file goes or moves as a commit tells; that it was there is told by another, when it first was."""
        if (since := self._seen.pop(path, None)) is None:
            return
        now = self.clock.now()
        change = FileChange(ChangeStatus.RENAMED, to, path) if to else FileChange(ChangeStatus.DELETED, path)
        commits = [self._commit(FileChange(ChangeStatus.ADDED, path), since), self._commit(change, now)]
        self.runtime.store.history.add(self.project, commits)
        if to:
            self._seen[to] = now

    def _commit(self, change: FileChange, at: datetime) -> Commit:
        parents = (_sha(str(self._commits)),) if self._commits else ()
        self._commits += 1
        subject = f"{change.status.name.capitalize()} {change.path}"
        return Commit(_sha(str(self._commits)), parents, AUTHOR, at, at, subject, "", (change,))


def draft_of(told: Added) -> Draft:
    """A statement as the product keeps it: with what it is about, where it holds, and where it was told."""
    talk = told.type == "conversation"
    kind = Kind.EPISODE if talk else Kind(told.type)
    draft = draft_from_note(told.text, kind, told.scope, Visibility.USER_PRIVATE, told.pinned, told.about, told.at)
    if _is_file(told.source):
        evidence = Evidence(EvidenceKind.FILE, told.source)
        entities = (entity("file", told.source), *draft.entities)
    else:
        evidence = Evidence(EvidenceKind.CONVERSATION, told.source)
        entities = draft.entities
    return replace(
        draft,
        type=EpisodeType.CONVERSATION if talk else draft.type,
        evidence=(evidence,),
        entities=(*entities, *((entity("topic", told.about),) if told.about else ())),
    )


def _is_file(source: str) -> bool:
    """A source with an ending is a file; any other names a conversation."""
    return "." in source.rpartition("/")[2]


def _sha(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
