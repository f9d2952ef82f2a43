"""What is known that bears on a request: memories, open items and past tasks, as the room that reasons takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from companion.app.checkout import OpenCheckout
from companion.language.requests import Request, asked, read_request, subjects
from companion.reason.hints import Memo, named
from companion.records import (
    ArtifactKind,
    Decision,
    DecisionStatus,
    EpisodeType,
    FactType,
    Hit,
    Kind,
    Memory,
    Profile,
    SearchQuery,
    Signals,
    Source,
    Workflow,
    over_since,
)
from companion.records.talk import Item, ItemType
from companion.store.talk import acts, items

FOUND = 5
"""Memories that are looked for; spec R1."""
DEEP = 40
"""Memories looked through for those of one sort: a search gives them with the others."""
OPEN_MOST = 200
"""Open items that are looked at: more than a person keeps in mind."""
TEXT_CHARS = 2_000
"""Signs of a memory that are read: a page."""
TOLD = frozenset({Source.BY_HAND, Source.CURATED, Source.SEEDED})
"""Sources that are a person's own words."""
OPEN_SORTS = (ItemType.BLOCKER, ItemType.WAITING_ON, ItemType.QUESTION, ItemType.TASK)
"""Sorts of items that wait, what is in the way first."""
OWN_WORDS, CONVENTION, COUNTED, HAPPENED, PROPOSED, IN_FORCE = 0.9, 0.8, 0.7, 0.4, 0.3, 1.0
"""How much a memory binds: what a person said, a convention, any other fact, what once happened, decisions."""


class Bearing:
    """What one checkout (and its user) knows of one request."""

    def __init__(self, checkout: OpenCheckout, text: str, persona: str = "") -> None:
        self._checkout = checkout
        self._text = asked(text)
        self._persona = persona
        self._library = checkout.library(Signals(persona=persona))
        self._library.expect(self._text)
        self.request: Request = read_request(self._text)

    def memories(self, limit: int = FOUND) -> list[Memo]:
        """The memories that fit best, with open items that speak of the same; best first."""
        found = [memo_of(hit) for hit in self._search((), limit)]
        ends = [memo for memo in self.open_ends() if named(self.request, memo)]
        return sorted([*found, *ends], key=lambda memo: (-memo.score, memo.id))[:limit]

    def past_tasks(self, limit: int) -> list[Memo]:
        """Similar tasks of the past: workflows, commits, branches, archived conversations with what was to be done."""
        hits = self._search((Kind.EPISODE, Kind.WORKFLOW), DEEP)
        tasks = [hit for hit in hits if hit.memory.draft.type != EpisodeType.ERROR.value][:limit]
        return [self._with_steps(hit) for hit in tasks]

    def decisions(self, limit: int) -> list[Memo]:
        """Decisions in force that bear on it, the best first."""
        hits = self._search((Kind.FACT,), DEEP)
        found = [memo_of(hit) for hit in hits if _in_force(hit.memory)]
        known = {memo.id for memo in found}
        more = [memo_of(Hit(one, 0.0)) for one in self._library.standing().decisions if one.id not in known]
        return [*found, *(memo for memo in more if named(self.request, memo))][:limit]

    def conventions(self, limit: int) -> list[Memo]:
        """How things are done here, as far as it speaks of that."""
        memos = [memo_of(Hit(one, 0.0)) for one in self._library.standing().conventions]
        return [memo for memo in memos if named(self.request, memo)][:limit]

    def open_ends(self) -> list[Memo]:
        """What is open here, what speaks of the request first; nothing of another project."""
        runtime = self._checkout.runtime
        asked_for = ("open ends", self._checkout.project, self._persona)
        found = runtime.store.readings.kept(asked_for, runtime.store.database.revision, self._open_items)
        memos = [_of_item(one, self.request) for one in found]
        rank = {sort.value: place for place, sort in enumerate(OPEN_SORTS)}
        return sorted(memos, key=lambda memo: (-memo.score, rank[memo.sort]))

    def _open_items(self) -> tuple[Item, ...]:
        checkout = self._checkout
        database, mine = checkout.store.database, {"", checkout.project}
        elsewhere = {act.id for act in acts.all_of(database, checkout.store.user) if act.project not in mine}
        found = items.open_ones(database, OPEN_MOST, types=OPEN_SORTS, persona=self._persona)
        return tuple(one for one in found if one.act not in elsewhere)

    def disputed(self) -> frozenset[str]:
        """Ids of memories whose opposite is known too, and not settled."""
        return frozenset(side.id for one in self._library.standing().contradictions for side in one.members)

    def _search(self, kinds: tuple[Kind, ...], limit: int) -> tuple[Hit, ...]:
        asked_for = SearchQuery(self._text, kinds=kinds, persona=self._persona, limit=limit, profile=Profile.RECALL)
        now = self._checkout.now()
        return tuple(hit for hit in self._library.search(asked_for) if over_since(hit.memory, now) is None)

    def _with_steps(self, hit: Hit) -> Memo:
        memo, draft = memo_of(hit), hit.memory.draft
        if draft.type != EpisodeType.CONVERSATION.value:
            return memo
        left = items.of_conversation(self._checkout.runtime.store.database, draft.origin)
        steps = tuple(one.text for one in left if one.type is ItemType.TASK)
        return replace(memo, sort="talk", steps=steps, scope="", at=None)


def memo_of(hit: Hit) -> Memo:
    """A memory that was found."""
    memory = hit.memory
    draft = memory.draft
    return Memo(
        memory.id,
        draft.levels.compressed or draft.levels.index,
        _text(memory)[:TEXT_CHARS],
        _sort(memory),
        round(hit.score, 4),
        _steps(memory),
        draft.entities,
        _authority(memory),
        draft.scope.label(),
        memory.created_at,
        draft.origin,
    )


def unique(memos: Iterable[Memo]) -> list[Memo]:
    """Each memory once, in their order."""
    return list({memo.id: memo for memo in reversed(list(memos))}.values())[::-1]


def _text(memory: Memory) -> str:
    body = memory.draft.body
    if isinstance(body, Decision) and body.choice:
        return body.choice  # its reason speaks of what was not chosen
    return memory.draft.levels.full or memory.draft.levels.summary or memory.draft.levels.index


def _sort(memory: Memory) -> str:
    draft = memory.draft
    if draft.kind is Kind.FACT:
        return draft.type or FactType.FACT.value
    if draft.kind is Kind.EPISODE:
        return "error" if draft.type == EpisodeType.ERROR.value else "episode"
    return draft.kind.value


def _steps(memory: Memory) -> tuple[str, ...]:
    body = memory.draft.body
    if isinstance(body, Workflow):
        return body.steps
    return tuple(one.ref for one in memory.draft.artifacts if one.kind is ArtifactKind.FILE)


def _in_force(memory: Memory) -> bool:
    body = memory.draft.body
    return isinstance(body, Decision) and body.status is DecisionStatus.IN_FORCE


def _authority(memory: Memory) -> float:
    draft = memory.draft
    if isinstance(draft.body, Decision):
        return IN_FORCE if draft.body.status is DecisionStatus.IN_FORCE else PROPOSED
    if draft.pinned:
        return IN_FORCE
    if draft.kind is Kind.EPISODE:
        return HAPPENED
    if draft.source in TOLD or draft.type in {FactType.PREFERENCE.value, FactType.HABIT.value}:
        return OWN_WORDS
    return CONVENTION if draft.label == "convention" or draft.kind is Kind.PATTERN else COUNTED


def _of_item(one: Item, request: Request) -> Memo:
    """An open item; its score is the share of the request's own words that it speaks of."""
    beside: Sequence[str] = [value for value in one.details.values() if value]
    said = "\n".join([one.text, one.quote, *beside])
    memo = Memo(one.id, one.text, said, one.type.value, entities=one.entities, authority=OWN_WORDS)
    own = subjects(request)
    return replace(memo, score=round(len(named(request, memo)) / len(own), 4) if own else 0.0)
