"""How long a text says that it holds is read where that is sure, counted from the day of saying; else nothing is."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.later import taken_out_later
from companion.language.times import span_at, words_of
from companion.language.validity import validity

SAID = datetime(2026, 3, 4, 10)
"""A Wednesday."""


@pytest.mark.parametrize(
    ("text", "over_on"),
    [
        ("Use port 9355 until the end of March", "2026-04-01"),
        ("The staging database is read-only through Q2", "2026-07-01"),
        ("This week only: deploys go through Ana", "2026-03-09"),
        ("For the next two sprints Lin reviews all migrations", "2026-04-01"),
        ("Freeze until 12 May", "2026-05-13"),
        ("Freeze until 12 May. Ask Ana about exceptions, she decides.", "2026-05-13"),
        ("Bob is out until he is back on Monday", "2026-03-09"),
        ("Ana is on leave for two weeks", "2026-03-18"),
        ("Maintenance window from 10 April to 12 April", "2026-04-13"),
        ("Don't merge to main before Monday 9 March", "2026-03-09"),
        ("The trial ends on 31.03.2026", "2026-04-01"),
        ("Node 20 is supported until April 2027", "2027-05-01"),
        ("We work from Lisbon until Easter", "2026-04-06"),
    ],
)
def test_an_end_that_a_text_names_is_read(text: str, over_on: str) -> None:
    assert validity(text, SAID).after == datetime.fromisoformat(over_on)


@pytest.mark.parametrize(
    "text",
    [
        "Prices are cents",
        "Logs are kept for two weeks",
        "Tokens are valid for 30 days",
        "Invoices can be edited until the end of the month",
        "Standup is on Monday at 10",
        "We can merge until Thursday, every week",
        "Each year the books are open until 31 January",
        "This week we decided to use Kafka",
        "On 12 May we switch to pnpm",
        "Today we use Kafka for events",
        "We used Yarn until March 2024",
        "Staging is frozen at least until Friday",
        "Until March 15 the limit is 100, then 200",
        "The demo is down until Friday. Never store prices as floats.",
        "Sessions last until the user signs out",
        "Since 3.2 the API returns 429",
        "That may be so",
        "The figures for April exclude returns",
    ],
)
def test_what_is_not_sure_says_no_end(text: str) -> None:
    assert validity(text, SAID).after is None


def test_a_start_is_read_too() -> None:
    assert validity("From Monday we deploy with Argo", SAID).first == datetime(2026, 3, 9)
    assert validity("Prices are cents", SAID).first is None


@given(st.datetimes(datetime(2000, 1, 1), datetime(2090, 1, 1)), st.sampled_from(["Friday", "the end of June", "Q3"]))
def test_an_end_is_never_over_when_it_is_said_nor_far(said: datetime, named: str) -> None:
    after = validity(f"Use the old queue until {named}", said).after
    assert after is not None
    assert 0 < (after.date() - said.date()).days <= 366 + 31


@given(st.text(max_size=80))
def test_no_text_is_too_strange(text: str) -> None:
    validity(text, SAID)
    taken_out_later(text, SAID)


def test_a_date_is_the_same_in_every_way_of_writing_it() -> None:
    for text in ("2026-06-03", "3 June", "June 3rd", "the 3rd of June", "June 3, 2026", "Wednesday 3 June"):
        span = span_at(words_of(text), 0, SAID.date())
        assert span is not None, text
        assert span.first == date(2026, 6, 3), text


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("remove the feature flag after the launch", ""),
        ("drop the shim once 3.8 is gone", ""),
        ("Once 3.8 is gone, drop the shim", ""),
        ("take the banner down on Friday", "2026-03-06"),
        ("TODO: rip out the polyfill by the end of June", "2026-06-30"),
        ("we should turn off the old cron when v2 ships", ""),
    ],
)
def test_what_is_to_be_taken_out_later_is_a_to_do(text: str, due: str) -> None:
    todo = taken_out_later(text, SAID)
    assert todo is not None
    assert (todo.text, todo.due) == (text, due)


@pytest.mark.parametrize(
    "text",
    [
        "Delete the branch after merging",
        "Always remove the temporary folder after a test",
        "Never delete rows from audit_log",
        "Take the lock before writing",
        "Remove unused imports",
        "The banner was removed on Friday",
    ],
)
def test_a_way_of_working_is_no_to_do(text: str) -> None:
    assert taken_out_later(text, SAID) is None
