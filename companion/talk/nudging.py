"""Whether to offer something unasked, what, and why not: decided apart from every context, by rules alone.

An offer costs attention, so there are many reasons to stay silent and each has a name. What was offered once is
not offered again, unless the user said `later`. A sort of offer that is dismissed comes more and more seldom, one
that is taken up more often; what was dismissed long ago weighs less and less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, time, timedelta

from msgspec import Struct

from companion.records.nudges import Nudge, NudgeAnswer, NudgeSort

EXCHANGE = timedelta(minutes=10)
"""Turns this young are being exchanged: whoever answers within it is still talking."""
LULL = timedelta(minutes=45)
"""A conversation in which nobody spoke for so long rests: longer than a coffee, shorter than lunch."""
LULL_TURNS = 2
"""A conversation of fewer turns has not begun in earnest."""
FRESH = timedelta(hours=1)
"""What came up within it is still in the user's mind."""
APART = timedelta(hours=4)
"""Two offers are at least so far apart: one in a morning, one in an afternoon."""
DAY, DAILY_MOST = timedelta(hours=24), 2
"""So many offers in a day: in a trial of three weeks with much left open there were four without it."""
FLOW = timedelta(minutes=2)
FLOW_TOUCHES = 10
"""So many edits and saves within `FLOW` are work in full flow."""
UNANSWERED = timedelta(days=3)
UNANSWERED_MOST = 2
"""So many offers of the last days without an answer: whoever does not answer does not want more."""
SNOOZE = timedelta(days=1)
"""`later` means tomorrow."""
OFFERED_MOST = 2
"""A subject is offered once, and once more after `later`."""
SORT_GAP = timedelta(days=1)
"""Offers of one sort are this far apart before anything was learned."""
HALF_LIFE = timedelta(days=14)
"""An answer weighs half after it: habits of work change in weeks."""
LEARNT_LEAST, LEARNT_MOST = -2.0, 6.0
"""Bounds of what is learned, in doublings of `SORT_GAP`: from a quarter of a day to two months."""
WEIGHTS = {
    NudgeAnswer.NEVER: 2.0,
    NudgeAnswer.DISMISSED: 1.0,
    NudgeAnswer.NONE: 0.5,
    NudgeAnswer.LATER: 0.5,
    NudgeAnswer.OPEN: -1.0,
    NudgeAnswer.DONE: -1.0,
}
"""What an answer says of its sort: above 0 that there were too many, below that they were welcome."""


class NudgeCandidate(Struct, frozen=True):
    """Something that could be offered, and since when it is so."""

    sort: NudgeSort
    subject: str
    since: datetime


class Night(Struct, frozen=True):
    """The hours in which nobody is to be spoken to, by the clock on the wall; equal ends: there are none."""

    begins: time
    ends: time

    def covers(self, moment: time) -> bool:
        """Whether a moment lies in it; it may go over midnight."""
        if self.begins <= self.ends:
            return self.begins <= moment < self.ends
        return moment >= self.begins or moment < self.ends


class Moment(Struct, frozen=True):
    """What goes on now; `here` is the hour on the wall, `touches` are edits and saves within `FLOW`."""

    now: datetime
    here: time
    night: Night
    on: bool = True
    paused: bool = False
    last_turn_at: datetime | None = None
    touches: int = 0


class _Decision(Struct, frozen=True):
    """What is offered, if anything is, and for each candidate that is not the reason."""

    chosen: NudgeCandidate | None
    kept_back: tuple[tuple[NudgeCandidate, str], ...]


def decide(candidates: Sequence[NudgeCandidate], moment: Moment, past: Sequence[Nudge]) -> _Decision:
    """The first candidate that nothing speaks against; none, where the moment itself is wrong. `past` was offered."""
    if silence := reason_for_silence(moment, past):
        return _Decision(None, tuple((one, silence) for one in candidates))
    reasons = [(one, reason_against(one, moment.now, past)) for one in candidates]
    chosen = next((one for one, against in reasons if not against), None)
    return _Decision(chosen, tuple((one, against or "one at a time") for one, against in reasons if one is not chosen))


def reason_for_silence(moment: Moment, past: Sequence[Nudge]) -> str:
    """Why nothing at all is to be said now; empty where something may."""
    now = moment.now
    waiting = [one for one in past if one.answer is NudgeAnswer.NONE and _apart(now, one.decided_at) < UNANSWERED]
    reasons = (
        (not moment.on, "nudges are switched off"),
        (moment.paused, "the conversation is paused"),
        (moment.night.covers(moment.here), "these are quiet hours"),
        (moment.last_turn_at is not None and _apart(now, moment.last_turn_at) < EXCHANGE, "turns are being exchanged"),
        (moment.touches >= FLOW_TOUCHES, "work is in full flow"),
        (any(_apart(now, one.decided_at) < APART for one in past), "another was suggested a short while ago"),
        (sum(_apart(now, one.decided_at) < DAY for one in past) >= DAILY_MOST, "two were suggested today"),
        (len(waiting) >= UNANSWERED_MOST, "the last ones were not answered"),
    )
    return next((says for holds, says in reasons if holds), "")


def reason_against(one: NudgeCandidate, now: datetime, past: Sequence[Nudge]) -> str:
    """Why one thing is not to be offered now; empty where it may."""
    before = next((old for old in past if (old.sort, old.subject) == (one.sort, one.subject)), None)
    if before is not None:
        if before.answer is NudgeAnswer.NEVER:
            return "you said never"
        if before.answer is not NudgeAnswer.LATER or before.times >= OFFERED_MOST:
            return "it was suggested before"
        if _apart(now, before.answered_at or before.decided_at) < SNOOZE:
            return "you said later"
    if _apart(now, one.since) < FRESH and one.sort is not NudgeSort.LULL:
        return "it has only just come up"
    of_sort = [old for old in past if old.sort is one.sort]
    if before is None and any(_apart(now, old.decided_at) < gap(one.sort, now, past) for old in of_sort):
        dismissed = learnt(one.sort, now, past) > 0
        return "similar suggestions were dismissed recently" if dismissed else "a similar one was suggested recently"
    return ""


def gap(sort: NudgeSort, now: datetime, past: Sequence[Nudge]) -> timedelta:
    """How far apart offers of a sort are, by what became of the earlier ones."""
    return SORT_GAP * math.exp2(min(LEARNT_MOST, max(LEARNT_LEAST, learnt(sort, now, past))))


def learnt(sort: NudgeSort, now: datetime, past: Sequence[Nudge]) -> float:
    """What the answers to a sort come to, each decayed by its age: above 0, they were not wanted."""
    return sum(
        WEIGHTS[one.answer] * math.pow(0.5, _apart(now, one.decided_at) / HALF_LIFE) for one in past if one.sort is sort
    )


def _apart(now: datetime, then: datetime) -> timedelta:
    """How far two moments are apart: where a clock was set back, what lies ahead is as far as what lies behind."""
    return abs(now - then)
