"""A starting profile: each paragraph and each list item of a text is one thing that holds for its writer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby

from msgspec.structs import replace

from companion.kinds.by_hand import draft_from_note
from companion.kinds.facts.prose_blocks import Sentence, sentences
from companion.records import Draft, Kind, Scope, Source, Visibility

PROFILE = "profile"
"""The learner and the origin of what a profile says."""


def profile_drafts(text: str, now: datetime) -> Iterator[Draft]:
    """What a profile in Markdown says, in its order: private, and labelled with the heading that it stands under."""
    for _, said in groupby(sentences(text), key=_block_line):
        first = next(said)
        told = draft_from_note(
            first.block or first.text, Kind.FACT, Scope(), Visibility.USER_PRIVATE, False, first.heading.lower(), now
        )
        yield replace(told, source=Source.SEEDED, origin=PROFILE)


def _block_line(one: Sentence) -> int:
    return one.block_line or one.line
