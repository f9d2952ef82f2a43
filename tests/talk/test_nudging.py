"""Whether something is offered unasked: mostly not, each time with a reason, and less where it was not wanted."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.records.nudges import Nudge, NudgeAnswer, NudgeSort, NudgeState
from companion.talk.nudging import (
    APART,
    FLOW_TOUCHES,
    SNOOZE,
    SORT_GAP,
    Moment,
    Night,
    NudgeCandidate,
    decide,
    gap,
)

NOON = datetime(2026, 1, 5, 12, 0)
CALM = Moment(NOON, time(12), Night(time(22), time(8)))
TASK = NudgeCandidate(NudgeSort.STALE_TASK, "i1", NOON - timedelta(days=6))
PAIR = NudgeCandidate(NudgeSort.CONTRADICTION, "x1", NOON - timedelta(days=1))
LONG_AGO = NOON - timedelta(days=3)


def before(one: NudgeCandidate, at: datetime = LONG_AGO, said: NudgeAnswer = NudgeAnswer.DONE, times: int = 1) -> Nudge:
    return offered(one.sort, one.subject, at, said, times)


def offered(sort: NudgeSort, subject: str, at: datetime, said: NudgeAnswer = NudgeAnswer.NONE, times: int = 1) -> Nudge:
    return Nudge("n1", sort, subject, "", NudgeState.OFFERED, "", at, said, at, at, times)


def why(one: NudgeCandidate, moment: Moment = CALM, *past: Nudge) -> str:
    decided = decide([one], moment, past)
    assert (decided.chosen is None) == bool(decided.kept_back)
    return dict(decided.kept_back).get(one, "")


def test_in_a_calm_moment_the_most_pressing_is_offered_and_the_others_wait():
    decided = decide([PAIR, TASK], CALM, [])
    assert decided.chosen == PAIR
    assert decided.kept_back == ((TASK, "one at a time"),)
    assert decide([], CALM, []).chosen is None


@pytest.mark.parametrize(
    ("moment", "reason"),
    [
        (replace(CALM, on=False), "switched off"),
        (replace(CALM, paused=True), "paused"),
        (replace(CALM, here=time(22)), "quiet hours"),
        (replace(CALM, here=time(7, 59)), "quiet hours"),
        (replace(CALM, here=time(8)), ""),
        (replace(CALM, last_turn_at=NOON - timedelta(minutes=9)), "turns are being exchanged"),
        (replace(CALM, last_turn_at=NOON - timedelta(minutes=11)), ""),
        (replace(CALM, touches=FLOW_TOUCHES), "full flow"),
    ],
)
def test_a_moment_can_be_wrong_for_anything(moment: Moment, reason: str):
    assert reason in why(TASK, moment)
    assert bool(why(TASK, moment)) == bool(reason)


def test_two_offers_are_hours_apart():
    assert "a short while ago" in why(TASK, CALM, before(PAIR, NOON - APART + timedelta(minutes=1)))
    assert why(TASK, CALM, before(PAIR, NOON - APART)) == ""


def test_there_are_two_offers_a_day_at_most():
    two = [before(replace(PAIR, subject=str(hours)), NOON - timedelta(hours=hours)) for hours in (5, 23)]
    assert why(TASK, CALM, *two) == "two were suggested today"
    assert why(TASK, CALM, two[0]) == ""


def test_who_does_not_answer_is_left_alone_for_some_days():
    silent = [before(replace(PAIR, subject=name), LONG_AGO + timedelta(hours=1), NudgeAnswer.NONE) for name in "ab"]
    assert "not answered" in why(TASK, CALM, *silent)
    assert why(TASK, replace(CALM, now=NOON + timedelta(days=3)), *silent) == ""


def test_what_was_offered_once_is_not_offered_again_but_after_later():
    for said in NudgeAnswer:
        old = before(TASK, LONG_AGO - timedelta(days=200), said)
        assert bool(why(TASK, CALM, old)) == (said is not NudgeAnswer.LATER)
    assert why(TASK, CALM, before(TASK, said=NudgeAnswer.NEVER)) == "you said never"
    soon = before(TASK, NOON - SNOOZE + timedelta(minutes=1), NudgeAnswer.LATER)
    assert why(TASK, CALM, soon) == "you said later"
    assert why(TASK, CALM, before(TASK, said=NudgeAnswer.LATER, times=2)) == "it was suggested before"


def test_what_has_only_just_come_up_waits():
    assert "only just" in why(replace(PAIR, since=NOON - timedelta(minutes=5)))


def test_a_sort_that_is_dismissed_comes_seldom_and_is_forgiven_in_time():
    other = replace(TASK, subject="other")
    dismissed = [before(replace(TASK, subject=str(n)), LONG_AGO, NudgeAnswer.DISMISSED) for n in range(2)]
    assert why(TASK, CALM, *dismissed) == "similar suggestions were dismissed recently"
    assert why(PAIR, CALM, *dismissed) == "", "another sort is another matter"
    assert why(TASK, replace(CALM, now=NOON + timedelta(days=20)), *dismissed) == ""
    welcome = [before(other, NOON - timedelta(hours=20), NudgeAnswer.DONE)]
    assert why(TASK, CALM, *welcome) == ""
    assert "a similar one" in why(TASK, CALM, before(other, NOON - timedelta(hours=6)))


def test_a_clock_that_was_set_back_silences_nothing_for_ever():
    ahead = before(PAIR, NOON + timedelta(days=300), NudgeAnswer.NONE)
    assert why(TASK, CALM, ahead) == ""
    assert "a short while ago" in why(TASK, CALM, before(PAIR, NOON + timedelta(hours=1)))
    assert why(TASK, replace(CALM, last_turn_at=NOON + timedelta(days=1))) == ""


def test_a_night_may_go_over_midnight_or_not_or_not_be_there():
    assert Night(time(1), time(5)).covers(time(3))
    assert not Night(time(1), time(5)).covers(time(5))
    assert Night(time(22), time(8)).covers(time(0))
    assert not any(Night(time(0), time(0)).covers(time(hour)) for hour in range(24))


ANSWERS = st.sampled_from(list(NudgeAnswer))
PAST = st.lists(
    st.builds(
        offered,
        st.sampled_from(list(NudgeSort)),
        st.sampled_from("abcdefgh"),
        st.datetimes(NOON - timedelta(days=60), NOON + timedelta(days=2)),
        ANSWERS,
    ),
    max_size=8,
    unique_by=lambda one: (one.sort, one.subject),
)


@settings(max_examples=60, deadline=None)
@given(past=PAST, hour=st.integers(0, 23))
def test_each_candidate_is_offered_or_has_a_reason_and_a_subject_is_never_offered_twice(past: list[Nudge], hour: int):
    candidates = [NudgeCandidate(sort, name, LONG_AGO) for sort in NudgeSort for name in "abx"]
    decided = decide(candidates, replace(CALM, here=time(hour)), past)
    told = [one for one, _ in decided.kept_back] + ([decided.chosen] if decided.chosen else [])
    assert sorted(told, key=str) == sorted(candidates, key=str)
    assert all(reason for _, reason in decided.kept_back)
    if decided.chosen is not None:
        assert 8 <= hour < 22
        known = [one for one in past if (one.sort, one.subject) == (decided.chosen.sort, decided.chosen.subject)]
        assert all(one.answer is NudgeAnswer.LATER for one in known)


@settings(max_examples=40, deadline=None)
@given(past=PAST, sort=st.sampled_from(list(NudgeSort)))
def test_what_is_learned_has_bounds_and_one_more_dismissal_never_brings_more(past: list[Nudge], sort: NudgeSort):
    now = gap(sort, NOON, past)
    assert SORT_GAP / 4 <= now <= SORT_GAP * 64
    assert gap(sort, NOON, [*past, offered(sort, "z", NOON, NudgeAnswer.DISMISSED)]) >= now


def three_weeks(said: NudgeAnswer) -> list[Nudge]:
    """What is offered to somebody who works from seven to eleven at night, with much left open, and answers so."""
    open_ends = [NudgeCandidate(sort, f"{sort.value} {n}", LONG_AGO) for sort in NudgeSort for n in range(15)]
    past: list[Nudge] = []
    for half_hours in range(21 * 48):
        now = NOON + timedelta(minutes=30 * half_hours)
        if 7 <= now.hour < 23:
            chosen = decide(open_ends, replace(CALM, now=now, here=now.time()), past).chosen
            if chosen is not None:
                past.append(offered(chosen.sort, chosen.subject, now, said))
    return past


def test_in_three_weeks_it_stays_an_offer_and_who_dismisses_is_left_alone():
    welcome, dismissed, silent = (
        three_weeks(said) for said in (NudgeAnswer.DONE, NudgeAnswer.DISMISSED, NudgeAnswer.NONE)
    )
    for offers in (welcome, dismissed, silent):
        days = [one.decided_at.date() for one in offers]
        assert max(days.count(day) for day in days) <= 2
        assert all(8 <= one.decided_at.hour < 22 for one in offers)
        assert len({one.subject for one in offers}) == len(offers)
    assert len(dismissed) < len(welcome) / 2
    last_week = [
        [one for one in offers if one.decided_at > NOON + timedelta(days=14)] for offers in (welcome, dismissed)
    ]
    assert len(last_week[1]) < len(last_week[0]) / 3
    assert len(silent) < len(welcome) / 2
