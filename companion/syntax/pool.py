"""Many files at once: a first scan spread over processes, since a grammar holds the interpreter's lock."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from typing import TypeVar

from msgspec.structs import replace

from companion.records import ParsedFile
from companion.syntax.alone import parse
from companion.syntax.parsing import parse_plainly

Item = tuple[str, bytes, str]
Prepare = Callable[[bytes], bytes]
"""What a file's bytes are made into before they are parsed; sent to workers, so a function of a module."""
T = TypeVar("T")

FEW_FILES = 150
"""Fewer files than this are parsed faster here than a process starts (about 0.3 s)."""

CHUNK_FILES = 24
"""Files of one task: enough that handing over costs little, few enough that the end is even."""

CHUNK_BYTES = 400_000
"""Bytes of one task, so that memory stays flat whatever the files."""

TASKS_AHEAD = 3
"""Tasks that wait for each worker: the input is read only so far ahead."""


def parse_many(items: Iterable[Item], workers: int, prepare: Prepare) -> Iterator[ParsedFile]:
    """Parse `(path, data, content_hash)` items, results in their order.

    `prepare` makes of each file's bytes what is parsed, on the same lines; the size given stays that of the file.

    Few files, or `workers` below 2, are parsed in this process. If a worker dies, each file it held is
    tried once more in a process of its own; one that kills that too is returned without symbols.
    """
    waiting = iter(items)
    first = list(islice(waiting, FEW_FILES))
    if workers < 2 or len(first) < FEW_FILES:
        yield from (_parse(item, prepare) for item in chain(first, waiting))
        return
    yield from _in_processes(chain(first, waiting), workers, prepare)


def _in_processes(items: Iterator[Item], workers: int, prepare: Prepare) -> Iterator[ParsedFile]:
    chunks = _chunks(items)
    pending: deque[tuple[list[Item], Future[list[ParsedFile]]]] = deque()
    crew = _Crew(workers)
    try:
        if not _starts(crew):
            yield from (_parse(item, prepare) for chunk in chunks for item in chunk)
            return
        while True:
            while len(pending) < workers * TASKS_AHEAD and (task := next(chunks, None)) is not None:
                pending.append((task, crew.submit(_parse_chunk, task, prepare)))
            if not pending:
                return
            task, future = pending.popleft()
            try:
                parsed = future.result()
            except BrokenProcessPool:
                yield from _one_by_one(task, prepare)
            else:
                yield from parsed
    finally:
        crew.leave()


class _Crew:
    """Worker processes that are replaced when one of them has died.

    They are spawned everywhere: forking a process with threads hangs, and Windows cannot. They never
    hear of Ctrl-C: who started them also stops them.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = self._hire()

    def _hire(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            max_workers=self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=begin,
        )

    def submit(self, work: Callable[..., T], *arguments: object) -> Future[T]:
        """Hand over some work; its result raises BrokenProcessPool if the worker dies of it."""
        try:
            return _unheard(self._pool, work, *arguments)
        except BrokenProcessPool:
            self._pool.shutdown(wait=False)
            self._pool = self._hire()
            return _unheard(self._pool, work, *arguments)

    def leave(self) -> None:
        """Wait for the processes to end; what they have not begun is dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def begin() -> None:
    """A worker is deaf to Ctrl-C, and ends with who started it, even if that one was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if (parent := multiprocessing.parent_process()) is not None:
        threading.Thread(target=_end_with, args=(parent,), name="companion-parent", daemon=True).start()


def _end_with(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _unheard(pool: ProcessPoolExecutor, work: Callable[..., T], *arguments: object) -> Future[T]:
    """Hand over a task; a worker that this starts never hears of Ctrl-C."""
    with undisturbed():
        return pool.submit(work, *arguments)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits until the block is done, and processes started in it are deaf to it.

    A worker that is interrupted while it comes to life dies with a traceback, and so does one whose
    parent is interrupted while it tells it what to do.
    """
    came: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number)) if main else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if os.name == "posix" else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if main:
            signal.signal(signal.SIGINT, before or signal.SIG_DFL)
    if came and callable(before):
        before(signal.SIGINT, None)


def _starts(crew: _Crew) -> bool:
    """Whether workers can be started at all: not from every interactive main module."""
    try:
        crew.submit(_ready).result()
    except (BrokenProcessPool, OSError):
        return False
    return True


def _ready() -> None:
    """Nothing but being there."""


def _parse_chunk(chunk: list[Item], prepare: Prepare) -> list[ParsedFile]:
    return [_parse(item, prepare) for item in chunk]


def _parse(item: Item, prepare: Prepare) -> ParsedFile:
    path, data, content_hash = item
    parsed = parse(path, prepare(data), content_hash)
    return parsed if parsed.size_bytes == len(data) else replace(parsed, size_bytes=len(data))


def _one_by_one(chunk: list[Item], prepare: Prepare) -> Iterator[ParsedFile]:
    """Parse files of which one may kill its process; that one is returned unread."""
    crew = _Crew(1)
    try:
        for item in chunk:
            try:
                yield crew.submit(_parse_chunk, [item], prepare).result()[0]
            except BrokenProcessPool:
                path, data, content_hash = item
                yield parse_plainly(path, prepare(data), content_hash)
    finally:
        crew.leave()


def _chunks(items: Iterator[Item]) -> Iterator[list[Item]]:
    chunk: list[Item] = []
    size = 0
    for item in items:
        chunk.append(item)
        size += len(item[1])
        if len(chunk) >= CHUNK_FILES or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
