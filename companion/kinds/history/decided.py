"""Decisions that the messages of a happening state, and which of them are still answered so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.kinds.history import noise
from companion.kinds.history.choices import (
    STATUS,
    Choice,
    answered,
    choices_in,
    may_state_choice,
    removed_in,
)
from companion.kinds.history.stories import Happening
from companion.kinds.prose import narrative
from companion.records import Commit


def decisions_of(happening: Happening) -> Iterator[tuple[Commit, Choice]]:
    """The decisions that a happening's own message and those of its commits state, with the commit that does."""
    sources = [(happening.commit, happening.title)]
    sources += [(member, member.subject) for member in happening.members if not member.is_merge]
    seen: set[tuple[str, str]] = set()
    for commit, title in sources:
        if not may_state_choice(title) and not may_state_choice(commit.body):
            continue
        for choice in choices_in(noise.bare_subject(title).text, narrative(commit.body)):
            key = (choice.subject.lower(), choice.attribute)
            if key not in seen:
                seen.add(key)
                yield commit, choice


def in_force(happenings: Iterable[Happening]) -> Iterator[tuple[Happening, Commit, Choice]]:
    """The decisions of some happenings, oldest first, without those that a later one answers anew or takes away.

    `helpers.total_seconds` and `total_seconds` are one question, and so are `Python 3.7` and `Python 3.8`.
    """
    decided: dict[tuple[str, str], tuple[Happening, Commit, Choice]] = {}
    for happening in happenings:
        for commit, choice in decisions_of(happening):
            key = (answered(choice.subject, choice.attribute), choice.attribute)
            decided.pop(key, None)
            decided[key] = (happening, commit, choice)
        for thing in _removed_by(happening):
            decided.pop((answered(thing), STATUS), None)
    yield from decided.values()


def _removed_by(happening: Happening) -> Iterator[str]:
    """What the titles of a happening say was taken away, so that nothing need be decided on it any more."""
    for commit in (happening.commit, *happening.members):
        yield from removed_in(noise.bare_subject(commit.subject).text)
    yield from removed_in(noise.bare_subject(happening.title).text)
