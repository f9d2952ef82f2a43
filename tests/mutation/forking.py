"""A piece of work in a copy of this process, with limits: whatever it changes or breaks is gone with it."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

MEMORY_BYTES = 4 << 30
"""What a copy may allocate: a changed loop shall not take the machine with it; the largest test needs a quarter."""


def in_a_copy(work: Callable[[], Any], cpu_s: int, wall_s: float) -> tuple[Any, str]:
    """Fork, do the work there and return (its answer, as JSON carries it, "") or (None, what went wrong).

    `cpu_s` is of processor time, so that a busy machine changes nothing; `wall_s` ends what waits for ever.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _child(work, cpu_s, writing)
    os.close(writing)
    try:
        told = _until_closed(reading, monotonic() + wall_s)
    finally:
        os.close(reading)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)  # the copy and whatever it started
        _, status = os.waitpid(child, 0)
    if not told.endswith(b"\n"):
        return None, "crashed" if os.WIFEXITED(status) else "out of time"
    answer = json.loads(told)
    return answer["answer"], answer["error"]


def _child(work: Callable[[], Any], cpu_s: int, writing: int) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        told = {"answer": work(), "error": ""}
    except BaseException:  # SystemExit too: nothing of the parent may run on in the copy
        told = {"answer": None, "error": traceback.format_exc()}
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(json.dumps(told).encode() + b"\n")
    os._exit(0)


def _until_closed(reading: int, until: float) -> bytes:
    """Return what the child wrote until its line is whole, it is gone or the time is over."""
    told = b""
    while not told.endswith(b"\n") and select.select([reading], [], [], max(0.0, until - monotonic()))[0]:
        part = os.read(reading, 1 << 20)
        if not part:
            break
        told += part
    return told
