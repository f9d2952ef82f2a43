"""A conversation that was confirmed becomes memories, in one transaction: all of it or nothing, and never twice.

That it was confirmed is a commit of its own. Whoever is killed between the two leaves a conversation that is being
put into memory; the next one who confirms or begins a conversation finishes it. What it needs is all in the preview.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from companion.api import Remembered
from companion.app.consolidation.opposing import ARRIVED_S, note_opposed
from companion.app.runtime import Runtime
from companion.app.talks import previews
from companion.kinds.talked import drafts_of
from companion.records import Memory
from companion.records.talk import Act, Conversation, Item, ItemType, Part, Preview, Settles, TalkState
from companion.store.memories.memories import ReconcileOutcome
from companion.store.talk import act_memories, acts, conversations, items, talk_turns
from companion.store.text.documents import embedded_texts, text_hash

_log = logging.getLogger(__name__)

SETTLES_ABOVE = 0.7
"""How surely an item must settle an open one; spec V5."""
OPEN_MOST = 1_000
"""Open items of before that are compared with what is new; more than anybody keeps open."""


def finish(runtime: Runtime, id_: str, user: str) -> Remembered:
    """Do what was confirmed; the answer is the same however often it is asked. Raises WrongState before that."""
    database, now = runtime.store.database, runtime.adapters.clock.now()
    warm_up(runtime)
    with database.write():
        one = conversations.get(database, id_)
        if one.state is not TalkState.ARCHIVED:
            conversations.need(one, {TalkState.COMPRESSING})
            one = _put_into_memory(runtime, one, user, now)
    found = told(runtime, one)
    for space in sorted({memory.project for memory in found.memories}):
        note_opposed(runtime, space, ReconcileOutcome(added=len(found.memories)), now, ARRIVED_S)
    return found


def told(runtime: Runtime, one: Conversation) -> Remembered:
    """What became of a conversation."""
    left = items.of_conversation(runtime.store.database, one.id)
    settled = items.settled_by(runtime.store.database, [item.id for item in left])
    return Remembered(one, act_memories.of_conversation(runtime.store.database, one.id), left, settled)


def warm_up(runtime: Runtime) -> None:
    """Have the embedding model loaded before the store is held: that takes half a second, the texts much less."""
    if runtime.adapters.embedder is not None:
        with suppress(Exception):
            runtime.adapters.embedder.embed(["."])


def _put_into_memory(runtime: Runtime, one: Conversation, user: str, now: datetime) -> Conversation:
    """Memories, vectors, items and what they settle, and the archived state; joins the caller's transaction."""
    database = runtime.store.database
    known = {act.id: act for act in acts.all_of(database, user)}
    story = acts.your_story(database, user, now)
    preview = conversations.preview(database, one)
    found = previews.standing(preview, known, story.id) if preview is not None else None
    if found is not None:
        items.propose(database, one.id, found.extraction.items, one.persona, now)
        for number, part in enumerate(found.parts, 1):
            _keep_part(runtime, found, number, part, known.get(part.act, story), user, now)
        before = items.open_ones(database, OPEN_MOST)
        items.settle(database, _settled(found, before), now)
        conversations.keep_preview(database, found)
    items.drop_candidates(database, one.id)
    return conversations.move(database, one.id, {TalkState.COMPRESSING}, TalkState.ARCHIVED, now)


def _keep_part(runtime: Runtime, preview: Preview, number: int, part: Part, act: Act, user: str, now: datetime) -> None:
    """The memories and items of one part, in the space of its act: its project, or what is the user's own."""
    one, database = preview.conversation, runtime.store.database
    said = {turn.number: turn.at for turn in talk_turns.of(database, one.id)}
    chosen = [item for item in preview.extraction.items if item.id in part.items]
    drafts = drafts_of(one, part, number, chosen, said)
    memories = runtime.store.memories.keep(act.project or user, act_memories.LEARNER, drafts, now)
    act_memories.assign(database, [memory.id for memory in memories], act)
    _embed(runtime, act.project or user, memories)
    episode = next(memory.id for memory in memories if memory.draft.attribute == drafts[0].attribute)
    items.confirm(database, [item.id for item in chosen], episode, act.id, now)


def _embed(runtime: Runtime, space: str, memories: Sequence[Memory]) -> None:
    """Give their texts vectors at once; where the model fails they are found by words, and get them later."""
    if runtime.adapters.embedder is None:
        return
    texts = {text_hash(text): text for memory in memories for text in embedded_texts(memory)}
    try:
        made = runtime.adapters.embedder.embed(list(texts.values()))
    except Exception:
        _log.exception("what was confirmed has no vectors yet")
        return
    runtime.store.vectors.keep(space, runtime.adapters.embedder.model, list(texts), made)


def _settled(preview: Preview, before: Sequence[Item]) -> list[Settles]:
    """What it settles of before, surely enough; what was said again; what was opened and settled in it alone."""
    left = {id_ for part in preview.parts for id_ in part.items}
    surely = [one for one in preview.extraction.settles if one.by in left and one.confidence > SETTLES_ABOVE]
    itself = [
        Settles(one.id, one.id, one.confidence, "resolved in the same conversation")
        for one in preview.extraction.items
        if one.id in left and one.type is ItemType.TASK and one.is_done
    ]
    words = {(one.type, _plain(one.text)): one.id for one in preview.extraction.items if one.id in left}
    again = [
        Settles(one.id, words[one.type, _plain(one.text)], 1.0, "said again")
        for one in before
        if one.id not in left and (one.type, _plain(one.text)) in words
    ]
    return surely + again + itself


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!?")
