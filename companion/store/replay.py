"""After a crash: did DuckDB take in the whole write-ahead log, or only its beginning?

DuckDB stops replaying at an entry that seems to go on past the end of the log. That is right for a
write that was cut off, but a damaged length in the middle looks the same, and the next write would
cut away everything behind it without a word. So the log is copied before that first write, and the
copy is kept if part of it was not taken in.

How much was taken in shows at the first write, which goes to where replay stopped. Two equal
writes tell: the second one how long such an entry is, the first one where it began. A write would empty a long log into
the store at once: that waits until both are made.
"""

from __future__ import annotations

from pathlib import Path

from companion.store.binding import duckdb
from companion.store.copying import copy_whole
from companion.store.files import log_path, numbered

CUT = "cut"
"""Tag of a kept log: `companion.duckdb.wal.cut-1`."""

_NEVER_EMPTIED = "set checkpoint_threshold = '1TB'"
_PROBE = """
insert into store_meta (name, value)
values ('log_probe', $value)
on conflict (name) do update set value = excluded.value
"""


def keep_if_cut(connection: duckdb.DuckDBPyConnection, path: Path) -> str:
    """Right after opening: what to say where part of a log that a crash left was not taken in, else ``.

    Raises OSError where the log cannot be copied; nothing has been written then.
    """
    log = log_path(path)
    if not log.exists() or not (before := log.stat().st_size):
        return ""
    copy = numbered(log, CUT)
    copy_whole(log, copy)
    connection.execute(_NEVER_EMPTIED)
    connection.execute(_PROBE, {"value": "1"})
    first = log.stat().st_size
    connection.execute(_PROBE, {"value": "2"})
    entry = log.stat().st_size - first
    connection.execute("reset checkpoint_threshold")
    dropped = before - (first - entry)
    if dropped <= 0:
        copy.unlink()
        return ""
    return (
        f"The last {dropped} bytes of the write-ahead log could not be read; the log is kept as {copy}. "
        "If the program was killed in mid-write, nothing that it had confirmed is missing."
    )
