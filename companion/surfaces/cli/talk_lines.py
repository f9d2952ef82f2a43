"""How a conversation and a turn are shown: a line of the one, the other with all its messages."""

from __future__ import annotations

from companion.records.talk import Conversation, ItemType, TalkState, Turn
from companion.records.wording import counted
from companion.surfaces.wording import ID_SHOWN

TITLE_SHOWN = 60
"""Characters of a title in a list: it fits on a line."""

STATES = {
    TalkState.ACTIVE: "going on",
    TalkState.READY_TO_CLOSE: "waits for your review",
    TalkState.COMPRESSING: "being put into memory",
    TalkState.ARCHIVED: "archived",
}

NAMES = {
    ItemType.QUESTION: "Open questions",
    ItemType.BLOCKER: "Blocked",
    ItemType.WAITING_ON: "Waiting on",
    ItemType.TASK: "To do",
    ItemType.DECISION: "Decided",
    ItemType.PRIORITY: "Priorities",
    ItemType.PERSON: "People",
    ItemType.INSIGHT: "Learned",
    ItemType.ACT: "About",
}
"""What each sort of item is called, in the order in which they are shown."""


def line_of(one: Conversation) -> str:
    """A conversation in a line."""
    when = one.last_turn_at or one.started_at
    state = "paused" if one.paused else "imported, to be reviewed" if one.unseen else STATES[one.state]
    title = f"  {one.title[:TITLE_SHOWN]}" if one.title else ""
    return f"{one.id[:ID_SHOWN]}  {when:%Y-%m-%d %H:%M}  {counted(one.turns, 'turn')}, {state}{title}"


def said(turn: Turn) -> str:
    """A turn with all its messages."""
    head = f"[{turn.number}] {turn.at:%Y-%m-%d %H:%M}"
    return "\n".join([head, *(f"{one.role.value}: {one.text}" for one in turn.messages)])
