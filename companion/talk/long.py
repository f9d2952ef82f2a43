"""Messages too long to be read by rules: both ends are, what lies between is pasted."""

from __future__ import annotations

from dataclasses import replace

from companion.records.talk import Message, Turn

READ_CHARS = 8_000
"""Characters read from each end of a message: three pages of talk, and some ten milliseconds of rules."""


def ends_of(turn: Turn, chars: int = READ_CHARS) -> Turn:
    """A turn whose longest messages are cut to their two ends; the same turn where none is so long."""
    if all(len(message.text) <= 2 * chars for message in turn.messages):
        return turn
    return replace(turn, messages=tuple(_ends(message, chars) for message in turn.messages))


def _ends(message: Message, chars: int) -> Message:
    text = message.text
    return message if len(text) <= 2 * chars else Message(message.role, f"{text[:chars]}\n{text[-chars:]}")
