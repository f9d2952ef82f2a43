"""Records of a team in the store: known by their ids, taken in once whatever the order, sent when they were made here.

What the user erases leaves its row without a text, so that it is not read again; what its author withdraws leaves no
row at all, since the withdrawal keeps it away.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from msgspec import Struct

from companion.api.team import SentToTeam
from companion.records import Memory
from companion.records.memory import TEAM
from companion.records.team import SharedResolution, SharedVerdict, SharedVersion, TeamRecord, Withdrawal
from companion.store.binding import duckdb
from companion.store.bulk import insert_dicts
from companion.store.by_columns import column_where, delete_where
from companion.store.care import deleted
from companion.store.care.deleted import Deleted
from companion.store.database import Database
from companion.store.memories.memories import Memories
from companion.store.memories.rows_sql import memories_of
from companion.store.rows import Query, Source, Table, column, pairs, tuples
from companion.store.talk import forgetting
from companion.store.team.showing import Showing
from companion.team.text import line, read

_SORTS = {SharedVersion: "version", Withdrawal: "withdrawal", SharedResolution: "resolution", SharedVerdict: "verdict"}


class StoredRecord(Struct, frozen=True):
    """A record as this store has it; `text` is empty where the user erased what it says."""

    id: str
    sort: str
    record_key: str
    author: str
    made_at: datetime
    about: tuple[str, ...]
    text: str
    arrived_at: datetime
    made_here: bool
    memory: str


class Arrived(Struct, frozen=True):
    """What came of records: ids of those that are new, of memories that say something new and of what went.

    `withdrawn` are versions whose text was deleted, with the memories that said it: whoever called has them leave the
    indexes and the copies of the store.
    """

    records: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    contradictions: int = 0


RECORDS = Table(StoredRecord, "team_records", key="project_id, id")

_TEXTS = """
select id, text
from team_records
where project_id = $project
    and text <> ''
order by id
"""

_UNSENT = """
select id, text
from team_records
where project_id = $project
    and made_here
    and text <> ''
    and id not in (
        select record_id
        from team_sent
        where project_id = $project
            and way = $way
    )
order by made_at, id
"""

_SENT = Query(
    SentToTeam,
    """
select id as record, sort, author, way, sent_at, '' as text
from team_sent
join team_records on team_records.project_id = team_sent.project_id and id = record_id
where team_sent.project_id = $project
union all
select record_id, 'version', withdrawal.author, way, sent_at, ''
from team_sent
join team_records as withdrawal
    on withdrawal.project_id = team_sent.project_id
    and withdrawal.sort = 'withdrawal'
    and withdrawal.about[1] = record_id
where team_sent.project_id = $project
    and record_id not in (
        select id
        from team_records
        where project_id = $project
    )
order by sent_at desc, record
limit $limit
""",
)
"""Of what is withdrawn since, the withdrawal says whose it was."""

_SETTLED = """
select id
from team_records
where project_id = $project
    and id in (select unnest($ids::varchar[]))
union all
select about[1]
from team_records
where project_id = $project
    and sort = 'withdrawal'
    and made_here
"""

_WITHDRAWN = """
select withdrawn.id, withdrawn.record_key, withdrawn.memory_id, withdrawn.about
from team_records as withdrawal
join team_records as withdrawn
    on withdrawn.project_id = withdrawal.project_id
    and withdrawn.id = withdrawal.about[1]
    and withdrawn.author = withdrawal.author
where withdrawal.project_id = $project
    and withdrawal.sort = 'withdrawal'
    and withdrawn.sort = 'version'
"""

_SAID_BY_NOBODY_ELSE = """
select id
from memories
where id in (select unnest($ids::varchar[]))
    and learner = $team
    and id not in (
        select memory_id
        from team_records
    )
"""
"""Memories of withdrawn versions; another version of the same words may stand."""

_UNSHARED = """
select id
from memories
where project_id = $project
    and status = 'active'
    and visibility = 'project-shared'
    and persona = ''
    and learner <> $team
    and source in ('by-hand', 'import', 'shadow-extraction', 'curated-fold')
    and id not in (
        select memory_id
        from team_records
        where project_id = $project
    )
order by created_at, id
"""

_TOOK_THE_PLACE_OF = """
select team_records.id
from memories as new
join memories as old
    on old.superseded_by = new.id
    or old.id = new.supersedes
join team_records
    on team_records.project_id = new.project_id
    and team_records.memory_id = old.id
where new.id = $memory
order by team_records.id
"""

_USED = """
select team_records.id
from team_records
join memories on memories.id = memory_id
where team_records.project_id = $project
    and sort = 'version'
    and cited_count > 0
"""

_OF_MEMORIES = """
select memory_id, id
from team_records
where project_id = $project
    and sort = 'version'
    and text <> ''
    and memory_id in (select unnest($ids::varchar[]))
"""


class TeamRecords:
    """The records of a team in one store."""

    def __init__(self, database: Database, memories: Memories) -> None:
        self._database = database
        self._memories = memories

    def known(self, project: str) -> dict[str, TeamRecord]:
        """Every record of a project that has a text, by id."""
        return {id_: read(text.encode()) for id_, text in tuples(self._database, _TEXTS, project=project)}

    def known_among(self, project: str, ids: Collection[str]) -> frozenset[str]:
        """Which of some records are here already, also where the user erased what they say."""
        return frozenset(_known(self._database, project, ids))

    def settled_among(self, project: str, ids: Collection[str]) -> frozenset[str]:
        """Which of some records need no reading: those that are here already, and all that was withdrawn here."""
        return frozenset(column(self._database, _SETTLED, project=project, ids=list(ids)))

    def stored(self, project: str) -> tuple[StoredRecord, ...]:
        """Every record of a project as the store has it, in order of ids."""
        return RECORDS.where(self._database, order="id", project_id=project)

    def outgoing(self, project: str, way: str) -> dict[str, TeamRecord]:
        """What was made here and not sent that way yet, by id, the oldest first. `way` is `text` or names a server."""
        found = tuples(self._database, _UNSENT, project=project, way=way)
        return {id_: read(text.encode()) for id_, text in found}

    def note_sent(self, project: str, ids: Collection[str], way: str, now: datetime) -> None:
        """Note that records left; what was noted before keeps its moment."""
        rows = [{"project_id": project, "record_id": id_, "way": way, "sent_at": now} for id_ in ids]
        with self._database.write(quiet=True) as connection:
            insert_dicts(connection, "team_sent", rows, or_ignore=True)

    def sent(self, project: str, limit: int) -> tuple[SentToTeam, ...]:
        """What left this store, the latest first; what it says is not read."""
        return _SENT.all(self._database, project=project, limit=limit)

    def used(self, project: str) -> list[str]:
        """The versions whose memories were cited here."""
        return column(self._database, _USED, project=project)

    def note_used_by(self, project: str, others: Mapping[str, int]) -> None:
        """Note by how many others versions were cited, by id; that never falls."""
        rows = [{"project_id": project, "id": id_, "used_by": count} for id_, count in others.items()]
        with self._database.write(quiet=True) as connection:
            RECORDS.update(connection, rows, only="team_records.used_by < told.used_by")

    def unshared(self, project: str) -> tuple[Memory, ...]:
        """Project-shared memories that the repository does not teach and that no record of this store says yet."""
        return memories_of(self._database, _UNSHARED, project=project, team=TEAM)

    def replaced_by(self, memory_id: str) -> tuple[str, ...]:
        """The versions whose memories a memory took the place of, by id."""
        return tuple(column(self._database, _TOOK_THE_PLACE_OF, memory=memory_id))

    def versions_of(self, project: str, ids: Collection[str]) -> dict[str, str]:
        """By the ids of memories the versions that they say."""
        return pairs(self._database, _OF_MEMORIES, project=project, ids=ids)

    def add(
        self,
        project: str,
        records: Mapping[str, TeamRecord],
        now: datetime,
        memories: Mapping[str, str] | None = None,
    ) -> Arrived:
        """Keep what was made here; `memories` are those that versions were made of, by the ids of the versions."""
        return self._put(project, records, now, memories or {}, made_here=True)

    def take_in(self, project: str, records: Mapping[str, TeamRecord], now: datetime) -> Arrived:
        """Keep what others made, in one transaction; what is known already changes nothing.

        A version that is current becomes a memory, one that another replaces is superseded, a withdrawn one is erased;
        contradictions are opened, and resolved as somebody resolved them.
        """
        return self._put(project, records, now, {}, made_here=False)

    def _put(
        self,
        project: str,
        records: Mapping[str, TeamRecord],
        now: datetime,
        memories: Mapping[str, str],
        *,
        made_here: bool,
    ) -> Arrived:
        with self._database.write() as connection:
            known = set(_known(connection, project, records))
            fresh = {id_: record for id_, record in records.items() if id_ not in known}
            rows = [
                StoredRecord(
                    id_,
                    _SORTS[type(record)],
                    record.key if isinstance(record, SharedVersion) else "",
                    record.author,
                    record.made_at,
                    about(record),
                    line(record),
                    now,
                    made_here,
                    memories.get(id_, ""),
                )
                for id_, record in fresh.items()
            ]
            RECORDS.insert(connection, rows, project_id=project)
            gone, keys = self._withdraw(connection, project)
            named = [id_ for record in fresh.values() for id_ in about(record)]
            keys |= _keys(connection, project, [*fresh, *named])
            showing = Showing(connection, self._database, self._memories, project, now)
            shown, opened = showing.show(keys, fresh, resolves=not made_here)
        return Arrived(tuple(id_ for id_ in fresh if id_ not in gone), shown, gone, opened)

    def _withdraw(self, connection: duckdb.DuckDBPyConnection, project: str) -> tuple[tuple[str, ...], set[str]]:
        """Delete what is withdrawn: the versions that were there, the keys that this touches."""
        found = tuples(connection, _WITHDRAWN, project=project)
        if not found:
            return (), set()
        ids = [id_ for id_, _, _, _ in found]
        keys = {key for _, key, _, _ in found}
        keys |= _keys(connection, project, [old for *_, about_ in found for old in about_])
        delete_where(connection, "team_records", project_id=project, id=ids)
        said = [memory for _, _, memory, _ in found if memory]
        erased = column(connection, _SAID_BY_NOBODY_ELSE, ids=said, team=TEAM)
        if erased:
            forgetting.erase(self._database, erased)
        deleted.note(self._database, Deleted(memories=tuple(erased), versions=tuple(ids), spaces=(project,)))
        return tuple(ids), keys


def _known(source: Source, project: str, ids: Collection[str]) -> list[str]:
    return column_where(source, "team_records", "id", project_id=project, id=ids)


def _keys(source: Source, project: str, ids: Collection[str]) -> set[str]:
    """The keys of some versions."""
    return set(column_where(source, "team_records", "record_key", project_id=project, sort="version", id=ids))


def about(record: TeamRecord) -> tuple[str, ...]:
    """The versions that a record names."""
    if isinstance(record, SharedVersion):
        return record.replaces
    return (record.version,) if isinstance(record, Withdrawal) else (record.a, record.b)
