"""Customs of the clock: what is usually run at this hour or on this weekday."""

from __future__ import annotations

from datetime import datetime

from companion.engine.attending.usual import usual_steps

FRIDAY_17 = datetime(2026, 1, 9, 17, 30)


def test_what_is_mostly_run_at_this_hour_is_usual() -> None:
    taken = [(1, 17, "make deploy", 2), (2, 16, "make deploy", 2), (3, 9, "make deploy", 1)]
    assert usual_steps(taken, FRIDAY_17) == ("make deploy",)
    assert usual_steps(taken, FRIDAY_17.replace(hour=9)) == ()


def test_what_is_mostly_run_on_this_weekday_is_usual_at_any_hour() -> None:
    taken = [(5, 9, "make release", 3), (5, 11, "make release", 1), (2, 10, "make release", 1)]
    assert usual_steps(taken, FRIDAY_17) == ("make release",)
    assert usual_steps(taken, FRIDAY_17.replace(day=8)) == ()


def test_what_is_run_all_day_every_day_is_usual_at_no_time() -> None:
    taken = [(day, hour, "pytest", 2) for day in range(1, 6) for hour in range(8, 18)]
    assert usual_steps(taken, FRIDAY_17) == ()


def test_twice_is_no_custom() -> None:
    assert usual_steps([(5, 17, "make deploy", 2)], FRIDAY_17) == ()


def test_midnight_lies_between_two_hours() -> None:
    taken = [(1, 23, "backup", 2), (2, 0, "backup", 2)]
    assert usual_steps(taken, FRIDAY_17.replace(hour=0)) == ("backup",)


def test_the_most_often_run_comes_first() -> None:
    taken = [(5, 17, "a", 3), (5, 17, "b", 5), (5, 17, "c", 3)]
    assert usual_steps(taken, FRIDAY_17) == ("b", "a", "c")
