"""Waiting for what other threads and processes do: for a condition, with a deadline, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil

DEADLINE_S = 60.0
"""A machine under load is slow; what has not come true by then never will."""


def until(true: Callable[[], object], deadline_s: float = DEADLINE_S) -> None:
    """Wait for a condition; an error after the deadline."""
    end = time.monotonic() + deadline_s
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


def ended(one: psutil.Process) -> bool:
    """Whether a process is gone, or nothing but its exit status is left."""
    try:
        return one.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
