"""Messages too long to be read by rules: both ends are, what lies between is pasted."""

from __future__ import annotations

from dataclasses import replace

from companion.records.talk import Message, Turn

READ_CHARS = 8_000
"""Characters read from each end of a message: three pages of talk, and some ten milliseconds of rules."""


def ends_of(turn: Turn) -> Turn:
    """A turn whose longest messages are cut to their two ends; the same turn where none is so long."""
    if all(len(message.text) <= 2 * READ_CHARS for message in turn.messages):
        return turn
    return replace(turn, messages=tuple(_ends(message) for message in turn.messages))


def _ends(message: Message) -> Message:
    text = message.text
    if len(text) <= 2 * READ_CHARS:
        return message
    return Message(message.role, f"{text[:READ_CHARS]}\n{text[-READ_CHARS:]}")
