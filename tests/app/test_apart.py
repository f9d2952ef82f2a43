"""Work in a process of its own: its result, how far it is, and that nothing of it is left when it is stopped or killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable

import pytest
from waiting import DEADLINE_S

from companion.app.scanning.apart import WorkerGone, apart


def squares(most: int, told: Callable[[int], None]) -> list[int]:
    found = []
    for number in range(most):
        found.append(number * number)
        told(number + 1)
    return found


def endless(told: Callable[[int], None]) -> None:
    told(os.getpid())
    time.sleep(DEADLINE_S)


def failing(told: Callable[[int], None]) -> None:
    raise ValueError(told)


def test_the_result_comes_back_and_how_far_it_is_is_told() -> None:
    seen: list[int] = []
    assert apart(squares, 4, told=seen.append, stopped=lambda: False) == [0, 1, 4, 9]
    assert seen == [1, 2, 3, 4]
    assert not multiprocessing.active_children()


def test_what_is_stopped_gives_nothing_and_leaves_no_process() -> None:
    seen: list[int] = []
    assert apart(endless, told=seen.append, stopped=lambda: bool(seen)) is None
    assert not multiprocessing.active_children()
    with pytest.raises(ProcessLookupError):
        os.kill(seen[0], 0)


@pytest.mark.skipif(os.name != "posix", reason="a process is killed by a signal")
def test_a_process_that_is_killed_or_fails_is_told_of() -> None:
    with pytest.raises(WorkerGone):
        apart(endless, told=lambda process: os.kill(process, signal.SIGKILL), stopped=lambda: False)
    with pytest.raises(WorkerGone):
        apart(failing, told=lambda _: None, stopped=lambda: False)
    assert not multiprocessing.active_children()
