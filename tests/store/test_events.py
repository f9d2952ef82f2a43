"""Events, served contexts and counts of what was made beforehand: written, numbered, bounded, read back."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec.structs import replace
from stores import store

from companion.records import Event, Happening, Serving
from companion.store.working import events
from companion.store.working.events import EVENTS_KEPT, PRUNE_EVERY, SERVINGS_KEPT

NOW = datetime(2026, 1, 5, 9, 0)


def opened(path: str) -> Event:
    return Event(0, NOW, Happening.OPENED, path)


EACH = (
    Event(0, NOW, Happening.EDITED, "a.py", "Cart.sum", 12, unindexed=True),
    Event(0, NOW, Happening.DIAGNOSED, "a.py", errors=2, warnings=1),
    Event(0, NOW, Happening.RAN, exit_code=1),
    Event(0, NOW, Happening.BRANCH, branch="fix/cart"),
    Event(0, NOW, Happening.ARRIVED, people=("Bea", "Cy")),
)


def test_what_is_written_is_read_back_numbered_and_in_order(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        first = events.append(database, "c1", EACH)
        second = events.append(database, "c1", [opened("b.py")])
        assert [event.number for event in (*first, *second)] == [1, 2, 3, 4, 5, 6]
        assert events.newest(database, "c1", 9) == (*first, *second)
        assert events.newest(database, "c1", 2) == (first[-1], *second)


def test_each_checkout_has_its_own(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        events.append(database, "c1", [opened("a.py")])
        events.append(database, "c2", [opened("b.py")])
        assert [event.path for event in events.newest(database, "c1", 9)] == ["a.py"]


def test_events_outlive_the_process_and_go_on_being_numbered(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        events.append(database, "c1", EACH)
    with store(tmp_path) as database:
        (added,) = events.append(database, "c1", [opened("b.py")])
        assert added.number == len(EACH) + 1
        assert [replace(event, number=0) for event in events.newest(database, "c1", 9)][:-1] == list(EACH)


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        batch = [opened(f"f{n}.py") for n in range(500)]
        for _ in range(EVENTS_KEPT // 500 + 2):
            last = events.append(database, "c1", batch)
        kept = events.newest(database, "c1", 10 * EVENTS_KEPT)
        assert EVENTS_KEPT <= len(kept) < EVENTS_KEPT + PRUNE_EVERY + len(batch)
        assert kept[-1] == last[-1]


def test_writing_nothing_writes_nothing(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        assert events.append(database, "c1", []) == ()
        assert events.newest(database, "c1", 9) == ()


def test_events_leave_the_revision_alone(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        before = database.revision
        events.append(database, "c1", EACH)
        events.serve(database, "c1", Serving(5, NOW, "a.py", {}))
        assert database.revision == before


def test_text_that_cannot_be_kept_is_made_fit_and_cut(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        (event,) = events.append(database, "c1", [opened("a\ud800.py")])
        events.append(database, "c1", [opened("x" * 10_000)])
        read = events.newest(database, "c1", 9)
        assert read[0].path == "a\ufffd.py"
        assert event.number == 1
        assert len(read[1].path) == events.TEXT_CHARACTERS


def test_served_contexts_are_read_back_and_bounded(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        for number in range(2 * SERVINGS_KEPT + 20):
            events.serve(database, "c1", Serving(number, NOW, "a.py", {"m1abc": ("b.py", "c.py"), "m1def": ()}))
        newest = events.servings(database, "c1", 3)
        assert [serving.after for serving in newest] == [2 * SERVINGS_KEPT + n for n in (17, 18, 19)]
        assert newest[0].items == {"m1abc": ("b.py", "c.py"), "m1def": ()}
        assert SERVINGS_KEPT <= len(events.servings(database, "c1", 10 * SERVINGS_KEPT)) < 2 * SERVINGS_KEPT
