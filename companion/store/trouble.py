"""What DuckDB and the file system complain of, as our own errors with the next command to type."""

from __future__ import annotations

import re
from pathlib import Path

from companion.errors import CompanionError, StoreDamaged, StoreError, StoreHeld, StoreTooNew, StoreUnwritable
from companion.store.binding import duckdb

REPAIR = "Run `companion doctor --repair`: it writes all that can be read to a new file and keeps the damaged one."

_HOLDER = re.compile(r"(?:held|open) in\s+(?P<program>.+?)\s*\(PID (?P<pid>\d+)\)", re.DOTALL)
_HELD = re.compile(r"Conflicting lock|Could not set lock|used by another process|already open in", re.IGNORECASE)
_LOG = re.compile(r"\bWAL\b", re.IGNORECASE)
_UNWRITABLE = re.compile(
    r"could not (?:write|truncate|sync|fsync|remove|move)|no space left|read-only file system|disk full",
    re.IGNORECASE,
)
_NEWER_FORMAT = re.compile(r"database file with version number|newer version of DuckDB", re.IGNORECASE)
_DAMAGED = re.compile(
    r"not a valid DuckDB|corrupt|checksum|could not read from file|could not read enough|"
    r"failed to (?:read|deserialize)|serializ",
    re.IGNORECASE,
)


def is_held(message: str) -> bool:
    """Whether DuckDB says that another process has the file."""
    return _HELD.search(message) is not None


def is_interruption(wrong: BaseException) -> bool:
    """Whether this is how DuckDB tells that the user pressed Ctrl-C while it was at work."""
    return isinstance(wrong, duckdb.InterruptException) or (
        type(wrong) is RuntimeError and "interrupted" in str(wrong).lower()
    )


def held(path: Path, message: str, waited_s: float) -> StoreHeld:
    """Who holds the store, as far as the system tells."""
    found = _HOLDER.search(message)
    if found is None:
        return StoreHeld(
            f"Another process holds the store in {path.parent} (waited {waited_s:g} s).",
            "Try again when it has ended.",
        )
    pid = int(found["pid"])
    program = re.split(r"[/\\]", found["program"].strip())[-1]
    return StoreHeld(
        f"The store in {path.parent} is held by {program}, process {pid} (waited {waited_s:g} s).",
        "Try again when it has ended, or end it.",
        holder_pid=pid,
    )


def too_new(path: Path, written_by: str, ours: str) -> StoreTooNew:
    """The store has migrations this program does not know."""
    return StoreTooNew(
        f"The store in {path.parent} was written by companion {written_by}; this is {ours}.",
        "Upgrade with `pip install --upgrade companion-context`, or set COMPANION_HOME to another folder.",
    )


def log_without_store(path: Path) -> StoreDamaged:
    """The database file is gone while its write-ahead log is still there."""
    return StoreDamaged(
        f"{path} is missing, but its write-ahead log is there.",
        "Put the file back if you moved it, or run `companion doctor --repair`: "
        "it restores the newest backup and keeps the log aside.",
    )


def store_gone(home: Path, copy: Path) -> StoreDamaged:
    """There is no store where copies of one lie: a new, empty one would look as if all had been forgotten."""
    return StoreDamaged(
        f"The store in {home} is missing, but there are backups, the newest {copy.name}.",
        f"Run `companion doctor --repair`: it restores that backup. To start over, move {copy.parent} away.",
    )


def as_store_error(path: Path, wrong: duckdb.Error) -> CompanionError | None:
    """Our error for one of DuckDB's; None for what is a fault of the program."""
    message = str(wrong)
    if is_held(message):
        return held(path, message, 0)
    if _NEWER_FORMAT.search(message):
        return too_new(path, "with a newer file format", "older")
    if isinstance(wrong, duckdb.OutOfMemoryException):
        return StoreError(
            f"The memory limit was too small for this: {_first_line(message)}.",
            "Raise `memory_limit` in config.toml or COMPANION_MEMORY_LIMIT.",
        )
    if _UNWRITABLE.search(message):  # a full or read-only disk, told as an IO, a transaction or a fatal error
        return unwritable(path, _first_line(message))
    if (damage := _damage(path, wrong, message)) is not None:
        return damage
    return unwritable(path, _first_line(message)) if isinstance(wrong, duckdb.IOException) else None


def _damage(path: Path, wrong: duckdb.Error, message: str) -> StoreDamaged | None:
    if _DAMAGED.search(message) and _LOG.search(message):
        return StoreDamaged(
            f"The write-ahead log of {path} is damaged, the file beside it is whole: {_first_line(message)}.",
            REPAIR,
        )
    unread = type(wrong) is duckdb.Error or isinstance(wrong, duckdb.IOException | duckdb.SerializationException)
    if unread and _DAMAGED.search(message):
        return StoreDamaged(f"{path} cannot be read: {_first_line(message)}.", REPAIR)
    if isinstance(wrong, duckdb.FatalException | duckdb.InternalException):
        return StoreDamaged(f"DuckDB gave up on {path}: {_first_line(message)}.", REPAIR)
    return None


def unwritable(path: Path, why: str) -> StoreUnwritable:
    """The folder is read-only, the disk full, or the like; `why` in the system's words."""
    return StoreUnwritable(
        f"The store in {path.parent} cannot be written: {why.rstrip('.')}.",
        "Free some space or make the folder writable, or set COMPANION_HOME to another folder.",
    )


def _first_line(message: str) -> str:
    return message.strip().splitlines()[0].strip().rstrip(".") if message.strip() else "no reason given"
