"""Work in a process of its own, beside what this one does: Python code runs in one thread of a process at a time."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import TypeVar

from companion.syntax.pool import begin, undisturbed

T = TypeVar("T")
Told = Callable[[int], None]
"""Is told how far some work has come."""
Result = Callable[[Callable[[], None]], T | None]
"""Waits for some work and gives its result, None of a failure; what it is given is called whenever it has waited."""

LOOKED_AFTER_S = 0.2
"""Seconds between two looks at whether the work is to stop."""
APART_FROM = 500
"""Commits from which a process of its own pays: it starts in half a second, and reads so many in as long."""


class WorkerGone(Exception):
    """The process could not be started, or has ended without a result."""


def apart(work: Callable[..., T], *arguments: object, told: Told, stopped: Callable[[], bool]) -> T | None:
    """The result of `work(*arguments, told)` in a process of its own; None where that was stopped.

    `work` is a function of a module; what it takes and gives is copied. The process never hears of Ctrl-C, and ends
    with this one even where that is killed. Raises WorkerGone.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, work, arguments), daemon=True)
    try:
        with undisturbed():
            process.start()
        theirs.close()
        while not stopped():
            if ours.poll(LOOKED_AFTER_S):
                message: tuple[int | None, T] = ours.recv()
                done, result = message
                if done is None:
                    return result
                told(done)
    except (OSError, EOFError) as wrong:
        raise WorkerGone(str(wrong)) from wrong
    finally:
        if process.pid is not None:
            process.terminate()
            process.join()
        ours.close()
    return None


@contextmanager
def in_thread(work: Callable[[Callable[[], bool]], T]) -> Iterator[Result[T]]:
    """A thread that works while the block runs, which is given the way to its result.

    `work` is given what says whether it is to stop. Where the block fails it is, and is waited for: a library whose
    objects a thread still holds at the end complains aloud.
    """
    stopped = threading.Event()
    found: list[T] = []
    thread = threading.Thread(target=lambda: found.append(work(stopped.is_set)), daemon=True)

    def result(waits: Callable[[], None]) -> T | None:
        while thread.is_alive():
            thread.join(LOOKED_AFTER_S)
            waits()
        return found[0] if found else None

    thread.start()
    try:
        yield result
    except BaseException:
        stopped.set()
        thread.join()
        raise


def _work(connection: Connection, work: Callable[..., object], arguments: tuple[object, ...]) -> None:
    begin()
    connection.send((None, work(*arguments, lambda done: connection.send((done, None)))))
