"""The inbox: each job once, the last state never lost, nobody ever made to wait."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from companion.daemon.inbox import (
    CALLS_MAX,
    PATHS_MAX,
    USES_MAX,
    Call,
    Inbox,
    Prefetch,
    Refresh,
    Rest,
    Unload,
    UseJob,
    VectorsJob,
)
from companion.errors import StoreError


def call(number: int, failed: list[Exception] | None = None) -> Call:
    return Call(number, "scan", lambda: None, (failed if failed is not None else []).append)


def emptied(inbox: Inbox) -> list[object]:
    return [inbox.take() for _ in range(len(inbox))]


def test_ten_saves_of_a_file_are_one_job():
    inbox = Inbox()
    for _ in range(10):
        inbox.put(Refresh("/shop", frozenset({"cart.py"})))
    assert emptied(inbox) == [Refresh("/shop", frozenset({"cart.py"}))]


def test_saves_of_several_files_of_a_checkout_are_one_job_and_those_of_another_checkout_another():
    inbox = Inbox()
    for root, path in (("/shop", "cart.py"), ("/bank", "cart.py"), ("/shop", "price.py")):
        inbox.put(Refresh(root, frozenset({path})))
    assert emptied(inbox) == [
        Refresh("/shop", frozenset({"cart.py", "price.py"})),
        Refresh("/bank", frozenset({"cart.py"})),
    ]


def test_too_many_paths_become_one_look_at_the_whole_checkout():
    inbox = Inbox()
    for number in range(PATHS_MAX + 1):
        inbox.put(Refresh("/shop", frozenset({f"{number}.py"})))
    inbox.put(Refresh("/bank", frozenset(f"{number}.py" for number in range(PATHS_MAX + 1))))
    assert emptied(inbox) == [Refresh("/shop", None), Refresh("/bank", None)]


def test_what_changes_while_a_job_runs_waits_anew():
    inbox = Inbox()
    inbox.put(Refresh("/shop", frozenset({"cart.py"})))
    inbox.take()
    inbox.put(Refresh("/shop", frozenset({"cart.py"})))
    assert len(inbox) == 1


def test_what_is_urgent_comes_before_what_can_wait():
    inbox = Inbox()
    inbox.put(VectorsJob("p1"))
    inbox.put(Prefetch("/shop"))
    inbox.put(Refresh("/shop", None))
    assert [type(job) for job in emptied(inbox)] == [Refresh, Prefetch, VectorsJob]


def test_calls_beyond_the_limit_are_refused_in_words_and_room_comes_back():
    inbox = Inbox()
    for number in range(CALLS_MAX):
        inbox.put(call(number))
    with pytest.raises(StoreError, match="was not started"):
        inbox.put(call(CALLS_MAX))
    inbox.take()
    inbox.put(call(CALLS_MAX))


def test_notes_of_use_are_bounded():
    inbox = Inbox()
    for number in range(USES_MAX + 5):
        inbox.put(UseJob((partial(int, number),)))
    (use,) = emptied(inbox)
    assert isinstance(use, UseJob)
    assert [note() for note in use.notes] == list(range(5, USES_MAX + 5))


def test_closing_refuses_calls_drops_what_can_be_found_out_again_and_keeps_what_was_counted():
    inbox, failed = Inbox(), []
    inbox.put(call(1, failed))
    inbox.put(Refresh("/shop", None))
    inbox.put(UseJob((lambda: None,)))
    inbox.close()
    assert [str(wrong) for wrong in failed] == [
        "The background service is exiting. Run the command again: it starts a new one or does without."
    ]
    assert isinstance(inbox.take(), UseJob)
    assert inbox.take() is None
    with pytest.raises(StoreError):
        inbox.put(call(2))
    inbox.put(Refresh("/shop", None))
    assert inbox.take() is None


def test_a_taker_sleeps_until_there_is_something_and_ends_when_it_is_closed():
    inbox, took = Inbox(), []

    def take_all() -> None:
        while (job := inbox.take()) is not None:
            took.append(job)

    taker = threading.Thread(target=take_all)
    taker.start()
    inbox.put(VectorsJob("p1"))
    while inbox.waiting("/shop") or len(inbox):
        pass
    inbox.close()
    taker.join(10)
    assert not taker.is_alive()
    assert took == [VectorsJob("p1")]


def test_what_is_given_back_waits_for_its_own_quiet_and_each_question_puts_it_off():
    rested = Inbox(quiet_s=0.0, away_s=3_600.0)
    rested.stirred()
    assert (rested.take(), len(rested)) == (Rest(), 1)
    away = Inbox(quiet_s=0.0, away_s=0.0)
    away.stirred()
    away.put(VectorsJob("p1"))
    assert [away.take() for _ in range(3)] == [VectorsJob("p1"), Rest(), Unload()]


class InboxAgainstModel(RuleBasedStateMachine):
    """Whatever is put and taken: what was saved since the last look at it is always still going to be looked at."""

    roots = st.sampled_from(["/a", "/b", "/c"])
    paths = st.frozensets(st.integers(0, 900).map(str), min_size=1, max_size=400)

    def __init__(self) -> None:
        super().__init__()
        self.inbox = Inbox()
        self.unseen: set[tuple[str, str]] = set()

    @rule(root=roots, paths=paths)
    def save(self, root: str, paths: frozenset[str]) -> None:
        self.inbox.put(Refresh(root, paths))
        self.unseen |= {(root, path) for path in paths}

    @rule(root=roots)
    def move(self, root: str) -> None:
        self.inbox.put(Refresh(root, None))

    @rule()
    def take(self) -> None:
        if not len(self.inbox):
            assert not self.unseen
            return
        job = self.inbox.take()
        assert isinstance(job, Refresh)
        seen = job.paths
        self.unseen = {one for one in self.unseen if one[0] != job.root or (seen is not None and one[1] not in seen)}
        assert not {one for one in self.unseen if one[0] == job.root}

    @invariant()
    def it_stays_small(self) -> None:
        assert len(self.inbox) <= 3
        assert all(self.inbox.waiting(root) <= PATHS_MAX for root in ("/a", "/b", "/c"))


TestInboxAgainstModel = InboxAgainstModel.TestCase
