"""Decisions that the messages of a happening state, and what speaks against them since.

A decision is in force while it gives its reason, speaks of what still stands in the code, and no later commit
takes it back (see `undoing`); a later answer to the same question takes the place of an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from companion.kinds.history import noise
from companion.kinds.history.choices import Choice, answered, choices_in, may_state_choice
from companion.kinds.history.stories import Happening
from companion.kinds.history.undoing import Reversal, reverses
from companion.kinds.leads import lead
from companion.kinds.prose import narrative
from companion.records import Commit, Decision, Draft


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, the commit of a happening that states it, and the later commit that took it back, if one did."""

    happening: Happening
    commit: Commit
    choice: Choice
    against: Commit | None = None


def decisions_of(happening: Happening) -> Iterator[Decided]:
    """The decisions that a happening's own message and those of its commits state."""
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
                yield Decided(happening, commit, choice)


def decided_in(
    happenings: Iterable[Happening], reversals: Sequence[Reversal], reverted: Mapping[str, Commit]
) -> Iterator[Decided]:
    """The decisions of some happenings, oldest first, without those that a later one answers anew.

    `reversals` are what commits take back, `reverted` the commits that were reverted, with what did it. A reason that
    its sentence lacks is the one its happening gives. `helpers.total_seconds` and `total_seconds` are one question,
    and so are `Python 3.7` and `Python 3.8`.
    """
    found: dict[tuple[str, str], Decided] = {}
    for happening in happenings:
        for one in decisions_of(happening):
            choice = one.choice
            found.pop(key := question_decided(choice), None)
            given = choice.reason or (lead(happening.title, happening.story) if happening.members else "")
            against = reverted.get(one.commit.sha) or taken_back_by(
                choice, one.commit.committed_at, one.commit.subject, reversals
            )
            found[key] = replace(one, choice=replace(choice, reason=given), against=against)
    yield from found.values()


def question_decided(choice: Choice) -> tuple[str, str]:
    """The key that two answers to one question share."""
    return (answered(choice.subject, choice.attribute), choice.attribute)


def taken_back_by(choice: Choice, at: datetime, title: str, reversals: Sequence[Reversal]) -> Commit | None:
    """The first commit after a moment that takes back what was decided then under a title."""
    later = (one for one in reversals if one.commit.committed_at > at)
    return next((one.commit for one in later if reverses(one, choice, title)), None)


def reversed_by(draft: Draft, reversals: Sequence[Reversal]) -> Commit | None:
    """The later commit that takes back what a memory states."""
    choice = choice_of(draft)
    if choice is None or draft.valid_from is None:
        return None
    return taken_back_by(choice, draft.valid_from, draft.evidence[0].quote, reversals)


def choice_of(draft: Draft) -> Choice | None:
    """The choice that a memory still states: a decision's own, or the one in an episode's title."""
    if draft.valid_to is not None or not draft.evidence:
        return None
    if isinstance(body := draft.body, Decision):
        return Choice(draft.subject, draft.attribute, body.question, body.choice, body.reason, draft.evidence[0].quote)
    return next(choices_in(noise.bare_subject(draft.subject).text, ""), None)
