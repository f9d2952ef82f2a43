"""What takes seconds to look at is looked at once for everybody who asks, and again when somebody wants it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from visits import Seconds, Visit

from companion.errors import UsageError
from companion.surfaces.page.once import KEPT_S, Once
from companion.surfaces.page.room import View


class Look:
    """Something that is looked at, and how often that was."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> View:
        self.times += 1
        return View(f"{self.times}.html")


def test_a_view_is_given_again_for_a_while_and_made_anew_when_it_is_old_or_asked_for_again():
    seconds, look = Seconds(), Look()
    once = Once(seconds)
    assert [once.view("a", look).template, once.view("a", look).template] == ["1.html", "1.html"]
    seconds.at += KEPT_S
    assert once.view("a", look).template == "1.html"
    seconds.at += 0.1
    assert once.view("a", look).template == "2.html"
    seconds.at += 0.1
    assert once.view("a", look, again=True).template == "3.html"
    assert once.view("b", look).template == "4.html", "what it is about tells views apart"


def test_who_asks_while_a_view_is_made_waits_for_that_one():
    begun, go_on = threading.Event(), threading.Event()
    look, once = Look(), Once(Seconds())

    def slowly() -> View:
        begun.set()
        assert go_on.wait(60)
        return look()

    with ThreadPoolExecutor(4) as people:
        first = people.submit(once.view, "a", slowly)
        assert begun.wait(60)
        others = [people.submit(once.view, "a", slowly) for _ in range(3)]
        go_on.set()
        assert {one.result(60).template for one in (first, *others)} == {"1.html"}


def test_what_could_not_be_made_is_tried_anew():
    def broken() -> View:
        raise UsageError("The disk is gone.", "Bring it back.")

    once = Once(Seconds())
    with pytest.raises(UsageError):
        once.view("a", broken)
    assert once.view("a", Look()).template == "1.html"


def test_the_checks_of_health_are_made_once_for_a_while_and_anew_when_wanted(visit: Visit):
    said = visit.see("health/checks")
    visit.owner.rooms.clock.advance(minutes=5)
    assert "5 minutes ago" in visit.see("health/checks")
    assert "5 minutes ago" not in visit.see("health/checks?again=1")
    assert "health/checks?again=1" in said
