"""What reads conversations: the rules, loaded when the first one is read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Protocol, cast

from companion.app.consolidation.judges import reader
from companion.records.readings import DialogueAct
from companion.records.talk import Message, Role, Turn

if TYPE_CHECKING:
    from companion.language.names import Names as KnownNames
    from companion.records.talk import Act, Extraction, Item
    from companion.talk.consulted.claims import ModelClaim

LEFT_OUT = "[our own context, left out]"
"""Stands for a message that was nothing but what we had put into the conversation."""


class TalkRules(Protocol):
    """Reads conversations; `companion.talk` is the real one."""

    def extract(
        self,
        turns: Sequence[Turn],
        open_items: Sequence[Item],
        acts: Sequence[Act],
        known: KnownNames,
        /,
        *beside: Sequence[ModelClaim],
    ) -> Extraction:
        """What a conversation left behind, what it settles, and where it belongs; a model's claims stand `beside`."""

    def anchor(self, turn: Turn, /) -> float:
        """How firmly a turn says what must never be lost."""


def rules() -> TalkRules:
    """What reads conversations with the small model that comes with the product."""
    from companion.talk.extract import extract
    from companion.talk.items.anchors import anchor

    read = reader()
    return cast(  # names of a namespace are unknown to types
        "TalkRules", SimpleNamespace(extract=partial(extract, reader=read), anchor=partial(anchor, reader=read))
    )


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
