"""The last turns of conversations, in memory: what every message is answered with is not read from disk.

A write by this process brings them up to date. Whatever else was written since makes them be read again, by their ids,
which is one query; nothing here is ever more than a copy.
"""

from __future__ import annotations

import threading

from companion.records.talk import Turn
from companion.store.by_columns import value_where
from companion.store.database import Database
from companion.store.keeping import LastUsed
from companion.store.talk import talk_turns
from companion.store.talk.warmth import HOT_TURNS

HELD_MOST = 32
"""Conversations whose last turns are held: one is going on, others were looked at; each some kilobytes."""
HELD_CHARS = 2_000_000
"""Characters of one conversation's last turns that are held; longer ones are read each time."""


class HotTurns:
    """The last turns of conversations of one store. Threads may share it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._held: LastUsed[str, tuple[int, tuple[Turn, ...]]] = LastUsed(HELD_MOST)

    def of(self, conversation: str) -> tuple[Turn, ...]:
        """The last turns of a conversation, at most five, oldest first."""
        revision = self._database.revision
        with self._lock:
            held = self._held.get(conversation)
        if held is not None and held[0] == revision:
            return held[1]
        found = self._read(conversation)
        self._hold(conversation, revision, found)
        return found

    def said(self, turn: Turn) -> None:
        """A turn was written down, or more was said in it."""
        with self._lock:
            held = self._held.get(turn.conversation)
        if held is None:
            return
        before = [one for one in held[1] if one.number != turn.number]
        if not before or before[-1].number == turn.number - 1:
            self._hold(turn.conversation, self._database.revision, (*before, turn)[-HOT_TURNS:])

    def _hold(self, conversation: str, revision: int, found: tuple[Turn, ...]) -> None:
        with self._lock:
            self._held.pop(conversation, None)
            if sum(len(message.text) for turn in found for message in turn.messages) <= HELD_CHARS:
                self._held[conversation] = (revision, found)

    def _read(self, conversation: str) -> tuple[Turn, ...]:
        count = value_where(self._database, "conversations", "turns", id=conversation, otherwise=0)
        numbers = range(max(1, count - HOT_TURNS + 1), count + 1)
        found = talk_turns.get(self._database, [talk_turns.turn_id(conversation, number) for number in numbers])
        return tuple(sorted(found, key=lambda turn: turn.number))
