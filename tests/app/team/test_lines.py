"""Lines that repeat what is sent, and slow ones: the log has everything once, in order, and laptops are equal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from laptops import Laptop, all_equal, laptop
from lines import Line, line_to
from postgres import Base
from team_records import BOB, version
from waiting import DEADLINE_S

from companion.app.team import syncing
from companion.errors import TeamServerUnreachable

Did = TypeVar("Did")
PLAIN = "?sslmode=disable&gssencmode=disable"
"""Without questions that wait for an answer before the rest may be sent: so all of it can be sent again."""


@pytest.fixture
def three(tmp_path: Path, base: Base) -> Iterator[tuple[Laptop, Laptop, Laptop]]:
    """Two laptops of Ada's and one of Bob's."""
    base.admit("ada"), base.admit("bob")
    with ExitStack() as open_:
        one, two, bob = (
            open_.enter_context(laptop(tmp_path / folder, name))
            for folder, name in (("one", "Ada"), ("two", "Ada"), ("bob", "Bob"))
        )
        yield one, two, bob


def by_way_of(line: Line, base: Base, login: str) -> str:
    return f"postgresql://{login}@127.0.0.1:{line.port}/{base.name}{PLAIN}"


def all_at_once(*acts: Callable[[], Did]) -> list[Did]:
    """What several do, none of whom begins before the last is ready."""
    ready = threading.Barrier(len(acts))

    def act(one: Callable[[], Did]) -> Did:
        ready.wait(DEADLINE_S)
        return one()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(act, acts))


@pytest.mark.parametrize("lost_after", [None, 1_100, 2_000])
def test_a_line_that_repeats_everything_while_colleagues_send_the_same_doubles_nothing(
    base: Base,
    three: tuple[Laptop, Laptop, Laptop],
    postgres_folder: str,
    monkeypatch: pytest.MonkeyPatch,
    lost_after: int | None,
):
    """All answers came, or from some byte on none: then the laptop itself sends again what the line repeats as well."""
    monkeypatch.setattr(syncing, "BATCH", 7)
    monkeypatch.setattr(syncing, "BATCH_MOST", 7)
    one, two, bob = three
    same = [version(f"Of Ada {number}") for number in range(40)]
    made = {*one.make(*same), *two.make(*same[10:]), *bob.make(*(version(f"Of Bob {n}", BOB) for n in range(20)))}
    with line_to(postgres_folder) as line:
        line.cut_back_after = lost_after
        with pytest.raises(TeamServerUnreachable) if lost_after else nullcontext():
            one.sync(by_way_of(line, base, "ada"))
        sync = [partial(each.sync, base.url(login)) for each, login in ((one, "ada"), (two, "ada"), (bob, "bob"))]
        *_, answered = all_at_once(*sync, line.repeat, line.repeat, line.repeat)
    assert b"INSERT 0 " in answered and b"ERROR" not in answered, "what was repeated was understood"
    assert set(base.log()) == made
    for again in (*sync, *sync):
        again()
    assert all_equal(three) and one.known == made
    assert set(base.log()) == made


def test_over_a_line_on_which_each_packet_is_late_all_arrives_once(
    base: Base, three: tuple[Laptop, Laptop, Laptop], postgres_folder: str
):
    one, two, bob = three
    same = [version(f"Of Ada {number}") for number in range(20)]
    made = {*one.make(*same), *two.make(*same), *bob.make(version("Of Bob", BOB))}
    with line_to(postgres_folder) as line:
        line.delay_s = 0.02
        sync = [partial(each.sync, by_way_of(line, base, "ada")) for each in three]
        all_at_once(*sync)
        all_at_once(*sync)
    assert set(base.log()) == made
    assert all_equal(three) and one.known == made
