"""Conversations that wait for review: what will be remembered of each, changed or confirmed before it is.

A form says which preview it was made for (`seen`). Where that was changed in another window meanwhile, or confirmed,
nothing is done by it, and what stands now is shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps

from companion.api import Companion, Edit
from companion.errors import CompanionError, UsageError
from companion.records.talk import Conversation, Item, Part, Preview, TalkState, details_in_words
from companion.records.wording import unbroken
from companion.surfaces.cli.talk_lines import NAMES
from companion.surfaces.page.room import Answer, PageRequest, PageView, Room

WAITING_MOST = 100
"""Conversations that are listed: more wait their turn."""
WORDS_MAX = 20_000
"""Characters of what is remembered of one part."""
ITEM_MAX = 500
TURNS_SHOWN = 200
"""Turns of the transcript that are shown: what was said last."""
MEANWHILE = "It was changed in another window meanwhile. Nothing was done; this is how it stands."


def show(companion: Companion, ask: PageRequest) -> PageView:
    """What waits, and the one that is looked at: that named, or the first."""
    waiting = _waiting(companion)
    wanted = ask.text("id", 100)
    chosen = next((one for one in waiting if wanted and one.id.startswith(wanted)), None)
    if chosen is None and not wanted and waiting:
        chosen = waiting[0]
    values: dict[str, object] = {"waiting": waiting, "chosen": chosen, "gone": bool(wanted and chosen is None)}
    if chosen is not None:
        values |= _standing(companion, chosen.id)
    return PageView("review/room.html", values)


def transcript(companion: Companion, ask: PageRequest) -> PageView:
    """What was said in it."""
    said = companion.transcript(ask.text("id", 100))
    return PageView("review/transcript.html", {"turns": said.turns[-TURNS_SHOWN:], "total": len(said.turns)})


def _as_seen(do: Callable[[Companion, PageRequest, Preview], PageView]) -> Answer:
    """Do something to the preview that the form was made for; show what stands where that is another by now."""

    @wraps(do)
    def answer(companion: Companion, ask: PageRequest) -> PageView:
        id_ = ask.text("id", 100)
        waiting = {one.id: one for one in _waiting(companion)}
        if id_ not in waiting:
            says = "It is no longer waiting: it was confirmed, resumed or archived in another window."
            return PageView("review/left.html", {"waiting": list(waiting.values())}, says=says)
        preview = companion.review(id_)
        if digest(preview) != ask.text("seen", 100):
            return _card(companion, id_, MEANWHILE)
        return do(companion, ask, preview)

    return answer


@_as_seen
def confirm(companion: Companion, ask: PageRequest, preview: Preview) -> PageView:
    """Remember it as the form says: what was written there and not kept yet is kept first."""
    _kept(companion, ask, preview)
    came = companion.confirm_review(preview.conversation.id)
    values = {"came": came, "waiting": _waiting(companion)}
    return PageView("review/done.html", values, says="Remembered." if came.memories else "Archived.")


@_as_seen
def edit(companion: Companion, ask: PageRequest, preview: Preview) -> PageView:
    """Say parts in other words, say items in others, leave items out."""
    said = "Changed; the first words are kept beside." if _kept(companion, ask, preview) else "Nothing was changed."
    return _card(companion, preview.conversation.id, said)


def _kept(companion: Companion, ask: PageRequest, preview: Preview) -> bool:
    """Change the preview as the form says; whether that was anything. Fields that are not given change nothing."""
    id_ = preview.conversation.id
    shown = [part.narrative for part in preview.parts] or [""]  # where nothing was found, there is room for words
    words = [
        (number, said)
        for number, before in enumerate(shown, 1)
        if (said := ask.text(f"narrative-{number}", WORDS_MAX)) and unbroken(said) != unbroken(before)
    ]
    dropped = ask.texts("drop")
    change = {
        one.id: said
        for one in preview.extraction.items
        if (said := unbroken(ask.text(f"item-{one.id}", ITEM_MAX)))
        and one.id not in dropped
        and unbroken(said) != unbroken(one.text)
    }
    for number, said in words:  # before items are left out, so that no part is gone with its last item
        companion.edit_review(Edit(narrative=said, part=number), id_)
    if dropped or change:
        companion.edit_review(Edit(drop=dropped, change=change), id_)
    return bool(words or dropped or change)


@_as_seen
def redirect(companion: Companion, ask: PageRequest, preview: Preview) -> PageView:
    """Send all of it to one act."""
    companion.redirect_review(ask.text("act", 200), preview.conversation.id)
    return _card(companion, preview.conversation.id, "All of it goes there now.")


@_as_seen
def split(companion: Companion, ask: PageRequest, preview: Preview) -> PageView:
    """Send single items to other acts."""
    now = {id_: part.act for part in preview.parts for id_ in part.items}
    wanted: dict[str, list[str]] = {}
    for one in preview.extraction.items:
        to = ask.text(f"act-{one.id}", 200)
        if to and to != now.get(one.id):
            wanted.setdefault(to, []).append(one.id)
    if not wanted:
        raise UsageError("No item was sent elsewhere.", "Choose another line of work beside an item.")
    parts = [Part(act, "", tuple(ids)) for act, ids in wanted.items()]
    companion.split_review(parts, preview.conversation.id)
    return _card(companion, preview.conversation.id, "Split: each part says where it goes.")


@_as_seen
def resume(companion: Companion, _: PageRequest, preview: Preview) -> PageView:
    """Go on with the conversation; nothing is remembered."""
    companion.resume_conversation(preview.conversation.id)
    return PageView("review/left.html", {"waiting": _waiting(companion)}, says="It goes on; nothing was remembered.")


@_as_seen
def put_away(companion: Companion, _: PageRequest, preview: Preview) -> PageView:
    """Remember nothing of it; the transcript stays."""
    companion.archive_conversation(preview.conversation.id)
    says = "Archived; nothing was remembered, and the transcript stays."
    return PageView("review/left.html", {"waiting": _waiting(companion)}, says=says)


def digest(preview: Preview) -> str:
    """What tells a preview from itself after a change."""
    said = [f"{part.act}\x1f{part.narrative}\x1f{' '.join(part.items)}" for part in preview.parts]
    said += [f"{one.id}\x1f{one.text}" for one in preview.extraction.items]
    return hashlib.sha256("\x1e".join(said).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _card(companion: Companion, id_: str, says: str) -> PageView:
    return PageView("review/preview.html", _standing(companion, id_), says=says)


def _standing(companion: Companion, id_: str) -> dict[str, object]:
    """The preview of a conversation with everything that its card shows."""
    try:
        preview = companion.review(id_)
    except CompanionError as wrong:
        return {"preview": None, "wrong": wrong}
    acts = companion.acts()
    names = {act.id: act.name for act in acts}
    suggestion = preview.extraction.suggestion
    offered = suggestion if suggestion and {part.act for part in preview.parts} != {suggestion.act} else None
    return {
        "preview": preview,
        "seen": digest(preview),
        "acts": acts,
        "names": names,
        "project": next((act.name for act in acts if act.project == preview.conversation.project != ""), ""),
        "details_in_words": details_in_words,
        "sorts": [
            (name, found)
            for type_, name in NAMES.items()
            if (found := [one for one in preview.extraction.items if one.type is type_])
        ],
        "shown": preview.parts or [Part(acts[0].id, "", ())],
        "place": {item: part.act for part in preview.parts for item in part.items},
        "offered": offered,
        "settles": _settled(preview),
        "words_max": WORDS_MAX,
        "item_max": ITEM_MAX,
        "plain": lambda text: unbroken(text).rstrip(".?!").casefold(),
    }


def _settled(preview: Preview) -> list[tuple[Item, str, float]]:
    """Items that settle something of before: which, by what words, how surely."""
    items = {one.id: one for one in preview.extraction.items}
    return [(items[one.by], one.reason, one.confidence) for one in preview.extraction.settles if one.by in items]


def _waiting(companion: Companion) -> list[Conversation]:
    """What waits: the one that was ended, those that could not be put into memory, those that were brought in."""
    own = [
        one
        for state in (TalkState.READY_TO_CLOSE, TalkState.COMPRESSING)
        for one in companion.conversations(state, limit=WAITING_MOST)
    ]
    brought = companion.unseen_talk(limit=WAITING_MOST)
    return list({one.id: one for one in (*own, *brought)}.values())


ROOM = Room(
    "review",
    "Review",
    "What will be remembered of conversations, before it is",
    show,
    parts={"transcript": transcript},
    deeds={
        "confirm": confirm,
        "edit": edit,
        "redirect": redirect,
        "split": split,
        "resume": resume,
        "away": put_away,
    },
    slow=frozenset({"confirm"}),
)
