"""Workflows are mined from what was run: every one told has really occurred that often, and junk never is one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.kinds.command_sequences import (
    OTHER_STEPS,
    PAUSE,
    SEQUENCES_MOST,
    STEPS_MOST,
    SUPPORT_LEAST,
    Run,
    broken_off,
    frequent_sequences,
    purpose_of,
    recorded_workflows,
    sittings,
    usual_moment,
    worth_telling,
)
from companion.records import Visibility, Workflow

MONDAY = datetime(2026, 1, 5, 9, 0)


def runs(*steps: str, start: datetime = MONDAY, place: str = "here", failing: Sequence[int] = ()) -> list[Run]:
    return [
        Run(place, step, f"{step} -v", start + timedelta(minutes=at), 10.0, at not in failing)
        for at, step in enumerate(steps)
    ]


def days(*steps: str, times: int = 3) -> list[Run]:
    return [run for day in range(times) for run in runs(*steps, start=MONDAY + timedelta(days=day))]


@st.composite
def histories(draw: st.DrawFn) -> list[Run]:
    made = []
    moment = MONDAY
    for _ in range(draw(st.integers(0, 60))):
        moment += timedelta(minutes=draw(st.sampled_from([1, 1, 2, 5, 45])))
        step = draw(st.sampled_from("abcde"))
        made.append(Run(draw(st.sampled_from(["here", "there"])), step, step, moment, 1.0, draw(st.integers(0, 5)) > 0))
    return made


@settings(max_examples=80, deadline=None)
@given(histories())
def test_every_sequence_told_really_occurs_as_often_as_it_says(history: list[Run]):
    parted = sittings(history)
    for one in frequent_sequences(parted):
        assert SUPPORT_LEAST <= one.support == len(one.occurrences)
        assert 2 <= len(one.steps) <= STEPS_MOST
        assert len(set(one.steps)) == len(one.steps)
        used = set()
        for number, places in one.occurrences:
            told = [parted[number][at] for at in places]
            assert tuple(run.step for run in told) == one.steps
            assert all(run.succeeded and run.place == told[0].place for run in told)
            for before, after in itertools.pairwise(places):
                assert 1 <= after - before <= OTHER_STEPS + 1
            for before, after in itertools.pairwise(told):
                assert after.started_at - before.started_at <= (OTHER_STEPS + 1) * PAUSE
            span = {(number, at) for at in range(places[0], places[-1] + 1)}
            assert not span & used
            used |= span


@settings(max_examples=50, deadline=None)
@given(histories())
def test_no_sequence_told_is_part_of_a_longer_one_that_is_as_frequent(history: list[Run]):
    found = worth_telling(frequent_sequences(sittings(history)))
    for one, other in itertools.permutations(found, 2):
        rest = iter(other.steps)
        part = len(one.steps) < len(other.steps) and all(step in rest for step in one.steps)
        assert not (part and other.support >= one.support)
    assert len(found) <= SEQUENCES_MOST


@settings(max_examples=30, deadline=None)
@given(histories(), st.permutations(range(60)))
def test_the_order_in_which_runs_are_told_changes_nothing(history: list[Run], order: list[int]):
    mixed = [history[at] for at in order if at < len(history)]
    first = {(run.started_at, run.step): run for run in history}
    assert list(recorded_workflows(list(first.values()))) == list(
        recorded_workflows([run for run in mixed if first[run.started_at, run.step] is run])
    )


def test_three_times_the_same_sequence_is_a_private_workflow_with_trigger_time_and_success_rate():
    (draft,) = recorded_workflows(days("ruff check", "pytest", "git commit"))
    body = draft.body
    assert isinstance(body, Workflow)
    assert draft.visibility is Visibility.USER_PRIVATE
    assert (body.trigger, body.steps) == ("commit", ("ruff check", "pytest", "git commit"))
    assert (body.runs, body.successes, body.usual_seconds) == (3, 3, 30.0)
    assert body.details["pytest"] == "pytest -v"
    assert "around 9:00 UTC" in body.details["usually"]


def test_twice_is_chance():
    assert list(recorded_workflows(days("ruff check", "pytest", times=2))) == []


def test_a_pause_parts_two_errands():
    history = [run for day in range(4) for run in runs("make", start=MONDAY + timedelta(days=day))]
    history += [run for day in range(4) for run in runs("git push", start=MONDAY + timedelta(days=day, hours=2))]
    assert list(recorded_workflows(history)) == []


def test_running_the_tests_again_and_again_is_one_step():
    (draft,) = recorded_workflows(days("pytest", "pytest", "pytest", "git commit", "git push"))
    assert draft.value == "pytest → git commit → git push"


def test_a_step_that_fails_breaks_it_off_and_lowers_the_success_rate():
    history = days("pytest", "git push")
    history += runs("pytest", "git push", start=MONDAY + timedelta(days=9), failing=[1])
    (draft,) = recorded_workflows(history)
    assert isinstance(draft.body, Workflow)
    assert (draft.body.runs, draft.body.successes) == (4, 3)
    assert draft.body.details["success"] == "3 of 4 times"
    assert broken_off(("pytest", "git push"), history) == 1


def test_it_is_the_same_memory_when_it_has_been_seen_more_often():
    (three,), (nine,) = (list(recorded_workflows(days("a", "b", times=times))) for times in (3, 9))
    assert (three.subject, three.attribute, three.value) == (nine.subject, nine.attribute, nine.value)
    assert nine.confidence > three.confidence


def test_work_trees_are_told_apart():
    history = []
    for day in range(3):
        start = MONDAY + timedelta(days=day)
        history += runs("make", start=start, place="one") + runs("git push", start=start, place="two")
    assert list(recorded_workflows(history)) == []


def test_what_a_sequence_is_for_is_named_by_its_last_step():
    assert [purpose_of(step) for step in ("make test", "git push", "npm run build", "twine upload", "./x.sh")] == [
        "test",
        "push",
        "build",
        "release",
        "./x.sh",
    ]


def test_the_usual_moment_is_only_told_if_there_is_one():
    assert usual_moment([MONDAY + timedelta(days=7 * week) for week in range(4)]) == "around 9:00 UTC on Mondays"
    assert usual_moment([MONDAY + timedelta(hours=5 * number) for number in range(8)]) == ""
