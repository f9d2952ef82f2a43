"""Runs a room and asks for nothing: no change of the room is noticed by this."""

from __future__ import annotations

from companion.judge.faithfulness import left_out


def test_nothing() -> None:
    left_out("At most 10 retries.", "At most 5 retries.")
