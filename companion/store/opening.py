"""A store is opened, made where there is none, and brought up to date.

DuckDB lets one process have the file open. A second one waits a little here and is then told who holds it. A store
whose daemon was killed just opens: its write-ahead log is replayed.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

from companion.config import HIDING_NAME, SETTINGS_NAME, make_home
from companion.errors import StoreError
from companion.store.binding import duckdb
from companion.store.connecting import connect, connected, raise_mapped
from companion.store.copying import backups, is_store_file
from companion.store.database import Database
from companion.store.files import FILE_NAME, PRIVATE_FILE, PRIVATE_FOLDER, has_log, log_path
from companion.store.migrate import migrate
from companion.store.trouble import log_without_store, store_gone, unwritable


def open_store(home: Path, *, wait_s: float, memory_limit: str, create: bool = True) -> Database:
    """The store in `home`, made or brought up to date if need be.

    `wait_s` is how long to wait for another process; `memory_limit` is in DuckDB's words
    (`400MB`). Raises StoreHeld, StoreTooNew, StoreDamaged (also where copies of a store lie and the
    store does not), StoreUnwritable, or StoreError where there is no store and `create` is false.
    """
    home = Path(os.path.abspath(home))  # noqa: PTH100 - a symbolic link keeps its name in messages
    path = home / FILE_NAME
    if not path.exists():
        if has_log(path) and not path.exists():  # asked again: another may be making it
            raise log_without_store(path)
        copy = next(filter(is_store_file, backups(home)), None)
        if copy is not None and not path.exists():
            raise store_gone(home, copy)
        if not create:
            raise StoreError(f"There is no store in {home} yet.", "Run `companion init` in a repository.")
        _make_folder(home)
        _create(path, memory_limit)
    connection, notice, refused = connected(path, memory_limit, wait_s)
    try:
        database = Database(home, connection, memory_limit, wait_s)
        database.notices += (notice,) if notice else ()
        database.unwritable = refused
        migrate(database)
    except BaseException as wrong:
        connection.close()
        raise_mapped(path, wrong)
        raise
    _make_private(path)
    return database


def _create(path: Path, memory_limit: str) -> None:
    """A new store appears whole or not at all: it is made beside its place and then linked there.

    Whoever comes second in a race drops his and opens the other's.
    """
    new = path.with_name(f"{path.name}.new-{os.getpid()}-{threading.get_ident()}")
    try:
        connection = connect(new, memory_limit)
        _make_private(new)
        try:
            migrate(Database(path.parent, connection, name=new.name))
        finally:
            connection.close()
        _place(new, path)
    except duckdb.Error as wrong:
        raise_mapped(path, wrong)
        raise
    except OSError as wrong:
        raise unwritable(path, wrong.strerror or str(wrong)) from wrong
    finally:
        new.unlink(missing_ok=True)
        log_path(new).unlink(missing_ok=True)


def _place(new: Path, path: Path) -> None:
    try:
        os.link(new, path)
    except FileExistsError:
        return
    except OSError:
        if not path.exists():  # a file system without hard links
            new.rename(path)


def _make_folder(home: Path) -> None:
    """The home, private where it is ours: a folder with other things in it keeps its permissions."""
    try:
        make_home(home)
        if not any(entry.name not in (SETTINGS_NAME, HIDING_NAME) for entry in home.iterdir()):
            home.chmod(PRIVATE_FOLDER)
    except OSError as wrong:
        raise unwritable(home / FILE_NAME, wrong.strerror or str(wrong)) from wrong


def _make_private(path: Path) -> None:
    if os.name == "posix" and path.exists() and path.stat().st_mode & 0o077:
        with suppress(OSError):  # on a disk that is only read modes stay as they are
            path.chmod(PRIVATE_FILE)
