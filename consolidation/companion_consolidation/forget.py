"""What a newer statement replaced, talk of the moment, and what nobody has asked for in a long time of work.

Talk of the moment has a week of work, and a day more for each on which it was shown. Every other memory has a
life in days of work without use, and each use begins it anew. It is LIFE_DAYS, which is a bound and no blade:
longer for what was told to last, documents, steps to follow, one environment of several, what is needed seldom
but then badly, what was cited, and what has been asked for at long intervals before. Use only ever lengthens a
life; the calendar plays no part. Forgetting archives: explicit search still finds it, and asking brings it back.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, EpisodeType, Idle, Importance, Kind, Retire
from companion_consolidation.cues import passing, seldom

LIFE_DAYS = 90
"""Days of work without any use; spec N6."""
MOMENT_DAYS = 7
"""Days of work that talk of the moment is kept: as long as a memory is hot. What it is about is over by then."""
MOMENT_USED_DAYS = 7
"""Days more that it can earn, one for each day on which it was shown nevertheless: a search shows what lies near."""
LONGER = 2.0
"""How many times longer lives what was told to last: significant by use, steps, documents, an environment."""
SELDOM = 4.0
"""The same for what is needed seldom but then badly: a year of work, so that a yearly task finds it."""
CITED_WORTH = 0.5
"""What each citation adds to a life, in lives; retrieval alone is weak and only begins it anew."""
CITED_MOST = 4
"""Citations that count: two lives more, whatever happens."""
INTERVALS = 3
"""How many of the longest intervals between two uses are waited for the next one."""
DOCUMENTS = (".md", ".rst", ".adoc", ".txt", ".org", ".mdx")
"""Endings of files that people write documentation in."""


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """What was replaced is superseded, what has outlived its use retired. `now` plays no part: the clock is work."""
    yield from archive.replaced(one for one in archive.told() if not passing(one.text, talk=one.talk))
    for one in archive.idle(MOMENT_DAYS, LIFE_DAYS):
        if one.successor:
            yield Retire(one.id, f"superseded by {one.successor}")
            continue
        left, why = left_days(one)
        if left < 0:
            yield Retire(one.id, why)


def left_days(one: Idle) -> tuple[int, str]:
    """How many days of work a memory has left without use (less than 0: none), and why it goes then."""
    if momentary(one):
        life = MOMENT_DAYS + min(one.used_days, MOMENT_USED_DAYS)
        return life - one.age_days, f"talk of the moment, {one.age_days} days of work ago"
    lasts = LIFE_DAYS * _factor(one) * (1 + CITED_WORTH * min(one.cited, CITED_MOST))
    left = max(int(lasts), INTERVALS * one.longest_days) - one.idle_days
    return left, f"not asked for in {one.idle_days} days of work"


def momentary(one: Idle) -> bool:
    """Whether it was said for the moment: by its form, and never cited since. In a document its form must be plain."""
    if not one.told or one.cited:
        return False
    talk = one.kind is Kind.EPISODE or one.type == EpisodeType.CONVERSATION
    return passing(one.text, talk=talk and not _documented(one))


def _documented(one: Idle) -> bool:
    """Whether it was told in a document: who writes there writes for later."""
    return one.document.lower().endswith(DOCUMENTS)


def _factor(one: Idle) -> float:
    if seldom(one.text):
        return SELDOM
    lasting = (
        one.kind is Kind.WORKFLOW
        or bool(one.environment)
        or _documented(one)
        or (not one.told and one.importance >= Importance.SIGNIFICANT)
    )
    return LONGER if lasting else 1.0
