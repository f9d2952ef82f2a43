"""Reconciling against a model of it that a reader can check by eye."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from stores import NOW, PROJECT, fact, memories, store

from companion.errors import UsageError
from companion.store.memories import contradictions, usage
from companion.store.memories.reconcile import FORGOTTEN, NO_LONGER_SAID, SUPERSEDED

SUBJECTS, ORIGINS, VALUES = ("a", "b"), ("one", "two"), ("1", "2", "3")


@dataclass
class Remembered:
    subject: str
    origin: str
    value: str
    born: datetime
    active: bool = True
    reason: str = ""
    until: datetime | None = None
    pinned: bool = False
    cited: int = 0

    def row(self) -> tuple[object, ...]:
        return (
            self.subject,
            self.origin,
            self.value,
            self.born,
            self.active,
            self.reason,
            self.until,
            self.pinned,
            self.cited,
        )


@dataclass
class Model:
    all: list[Remembered] = field(default_factory=list)

    def learn(self, read: frozenset[str], said: dict[tuple[str, str], str], now: datetime) -> None:
        retired, born = [], set()
        lines = [*said, *((s, o) for s in SUBJECTS for o in sorted(read) if (s, o) not in said)]
        for subject, origin in lines:
            value = said.get((subject, origin))
            mine = [one for one in self.all if (one.subject, one.origin) == (subject, origin)]
            standing = [one for one in mine if one.active and one.value != value]
            same = [one for one in mine if one.active and one.value == value]
            forgotten = any(not one.active and one.reason == FORGOTTEN and one.value == value for one in mine)
            for one in same:
                one.until = None
            if value is not None and not same and not forgotten:
                new = Remembered(subject, origin, value, now)
                self.all.append(new)
                born.add(subject)
                if standing:
                    old = standing.pop(0)
                    old.active, old.reason = False, SUPERSEDED
                    old.until = old.until or now
                    new.pinned = old.pinned
            for one in standing:
                if origin in read:
                    one.until = one.until or now
                    if not one.pinned:
                        one.active = False
                        retired.append(one)
        for one in retired:
            one.reason = SUPERSEDED if one.subject in born else NO_LONGER_SAID

    def contradicting(self) -> set[frozenset[tuple[object, ...]]]:
        standing = [one for one in self.all if one.active]
        return {
            frozenset({a.row(), b.row()})
            for a, b in combinations(standing, 2)
            if a.subject == b.subject and a.origin != b.origin and a.value != b.value
        }


class Reconciling(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.opened = store(Path(self.folder.name))
        self.database = self.opened.__enter__()
        self.kept = memories(self.database)
        self.model = Model()
        self.now = NOW

    def teardown(self) -> None:
        self.opened.__exit__(None, None, None)
        self.folder.cleanup()

    def tick(self) -> datetime:
        self.now += timedelta(hours=1)
        return self.now

    def pick(self, number: int, *, active: bool) -> Remembered | None:
        among = [one for one in self.model.all if one.active is active]
        return among[number % len(among)] if among else None

    def id_of(self, one: Remembered) -> str:
        (found,) = [
            memory.id
            for memory in self.kept.iterate(PROJECT, archived=True)
            if (memory.draft.subject, memory.draft.origin, memory.draft.value, memory.created_at)
            == (one.subject, one.origin, one.value, one.born)
        ]
        return found

    @rule(
        read=st.frozensets(st.sampled_from(ORIGINS)),
        said=st.dictionaries(st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(ORIGINS)), st.sampled_from(VALUES)),
    )
    def learn(self, read: frozenset[str], said: dict[tuple[str, str], str]) -> None:
        now = self.tick()
        drafts = [fact(subject, value, origin=origin) for (subject, origin), value in said.items()]
        before = {one.row()[:4] for one in self.model.all if one.active}
        outcome = self.kept.reconcile(PROJECT, "facts", read, drafts, now)
        self.model.learn(read, said, now)
        born = [one for one in self.model.all if one.active and one.row()[:4] not in before]
        assert outcome.added + outcome.changed == len(born)
        assert outcome.added + outcome.changed + outcome.unchanged == len(said)

    @precondition(lambda self: self.model.all)
    @rule(number=st.integers(0, 99))
    def forget(self, number: int) -> None:
        now = self.tick()
        if (one := self.pick(number, active=True)) is None:
            return
        if one.pinned:
            with pytest.raises(UsageError, match="is pinned"):
                self.kept.forget(self.id_of(one), now)
            return
        self.kept.forget(self.id_of(one), now)
        one.active, one.reason = False, FORGOTTEN

    @precondition(lambda self: self.model.all)
    @rule(number=st.integers(0, 99))
    def revive(self, number: int) -> None:
        now = self.tick()
        if (one := self.pick(number, active=False)) is None:
            return
        rival = any(
            other.active and (other.subject, other.origin) == (one.subject, one.origin) for other in self.model.all
        )
        twin = any(other.active and other.row()[:3] == one.row()[:3] for other in self.model.all)
        if twin or (rival and one.reason != FORGOTTEN):
            with pytest.raises(UsageError, match="which still holds"):
                self.kept.revive(self.id_of(one), now)
            return
        self.kept.revive(self.id_of(one), now)
        if one.reason != FORGOTTEN:
            one.until = None
        one.active, one.reason = True, ""

    @precondition(lambda self: self.model.all)
    @rule(number=st.integers(0, 99), on=st.booleans())
    def pin(self, number: int, on: bool) -> None:
        if (one := self.pick(number, active=True)) is not None:
            self.kept.pin(self.id_of(one), on)
            one.pinned = on

    @precondition(lambda self: self.model.all)
    @rule(number=st.integers(0, 99))
    def cite(self, number: int) -> None:
        if (one := self.pick(number, active=True)) is not None:
            usage.record(self.database, [self.id_of(one)], "cited", "edit", self.tick())
            one.cited += 1

    @invariant()
    def the_store_holds_what_the_model_holds(self) -> None:
        rows = {}
        for memory in self.kept.iterate(PROJECT, archived=True):
            draft = memory.draft
            rows[memory.id] = (
                draft.subject,
                draft.origin,
                draft.value,
                memory.created_at,
                memory.status == "active",
                memory.archived_reason,
                draft.valid_to,
                draft.pinned,
                memory.usage.cited,
            )
        assert sorted(map(str, rows.values())) == sorted(str(one.row()) for one in self.model.all)
        found = contradictions.open_ones(self.database, PROJECT)
        pairs = {frozenset({rows[pair.a.id], rows[pair.b.id]}) for pair in found}
        assert pairs == self.model.contradicting()
        assert len(found) == len(pairs)


TestReconciling = Reconciling.TestCase
TestReconciling.settings = settings(
    max_examples=12,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
