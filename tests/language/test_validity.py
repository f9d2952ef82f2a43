"""How long a text says that it holds is read where that is sure, counted from the day of saying; else nothing is."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.noted_todos import noted_todo
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
        ("Until 20 February 2026 the tariff table is frozen", "2026-02-21"),
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
        "We used Redis until 20 February 2026",
        "The demo was on 20 February 2026",
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


CLASSES = {
    "short names, with dots and with swapped letters": [
        ("The link is good until Aug. 28", "2026-08-29"),
        ("No deploys until Fri. Ask Ana about it.", "2026-03-07"),
        ("Jury duty till thurs, sorry", "2026-03-06"),
        ("Stay off the box unitl firday", "2026-03-07"),
        ("Sept. only: small orders ship free", "2026-10-01"),
        ("Sign-up is open until 29.5.", "2026-05-30"),
        ("Pickup at 7 until 5.4. instead of 9", "2026-04-06"),
        ("Use mirror B until 12. April", "2026-04-13"),
    ],
    "a day by its number": [
        ("No merges till the 12th, QA is still on it", "2026-03-13"),
        ("No schema changes through the 3rd", "2026-04-04"),
        ("Wedding on the 22nd, Pavel offline that day", "2026-03-23"),
        ("Bo is away until Tuesday the 10th", "2026-03-11"),
    ],
    "up to": [
        ("The gate is at 60% up to 2 April", "2026-04-03"),
        ("The page lists the old venue up until Thursday", "2026-03-06"),
        ("Use tenant B up to and including 12 March", "2026-03-13"),
    ],
    "until a month is up to it, through it is all of it": [
        ("Until July we accept bug fixes alone", "2026-07-01"),
        ("Leave the pricing page until Q3", "2026-07-01"),
        ("No hiring until next month", "2026-04-01"),
        ("We bill by hand through July", "2026-08-01"),
        ("Until March we bill by hand", "2026-04-01"),
    ],
    "running out, lifted, back": [
        ("The codes run out on 14 March", "2026-03-15"),
        ("The trial licence expires on the 20th", "2026-03-21"),
        ("Registration closes 20 March", "2026-03-21"),
        ("The freeze starts on the 9th and lifts on the 11th", "2026-03-11"),
        ("The key is suspended, they switch it on again on March 25", "2026-03-25"),
        ("I'm hiking, back online Monday", "2026-03-09"),
        ("Kim leads until Rosa returns on 16 March", "2026-03-16"),
    ],
    "parts of a day": [
        ("No heavy jobs this evening, the generators are on", "2026-03-05"),
        ("The docs are offline this afternoon", "2026-03-05"),
        ("All builds queue behind the release tonight", "2026-03-05"),
        ("Tomorrow morning the printer gets swapped", "2026-03-06"),
        ("Don't restart worker-7 today", "2026-03-05"),
        ("Only for this session today: skip the slow tests", "2026-03-05"),
    ],
    "so many units from a day": [
        ("Run both for four weeks from today", "2026-04-01"),
        ("Hiring stop for 90 days from Monday", "2026-06-07"),
        ("Hold the firmware at 1.9 for a week", "2026-03-11"),
        ("The old domain redirects for another 30 days", "2026-04-03"),
        ("The rink is closed for two more weeks", "2026-03-18"),
    ],
    "the rest of a time": [
        ("For the rest of the month round down", "2026-04-01"),
        ("Remaining March: answer in French", "2026-04-01"),
        ("Whatever is left of march: log on project 77", "2026-04-01"),
        ("We run on the backup site for the weekend", "2026-03-09"),
        ("For March the reports go to Wanda", "2026-04-01"),
    ],
    "weeks by their number": [
        ("KW 12: no reviews from Petra", "2026-03-23"),
        ("Bo covers support through week 12", "2026-03-23"),
    ],
    "what is to be done by a day": [
        ("The draft has to be with Olga by Thursday", "2026-03-06"),
        ("Need the changelog by EOD", "2026-03-05"),
        ("Numbers to Ana by COB Fri", "2026-03-07"),
        ("The form is due on 12 March", "2026-03-13"),
        ("Slides no later than end of day tomorrow", "2026-03-06"),
        ("The fix needs to be merged before Friday", "2026-03-06"),
        ("Don't deploy before Monday", "2026-03-09"),
    ],
    "what is on one day": [
        ("Demo on Tuesday, keep the sandbox clean", "2026-03-11"),
        ("Party Thursday from 3 pm, office empty then", "2026-03-06"),
        ("Olive's defence is on Tue, 24 Mar", "2026-03-25"),
        ("Bo is OOO Thursday and Friday", "2026-03-07"),
        ("Friday is Ana's last day", "2026-03-07"),
    ],
    "ranges": [
        ("On call this wk (2.3.-5.3.): Daniela", "2026-03-06"),
        ("The dock is blocked from the 9th to the 13th", "2026-03-14"),
        ("The calendar is blocked 30 Mar - 3 Apr", "2026-04-04"),
        ("Office empty over Easter (3 to 6 April)", "2026-04-07"),
    ],
}


@pytest.mark.parametrize(
    ("text", "over_on"), [row for rows in CLASSES.values() for row in rows], ids=lambda told: told[:40]
)
def test_an_end_is_read_in_every_way_of_saying_it(text: str, over_on: str) -> None:
    assert validity(text, SAID).after == datetime.fromisoformat(over_on)


LASTING = {
    "told as what was": [
        "Double charge this morning: the clerk hit pay twice and the key was built from the time",
        "The build broke this morning",
        "this morning the proxy lost all sessions, a restart fixed it",
        "decision 5 March: no seat map for the small ship, free seating",
    ],
    "time and again": [
        "Reports go out by Thursday noon each week",
        "Forms are due by the 5th of every month",
        "Bo works Monday through Thursday",
        "The Tuesday demo is a standing meeting",
        "Demo data is reset on Monday",
        "We don't deploy before Tuesday",
    ],
    "told as past": [
        "Lena was away 2-3 February, which is why it slipped",
        "The freeze lasted until 12 February",
        "Bo was on leave until Monday",
        "We used Travis until October",
        "Until November that counted too",
        "Until last Friday the sync ran from cron",
    ],
    "how long something takes": [
        "Accounts stay locked for 3 days",
        "Erasure is due within 30 days",
        "Trial accounts expire in 14 days",
        "Keep logs for 30 days",
        "Orders ship the following day",
        "The queue drains by Sunday night",
    ],
    "a condition and no day": [
        "Until the 3rd retry the error is swallowed",
        "If quota is spent, no calls for the rest of the month",
        "Ping Ana if the draft isn't out by Thursday",
        "Holidays are known until 2035",
        "By Friday we will be on uv",
    ],
    "names and quotations": [
        "tonight() returns sunset, locked to UTC",
        "The frozen flag until_friday is unused",
        "The banner says 'closed until 12 May'",
        "`until Friday` is a range",
        "Marc is on leave policy duty",
        "May is on leave policy duty",
        "Use the 2nd replica on the 3rd node while blocked",
        "2026-07-28: none, the schema has no such type",
        "Pinned until 4.12.3. is out",
        "Xmas party is planned in December",
    ],
    "what shows times": ["The dashboard shows this week", "By default the export covers this month"],
}


@pytest.mark.parametrize("text", [text for texts in LASTING.values() for text in texts])
def test_what_lasts_has_no_end_whatever_times_are_in_it(text: str) -> None:
    assert validity(text, SAID).after is None


@pytest.mark.parametrize("piece", ["eod ", "mid ", "a week from ", "end of day ", "1.6.-", "the 12th ", "last day of "])
def test_no_row_of_times_is_too_long(piece: str) -> None:
    validity((piece * 2_000)[:2_000], SAID)


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
    noted_todo(text, SAID)


def test_a_date_is_the_same_in_every_way_of_writing_it() -> None:
    for text in (
        "2026-06-03",
        "3 June",
        "June 3rd",
        "the 3rd of June",
        "June 3, 2026",
        "Wednesday 3 June",
        "3.6., noon",
        "Wed, 3 Jun",
        "3. June",
    ):
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
        ("we should turn off the old cron when v2 ships", ""),
    ],
)
def test_what_is_to_be_noted_todo_is_a_to_do(text: str, due: str) -> None:
    todo = noted_todo(text, SAID)
    assert todo is not None
    assert (todo.text, todo.due) == (text, due)


@pytest.mark.parametrize(
    ("text", "task", "due"),
    [
        ("TODO: rip out the polyfill by the end of June", "rip out the polyfill by the end of June", "2026-06-30"),
        ("- [ ] todo: write the release notes", "write the release notes", ""),
        ("Next step: ask Ann for the keys by Friday", "ask Ann for the keys by Friday", "2026-03-06"),
        ("Remind me to renew the certificate on 2026-05-01", "renew the certificate on 2026-05-01", "2026-05-01"),
        ("don't forget to tell the design team", "tell the design team", ""),
        ("remind me on Friday to order antennas", "order antennas on Friday", "2026-03-06"),
    ],
)
def test_a_note_that_says_it_is_a_to_do_is_one(text: str, task: str, due: str) -> None:
    todo = noted_todo(text, SAID)
    assert todo is not None
    assert (todo.text, todo.due) == (task, due)


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget to bump the schema version when a column is added",
        "Remember: tasks are kept in the tracker",
        "todo:",
        "The todo: label is used for work that waits",
        "Delete the branch after merging",
        "Always remove the temporary folder after a test",
        "Never delete rows from audit_log",
        "Take the lock before writing",
        "Remove unused imports",
        "The banner was removed on Friday",
    ],
)
def test_a_way_of_working_is_no_to_do(text: str) -> None:
    assert noted_todo(text, SAID) is None
