"""What reads conversations: the rules, loaded when the first one is read."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from companion.app.consolidation.judges import reader
from companion.records.readings import DialogueAct
from companion.records.talk import Message, Role, Turn

LEFT_OUT = "[our own context, left out]"
"""Stands for a message that was nothing but what we had put into the conversation."""


class TalkRules:
    """Reads conversations, with the small model that comes with the product; see `companion.talk`.

    `extract` tells what one left behind, what it settles and where it belongs; `anchor` how firmly a turn says what
    must never be lost.
    """

    def __init__(self) -> None:
        """Loads what it reads with."""
        from companion.talk.extract import extract
        from companion.talk.items.anchors import anchor

        self.extract = partial(extract, reader=reader())
        self.anchor = partial(anchor, reader=reader())


def as_kept(role: Role, text: str) -> str:
    """A message without what a model thought before it, and without what we put in; empty where nothing was said."""
    from companion.language.echo import without_echo
    from companion.talk.past.hidden import without_reasoning

    said = without_reasoning(text) if role is Role.ASSISTANT else text
    return (without_echo(said).strip() or LEFT_OUT) if said.strip() else ""


def is_rule(note: str, now: datetime) -> bool:
    """Whether a note says how things are always done, as it would be heard in a conversation."""
    from companion.language.sentences import clauses
    from companion.talk.hearing import hear

    said = Turn("", "", 1, now, (Message(Role.USER, note),))
    return any(one.act is DialogueAct.RULE for one in hear(clauses((said,)), reader()))
