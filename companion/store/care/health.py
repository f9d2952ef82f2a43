"""Is the store sound, and if not, what can be done: findings with the next command, repairs that keep all.

A repair never deletes. A damaged write-ahead log or database file is renamed and stays where it
was; the newest copy that can be read takes its place, and the findings say what may be missing.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
from duckdb import ColumnExpression, FunctionExpression

from companion.api import Finding
from companion.errors import CompanionError, StoreDamaged, StoreError
from companion.store.backup import FOLDER, backups, copy_whole, is_store_file
from companion.store.connecting import connect
from companion.store.database import Database
from companion.store.files import FILE_NAME, has_log, log_path, set_aside
from companion.store.replay import CUT
from companion.store.trouble import unwritable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import Expression
    from duckdb.sqltypes import DuckDBPyType

OK, WARNING, BROKEN = "ok", "warning", "broken"

REPAIR_WAIT_S = 1.0
"""A repair does not wait long for another process: whoever holds the store has it open and sound."""

_SOUND_BYTES = re.compile(r"Corrupt WAL file: entry at byte position (\d+)")

_TABLES = """
select table_name
from duckdb_tables()
where not internal
    and not temporary
order by table_name
"""

_ORPHANS = """
select count(*)
from (
    select memory_id from memory_evidence
    union all
    select memory_id from memory_entities
    union all
    select memory_id from memory_artifacts
    union all
    select memory_a from contradictions
    union all
    select memory_b from contradictions
) as links
where memory_id not in (select id from memories)
"""

_BROKEN_CHAINS = """
select count(*)
from memories
where (supersedes <> '' and supersedes not in (select id from memories))
    or (superseded_by <> '' and superseded_by not in (select id from memories))
"""


def diagnose(home: Path, *, wait_s: float, memory_limit: str) -> tuple[Finding, ...]:
    """Look at the store in `home` from outside: is it there, private, readable, whole, backed up?"""
    path = home / FILE_NAME
    if not path.exists() and not has_log(path) and not backups(home):
        return (Finding("store", WARNING, f"There is no store in {home} yet.", "Run `companion init`."),)
    found = [_privacy(path)] if path.exists() else []
    try:
        database = Database.open(home, wait_s=wait_s, memory_limit=memory_limit, create=False)
    except CompanionError as wrong:
        found.append(Finding("store", BROKEN, wrong.what, wrong.next_step))
    else:
        try:
            found += examine(database)
        finally:
            database.close()
    return (*found, _backups(home), *_left_over(home))


def examine(database: Database) -> tuple[Finding, ...]:
    """Read every row of an open store and check what has to fit together."""
    try:
        rows = _read_all(database)
        with database.read() as connection:
            orphans = _number(connection, _ORPHANS)
            chains = _number(connection, _BROKEN_CHAINS)
    except StoreError as wrong:
        return (Finding("store", BROKEN, wrong.what, wrong.next_step),)
    found = [Finding("store", OK, f"{database.path} can be read: {rows:,} rows.")]
    found += [Finding("write-ahead log", WARNING, notice) for notice in database.notices]
    if orphans:
        what = f"{orphans} notes of evidence, links or conflicts belong to no memory; they are never shown."
        found.append(Finding("links", WARNING, what, "`companion export` leaves them out."))
    if chains:
        what = f"{chains} memories name an earlier or later version that is not there."
        found.append(Finding("versions", WARNING, what, "`companion backup`, then report it."))
    return tuple(found)


def repair(home: Path, *, memory_limit: str) -> tuple[Finding, ...]:
    """Mend what can be mended and say what was done; nothing is deleted.

    A store that is held by another process, or newer than this program, is left alone.
    """
    path = home / FILE_NAME
    if not path.exists() and not has_log(path) and not backups(home):
        return (Finding("store", WARNING, f"There is no store in {home} yet.", "Run `companion init`."),)
    done: list[Finding] = []
    try:
        wrong = _trouble(home, memory_limit)
        if wrong is not None and path.exists() and log_path(path).exists():
            done.append(_log_aside(path, wrong))
            wrong = _trouble(home, memory_limit)
        if wrong is not None:
            done += _from_backup(home, memory_limit, wrong)
    except OSError as hindrance:
        blocked = unwritable(path, hindrance.strerror or str(hindrance))
        return (*done, Finding("store", BROKEN, blocked.what, blocked.next_step))
    except StoreError as other:
        return (*done, Finding("store", BROKEN, other.what, other.next_step))
    return tuple(done) or (Finding("store", OK, f"{path} is sound; there was nothing to mend."),)


def _trouble(home: Path, memory_limit: str) -> StoreDamaged | None:
    """What is damaged, after reading all of the store. Raises StoreError for other hindrances."""
    try:
        database = Database.open(home, wait_s=REPAIR_WAIT_S, memory_limit=memory_limit, create=False)
        try:
            _read_all(database)
        finally:
            database.close()
    except StoreDamaged as wrong:
        return wrong
    return None


def _log_aside(path: Path, wrong: StoreDamaged) -> Finding:
    """Keep the damaged log aside; its sound beginning, as far as DuckDB names it, stays in place."""
    kept = set_aside(log_path(path))
    sound = _SOUND_BYTES.search(str(wrong.__cause__))
    if sound is not None and int(sound[1]):
        copy_whole(kept, log_path(path), int(sound[1]))
        lost = f"its first {sound[1]} bytes are taken in, and what was written after them"
    else:
        lost = "what was written after the last checkpoint"
    what = f"The write-ahead log was damaged and is kept as {kept}; {lost} is missing from the store."
    return Finding("write-ahead log", WARNING, what, "Run `companion init` to learn what is missing again.")


def _from_backup(home: Path, memory_limit: str, wrong: StoreDamaged) -> list[Finding]:
    """Put the newest readable copy in the place of the damaged file, which is kept aside."""
    path = home / FILE_NAME
    copy = _newest_readable(backups(home), memory_limit)
    kept = [set_aside(file) for file in (path, log_path(path)) if file.exists()]
    names = " and ".join(str(file) for file in kept)
    if copy is None:
        kept_as = f" It is kept as {names}." if names else ""
        what = f"{wrong.what}{kept_as} There is no copy in {home / FOLDER} that can be read."
        return [Finding("store", BROKEN, what, "Run `companion init` to learn everything again.")]
    copy_whole(copy, path)
    kept_as = f" It is kept as {names};" if names else ""
    what = f"{wrong.what}{kept_as} {copy.name} was put in its place."
    return [Finding("store", WARNING, what, "Run `companion init` to learn what is newer than that copy.")]


def _newest_readable(copies: Sequence[Path], memory_limit: str) -> Path | None:
    for copy in copies:
        if not is_store_file(copy):
            continue
        try:
            connection = connect(copy, memory_limit, read_only=True)
        except duckdb.Error:
            continue
        try:
            _sum_up(connection)
        except duckdb.Error:
            continue
        else:
            return copy
        finally:
            connection.close()
    return None


def _read_all(database: Database) -> int:
    """Read every value of every table, so that a damaged block shows; returns the number of rows."""
    with database.read() as connection:
        return _sum_up(connection)


def _sum_up(connection: duckdb.DuckDBPyConnection) -> int:
    rows = 0
    for (table,) in connection.execute(_TABLES).fetchall():
        relation = connection.table(table)
        rows += len(relation)
        relation.aggregate(
            [_sum_of(*column) for column in zip(relation.columns, relation.types, strict=True)]
        ).fetchall()
    return rows


def _sum_of(name: str, type_: DuckDBPyType) -> Expression:
    """One number of a column, for which all of it is read; DuckDB compares each block with its checksum on the way.

    How long lists are says as much as what is in them, and is found out in a tenth of the time.
    """
    column = ColumnExpression(name)
    return FunctionExpression("bit_xor", FunctionExpression("len" if type_.id == "list" else "hash", column))


def _number(connection: duckdb.DuckDBPyConnection, statement: str) -> int:
    row = connection.execute(statement).fetchone()
    return int(row[0]) if row else 0


def _privacy(path: Path) -> Finding:
    if os.name != "posix":
        return Finding("privacy", OK, "The store lies in your own data folder.")
    open_files = [file for file in (path, log_path(path)) if file.exists() and file.stat().st_mode & 0o077]
    if open_files:
        names = " ".join(str(file) for file in open_files)
        return Finding("privacy", WARNING, "Others may read the store.", f"Run `chmod 600 {names}`.")
    return Finding("privacy", OK, "Only you can read the store.")


def _backups(home: Path) -> Finding:
    copies = backups(home)
    if not copies:
        return Finding("backups", WARNING, "There is no backup yet.", "Run `companion backup`.")
    return Finding("backups", OK, f"{len(copies)} in {home / FOLDER}, the newest {copies[0].name}.")


def _left_over(home: Path) -> list[Finding]:
    """Files that a repair put aside, or that a killed program left half written."""
    aside = sorted(file.name for tag in ("damaged", CUT) for file in home.glob(f"{FILE_NAME}*.{tag}-*"))
    half = sorted(file.name for file in home.glob(f"{FILE_NAME}.new-*"))
    found = []
    if aside:
        what = f"Kept aside because it was damaged: {', '.join(aside)}."
        found.append(Finding("kept aside", WARNING, what, f"Delete them from {home} when you miss nothing."))
    if half:
        what = f"Left by a start that was cut off: {', '.join(half)}."
        found.append(Finding("left over", WARNING, what, f"They can be deleted from {home}."))
    return found
