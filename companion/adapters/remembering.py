"""A redactor that remembers short texts it has seen: a commit's subject passes it three times in a scan."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from companion.ports import Redactor

REMEMBERED_CHARACTERS = 200
"""Longer texts seldom come twice; nearly every subject and summary is shorter."""
REMEMBERED_TEXTS = 100_000
"""Twice the commits of a large project, since subjects come again only after all were read: 40 MB at most."""


class RememberingRedactor:
    """Answers as another redactor does, which must answer alike for every path."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._short: Callable[[str], str] = lru_cache(maxsize=REMEMBERED_TEXTS)(redactor.redact)

    def redact(self, text: str, path: str = "") -> str:
        """The text without its secrets."""
        return self._short(text) if len(text) <= REMEMBERED_CHARACTERS else self._redactor.redact(text, path)
