"""What takes seconds to look at is looked at once for everybody who asks, and again when somebody wants it."""

from __future__ import annotations

import asyncio

import pytest
from visits import Seconds, Visit

from companion.errors import UsageError
from companion.surfaces.page.once import KEPT_S, Once
from companion.surfaces.page.room import PageView


class Look:
    """Something that is looked at, and how often that was; where it is to be held up, it waits for `go_on`."""

    def __init__(self, go_on: asyncio.Event | None = None) -> None:
        self.times = 0
        self.go_on = go_on

    async def __call__(self) -> PageView:
        self.times += 1
        if self.go_on is not None:
            await self.go_on.wait()
        return PageView(f"{self.times}.html")


def test_a_view_is_given_again_for_a_while_and_made_anew_when_it_is_old_or_asked_for_again():
    async def story() -> None:
        seconds, look = Seconds(), Look()
        once = Once(seconds)
        assert once.last("a") is None
        assert [(await once.view("a", look)).template, (await once.view("a", look)).template] == ["1.html", "1.html"]
        seconds.at += KEPT_S
        assert (await once.view("a", look)).template == "1.html"
        seconds.at += 0.1
        last = once.last("a")
        assert last is not None
        assert (last.view.template, last.old) == ("1.html", True), "it can still be shown while the next is made"
        assert (await once.view("a", look)).template == "2.html"
        seconds.at += 0.1
        assert (await once.view("a", look, again=True)).template == "3.html"
        assert (await once.view("b", look)).template == "4.html", "what it is about tells views apart"

    asyncio.run(story())


def test_who_asks_while_a_view_is_made_waits_for_that_one():
    async def story() -> None:
        look, once = Look(asyncio.Event()), Once(Seconds())
        asked = [asyncio.create_task(once.view("a", look)) for _ in range(4)]
        await asyncio.sleep(0)
        assert look.go_on is not None
        look.go_on.set()
        assert {one.template for one in await asyncio.gather(*asked)} == {"1.html"}

    asyncio.run(story())


def test_a_view_is_made_to_its_end_though_whoever_asked_has_gone():
    async def story() -> None:
        look, once = Look(asyncio.Event()), Once(Seconds())
        gone = asyncio.create_task(once.view("a", look))
        await asyncio.sleep(0)
        gone.cancel()
        other = asyncio.create_task(once.view("a", look))
        await asyncio.sleep(0)
        assert look.go_on is not None
        look.go_on.set()
        assert (await other).template == "1.html"

    asyncio.run(story())


def test_what_could_not_be_made_is_tried_anew():
    async def broken() -> PageView:
        raise UsageError("The disk is gone.", "Bring it back.")

    async def story() -> None:
        once = Once(Seconds())
        with pytest.raises(UsageError):
            await once.view("a", broken)
        assert (await once.view("a", Look())).template == "1.html"

    asyncio.run(story())


def test_the_checks_of_health_are_made_once_for_a_while_and_anew_when_wanted(visit: Visit):
    said = visit.see("health/checks")
    visit.daemon.runtime.adapters.clock.advance(minutes=5)
    assert "5 minutes ago" in visit.see("health/checks")
    assert "5 minutes ago" not in visit.see("health/checks?again=1")
    assert "health/checks?again=1" in said


def test_the_health_room_shows_the_last_checks_with_their_age_and_looks_anew_only_when_they_are_old(visit: Visit):
    visit.see("health/checks?again=1")
    visit.daemon.runtime.adapters.clock.advance(minutes=3)
    shown = visit.see("health")
    assert "3 minutes ago" in shown
    assert 'hx-trigger="load"' not in shown
    visit.page.once.clock = lambda: float("inf")
    old = visit.see("health")
    assert "3 minutes ago" in old, "what is known stands there at once"
    assert 'hx-trigger="load"' in old
