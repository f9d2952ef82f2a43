"""A redactor that remembers answers as the one it stands for."""

from __future__ import annotations

from companion.adapters.remembering import REMEMBERED_CHARACTERS, RememberingRedactor


class Counting:
    """Replaces a word, and counts how often it was asked."""

    asked = 0

    def redact(self, text: str, path: str = "") -> str:
        del path
        self.asked += 1
        return text.replace("hunter2", "[redacted]")


def test_a_short_text_is_looked_at_once_and_answered_alike_each_time():
    inner = Counting()
    remembering = RememberingRedactor(inner)
    assert [remembering.redact("by hunter2"), remembering.redact("by hunter2", "a.py")] == ["by [redacted]"] * 2
    assert inner.asked == 1


def test_a_long_text_is_looked_at_each_time_and_not_kept():
    inner = Counting()
    remembering = RememberingRedactor(inner)
    text = "hunter2 " * REMEMBERED_CHARACTERS
    assert remembering.redact(text) == remembering.redact(text) == "[redacted] " * REMEMBERED_CHARACTERS
    assert inner.asked == 2
