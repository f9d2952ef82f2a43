"""A few turns, a session, everything: summed up from what they left behind and from their own best sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from companion.language.phrases import says
from companion.language.word_lists import listed
from companion.ports import Reader
from companion.records.talk import Item, ItemState, ItemType, Role, Turn
from companion.records.turn_history import SessionSummary, Whole
from companion.talk.narrative import QUIET, narrative
from companion.talk.past.gist import gist, once, shortened

ROLLING_EVERY = 4
"""Turns of a session after which it is summed up again; spec V12."""
ROLLING_CHARS = 600
"""Characters of a rolling summary; spec V12."""
WHOLE_EVERY = 20
"""Turns after which there is a new version of the whole; spec V12."""
LINE_CHARS = 120
"""Characters of a session's one line."""
MOST = 5
"""Things that a session's summary tells of each sort."""
WHOLE_MOST = 12
"""Lines of each part of the whole: the whole is a page."""

_SIGNS = {"strained": re.compile(r"!{2,}"), "friendly": re.compile(r"[:;]-?\)|🙂|🎉|👍")}
"""Marks that tell a tone; the words that do stand in `data/talk.toml`."""
PLAIN = "matter-of-fact"
_OPEN = (ItemType.QUESTION, ItemType.BLOCKER, ItemType.WAITING_ON)


def rolling(turns: Sequence[Turn], items: Sequence[Item], reader: Reader | None) -> str:
    """What a session has come to so far, in at most 600 characters: what it left behind, then its last sentences."""
    told = narrative(items) if items else ""
    parts = [told] if told and told != QUIET else []
    known = told.lower()
    for turn in reversed(turns[-ROLLING_EVERY:]):
        sentence = gist(turn, reader).sentence
        if sentence and sentence.lower().rstrip(".?!") not in known:
            parts.append(sentence)
    return shortened(" ".join(part if part[-1] in ".?!…" else f"{part}." for part in parts), ROLLING_CHARS)


def session(turns: Sequence[Turn], items: Sequence[Item], reader: Reader | None) -> SessionSummary:
    """What a session came to; `items` are what its turns left behind, whatever became of them since."""
    standing = [one for one in items if one.state is not ItemState.DROPPED]
    decided = [one.text for one in standing if one.type is ItemType.DECISION]
    learned = [one.text for one in standing if one.type in (ItemType.INSIGHT, ItemType.PRIORITY)]
    sentences = [found for turn in turns if (found := gist(turn, reader).sentence)]
    line = decided[0] if decided else next(iter(sentences), "")
    mattered = once([*decided, *learned, *(sentences if not decided and not learned else ())])
    return SessionSummary(
        line=shortened(line, LINE_CHARS),
        mattered=mattered[:MOST],
        open_loops=once(one.text for one in standing if one.type in _OPEN and _waits(one))[:MOST],
        commitments=once(one.text for one in standing if one.type is ItemType.TASK and _waits(one))[:MOST],
        people=_people(standing)[:MOST],
        tone=tone(turns),
    )


def tone(turns: Iterable[Turn]) -> str:
    """How the user sounded: strained, hurried or friendly where several messages say so, else matter-of-fact."""
    said = [text for turn in turns if (text := turn.said(Role.USER))]
    counts = {name: sum(_sounds(text, name) for text in said) for name in listed("talk")["tones"]}
    name, count = max(counts.items(), key=lambda pair: pair[1], default=(PLAIN, 0))
    return name if count >= max(2, len(said) // 5) or (count and len(said) == 1) else PLAIN


def _sounds(text: str, name: str) -> bool:
    return says(text, f"talk.tones.{name}") or (name in _SIGNS and _SIGNS[name].search(text) is not None)


def whole(
    version: int, now: datetime, turns: int, *, profile: Iterable[str], projects: Iterable[str], items: Sequence[Item]
) -> Whole:
    """The summary of everything, from what was said for good, what is worked on, and what is open."""
    waiting = [one for one in items if one.type in _OPEN or one.type is ItemType.TASK]
    return Whole(
        version,
        now,
        turns,
        once(profile)[:WHOLE_MOST],
        once(projects)[:WHOLE_MOST],
        _people(items)[:WHOLE_MOST],
        once(one.text for one in waiting if _waits(one))[:WHOLE_MOST],
    )


def _waits(one: Item) -> bool:
    return one.state in (ItemState.OPEN, ItemState.CANDIDATE) and not one.is_done


def _people(items: Iterable[Item]) -> tuple[str, ...]:
    """Who is named, each once, with what is said of them."""
    named: dict[str, str] = {}
    for one in items:
        if one.type is ItemType.PERSON:
            named[one.text] = one.details.get("relation", "")
        elif who := one.details.get("who", ""):
            named.setdefault(who, "")
    return tuple(f"{name} ({relation})" if relation else name for name, relation in named.items())
