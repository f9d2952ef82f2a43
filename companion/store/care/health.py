"""Is the store sound, and if not, what can be done: findings with the next command, repairs that keep all.

A repair never deletes. A damaged write-ahead log or database file is renamed and stays where it was; a store with
every row that can be read takes its place (see `rebuilding`), and the findings say what may be missing.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from companion.api import Finding
from companion.errors import CompanionError, StoreDamaged, StoreError
from companion.store.binding import duckdb
from companion.store.care.rebuilding import opens, salvaged
from companion.store.connecting import raise_mapped
from companion.store.copying import FOLDER, backups, copy_whole
from companion.store.database import Database
from companion.store.files import FILE_NAME, damage_note, has_log, log_path, set_aside
from companion.store.opening import open_store
from companion.store.replay import CUT
from companion.store.rows import column
from companion.store.trouble import REPAIR, unwritable

OK, WARNING, BROKEN = "ok", "warning", "broken"

LEARN_AGAIN = "Run `companion init` to learn what is missing again."
REPAIR_WAIT_S = 1.0
"""A repair does not wait long for another process: whoever holds the store has it open and sound."""

_SOUND_BYTES = re.compile(r"Corrupt WAL file: entry at byte position (\d+)")

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
        database = open_store(home, wait_s=wait_s, memory_limit=memory_limit, create=False)
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
        rows = database.probe()
        with database.read() as connection:
            orphans = _number(connection, _ORPHANS)
            chains = _number(connection, _BROKEN_CHAINS)
    except StoreError as wrong:
        return (Finding("store", BROKEN, wrong.what, wrong.next_step),)
    if met := _met(database.path):
        what = f"All {rows:,} rows can be read, but a command met damage: {met}"
        return (Finding("store", BROKEN, what, REPAIR),)
    found = [Finding("store", OK, f"{database.path} can be read: {rows:,} rows.")]
    if (refused := database.unwritable) is not None:
        found.append(Finding("store", BROKEN, refused.what, refused.next_step))
    else:
        found += [Finding("write-ahead log", WARNING, notice, LEARN_AGAIN) for notice in database.notices]
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
        if wrong is not None and path.exists() and log_path(path).exists() and not opens(path, memory_limit):
            done.append(_log_aside(path, wrong))
            wrong = _trouble(home, memory_limit)
        if wrong is None and not done and (met := _met(path)):
            wrong = StoreDamaged(met)
        if wrong is not None:
            done += _anew(home, memory_limit, wrong)
        damage_note(path).unlink(missing_ok=True)
    except OSError as hindrance:
        blocked = unwritable(path, hindrance.strerror or str(hindrance))
        return (*done, Finding("store", BROKEN, blocked.what, blocked.next_step))
    except StoreError as other:
        return (*done, Finding("store", BROKEN, other.what, other.next_step))
    return tuple(done) or (Finding("store", OK, f"{path} is intact; there was nothing to repair."),)


def _trouble(home: Path, memory_limit: str) -> StoreDamaged | None:
    """What is damaged, after reading all of the store. Raises StoreError for other hindrances."""
    try:
        database = open_store(home, wait_s=REPAIR_WAIT_S, memory_limit=memory_limit, create=False)
        try:
            database.probe()
        finally:
            database.close()
    except StoreDamaged as wrong:
        return wrong
    return None


def _met(path: Path) -> str:
    """What damage a command met in the store's file since it was last mended; empty if none."""
    note = damage_note(path)
    return note.read_text("utf-8") if note.exists() else ""


def _log_aside(path: Path, wrong: StoreDamaged) -> Finding:
    """Keep the damaged log aside; its sound beginning, as far as DuckDB names it, stays in place."""
    kept = set_aside(log_path(path))
    sound = _SOUND_BYTES.search(str(wrong.__cause__))
    if sound is not None and int(sound[1]):
        copy_whole(kept, log_path(path), int(sound[1]))
        lost = f"its first {sound[1]} bytes were applied; what was written after them"
    else:
        lost = "what was written after the last checkpoint"
    what = f"The write-ahead log was damaged and is kept as {kept}; {lost} is missing from the store."
    return Finding("write-ahead log", WARNING, what, LEARN_AGAIN)


def _anew(home: Path, memory_limit: str, wrong: StoreDamaged) -> list[Finding]:
    """Put a store with all rows that can be read in the place of the damaged one, which is kept aside."""
    path = home / FILE_NAME
    try:
        rebuilt = salvaged(path, backups(home), memory_limit)
    except duckdb.Error as hindrance:
        raise_mapped(path, hindrance)
        raise
    kept = [set_aside(file) for file in (path, log_path(path)) if file.exists()]
    kept_as = f" It is kept as {' and '.join(map(str, kept))}." if kept else ""
    if rebuilt is None:
        what = f"{wrong.what}{kept_as} There is no backup in {home / FOLDER} that can be read."
        return [Finding("store", BROKEN, what, "Run `companion init` to learn everything again.")]
    fresh, source, lost = rebuilt
    fresh.replace(path)
    if source != path:
        said = f"{source.name} was put in its place."
        next_step = "Run `companion init` to learn what is newer than that copy."
    else:
        said = "All that could be read was written to a new file in its place."
        next_step = LEARN_AGAIN if lost else "Run `companion doctor` to look again."
    return [Finding("store", WARNING, " ".join((f"{wrong.what}{kept_as} {said}", *lost)), next_step)]


def _number(connection: duckdb.DuckDBPyConnection, statement: str) -> int:
    (number,) = column(connection, statement)
    return int(number)


def _privacy(path: Path) -> Finding:
    if os.name != "posix":
        return Finding("privacy", OK, "The store is in your own data folder.")
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
        what = f"Left by an interrupted start: {', '.join(half)}."
        found.append(Finding("left over", WARNING, what, f"They can be deleted from {home}."))
    return found
