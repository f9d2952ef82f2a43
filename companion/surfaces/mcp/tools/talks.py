"""Tools about conversations: begun, spoken in, closed, reviewed with the user, remembered, looked up."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from companion.api import Edit
from companion.errors import UsageError
from companion.records.talk import ItemType, Message, NamedItem, Role, TalkState
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
from companion.surfaces.mcp.tool import ToolChoice, Working, tool
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


class ClosingStep(StrEnum):
    """What is done at the end of a conversation."""

    PREVIEW = "preview"
    CONFIRM = "confirm"
    RESUME = "resume"
    ARCHIVE = "archive"


TalkId = MaybeId
"""A conversation; else the one that holds the place."""


def _names(working: Working) -> dict[str, str]:
    return {act.id: act.name for act in working.companion.acts()}


@tool("greeting", listed=ToolChoice.DEFAULT)
def where_were_we(working: Working, all_projects: bool = False) -> Answer:
    """Where work on this project stopped.

    What fails, is uncommitted, open, due, decided this week, tried and rejected; the conversation going on. Call it
    when a session begins or the user wants to go on.
    """
    return talk_answers.greeting(working.companion.greeting(working.persona, everywhere=all_projects))


@tool("talk start", changes=True)
def start_conversation(working: Working, title: Annotated[str, Between(0, REASON_MAX_CHARACTERS)] = "") -> Answer:
    """Begin a conversation; there is one at a time."""
    begun = working.companion.start_conversation(title, working.persona, SOURCE)
    return talk_answers.talk(begun, "Begun. add_turn keeps what is said.")


@tool("talk add", changes=True, listed=ToolChoice.DEFAULT)
def add_turn(working: Working, user: Said = "", assistant: Said = "") -> Answer:
    """Keep what was said, word for word, when something was decided, asked or promised.

    Begins a conversation where none goes on; nothing of it is remembered before `close_conversation`.
    """
    said = [Message(role, text) for role, text in ((Role.USER, user), (Role.ASSISTANT, assistant)) if text.strip()]
    if not said:
        raise UsageError("There is nothing said in it.", "Give what the user said, your reply, or both.")
    if working.companion.active_conversation() is None:
        working.companion.start_conversation("", working.persona, SOURCE)
    turn = working.companion.add_turn(said, channel=SOURCE)
    return plain(f"Kept as turn {turn.number} of {turn.conversation[:ID_SHOWN]}.")


@tool(
    *("talk close", "review", ("review confirm", "do=confirm"), ("talk resume", "do=resume")),
    ("talk archive", "do=archive"),
    changes=True,
    listed=ToolChoice.DEFAULT,
)
def close_conversation(
    working: Working,
    do: ClosingStep = ClosingStep.PREVIEW,
    items: Annotated[Mapping[str, str], "By exact quote, as `decision: statement`."] | None = None,
    edited_narrative: Annotated[str, Between(0, NOTE_MAX_CHARACTERS)] = "",
    drop_items: Ids = (),
    destination_act_id: Annotated[str, Between(0, ID_MAX_CHARACTERS), "Name or id; else as suggested there."] = "",
    conversation_id: TalkId = "",
) -> Answer:
    """End the conversation when its work is done, naming its items.

    First `preview` what would be remembered and show that to the user; then, as they say, `confirm` it, edited or not,
    `resume`, or `archive` it, which remembers nothing.
    """
    companion = working.companion
    match do:
        case ClosingStep.PREVIEW:
            return _previewed(working, items or {}, conversation_id)
        case ClosingStep.CONFIRM:
            if edited_narrative.strip() or drop_items:
                companion.edit_review(Edit(edited_narrative.strip(), drop=drop_items), conversation_id)
            if destination_act_id:
                companion.redirect_review(destination_act_id, conversation_id)
            return talk_answers.remembered(companion.confirm_review(conversation_id))
        case ClosingStep.RESUME:
            return talk_answers.talk(companion.resume_conversation(conversation_id), "Going on.")
        case ClosingStep.ARCHIVE:
            away = companion.archive_conversation(conversation_id)
            return talk_answers.talk(away, "Archived; nothing of it is remembered.")


def _previewed(working: Working, items: Mapping[str, str], conversation_id: str) -> Answer:
    """What would be remembered of a conversation, which is closed by that unless it is already."""
    named = [_named(quote, said) for quote, said in items.items()]
    going_on = working.companion.active_conversation()
    if not conversation_id and going_on is not None and going_on.state is TalkState.READY_TO_CLOSE:
        if not items:
            return get_memory_preview.call(working)
        working.companion.resume_conversation("")  # it is read again, with what is named now
    preview = working.companion.close_conversation(conversation_id, named, working.assistant)
    return talk_answers.preview(preview, _names(working))


def _named(quote: str, said: str) -> NamedItem:
    """An item as it is named. Raises UsageError for a sort that there is not."""
    sort, _, text = said.partition(":")
    try:
        return NamedItem(ItemType(sort.strip().lower()), quote, text.strip() or quote)
    except ValueError:
        known = ", ".join(one.value for one in ItemType)
        raise UsageError(f"There is no item of the sort {sort[:40]!r}.", f"Begin with one of: {known}.") from None


@tool()
def get_memory_preview(working: Working, conversation_id: TalkId = "") -> Answer:
    """The preview of a conversation that is being closed."""
    return talk_answers.preview(working.companion.review(conversation_id), _names(working))


@tool("threads")
def get_open_threads(
    working: Working, entity_type: ItemType | None = None, act_id: Act = "", limit: Limit = 20
) -> Answer:
    """What conversations left open."""
    types = () if entity_type is None else (entity_type,)
    return talk_answers.items(working.companion.threads(types, act_id, working.persona, limit), "open_threads")


@tool("story")
def get_your_story(
    working: Working, act_id: Act = "", limit: Limit = 20, offset: Annotated[int, Between(0, OFFSET_MAX)] = 0
) -> Answer:
    """What was said about the user, or an act; newest first."""
    return talk_answers.story(working.companion.story(act_id, working.persona, limit, offset), offset, limit)


@tool("talk show")
def get_conversation_archive(
    working: Working, conversation_id: Id, first: Annotated[int, Between(1, OFFSET_MAX), "Turn."] = 1
) -> Answer:
    """A conversation word for word."""
    return talk_answers.transcript(working.companion.transcript(conversation_id, first))


@tool("revise", changes=True, takes_back=True)
def edit_memory(
    working: Working,
    memory_id: MaybeId = "",
    narrative: Annotated[str, Between(0, NOTE_MAX_CHARACTERS)] = "",
    act_id: Act = "",
    settle_items: Ids = (),
) -> Answer:
    """Reword a memory, move it, resolve open items."""
    companion, did = working.companion, []
    if (narrative.strip() or act_id) and not memory_id:
        raise UsageError("`memory_id` is missing.", "Call `edit_memory` again with the memory's id.")
    memory = None
    if narrative.strip():
        memory = companion.revise(memory_id, narrative)
        did.append("reworded")
    if act_id:
        memory = companion.route(memory.id if memory else memory_id, act_id)
        did.append("moved")
    settled = [companion.settle_thread(id_) for id_ in settle_items]
    did += ["settled"] if settled else []
    if not did:
        raise UsageError("Nothing was to be changed.", "Give `narrative`, `act_id` or `settle_items`.")
    return talk_answers.changed(memory, settled, f"Done: {', '.join(did)}.")


ROWS = (
    where_were_we,
    add_turn,
    close_conversation,
    start_conversation,
    get_memory_preview,
    get_open_threads,
    get_your_story,
    get_conversation_archive,
    edit_memory,
)
