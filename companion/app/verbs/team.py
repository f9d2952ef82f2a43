"""The team: what is shared from here and with whom, as files of the repository."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from companion.api.team import (
    SENT_TOLD,
    SentToTeam,
    Shareable,
    SharedMemory,
    TeamExport,
    TeamImport,
    TeamStanding,
)
from companion.app.checkout import Service
from companion.app.given import page
from companion.app.team import exchange, folder, reading
from companion.app.verbs.team_server import server_standing
from companion.errors import UsageError
from companion.records import Contradiction, Memory, Visibility
from companion.records.memory import sharer
from companion.records.team import SharedVersion
from companion.store.memories import contradictions
from companion.store.team.records import StoredRecord
from companion.team.door import version_of
from companion.team.text import read

TEXT = "text"
"""The way of what leaves as files."""
SEEN_BY = "everybody who can read the repository or your team's server, now and later"
LISTED_MOST = 1_000
"""Records listed at once: more is an export."""


class Team(Service):
    """The verbs of sharing. See `companion.api.team`."""

    def team_preview(self, ids: Sequence[str]) -> tuple[Shareable, ...]:
        return tuple(map(self._shareable, self._named(ids)))

    def team_share(self, ids: Sequence[str]) -> tuple[SharedMemory, ...]:
        author, found = exchange.author_of(self.here), self._named(ids)
        for memory in found:
            self._shareable(memory)
        shared = [exchange.share(self.here, memory, author) for memory in found]
        return tuple(SharedMemory(one.id, one.draft.levels.summary, author, self.here.now()) for one in shared)

    def team_withdraw(self, id_: str) -> Memory:
        return exchange.withdraw(self.here, *self._named([id_]))

    def team_export(self, path: Path | None = None) -> TeamExport:
        place = self._folder(path)
        fresh = exchange.make_versions(self.here, exchange.author_of(self.here)) if self._unshared() else ()
        exchange.note_verdicts(self.here)
        records = exchange.records_of(self.runtime)
        stored = records.stored(self.here.project)
        ours = {one.id: read(one.text.encode()) for one in stored if one.made_here and one.text}
        written, removed = folder.write(place, ours, self._withdrawn(stored))
        records.note_sent(self.here.project, ours, TEXT, self.here.now())
        told = tuple(
            SharedMemory(one.id, one.draft.levels.summary, exchange.author_of(self.here), self.here.now())
            for one in fresh
        )
        return TeamExport(str(place), tuple(written), tuple(removed), told)

    def team_import(self, path: Path | None = None, *, always: bool | None = None) -> TeamImport:
        if always is not None:
            reading.agree(self.here, always=always)
        place = self._folder(path)
        if always is False or (always and not place.exists()):
            return TeamImport(str(place), 0, (), 0, 0, always=bool(always))
        return reading.read_all(self.here, place)

    def team_status(self, limit: int = 20) -> TeamStanding:
        root, stored = self.here.work_folder(), exchange.records_of(self.runtime).stored(self.here.project)
        place = None if root is None else folder.folder_in(root)
        versions = [one for one in stored if one.sort == "version" and one.text]
        versions.sort(key=lambda one: (one.made_at, one.id), reverse=True)
        server, there = server_standing(self.here), {} if place is None else folder.ids_in(place)
        to_read, refused = ({}, ()) if place is None else reading.left_in(self.here, place)
        waiting = [one.draft.levels.summary for one in self._unshared()]
        if there or server is None:  # where a server has it all, nobody need export it
            waiting += [self._text(one) for one in stored if one.made_here and one.text and one.id not in there]
        try:
            author = exchange.author_of(self.here)
        except UsageError:
            author = ""
        return TeamStanding(
            author,
            "" if place is None else str(place),
            tuple(map(self._shared, versions[: page(limit, LISTED_MOST)])),
            len(versions),
            tuple(waiting),
            len(to_read),
            reading.is_agreed(self.here),
            tuple(self._contradicted(versions)),
            tuple((one.author, one.made_at) for one in stored if one.sort == "withdrawal"),
            server,
            refused,
        )

    def team_sent(self, limit: int = SENT_TOLD) -> tuple[SentToTeam, ...]:
        records = exchange.records_of(self.runtime)
        stored = {one.id: one for one in records.stored(self.here.project)}
        return tuple(
            replace(one, text=self._text(stored.get(one.record)))
            for one in records.sent(self.here.project, page(limit, LISTED_MOST))
        )

    def _folder(self, path: Path | None) -> Path:
        if path is not None:
            return path.expanduser().absolute()
        root = self.here.work_folder()
        if root is None:
            raise UsageError("There is no work tree here.", "Name a folder: `companion team export --to FOLDER`.")
        return folder.folder_in(root)

    def _named(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        found = self.store.memories.get([self.here.own(id_) for id_ in ids])
        for memory in found:
            if memory.project != self.here.project:
                raise UsageError(f"{memory.id[:12]} is your own and belongs to no project.", "Remember it in one.")
        return found

    def _shareable(self, memory: Memory) -> Shareable:
        """Raises UsageError for a memory that may not leave."""
        if memory.archived_reason:
            raise UsageError(f"{memory.id[:12]} is archived.", f"Bring it back: `companion revive {memory.id[:12]}`.")
        draft = replace(memory.draft, visibility=Visibility.PROJECT_SHARED)
        folders = exchange.machine_folders(self.here)
        author = exchange.author_of(self.here)
        going = version_of(draft, author, self.here.now(), self.runtime.adapters.redactor, folders=folders).draft
        paths = {one.ref for one in going.evidence} | {going.scope.path}
        paths |= {name.partition(":")[2] for name in going.entities if name.startswith("file:")}
        return Shareable(memory, going.levels.full, tuple(sorted(paths - {""})), SEEN_BY)

    def _unshared(self) -> tuple[Memory, ...]:
        return exchange.records_of(self.runtime).unshared(self.here.project)

    def _withdrawn(self, stored: Iterable[StoredRecord]) -> frozenset[str]:
        standing = {one.id for one in stored if one.sort == "version"}
        return frozenset(id_ for one in stored if one.sort == "withdrawal" for id_ in one.about if id_ not in standing)

    def _shared(self, one: StoredRecord) -> SharedMemory:
        return SharedMemory(one.memory, self._text(one), one.author, one.made_at)

    def _text(self, one: StoredRecord | None) -> str:
        record = read(one.text.encode()) if one is not None and one.text else None
        return record.draft.levels.summary if isinstance(record, SharedVersion) else ""

    def _contradicted(self, versions: Sequence[StoredRecord]) -> Iterable[str]:
        authors = {one.memory: one.author.partition(" <")[0] for one in versions if one.memory}
        for one in contradictions.open_ones(self.store.database, self.here.project):
            if any(side.id in authors for side in one.members):
                yield _told(one, authors)


def _told(one: Contradiction, authors: dict[str, str]) -> str:
    sides = (
        f"{authors.get(memory.id) or sharer(memory.draft.origin) or memory.draft.origin}: {memory.draft.levels.summary}"
        for memory in (one.a, one.b)
    )
    return f"{one.id[:12]}  {' — '.join(sides)}"
