"""Interest: bounded, raised by touches, lowered by events and never by time."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.engine.attending.interest import (
    DECAY,
    HALF_DEGREE,
    RUN_MOST,
    Centre,
    edited_files,
    interest_after,
    opened_files,
)
from companion.records import Event, Happening

NOW = datetime(2026, 1, 5, 9, 0)
TOUCHES = [Happening.OPENED, Happening.SELECTED, Happening.EDITED, Happening.SAVED]


def events(*told: tuple[Happening, str]) -> list[Event]:
    """Events in order, a second apart; `path::symbol` touches a symbol."""
    made = []
    for number, (what, target) in enumerate(told, start=1):
        path, _, symbol = target.partition("::")
        made.append(Event(number, NOW + timedelta(seconds=number), what, path, symbol))
    return made


STORIES = st.lists(
    st.tuples(
        st.sampled_from([*TOUCHES, Happening.CLOSED]), st.sampled_from(["a.py", "b.py", "c.py", "a.py::f", "b.py::C.m"])
    ),
    max_size=60,
).map(lambda told: events(*told))


@given(STORIES)
def test_every_degree_lies_between_nothing_and_one(story: list[Event]) -> None:
    centre = interest_after(story)
    assert all(0.0 <= centre.degree(target) < 1.0 for target in ["a.py", "b.py", "c.py", "a.py::f", "b.py::C.m"])


@given(STORIES, st.sampled_from(TOUCHES), st.sampled_from(["a.py", "b.py", "new.py"]))
def test_a_touch_never_lowers_the_interest_in_what_is_touched(story: list[Event], how: Happening, path: str) -> None:
    before = interest_after(story).degree(path)
    row = len(story) + 1
    after = interest_after([*story, Event(row, NOW, how, path)]).degree(path)
    # A new visit costs one event of decay, and adds far more.
    assert after >= before * (1 - DECAY)
    if before == 0.0:
        assert after > before


@given(STORIES, st.sampled_from(TOUCHES))
def test_touching_another_file_never_raises_the_interest_in_this_one(story: list[Event], how: Happening) -> None:
    before, after = interest_after(story), interest_after([*story, Event(len(story) + 1, NOW, how, "elsewhere.py")])
    assert all(after.degree(path) <= before.degree(path) for path in ["a.py", "b.py", "c.py"])


@given(st.permutations(["b.py", "c.py", "d.py", "e.py"]))
def test_the_order_of_other_files_makes_no_difference(order: list[str]) -> None:
    others = [(Happening.OPENED, path) for path in order]
    centre = interest_after(events((Happening.EDITED, "a.py"), *others))
    usual = interest_after(events((Happening.EDITED, "a.py"), *sorted(others)))
    assert centre.degree("a.py") == usual.degree("a.py")


@given(STORIES, st.timedeltas(timedelta(days=1), timedelta(days=300)))
def test_time_alone_changes_nothing(story: list[Event], pause: timedelta) -> None:
    later = [replace(event, at=event.at + pause * event.number) for event in story]
    assert [one.degree for one in interest_after(later).interests(9)] == [
        one.degree for one in interest_after(story).interests(9)
    ]


def test_half_is_left_after_forty_events() -> None:
    others = [(Happening.SELECTED, f"f{n}.py") for n in range(40)]
    degree = interest_after(events((Happening.OPENED, "a.py"), *others)).degree("a.py")
    raw = degree * HALF_DEGREE / (1 - degree)
    assert 0.49 < raw < 0.52


def test_typing_is_one_visit_however_often_it_is_reported() -> None:
    little = events((Happening.OPENED, "b.py"), *[(Happening.EDITED, "a.py")] * RUN_MOST)
    much = events((Happening.OPENED, "b.py"), *[(Happening.EDITED, "a.py")] * 200)
    for path in ("a.py", "b.py"):
        assert interest_after(little).degree(path) == interest_after(much).degree(path)


def test_a_selection_counts_for_more_than_an_edit_and_both_add_up() -> None:
    assert interest_after(events((Happening.OPENED, "a.py"))).degree("a.py") > interest_after(
        events((Happening.EDITED, "a.py"))
    ).degree("a.py")
    both = interest_after(events((Happening.OPENED, "a.py"), (Happening.EDITED, "a.py")))
    assert 0.4 < both.degree("a.py") < 0.5


def test_a_symbol_is_at_the_centre_beside_its_file() -> None:
    centre = interest_after(events((Happening.OPENED, "a.py"), (Happening.EDITED, "a.py::Cart.sum")))
    assert [one.target for one in centre.interests(5)] == ["a.py", "a.py::Cart.sum"]
    assert centre.files() == ("a.py",)
    assert centre.interests(1)[0].says == "edited once, opened once; last edited"


def test_the_current_file_is_the_one_touched_last_that_is_not_closed() -> None:
    story = [(Happening.OPENED, "a.py"), (Happening.OPENED, "b.py")]
    assert interest_after(events(*story)).current() == "b.py"
    assert interest_after(events(*story, (Happening.CLOSED, "b.py"))).current() == "a.py"
    assert interest_after(events(*story, (Happening.CLOSED, "b.py"), (Happening.CLOSED, "a.py"))).current() == ""
    assert Centre().current() == ""


def test_open_and_edited_files_come_in_order_of_interest() -> None:
    centre = interest_after(
        events(
            (Happening.OPENED, "a.py"),
            (Happening.OPENED, "b.py"),
            (Happening.EDITED, "b.py"),
            (Happening.SAVED, "c.py"),
            (Happening.OPENED, "d.py"),
            (Happening.CLOSED, "d.py"),
        )
    )
    assert opened_files(centre, 9) == ("b.py", "a.py")
    assert opened_files(centre, 9, without="b.py") == ("a.py",)
    assert edited_files(centre, 9, 0.1) == ("b.py", "c.py")
    assert edited_files(centre, 9, 0.4) == ("b.py",)


def test_what_is_no_touch_moves_nothing() -> None:
    story = events((Happening.OPENED, "a.py"))
    more = [Event(2, NOW, Happening.RAN, exit_code=1), Event(3, NOW, Happening.DIAGNOSED, "a.py", errors=2)]
    assert interest_after([*story, *more]) == interest_after(story)
