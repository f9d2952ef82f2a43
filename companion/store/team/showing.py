"""What is current of a team's records, as memories of this store: found, ranked and shown like any other.

Only what a batch touches is looked at: the versions of the keys it speaks of, with whatever replaces or resolves them.
A memory that the user forgot, and one that lost a contradiction, is not brought back by this.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import UsageError
from companion.records import (
    Draft,
    Evidence,
    EvidenceKind,
    Importance,
    Memory,
    Oppose,
    Resolution,
    Source,
    Status,
    Visibility,
    memory_key,
)
from companion.records.memory import ASSISTANT, TEAM
from companion.records.team import SharedResolution, SharedVersion, TeamRecord, TeamState
from companion.store.binding import duckdb
from companion.store.by_columns import column_where, value_where
from companion.store.database import Database
from companion.store.memories import contradictions, detection
from companion.store.memories.conflicts import pair_id
from companion.store.memories.memories import Memories
from companion.store.memories.reconcile import LOST, LOST_PIN, SUPERSEDED
from companion.store.memories.rows_sql import MEMORIES, load
from companion.store.rows import tuples
from companion.store.statements import execute
from companion.team.joining import state_of
from companion.team.text import read

_AROUND = """
with versions as (
    select id
    from team_records
    where project_id = $project
        and sort = 'version'
        and record_key in (select unnest($keys::varchar[]))
),
naming as (
    select id, unnest(about) as named
    from team_records
    where project_id = $project
)
select id, text, memory_id
from team_records
where project_id = $project
    and text <> ''
    and (
        id in (select id from versions)
        or id in (select naming.id from naming join versions on versions.id = named)
    )
order by id
"""

_TIE = """
update team_records
set memory_id = told.memory
from (
    select unnest($ids::varchar[]) as id, unnest($memories::varchar[]) as memory
) as told
where project_id = $project
    and team_records.id = told.id
"""

_TWINS = """
select memory_key, value, id
from memories
where project_id = $project
    and status = 'active'
    and learner <> $team
    and memory_key in (select unnest($keys::varchar[]))
order by created_at desc, id
"""
"""What is remembered here already, in the same words, by another way than the team."""


_LOST = frozenset({LOST, LOST_PIN})
"""Why a side is archived that another resolution may bring back."""

_STAYS = {
    Resolution.A_WINS: frozenset("a"),
    Resolution.B_WINS: frozenset("b"),
    Resolution.BOTH_VALID: frozenset("ab"),
}
"""Which sides a resolution leaves as they are; one that merges leaves neither."""


class Showing(Struct, frozen=True):
    """Brings the memories of a project up to what its records say, in the transaction of whoever put these there."""

    connection: duckdb.DuckDBPyConnection
    database: Database
    memories: Memories
    project: str
    now: datetime

    def show(
        self, keys: Collection[str], fresh: Mapping[str, TeamRecord], *, resolves: bool
    ) -> tuple[tuple[str, ...], int]:
        """Make and end memories of some keys; the ids of new ones, and how many contradictions that opened.

        `fresh` are the records that are new; `resolves` says whether the resolutions among them are carried out.
        """
        if not keys:
            return (), 0
        found = tuples(self.connection, _AROUND, project=self.project, keys=keys)
        state = state_of({id_: fresh.get(id_) or read(text.encode()) for id_, text, _ in found})
        tied = {id_: memory for id_, _, memory in found}
        over = set(column_where(self.connection, "team_records", "unnest(about)", project_id=self.project, text=""))
        current = {id_ for key in keys for id_ in state.current.get(key, ()) if id_ not in over}
        before = self._open()
        born = self._add(state, sorted(id_ for id_ in current if not tied[id_]), tied)
        self._stand_or_end(state, keys, current, tied)
        news = {one for one in fresh.values() if isinstance(one, SharedResolution)}
        for (a, b), one in sorted(state.resolutions.items()) if resolves else ():
            if one in news or not fresh.keys().isdisjoint((a, b)):
                self._resolve(one, {id_: state.versions.get(id_) for id_ in (a, b)}, tied.get(a, ""), tied.get(b, ""))
        return tuple(tied[id_] for id_ in born), max(0, self._open() - before)

    def _open(self) -> int:
        conflicts = "count(distinct if(conflict = '', id, conflict))"
        of = {"project_id": self.project, "resolved_at": None}
        return int(value_where(self.connection, "contradictions", conflicts, **of))

    def _add(self, state: TeamState, ids: Sequence[str], tied: dict[str, str]) -> list[str]:
        """Tie versions to memories that say them, made where there are none; the versions that made one."""
        drafts = {id_: as_memory(state.versions[id_]) for id_ in ids}
        keys = {id_: memory_key(draft, self.project) for id_, draft in drafts.items()}
        found = tuples(self.connection, _TWINS, project=self.project, keys=set(keys.values()), team=TEAM)
        twins = {(key, value): memory for key, value, memory in found}
        made = {id_: draft for id_, draft in drafts.items() if (keys[id_], draft.value) not in twins}
        kept = self.memories.keep(self.project, TEAM, list(made.values()), self.now) if made else ()
        by_line = {(memory.key, memory.draft.origin): memory.id for memory in kept}
        for id_, draft in drafts.items():
            tied[id_] = by_line[keys[id_], draft.origin] if id_ in made else twins[keys[id_], draft.value]
        ties = {"ids": ids, "memories": [tied[id_] for id_ in ids]}
        execute(self.connection, _TIE, {"project": self.project, **ties})
        return list(made)

    def _stand_or_end(
        self, state: TeamState, keys: Collection[str], current: Collection[str], tied: Mapping[str, str]
    ) -> None:
        """Archive the memories of versions that are current no more, and bring back those that are again."""
        ours = {id_: one for id_, one in state.versions.items() if one.key in keys and tied[id_]}
        loaded = {memory.id: memory for memory in load(self.connection, sorted({tied[id_] for id_ in ours}))}
        standing = {tied[id_] for id_ in current}
        heirs = {old: tied[id_] for id_, one in state.versions.items() for old in one.replaces}
        for id_ in ours:
            memory = loaded.get(tied[id_])
            if memory is None:
                continue
            if id_ in current and memory.archived_reason == SUPERSEDED and memory.superseded_by not in standing:
                self.memories.revive(memory.id, self.now)
            elif memory.id not in standing and memory.status is Status.ACTIVE and not memory.draft.pinned:
                self._end(memory, heirs.get(id_, ""))
        detection.detect(self.connection, self.project, (), self.now)

    def _end(self, memory: Memory, heir: str) -> None:
        ended = {"archived_at": self.now, "archived_reason": SUPERSEDED, "superseded_by": heir}
        MEMORIES.change(self.connection, memory.id, status=Status.ARCHIVED, **ended)
        if heir:
            MEMORIES.change(self.connection, heir, supersedes=memory.id)

    def _resolve(self, one: SharedResolution, of: Mapping[str, SharedVersion | None], a: str, b: str) -> None:
        """Resolve the contradiction of two memories as somebody did.

        One that is pinned here cannot lose, nor can what its writer has here and somebody else decides against: the
        contradiction stays open for that person.
        """
        sides = {
            side.id: side
            for side in load(self.connection, [a, b])
            if not side.archived_reason or side.archived_reason in _LOST
        }
        if len(sides) < len((a, b)) or a == b:
            return
        kept = _STAYS.get(one.resolution, frozenset())
        if any(
            name not in kept and _waits_for_its_writer(sides[memory], version, one.author)
            for name, memory, version in (("a", a, of[one.a]), ("b", b, of[one.b]))
        ):
            return
        who = one.author.partition(" <")[0]
        detection.oppose(self.connection, self.project, [Oppose(a, b, 1.0, "", f"{who} resolved it.", "")], self.now)
        noted = contradictions.contradiction(self.database, pair_id(a, b))
        turned = {Resolution.A_WINS: Resolution.B_WINS, Resolution.B_WINS: Resolution.A_WINS}
        as_here = a in {memory.id for memory in noted.side_a}
        how = one.resolution if as_here else turned.get(one.resolution, one.resolution)
        with suppress(UsageError):
            self.memories.settle(noted.id, how, f"{who}: {one.note}".removesuffix(": "), self.now)


def _waits_for_its_writer(memory: Memory, version: SharedVersion | None, decided_by: str) -> bool:
    """Whether only who wrote a memory by hand, or its own author elsewhere, may have it lose."""
    draft = memory.draft
    by_hand = draft.source is Source.BY_HAND and not draft.origin.startswith(ASSISTANT)
    theirs = version is not None and version.author == decided_by and draft.visibility is Visibility.PROJECT_SHARED
    return by_hand and not theirs


def as_memory(version: SharedVersion) -> Draft:
    """A version as this store remembers it: who shared it and when stands first among its evidence."""
    draft, day = version.draft, version.made_at
    shared = Evidence(EvidenceKind.PERSON, version.author, None, f"shared {day.day} {day:%B %Y}")
    return replace(
        draft,
        origin=f"{TEAM}:{version.author}",
        evidence=(shared, *draft.evidence),
        source=Source.IMPORT,
        visibility=Visibility.PROJECT_SHARED,
        importance=min(draft.importance, Importance.SIGNIFICANT),
        pinned=False,
        persona="",
        valid_from=draft.valid_from or version.made_at,
    )
