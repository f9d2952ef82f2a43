"""The memories of a store: learned in bulk, kept by hand, found by id, counted.

What learners say goes through `reconcile`; what a person does (remember, forget, revive, pin,
settle) is one act each. Every text passes the redactor on its way in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import UnknownMemory, UsageError
from companion.ports import Judge, Redactor, TokenCounter
from companion.records import CheckResult, Contradiction, Draft, Memory, Resolution, Source, Status
from companion.records.memory import TEAM
from companion.store.binding import duckdb
from companion.store.by_columns import column_where, rows_where, set_where
from companion.store.database import Database
from companion.store.memories import contradictions, detection
from companion.store.memories import kept_sql as sql
from companion.store.memories.memory_writer import MemoryWriter
from companion.store.memories.reconcile import (
    BROUGHT_BACK,
    FORGOTTEN,
    LOST,
    LOST_PIN,
    NO_LONGER_SAID,
    OUTDATED,
    SUPERSEDED,
    faded_evidence,
    forgotten_values,
    gather,
    kept_lines,
    plan,
    stand_again,
)
from companion.store.memories.rows_sql import MEMORIES, load, memories_of
from companion.store.rows import column, tuples
from companion.store.statements import execute
from companion.store.texts import clean

BY_HAND = "by-hand"
"""Learner of what a person says, and its origin where none is given."""

PIN_OUT_FIRST = "Unpin it first: `companion pin {id} --off`."
BRING_BACK_FIRST = "Bring it back first: `companion revive {id}`."

CANDIDATES_SHOWN = 5
"""How many ids an ambiguous prefix names: enough to pick from, short enough to read."""

PAGE_ROWS = 500
"""Memories loaded at a time when all are walked through: about 2 MB."""


class ReconcileOutcome(Struct, frozen=True):
    """What one reconciliation did, in numbers of memories (contradictions: newly open pairs)."""

    added: int = 0
    changed: int = 0
    retired: int = 0
    unchanged: int = 0
    contradictions: int = 0

    def __add__(self, other: ReconcileOutcome) -> ReconcileOutcome:
        return ReconcileOutcome(
            self.added + other.added,
            self.changed + other.changed,
            self.retired + other.retired,
            self.unchanged + other.unchanged,
            self.contradictions + other.contradictions,
        )


class Memories:
    """All memories of a store, for one user. `counter` and `redactor` see every text that comes in."""

    def __init__(
        self,
        database: Database,
        counter: TokenCounter,
        redactor: Redactor,
        user: str,
        judge: Callable[[], Judge] | None = None,
    ) -> None:
        """`judge` says of two values of one key whether both can hold; without one, any two that differ cannot."""
        self._judge = judge
        self._database = database
        self._counter = counter
        self._redactor = redactor
        self._user = user

    def reconcile(
        self, project: str, learner: str, origins: Collection[str], drafts: Iterable[Draft], now: datetime
    ) -> ReconcileOutcome:
        """Make what `learner` says of `origins` the whole of what it says of them.

        `origins` are those that were read: what they no longer say is retired. Drafts of other
        origins are kept too, and retire nothing but the value they replace. All or nothing.
        """
        said = gather(drafts, project, self._redactor, each=False)
        read = frozenset(map(clean, origins))
        elsewhere = {one.key for one in said if one.draft.origin not in read}
        with self._database.write() as connection:
            kept = kept_lines(connection, project, learner, read, elsewhere)
            if not said and not kept:
                return ReconcileOutcome()
            forgotten = forgotten_values(connection, project, learner)
            made = plan(said, kept, read, forgotten, faded_evidence(connection, project, learner))
            memory_writer = MemoryWriter(connection, project, self._user, learner, now, self._counter)
            memory_writer.write(made)
            stand_again(connection, learner, read, made.retired + [old for _, old in made.born if old is not None])
            keys = {one.key for one, _ in made.born} | {one.key for one, _ in made.same if one.draft.body}
            opened = detection.detect(connection, project, keys, now, self._judge)
        changed = sum(old is not None for _, old in made.born)
        return ReconcileOutcome(
            added=len(made.born) - changed,
            changed=changed,
            retired=len(made.retired),
            unchanged=len(made.same) + made.forgotten,
            contradictions=opened,
        )

    def take_checked(self, project: str, found: Sequence[CheckResult], now: datetime) -> ReconcileOutcome:
        """Archive what the check says is outdated, with why, and make active again what it says holds again."""
        if not found:
            return ReconcileOutcome()
        with self._database.write() as connection:
            for one in found:
                if one.outdated:
                    reason = f"{OUTDATED}: {self._redactor.redact(one.outdated)}"
                    execute(connection, sql.OUTDATE, {"id": one.id, "now": now, "reason": reason})
                else:
                    execute(connection, sql.REVIVE, {"id": one.id, "reason": ""})
            back = load(connection, [one.id for one in found if not one.outdated])
            opened = detection.detect(connection, project, {memory.key for memory in back}, now, self._judge)
        return ReconcileOutcome(added=len(back), retired=len(found) - len(back), contradictions=opened)

    def remember(self, project: str, draft: Draft, now: datetime) -> Memory:
        """Keep what a person says, as source by-hand, with the draft's visibility.

        The same again is the memory that is there; another value of the same thing is its new version.
        """
        by_hand = replace(draft, source=Source.BY_HAND, origin=draft.origin or BY_HAND)
        with self._database.write() as connection:
            id_ = self.keep(project, BY_HAND, [by_hand], now)[0].id
            if by_hand.pinned:
                execute(connection, sql.PIN, {"id": id_})
            if by_hand.label:
                label = clean(self._redactor.redact(by_hand.label))
                MEMORIES.change(connection, id_, label=label)
            return self._one(connection, id_)

    def keep(self, project: str, learner: str, drafts: Sequence[Draft], now: datetime) -> tuple[Memory, ...]:
        """Keep what a person has agreed to; returns the memories, new ones first.

        What is said again is the memory that is there.
        """
        said = gather(drafts, project, self._redactor, each=learner != TEAM)  # the team's door looked at each text
        with self._database.write() as connection:
            kept = kept_lines(connection, project, learner, (), {one.key for one in said})
            made = plan(said, kept, (), ())
            memory_writer = MemoryWriter(connection, project, self._user, learner, now, self._counter)
            fresh = memory_writer.write(made)
            detection.detect(connection, project, {one.key for one in said}, now, self._judge)
            return load(connection, [*fresh, *(old.id for _, old in made.same)])

    def revise(self, memory_id: str, draft: Draft, now: datetime) -> Memory:
        """Put other words in the place of a memory; returns the new version, which belongs where the old one did.

        The old one stays as its earlier version. What somebody else shared becomes the user's own by that.
        """
        with self._database.write() as connection:
            old = self._one(connection, memory_id)
            ((learner, act),) = rows_where(connection, "memories", "learner, act_id", id=memory_id)
            new = self.keep(old.project, BY_HAND if learner == TEAM else learner, [draft], now)[0]
            if new.id != old.id:
                execute(connection, sql.UNPIN, {"id": old.id})
                _archive(connection, old.id, now, SUPERSEDED, superseded_by=new.id)
                MEMORIES.change(connection, new.id, supersedes=old.id, act_id=act)
            return self._one(connection, new.id)

    def forget(self, memory_id: str, now: datetime) -> Memory:
        """Archive a memory; what it said is not learned again. A pinned one is refused (UsageError)."""
        with self._database.write() as connection:
            memory = self._one(connection, memory_id)
            if memory.draft.pinned:
                raise UsageError(
                    f"{memory_id} (“{memory.draft.levels.index}”) is pinned and stays.",
                    PIN_OUT_FIRST.format(id=memory_id),
                )
            if memory.status is Status.ACTIVE:
                _archive(connection, memory_id, now, FORGOTTEN)
                detection.detect(connection, memory.project, (), now, self._judge)
            return self._one(connection, memory_id)

    def revive(self, memory_id: str, now: datetime) -> Memory:
        """Make an archived memory active again; refused (UsageError) while another stands in its place."""
        with self._database.write() as connection:
            memory = self._one(connection, memory_id)
            if memory.status is Status.ACTIVE:
                return memory
            given = {"id": memory_id, "superseded": SUPERSEDED, "unsaid": NO_LONGER_SAID}
            for standing in column(connection, sql.STANDING, **given):
                raise UsageError(
                    f"{memory_id} was replaced by {standing}, which still holds.",
                    f"Forget that one first: `companion forget {standing}`.",
                )
            if not memory.draft.levels.full:
                raise UsageError(
                    f"The text of {memory_id} (“{memory.draft.levels.index}”) was removed for good.",
                    "`companion init --full` learns again what the repository still says.",
                )
            reason = BROUGHT_BACK if memory.archived_reason.startswith(OUTDATED) else ""
            execute(connection, sql.REVIVE, {"id": memory_id, "reason": reason})
            if memory.draft.valid_to is not None and memory.draft.valid_to <= now:  # whatever its words say of its time
                MEMORIES.change(connection, memory_id, valid_to=None)
            detection.detect(connection, memory.project, {memory.key}, now, self._judge)
            return self._one(connection, memory_id)

    def asked_for(self, ids: Sequence[str], now: datetime) -> tuple[str, ...]:
        """Bring back those that a run had archived, since somebody asked for them; returns their ids.

        What was replaced or merged, what its source no longer says, and what a person forgot or decided
        against stays where it is.
        """
        given = {
            "forgotten": FORGOTTEN,
            "lost": LOST,
            "lost_pin": LOST_PIN,
            "outdated": OUTDATED,
            "superseded": SUPERSEDED,
            "unsaid": NO_LONGER_SAID,
        }
        found = tuples(self._database, sql.WANTED, ids=ids, **given)
        if not found:
            return ()
        with self._database.write() as connection:
            for id_, _, _ in found:
                execute(connection, sql.REVIVE, {"id": id_, "reason": ""})
            for project in sorted({project for _, project, _ in found}):
                detection.detect(
                    connection, project, {key for _, owner, key in found if owner == project}, now, self._judge
                )
        return tuple(id_ for id_, _, _ in found)

    def pin(self, memory_id: str, on: bool) -> Memory:
        """Pin a memory (importance 3, never archived) or take the pin out (importance as it was)."""
        with self._database.write() as connection:
            memory = self._one(connection, memory_id)
            if on and memory.status is Status.ARCHIVED:
                raise UsageError(
                    f"{memory_id} is archived and cannot be pinned.", BRING_BACK_FIRST.format(id=memory_id)
                )
            execute(connection, sql.PIN if on else sql.UNPIN, {"id": memory_id})
            return self._one(connection, memory_id)

    def settle(
        self,
        prefix: str,
        how: Resolution,
        note: str,
        now: datetime,
        *,
        instead: Mapping[str, Draft] | None = None,
    ) -> Contradiction:
        """Settle a contradiction: the side that loses is superseded by the other and not learned again.

        All who say what a side says go its way. `instead` says what takes a side's place, by the id of the one that
        is shown: it is kept as said by hand, and supersedes that side. A pinned memory cannot lose (UsageError), but
        what takes its place may be pinned. Settling again changes how it was settled: what lost before stands again.
        """
        one = contradictions.contradiction(self._database, prefix)
        losers = {Resolution.A_WINS: one.side_b, Resolution.B_WINS: one.side_a}.get(how, ())
        for loser in losers:
            if loser.draft.pinned:
                raise UsageError(f"{loser.id} is pinned and cannot lose.", PIN_OUT_FIRST.format(id=loser.id))
        winner = one.b if how is Resolution.B_WINS else one.a
        said = instead or {}
        gone = [*losers, *(m for side in (one.side_a, one.side_b) if side[0].id in said for m in side)]
        with self._database.write() as connection:
            contradictions.settle(connection, one, how, self._redactor.redact(note), now)
            for side in one.members:
                if side in gone and side.status is Status.ACTIVE:
                    execute(connection, sql.UNPIN, {"id": side.id})
                    set_where(connection, "memories", {"valid_to": now}, id=side.id, valid_to=None)
                    _archive(connection, side.id, now, LOST_PIN if side.draft.pinned else LOST)
                elif side not in gone:
                    _stand_again(connection, side)
            heirs = {id_: self.remember(one.project, draft, now).id for id_, draft in said.items()}
            for side in gone:
                of = one.a if side in one.side_a else one.b
                MEMORIES.change(connection, side.id, superseded_by=heirs.get(of.id, winner.id))
            detection.detect(connection, one.project, (), now, self._judge)
        return contradictions.contradiction(self._database, one.id)

    def unsettle(self, prefix: str, now: datetime) -> Contradiction:
        """Open a settled contradiction again: what lost stands again, what was said in its place then is archived.

        A pin that went over to what was said in a side's place goes back to it.
        """
        one = contradictions.contradiction(self._database, prefix)
        if one.resolution is None:
            return one
        sides = {side.id for side in one.members}
        with self._database.write() as connection:
            contradictions.reopen(connection, one)
            for side in one.members:
                if side.archived_reason not in (LOST, LOST_PIN):
                    continue
                for instead in load(connection, [side.superseded_by]):
                    if instead.id not in sides and instead.created_at == one.resolved_at:
                        execute(connection, sql.UNPIN, {"id": instead.id})
                        _archive(connection, instead.id, now, SUPERSEDED, superseded_by=side.id)
                _stand_again(connection, side)
            detection.detect(connection, one.project, (), now, self._judge)
        return contradictions.contradiction(self._database, one.id)

    def get(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        """Memories by id, in the given order, unknown ones left out."""
        return load(self._database, ids)

    def resolve(self, name: str, spaces: Sequence[str]) -> tuple[str, str]:
        """The one memory whose id begins so or that has this label, and its project.

        One in `spaces` (a project, the user's own) goes before all elsewhere, where a label does not count. Raises
        UnknownMemory for none or several, naming candidates.
        """
        limit = CANDIDATES_SHOWN + 1
        rows = tuples(self._database, sql.NAMED, name=name, spaces=list(spaces), limit=limit) if name else []
        found = [(id_, text, project) for id_, text, project in rows if project in spaces] or rows
        if not found:
            raise UnknownMemory(f"No memory has an id or label `{name}`.", "`companion search TEXT` shows ids.")
        id_, _, project = found[0]
        if len(found) == 1 or id_ == name:
            return str(id_), str(project)
        named = "; ".join(f"{id_} ({text})" for id_, text, _ in found[:CANDIDATES_SHOWN])
        more = " and more" if len(found) > CANDIDATES_SHOWN else ""
        raise UnknownMemory(f"Several memories are named by {name}: {named}{more}.", "Give more of the id.")

    def versions(self, memory_id: str) -> tuple[Memory, ...]:
        """All that was ever said of the same thing by the same source and origin, oldest first."""
        return memories_of(self._database, sql.VERSIONS, id=memory_id)

    def counts(self, project: str) -> dict[tuple[str, str, str], int]:
        """How many memories a project has, by kind, type and status, in this order."""
        counted = tuples(self._database, sql.COUNTS, project=project)
        return {(kind, type_, status): number for kind, type_, status, number in counted}

    def taught(self, project: str, learner: str) -> tuple[Memory, ...]:
        """The active memories that a way of learning taught, the oldest truth first."""
        told = {"project_id": project, "learner": learner, "status": Status.ACTIVE}
        return load(self._database, column_where(self._database, "memories", "id", order="valid_from, id", **told))

    def iterate(self, project: str, *, archived: bool = False) -> Iterator[Memory]:
        """Every memory of a project by id, a page at a time; what is written meanwhile may be missed."""
        after = ""
        while True:
            page = memories_of(
                self._database, sql.PAGE, project=project, after=after, archived=archived, limit=PAGE_ROWS
            )
            if not page:
                return
            yield from page
            after = page[-1].id

    def _one(self, connection: duckdb.DuckDBPyConnection, memory_id: str) -> Memory:
        found = load(connection, [memory_id])
        if not found:
            raise UnknownMemory(f"No memory has the id {memory_id!r}.", "`companion search TEXT` shows ids.")
        return found[0]


def _archive(connection: duckdb.DuckDBPyConnection, id_: str, now: datetime, reason: str, **said: str) -> None:
    MEMORIES.change(connection, id_, status=Status.ARCHIVED, archived_at=now, archived_reason=reason, **said)


def _stand_again(connection: duckdb.DuckDBPyConnection, side: Memory) -> None:
    """Bring back a side that lost a contradiction, with the pin it had; any other stays as it is."""
    if side.archived_reason in (LOST, LOST_PIN):
        execute(connection, sql.REVIVE, {"id": side.id, "reason": ""})
    if side.archived_reason == LOST_PIN:
        execute(connection, sql.PIN, {"id": side.id})
