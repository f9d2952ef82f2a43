"""Acts, the containers of memories; who the user is; what a person told, in other words, elsewhere, or deleted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.api import Card
from companion.app.checkout import Service
from companion.app.deleting import leave_and_tell
from companion.app.given import line_of, page
from companion.errors import UsageError
from companion.records import (
    Decision,
    Draft,
    Erased,
    EvidenceKind,
    FactType,
    Identity,
    Importance,
    Kind,
    Memory,
    Profile,
    SearchQuery,
    Signals,
    Source,
    Status,
)
from companion.records.memory import TEAM
from companion.records.talk import Act, ItemType
from companion.store.by_columns import column_where
from companion.store.care import deleted
from companion.store.care.deleted import Deleted
from companion.store.memories.memories import BY_HAND
from companion.store.subjects import is_id
from companion.store.talk import act_memories, acts, forgetting, items, known

if TYPE_CHECKING:
    from companion.app.checkout import OpenCheckout

REVISED_MAX = 20_000
"""Characters of a memory in other words, as of a note."""
THEMES_MOST, THEMES_FROM = 10, 500
"""Themes told at once, and memories they are looked for in: some years of Your Story."""
NOTICED = frozenset({FactType.HABIT.value, FactType.PREFERENCE.value})
"""Types of facts that tell how somebody goes about things."""
HABITS_FROM = 300
"""Facts that are looked through for them, the most important and newest."""
LATEST = 10
"""Memories and anchors that tell who somebody is: a page."""
CARD_FACTS = 3
"""Facts on a card; spec M5."""
CARDS_MOST, CARDS_FROM, FACTS_READ = 8, 50, 60
"""Cards shown at once, memories they are made from, and facts looked at for each: a screen, and no slow answer."""


class Acts(Service):
    """Acts, Your Story, and memories that a person told."""

    def acts(self) -> tuple[Act, ...]:
        return acts_of(self.here)

    def make_act(self, name: str) -> Act:
        fit = " ".join(name.split())
        known = [act for act in self.acts() if act.name.casefold() == fit.casefold()]
        return known[0] if known else acts.ensure(self.store.database, self.store.user, fit, self.here.now())

    def delete_act(self, act: str) -> Act:
        gone = act_named(self.here, act)
        acts.delete(self.store.database, gone, self.store.user, self.here.now())
        return gone

    def story(self, act: str = "", persona: str = "", limit: int = 20, offset: int = 0) -> tuple[Memory, ...]:
        which = act_named(self.here, act) if act else self.acts()[0]
        return act_memories.of_act(self.store.database, which, line_of(persona), page(limit), max(0, offset))

    def seed(self, profile: str) -> tuple[Memory, ...]:
        from companion.app.consolidation.opposing import ARRIVED_S, note_opposed
        from companion.kinds.profile import PROFILE, profile_drafts

        now, space = self.here.now(), self.store.user
        drafts = list(profile_drafts(profile, now)) if len(profile) <= REVISED_MAX else []
        if not drafts:
            raise UsageError(
                f"A profile is a text of 1 to {REVISED_MAX:,} characters that says something.",
                "Write what holds for you as a list, a line each.",
            )
        with self.store.database.write():
            outcome = self.store.memories.reconcile(space, PROFILE, [PROFILE], drafts, now)
            ids = column_where(
                self.store.database, "memories", "id", learner=PROFILE, superseded_by="", status=Status.ACTIVE
            )
            act_memories.assign(self.store.database, ids, self.acts()[0])
        note_opposed(self.runtime, space, outcome, now, ARRIVED_S)
        return self.store.memories.get(ids)

    def identity(self, persona: str = "") -> Identity:
        from companion.kinds.themes import themes

        database, by = self.store.database, line_of(persona)
        told = act_memories.of_act(database, self.acts()[0], by, THEMES_FROM, 0)
        mine = [act for act in self.acts()[1:] if self.here.checkout and act.project == self.here.project]
        facts = self.here.library(Signals(persona=by)).search(
            SearchQuery(kinds=(Kind.FACT,), profile=Profile.MEMORY, limit=HABITS_FROM)
        )
        first = [
            one
            for act in (self.acts()[0], *mine)
            for one in items.open_ones(database, LATEST, types=(ItemType.PRIORITY,), act=act.id, persona=by)
        ]
        return Identity(
            themes=themes(told, THEMES_MOST),
            memories=told[:LATEST],
            anchors=known.anchored(database, self.store.user, by, LATEST),
            patterns=tuple(hit.memory for hit in facts if hit.memory.draft.type in NOTICED)[:LATEST],
            priorities=tuple(first[:LATEST]),
        )

    def cards(self, ids: Sequence[str], persona: str = "") -> tuple[Card, ...]:
        found = self.store.memories.get([self.here.resolved(id_) for id_ in ids[:CARDS_FROM] if not is_id(id_)])
        shown = {memory.id for memory in found}
        named = Counter(name for memory in found for name in memory.draft.entities if not name.startswith("act:"))
        library = self.here.library(Signals(persona=line_of(persona)))
        told: list[Card] = []
        for name, _ in named.most_common():
            more = [one for one in library.about((name,), FACTS_READ) if one.id not in shown and _is_telling(one)]
            if more and len(told) < CARDS_MOST:
                more.sort(key=lambda one: (not one.draft.pinned, -one.draft.importance))
                told.append(Card(name, name.partition(":")[2].replace("_", " "), tuple(more[:CARD_FACTS])))
        return tuple(told)

    def revise(self, id_: str, text: str) -> Memory:
        from companion.kinds.by_hand import validity_of
        from companion.kinds.levels import ladder

        old, words = self._told_by_a_person(id_), self.here.fit(text.strip())
        if not words or len(words) > REVISED_MAX:
            raise UsageError(f"A memory has 1 to {REVISED_MAX:,} characters.", "`companion revise ID TEXT`.")
        body = old.draft.body
        if isinstance(body, Decision):
            body = replace(body, choice=words, reason="")
        now = self.here.now()
        holds = validity_of(words, old.draft.kind, now)
        draft = replace(as_own(old.draft), value=words, levels=ladder(words), body=body)
        draft = replace(draft, valid_from=max(now, holds.first or now), valid_to=holds.after)
        return self.store.memories.revise(old.id, draft, self.here.now())

    def route(self, id_: str, act: str) -> Memory:
        memory, to = self._told_by_a_person(id_), act_named(self.here, act)
        act_memories.move(self.store.database, memory, to, to.project or self.store.user)
        return self.store.memories.get([memory.id])[0]

    def erase(self, id_: str) -> Erased:
        from companion.app.team.exchange import withdraw_erased

        memory = self._told_by_a_person(id_)
        if memory.draft.pinned:
            raise UsageError(f"{memory.id} is pinned and stays.", f"`companion pin {memory.id[:12]} --off`")
        versions = self.store.memories.versions(memory.id)
        ids = [one.id for one in versions]
        with self.store.database.write():
            withdraw_erased(self.here, ids)
            gone = forgetting.erase(self.store.database, ids)
            deleted.note(self.store.database, Deleted(memories=tuple(ids), spaces=(memory.project,)))
        leave_and_tell(self.here)
        return Erased(memory.draft.origin, 0, gone, len(versions))

    def _told_by_a_person(self, id_: str) -> Memory:
        """A memory that was not read from files or history: those say it anew. Raises UsageError for any other."""
        (memory,) = self.store.memories.get([self.here.own(id_)])
        if memory.draft.source is Source.SCAN:
            where = memory.draft.evidence[0].label() if memory.draft.evidence else memory.draft.origin
            raise UsageError(
                f"{memory.id[:12]} is read from {where}, which would say it again.",
                f"Change it there, or leave it out: `companion forget {memory.id[:12]}`.",
            )
        return memory


def as_own(draft: Draft) -> Draft:
    """What somebody else shared, as what the user says from now on; anything else as it is."""
    if not draft.origin.startswith(f"{TEAM}:"):
        return draft
    evidence = tuple(one for one in draft.evidence if one.kind is not EvidenceKind.PERSON)
    return replace(draft, source=Source.BY_HAND, origin=BY_HAND, evidence=evidence)


def _is_telling(one: Memory) -> bool:
    """Whether a fact is worth a line on a card."""
    return one.draft.kind is Kind.FACT and (one.draft.pinned or one.draft.importance >= Importance.SIGNIFICANT)


def acts_of(here: OpenCheckout) -> tuple[Act, ...]:
    """Your Story first, one of each project, other lines of work; those that are missing are made."""
    database, user, now = here.store.database, here.store.user, here.now()
    there = acts.all_of(database, user)
    if not there or (here.checkout and all(act.project != here.project for act in there)):
        acts.your_story(database, user, now)
        if here.checkout:
            acts.ensure(database, user, here.name[: acts.NAME_MAX], now, project=here.project)
        there = acts.all_of(database, user)
    return there


def act_named(here: OpenCheckout, given: str) -> Act:
    """An act by its name or the beginning of its id."""
    acts_of(here)
    return acts.named(here.store.database, here.store.user, here.fit(given))
