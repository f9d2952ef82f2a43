"""Processes for tests that are killed at a chosen place."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from itertools import count
from types import FrameType
from typing import Any

from waiting import DEADLINE_S

PROCESSES = multiprocessing.get_context("forkserver")
"""A process of it has no thread of the one that asks for it, and what was loaded once."""
PROCESSES.set_forkserver_preload(["laptops"])


def killed_at(place: tuple[str, int], act: Callable[..., object], *given: object) -> bool:
    """Do something in a process that is killed where a function is called for the n-th time; whether it came to that.

    `place` is the name of the function and n, from 1.
    """
    one = PROCESSES.Process(target=_act_until, args=(place, act, given))
    one.start()
    one.join(DEADLINE_S)
    return one.exitcode == -signal.SIGKILL


def _act_until(place: tuple[str, int], act: Callable[..., object], given: tuple[object, ...]) -> None:
    name, calls = place[0], count(1)

    def seen(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name == name and next(calls) == place[1]:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(seen)
    act(*given)
