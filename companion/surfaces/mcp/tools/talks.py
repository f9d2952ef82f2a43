"""Tools about conversations: begun, spoken in, closed, reviewed with the user, remembered, looked up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from companion.api import Edit
from companion.errors import UsageError
from companion.records.talk import ItemType, Message, NamedItem, Role
from companion.surfaces.mcp import talk_answers
from companion.surfaces.mcp.answers import ID_SHOWN, Answer, plain
from companion.surfaces.mcp.asks import (
    ID_MAX_CHARACTERS,
    NAMED_MAX,
    NOTE_MAX_CHARACTERS,
    REASON_MAX_CHARACTERS,
    Act,
    Id,
    MaybeId,
)
from companion.surfaces.mcp.tool import Tool, Working
from companion.wire import Between

SOURCE = "mcp"
"""The source of conversations that are held with an assistant; reviews can be switched off for it."""
SAID_MAX_CHARACTERS = 2_000_000
"""Of one side of a turn: the store keeps the beginning of what is longer than it holds."""
OFFSET_MAX = 1_000_000
"""More memories than anybody has told."""
LISTED_MAX = 100
"""Open items or memories in one answer; each is some forty tokens."""

Ids = Annotated[tuple[Annotated[str, Between(1, ID_MAX_CHARACTERS)], ...], Between(0, NAMED_MAX)]
Limit = Annotated[int, Between(1, LISTED_MAX)]
Said = Annotated[str, Between(0, SAID_MAX_CHARACTERS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GreetAsk:
    """What is open?"""

    all_projects: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StartAsk:
    """Begin a conversation."""

    title: Annotated[str, Between(0, REASON_MAX_CHARACTERS)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAsk:
    """Write down what was said."""

    user: Said = ""
    assistant: Said = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkAsk:
    """A conversation; else the one that holds the place."""

    conversation_id: MaybeId = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseAsk:
    """End it; what it leaves behind is named by the words of the talk that say so."""

    conversation_id: MaybeId = ""
    items: Annotated[Mapping[str, str], "By exact quote, as `decision: statement`."] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmAsk:
    """Remember it so."""

    conversation_id: MaybeId = ""
    edited_narrative: Annotated[str, Between(0, NOTE_MAX_CHARACTERS)] = ""
    drop_items: Ids = ()
    destination_act_id: Annotated[str, Between(0, ID_MAX_CHARACTERS), "Name or id; else as suggested there."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadsAsk:
    """What is open?"""

    entity_type: ItemType | None = None
    act_id: Act = ""
    limit: Limit = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryAsk:
    """What does Your Story tell, or another act?"""

    act_id: Act = ""
    limit: Limit = 20
    offset: Annotated[int, Between(0, OFFSET_MAX)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveAsk:
    """What was said then?"""

    conversation_id: Id
    first: Annotated[int, Between(1, OFFSET_MAX), "Turn."] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class EditAsk:
    """Say a memory differently, send it elsewhere, settle what it left open."""

    memory_id: MaybeId = ""
    narrative: Annotated[str, Between(0, NOTE_MAX_CHARACTERS)] = ""
    act_id: Act = ""
    settle_items: Ids = ()


def _active(working: Working, ask: GreetAsk) -> Answer:
    return talk_answers.greeting(working.companion.greeting(working.persona, everywhere=ask.all_projects))


def _start(working: Working, ask: StartAsk) -> Answer:
    begun = working.companion.start_conversation(ask.title, working.persona, SOURCE)
    return talk_answers.talk(begun, "Begun. add_turn keeps what is said.")


def _add_turn(working: Working, ask: TurnAsk) -> Answer:
    said = [
        Message(role, text) for role, text in ((Role.USER, ask.user), (Role.ASSISTANT, ask.assistant)) if text.strip()
    ]
    if not said:
        raise UsageError("There is nothing said in it.", "Give what the user said, your reply, or both.")
    turn = working.companion.add_turn(said, channel=SOURCE)
    return plain(f"Kept as turn {turn.number} of {turn.conversation[:ID_SHOWN]}.")


def _names(working: Working) -> dict[str, str]:
    return {act.id: act.name for act in working.companion.acts()}


def _close(working: Working, ask: CloseAsk) -> Answer:
    named = [_named(quote, said) for quote, said in ask.items.items()]
    preview = working.companion.close_conversation(ask.conversation_id, named, working.assistant)
    return talk_answers.preview(preview, _names(working))


def _named(quote: str, said: str) -> NamedItem:
    """An item as it is named. Raises UsageError for a sort that there is not."""
    sort, _, text = said.partition(":")
    try:
        return NamedItem(ItemType(sort.strip().lower()), quote, text.strip() or quote)
    except ValueError:
        known = ", ".join(one.value for one in ItemType)
        raise UsageError(f"There is no item of the sort {sort[:40]!r}.", f"Begin with one of: {known}.") from None


def _preview(working: Working, ask: TalkAsk) -> Answer:
    preview = working.companion.review(ask.conversation_id)
    return talk_answers.preview(preview, _names(working))


def _confirm(working: Working, ask: ConfirmAsk) -> Answer:
    companion, one = working.companion, ask.conversation_id
    if ask.edited_narrative.strip() or ask.drop_items:
        companion.edit_review(Edit(ask.edited_narrative.strip(), drop=ask.drop_items), one)
    if ask.destination_act_id:
        companion.redirect_review(ask.destination_act_id, one)
    return talk_answers.remembered(companion.confirm_review(one))


def _resume(working: Working, ask: TalkAsk) -> Answer:
    return talk_answers.talk(working.companion.resume_conversation(ask.conversation_id), "Going on.")


def _put_away(working: Working, ask: TalkAsk) -> Answer:
    away = working.companion.archive_conversation(ask.conversation_id)
    return talk_answers.talk(away, "Put away; nothing of it is remembered.")


def _threads(working: Working, ask: ThreadsAsk) -> Answer:
    types = () if ask.entity_type is None else (ask.entity_type,)
    found = working.companion.threads(types, ask.act_id, working.persona, ask.limit)
    return talk_answers.items(found, "open_threads")


def _story(working: Working, ask: StoryAsk) -> Answer:
    told = working.companion.story(ask.act_id, working.persona, ask.limit, ask.offset)
    return talk_answers.story(told, ask.offset, ask.limit)


def _archive(working: Working, ask: ArchiveAsk) -> Answer:
    return talk_answers.transcript(working.companion.transcript(ask.conversation_id, ask.first))


def _edit(working: Working, ask: EditAsk) -> Answer:
    companion, did = working.companion, []
    if (ask.narrative.strip() or ask.act_id) and not ask.memory_id:
        raise UsageError("`memory_id` is missing.", "Call `edit_memory` again with the memory's id.")
    memory = None
    if ask.narrative.strip():
        memory = companion.revise(ask.memory_id, ask.narrative)
        did.append("reworded")
    if ask.act_id:
        memory = companion.route(memory.id if memory else ask.memory_id, ask.act_id)
        did.append("moved")
    settled = [companion.settle_thread(id_) for id_ in ask.settle_items]
    did += ["settled"] if settled else []
    if not did:
        raise UsageError("Nothing was to be changed.", "Give `narrative`, `act_id` or `settle_items`.")
    return talk_answers.changed(memory, settled, f"Done: {', '.join(did)}.")


ROWS: tuple[Tool, ...] = (
    Tool("get_active_conversation", "The conversation going on; else what is open and due here.", GreetAsk, _active),
    Tool("start_conversation", "Begin a conversation; there is one at a time.", StartAsk, _start, changes=True),
    Tool("add_turn", "Keep what was said in the conversation.", TurnAsk, _add_turn, changes=True),
    Tool(
        "close_conversation",
        "End the conversation, naming its items; preview what would be remembered. Show that to the user.",
        CloseAsk,
        _close,
        changes=True,
    ),
    Tool("get_memory_preview", "The preview of a conversation that is being closed.", TalkAsk, _preview),
    Tool(
        "confirm_memory",
        "Remember a closed conversation, once the user has approved its preview.",
        ConfirmAsk,
        _confirm,
        changes=True,
    ),
    Tool("resume_conversation", "Go on with a conversation instead of closing it.", TalkAsk, _resume, changes=True),
    Tool("archive_conversation", "Put a conversation away, remembering nothing.", TalkAsk, _put_away, changes=True),
    Tool("get_open_threads", "What conversations left open.", ThreadsAsk, _threads),
    Tool("get_your_story", "What was told about the user, or an act; newest first.", StoryAsk, _story),
    Tool("get_conversation_archive", "A conversation word for word.", ArchiveAsk, _archive),
    Tool(
        "edit_memory",
        "Reword a told memory, move it, settle open items.",
        EditAsk,
        _edit,
        changes=True,
        takes_back=True,
    ),
)
