"""The open file that everything is kept in: one daemon, one writer at a time, as many readers as wanted.

`opening` finds or makes it. Nothing in this module ever deletes or replaces a store; what is damaged is said, and
`health` mends it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from itertools import count
from pathlib import Path
from typing import TypeVar

from companion.errors import AlreadyKept, StoreError, StoreUnwritable
from companion.store.binding import duckdb
from companion.store.connecting import connect, connected, raise_mapped, usual_threads
from companion.store.files import FILE_NAME, PRIVATE_FILE, has_log, log_path
from companion.store.statements import execute
from companion.store.trouble import unwritable

T = TypeVar("T")

AT_REST = "16MB"
"""What DuckDB keeps when it lets go, room for any short question; some contexts of 10,000 memories left it 45 MB."""

_IS_KEPT = """
select 1
from requests
where id = $id
"""

_SIGN = """
insert into requests (id)
values ($id)
"""

_FORGET_OLD = """
delete from requests
where kept_at < (now() at time zone 'UTC') - interval 1 day
"""
"""A client asks again within a minute."""

READERS_ASKED, READER_WAIT_S = 50, 0.02
"""How often whoever reads is broken off when the store closes, and how long he has to leave then: a second in all."""
SIGNED_BETWEEN = 10_000
"""Requests kept between two times that the old ones are forgotten: half a megabyte of ids."""

_LESS = "select least(parse_formatted_bytes($limit), parse_formatted_bytes(current_setting('memory_limit')))"


class Database:
    """An open store. Threads share one object; each takes its own cursor by `read` or `write`."""

    def __init__(
        self,
        home: Path,
        connection: duckdb.DuckDBPyConnection,
        memory_limit: str = "",
        wait_s: float = 0.0,
        name: str = FILE_NAME,
    ) -> None:
        self.home = home
        self._name = name
        self._memory_limit = memory_limit
        self._wait_s = wait_s
        self.revision = 0
        """Raised by one at each committed write: caches key on it."""
        self.notices: tuple[str, ...] = ()
        """What the user should know of how it opened, in sentences."""
        self.unwritable: StoreUnwritable | None = None
        """What kept it from being opened for writing; it is only read then."""
        self.hindered = ""
        """Why the last write could not be kept, in sentences; empty since one could."""
        self.copying = threading.Lock()
        """Held while a copy of the store is made, or something is taken out of copies."""
        self._signature = threading.local()
        """Under `id`, the request that this thread writes for and that no commit is signed with yet."""
        self._signed = count()
        self._connection = connection
        self._lock = threading.RLock()
        self._readers: dict[duckdb.DuckDBPyConnection, int] = {}
        """Cursors that are read from, each with its thread."""
        self._reader_left = threading.Condition()
        self._closing = False
        self._writing: duckdb.DuckDBPyConnection | None = None
        self._writer: int | None = None

    @property
    def path(self) -> Path:
        """The database file."""
        return self.home / self._name

    @contextmanager
    def read(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor for this thread, without a transaction; inside a `write`, the writer's own.

        Fetch everything before leaving: results stream, and end with the cursor.
        """
        if self._writer == threading.get_ident() and self._writing is not None:
            yield self._writing
            return
        with self._reader_left:
            if self._closing:
                raise _closed()
            cursor = self._connection.cursor()
            self._readers[cursor] = threading.get_ident()
        try:
            yield cursor
        except (duckdb.Error, RuntimeError) as wrong:
            if self._closing:
                raise _closed() from wrong
            raise_mapped(self.path, wrong)
            raise
        finally:
            cursor.close()
            with self._reader_left:
                del self._readers[cursor]
                self._reader_left.notify_all()

    @contextmanager
    def write(self, *, quiet: bool = False, signed: bool = True) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor in a transaction: committed at the end, rolled back on an error.

        One writer at a time; the others wait. A `write` inside a `write` of the same thread joins
        it. `quiet` leaves `revision` as it is: for counts that no cached answer depends on.
        What is not `signed` is done on the way to what a request asks for, and does not tell that this was kept.
        Raises StoreUnwritable when the disk is full or read-only.
        """
        with self._lock:
            if self._writing is not None:
                yield self._writing
                return
            if self._closing:
                raise _closed()
            cursor = self._connection.cursor()
            self._writing, self._writer = cursor, threading.get_ident()
            try:
                # A transaction cannot conflict: this lock lets one writer in, and no other process.
                self.need_writable()
                self._prepare_log()
                execute(cursor, "begin")
                yield cursor
                signs = signed and self._sign(cursor)
                # DuckDB answers `commit` of a failed transaction with silence: ask it first.
                execute(cursor, "select 1").fetchall()
                execute(cursor, "commit")
                self.hindered = ""
                self._signature.id = "" if signs else getattr(self._signature, "id", "")
                self.revision += 0 if quiet else 1
            except BaseException as wrong:
                with suppress(duckdb.Error):  # the first error is the one to tell
                    execute(cursor, "rollback")
                try:
                    raise_mapped(self.path, wrong)
                    raise
                except StoreUnwritable as refused:
                    self.hindered = f"{refused} What is asked meanwhile is answered, and not counted."
                    raise
            finally:
                self._writing = self._writer = None
                cursor.close()

    def change(self, statement: str, given: object = None, *, quiet: bool = False) -> None:
        """Run one statement as a `write` of its own."""
        with self.write(quiet=quiet) as connection:
            execute(connection, statement, given)

    @contextmanager
    def once(self, id_: str) -> Iterator[None]:
        """What this thread writes first in the block is kept with the id of the request that it is for.

        Raises AlreadyKept, before or instead of the first commit, where that was done before: nothing is done twice.
        """
        with self.read() as connection:
            _need_new(connection, id_)
        self._signature.id = id_
        try:
            yield
        finally:
            self._signature.id = ""

    @contextmanager
    def unsigned(self) -> Iterator[None]:
        """What this thread writes in the block is done on the way, and does not tell that a request was kept."""
        id_ = getattr(self._signature, "id", "")
        self._signature.id = ""
        try:
            yield
        finally:
            self._signature.id = id_

    def carried(self, work: Callable[[], T]) -> Callable[[], T]:
        """Work for another thread, which writes there for the request that this thread writes for."""
        id_ = getattr(self._signature, "id", "")

        def done() -> T:
            self._signature.id = id_
            try:
                return work()
            finally:
                self._signature.id = ""

        return done

    def _sign(self, cursor: duckdb.DuckDBPyConnection) -> bool:
        """Write the id of the request beside what is written for it; whether there is one that was not yet."""
        id_ = getattr(self._signature, "id", "")
        if id_:
            _need_new(cursor, id_)
            if next(self._signed) % SIGNED_BETWEEN == 0:
                execute(cursor, _FORGET_OLD)
            execute(cursor, _SIGN, {"id": id_})
        return bool(id_)

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file. Raises StoreUnwritable."""
        with self._lock:
            if not has_log(self.path):
                return
            self.need_writable()
            cursor = self._connection.cursor()
            try:
                execute(cursor, "checkpoint")
            except duckdb.Error as wrong:
                raise_mapped(self.path, wrong)
                raise
            finally:
                cursor.close()

    @contextmanager
    def still(self) -> Iterator[None]:
        """Nobody writes meanwhile and the log is empty: the file may be copied."""
        with self._lock:
            self.checkpoint()
            yield

    def probe(self, copy: Path | None = None, memory_limit: str = "") -> int:
        """Read all that commands may need of the store, or all of a copy of it; returns how many rows it has.

        Raises StoreDamaged and the like; damage in a copy is damage in the store.
        """
        from companion.store.probing import probe

        if copy is None:
            with self.read() as connection:
                return probe(connection, self.path, self._lock, only_read=self.unwritable is not None)
        try:
            with connect(copy, memory_limit) as connection:
                return probe(connection, copy, nullcontext(), only_read=True)
        except duckdb.Error as wrong:
            raise_mapped(self.path, wrong)
            raise

    @contextmanager
    def sparing(self, memory_limit: str, threads: int = 0) -> Iterator[None]:
        """DuckDB holds no more than this for the length of a block, if it was not bound to less; see `open`.

        For long work behind the answers: what does not fit lies on disk meanwhile, and with `threads` (0: as many
        as ever) long statements leave the other processors to whoever asks.
        """
        with suppress(duckdb.Error), self.read() as connection:  # where more is in use, the limit stays
            row = execute(connection, _LESS, {"limit": memory_limit}).fetchone()
            self._set_limit(f"{row[0] if row else 0}B")
        try:
            if threads:
                self._set_threads(min(threads, usual_threads(self.path)))
            yield
        finally:
            self._set_limit(self._memory_limit)
            if threads:
                self._set_threads(usual_threads(self.path))

    def let_go(self, keep: str = AT_REST) -> None:
        """Forget the pages that DuckDB keeps in memory; the next question has them from the system's cache.

        For some milliseconds little fits into memory: nothing is done while somebody writes or reads, and who comes
        meanwhile waits.
        """
        if not self._lock.acquire(blocking=False):
            return
        try:
            with self._reader_left:
                if not self._readers:
                    with self.sparing(keep):
                        pass
        finally:
            self._lock.release()

    def _set_limit(self, memory_limit: str) -> None:
        with self.read() as connection:
            execute(connection, "set memory_limit = $limit", {"limit": memory_limit})

    def _set_threads(self, threads: int) -> None:
        with self.read() as connection:
            execute(connection, "set threads = $threads", {"threads": threads})

    @contextmanager
    def released(self) -> Iterator[None]:
        """Let go of the store for the length of a block, so that another process may use it.

        For long work between two writes. Everything read before may have changed afterwards.
        Raises StoreHeld at the end if another process keeps the store longer than `wait_s`; it is closed then.
        """
        with self._lock:
            with self._reader_left:
                self._closing = True
                self._connection.close()
            try:
                yield
            finally:
                self._connection, notice, self.unwritable = connected(self.path, self._memory_limit, self._wait_s)
                self._closing = False
                self.notices += (notice,) if notice else ()
                self.revision += 1

    def close(self) -> None:
        """Let go of the file. What other threads still read is broken off. Closing twice is fine."""
        with self._lock:
            self._closing = True
            for _ in range(READERS_ASKED):
                if not self._broken_off():
                    break
            with self._reader_left:
                self._connection.close()

    def _broken_off(self) -> bool:
        """Break off what other threads read and wait a moment for them; whether some still do.

        One that has only just begun hears nothing of it.
        """
        mine = threading.get_ident()
        with self._reader_left:
            others = [cursor for cursor, thread in self._readers.items() if thread != mine]
            for cursor in others:
                cursor.interrupt()
            return not self._reader_left.wait_for(lambda: self._readers.keys().isdisjoint(others), READER_WAIT_S)

    def need_writable(self) -> None:
        """Raise StoreUnwritable where the store is only read."""
        if self.unwritable is not None:
            raise StoreUnwritable(self.unwritable.what, self.unwritable.next_step)

    def _prepare_log(self) -> None:
        """The log exists with private permissions before DuckDB writes a word into it."""
        try:
            os.close(os.open(log_path(self.path), os.O_CREAT | os.O_WRONLY, PRIVATE_FILE))
        except OSError as wrong:
            raise unwritable(self.path, wrong.strerror or str(wrong)) from wrong


def _need_new(connection: duckdb.DuckDBPyConnection, id_: str) -> None:
    if execute(connection, _IS_KEPT, {"id": id_}).fetchone():
        raise AlreadyKept("The background service ended before it answered, and what you asked for was kept.")


def _closed() -> StoreError:
    return StoreError("The store was closed while it was read.", "Ask again.")
