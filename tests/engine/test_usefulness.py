"""What came of memories that were shown: cited by the next edits, or left too often."""

from __future__ import annotations

from datetime import datetime

from companion.engine.usefulness import (
    CITED_WITHIN,
    OPENED_NAMES_MOST,
    OPENED_WITHIN,
    PASSED_OVER_AFTER,
    cited,
    passed_over,
)
from companion.records import Event, Happening, Serving

NOW = datetime(2026, 1, 5, 9, 0)


def touch(number: int, path: str, what: Happening = Happening.EDITED) -> Event:
    return Event(number, NOW, what, path)


def serving(after: int, path: str, **items: tuple[str, ...]) -> Serving:
    return Serving(after, NOW, path, items)


def test_a_memory_is_cited_when_another_file_that_it_is_about_is_edited_next() -> None:
    shown = [serving(1, "cart.py", m1=("price.py",), m2=("cart.py",))]
    assert cited(shown, [], touch(3, "price.py")) == ("m1",)


def test_editing_the_file_one_asked_about_says_nothing() -> None:
    shown = [serving(1, "cart.py", m1=("cart.py", "price.py"))]
    assert cited(shown, [], touch(2, "cart.py")) == ()


def test_a_serving_is_credited_once_for_a_file() -> None:
    shown = [serving(1, "cart.py", m1=("price.py",))]
    before = [touch(2, "price.py"), touch(3, "other.py")]
    assert cited(shown, before, touch(4, "price.py")) == ()
    again = [*shown, serving(3, "cart.py", m1=("price.py",))]
    assert cited(again, before, touch(4, "price.py")) == ("m1",)


def test_what_was_shown_long_before_has_nothing_to_do_with_an_edit() -> None:
    shown = [serving(1, "cart.py", m1=("price.py",))]
    assert cited(shown, [], touch(1 + CITED_WITHIN, "price.py")) == ("m1",)
    assert cited(shown, [], touch(2 + CITED_WITHIN, "price.py")) == ()


def test_a_memory_is_cited_when_another_file_that_it_is_about_is_opened_soon() -> None:
    shown = [serving(1, "cart.py", m1=("price.py",), m2=("cart.py",))]
    assert cited(shown, [], touch(2, "price.py", Happening.OPENED)) == ("m1",)
    assert cited(shown, [], touch(2 + OPENED_WITHIN, "price.py", Happening.OPENED)) == ()
    assert cited(shown, [], touch(2, "price.py", Happening.CLOSED)) == ()


def test_a_file_that_was_opened_and_then_edited_is_credited_once() -> None:
    shown = [serving(1, "cart.py", m1=("price.py",))]
    soon, late = touch(2, "price.py", Happening.OPENED), touch(3 + OPENED_WITHIN, "price.py", Happening.OPENED)
    assert cited(shown, [soon], touch(3, "price.py")) == ()
    assert cited(shown, [late], touch(4 + OPENED_WITHIN, "price.py")) == ("m1",), "opened too late to count itself"


def test_a_memory_of_half_the_project_is_credited_by_an_edit_alone() -> None:
    many = ("price.py", *(f"f{n}.py" for n in range(OPENED_NAMES_MOST)))
    shown = [serving(1, "cart.py", m1=many)]
    opened = touch(2, "price.py", Happening.OPENED)
    assert cited(shown, [], opened) == ()
    assert cited(shown, [opened], touch(3, "price.py")) == ("m1",)


def moments(count: int, **items: tuple[str, ...]) -> tuple[list[Serving], list[Event]]:
    """A context in each of so many moments, each ended by opening another file."""
    shown = [serving(n, f"f{n}.py", **items) for n in range(1, count + 1)]
    return shown, [touch(n + 1, f"f{n + 1}.py", Happening.OPENED) for n in range(count + 1)]


def test_a_memory_that_is_shown_and_left_moment_after_moment_is_passed_over_once() -> None:
    assert passed_over(*moments(PASSED_OVER_AFTER - 1, m1=("price.py",))) == ()
    assert passed_over(*moments(PASSED_OVER_AFTER, m1=("price.py",))) == ("m1",)
    assert passed_over(*moments(PASSED_OVER_AFTER + 1, m1=("price.py",))) == ()


def test_any_touch_of_its_files_in_between_clears_a_memory() -> None:
    shown, events = moments(PASSED_OVER_AFTER, m1=("price.py",), m2=("other.py",))
    events[4] = touch(events[4].number, "price.py", Happening.OPENED)
    assert passed_over(shown, events) == ("m2",)


def test_asking_twice_in_one_moment_counts_once() -> None:
    shown, events = moments(PASSED_OVER_AFTER // 2, m1=("price.py",))
    doubled = [one for one in shown for _ in range(2)]
    assert passed_over(doubled, events) == ()


def test_a_memory_about_no_file_is_never_passed_over() -> None:
    assert passed_over(*moments(PASSED_OVER_AFTER, m1=())) == ()
    assert passed_over([], []) == ()
