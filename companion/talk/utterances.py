"""A sentence of a conversation as the reader is shown it: beside what it answers, and what was said just before it."""

from __future__ import annotations

from companion.records.talk import Role

ANSWERED_CHARS, BEFORE_CHARS = 220, 140
"""Characters of the end of what the other one said, and of what the same one said just before: two sentences, one."""


def framed(answered: str, before: str, sentence: str, role: Role) -> tuple[str, str]:
    """The two texts that the reader is given: the end of what was said before, and the sentence with who says it."""
    context = " / ".join(part for part in (_end(answered, ANSWERED_CHARS), _end(before, BEFORE_CHARS)) if part)
    return context or "-", f"{'user' if role is Role.USER else 'assistant'}: {' '.join(sentence.split())}"


def _end(text: str, most: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else "…" + plain[-most:].partition(" ")[2]
