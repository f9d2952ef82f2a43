"""What a room of the page is: functions that ask a companion and give a view back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from msgspec import Struct, field

from companion.api import Companion
from companion.errors import UsageError, not_read
from companion.records.search import QUERY_MAX_CHARACTERS

Choice = TypeVar("Choice", bound=StrEnum)

TEXT_MAX_CHARACTERS = 4_096
"""The longest text of an address that makes sense: a path."""


class PageView(Struct, frozen=True):
    """What is to be seen: a template below `templates/`, and what it is filled with.

    `says` is read out and shown in a line of its own, such as what came of a deed; `address` is what the browser
    shows from now on, as `room?name=value`, empty to leave it.
    """

    template: str
    values: Mapping[str, object] = field(default_factory=dict)
    says: str = ""
    address: str = ""


class PageRequest(Struct, frozen=True):
    """What is asked of a room: the fields of the address, or of the form that was sent."""

    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def text(self, name: str, most: int = TEXT_MAX_CHARACTERS) -> str:
        """A field, without the space around it; empty if it is not given. Raises UsageError for a longer one."""
        said = (self.given.get(name) or ("",))[-1].strip()
        if len(said) > most:
            raise UsageError(f"`{name}` is longer than {most:,} characters.", "Shorten it.")
        return said

    def question(self, name: str) -> str:
        """A question in words; of one that is too long as much as lets the verb see that, and say so."""
        return self.text(name, sys.maxsize)[: QUERY_MAX_CHARACTERS + 1]

    def texts(self, name: str) -> tuple[str, ...]:
        """All that is given under a name, each once, without what is empty."""
        return tuple(dict.fromkeys(one.strip() for one in self.given.get(name, ()) if one.strip()))

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number of a field. Raises UsageError for what is none, or lies outside."""
        said = self.text(name)
        if not said:
            return default
        if not (said.isascii() and said.isdigit() and len(said) <= len(str(most)) and least <= int(said) <= most):
            raise UsageError(f"`{name}` must be a number.", f"Give {least:,} to {most:,}.")
        return int(said)

    def moment(self, name: str, most: int = 50) -> datetime | None:
        """A moment of a field, naive; None if it is not given. Raises UsageError for what is none."""
        said = self.text(name, most)
        try:
            return datetime.fromisoformat(said).replace(tzinfo=None) if said else None
        except ValueError:
            raise UsageError(f"`{said}` is not a moment.", "Load the page again.") from None

    def choice(self, name: str, choices: type[Choice]) -> Choice | None:
        """One of a few words; None if it is not given. Raises UsageError for any other word."""
        said = self.text(name)
        try:
            return choices(said) if said else None
        except ValueError:
            known = ", ".join(item.value for item in choices)
            raise UsageError(f"There is no {name} `{said[:50]}`.", f"Choose one of: {known}.") from None


def need_reading(companion: Companion) -> None:
    """For a room that found nothing to show. Raises NotReadYet where nobody has read the repository."""
    held = companion.stats()
    if not held.files:
        raise not_read(held.root)


Answer = Callable[[Companion, PageRequest], PageView]
"""Asks a companion, and says what is to be seen. Raises CompanionError."""


class Room(Struct, frozen=True):
    """One room: `/NAME` shows it, `/NAME/PART` a piece of it, and a form sent to `/NAME/DEED` does something.

    `show` gives a whole page: its template begins with `{% extends "layout.html" %}`. Parts and deeds give a
    fragment that takes the place of what their element targets. `slow` names those that go over the whole store.
    """

    name: str
    title: str
    says: str
    """What one finds there, in a sentence."""
    show: Answer
    parts: Mapping[str, Answer] = field(default_factory=dict)
    deeds: Mapping[str, Answer] = field(default_factory=dict)
    slow: frozenset[str] = frozenset()
    listed: bool = True
    """Whether it stands in the list of rooms; else links alone lead there."""
