"""Making and upgrading the tables of a server, by whoever owns its database; and whether they fit this program."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from companion.adapters.postgres.connection import ServerConnection
from companion.errors import TeamServerRefused

if TYPE_CHECKING:
    from psycopg import Connection as PostgresConnection

PREPARING_S = 3_600.0
"""An upgrade may have an index made of ten million rows."""
UPGRADE = "Ask who looks after the server to run `companion team prepare` with its URL."

_LOCK = "select pg_advisory_xact_lock(hashtextextended('companion migrations', 0))"
_APPLIED = "select coalesce(max(number), 0) from companion.migrations"
_NOTE = "insert into companion.migrations (number, name) values (%(number)s, %(name)s)"
_SCHEMA = "select to_regclass('companion.migrations') is not null"
_VECTORS = "select to_regclass('companion.meanings') is not null"
_CAN_VECTORS = "select exists (select from pg_available_extensions where name = 'vector')"


def scripts() -> tuple[tuple[int, str, str], ...]:
    """The numbered scripts: number, name and text."""
    folder = files(__package__) / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple((int(name[:4]), name[5:-4], (folder / name).read_text(encoding="utf-8")) for name in names)


def prepare_server(url: str) -> tuple[str, ...]:
    """Make or upgrade the tables, one at a time whoever asks; returns what was done, in sentences.

    Raises UsageError, TeamServerUnreachable, TeamServerRefused; then nothing was changed.
    """
    connection = ServerConnection(url)
    try:
        with connection.transaction(PREPARING_S) as open_:
            open_.execute(_LOCK)
            before = _number(open_)
            check_not_newer(before)
            new = [one for one in scripts() if one[0] > before]
            for number, name, text in new:
                open_.execute(text.encode())
                open_.execute(_NOTE, {"number": number, "name": name})
            vectors = _with_vectors(open_)
        return (f"{len(new)} of {len(scripts())} scripts were applied.", vectors)
    finally:
        connection.release()


def check_not_newer(number: int) -> None:
    """Refuse a server whose tables a newer program made. Raises TeamServerRefused."""
    if number > scripts()[-1][0]:
        raise TeamServerRefused(
            f"The team's server was made by a newer companion: its tables have number {number}, this program knows "
            f"{scripts()[-1][0]}.",
            "Run `pip install --upgrade 'companion-context[team]'`.",
        )


def check_schema(open_: PostgresConnection) -> None:
    """Refuse a server whose tables are not those of this program. Raises TeamServerRefused."""
    number = _number(open_)
    check_not_newer(number)
    if number == 0:
        raise TeamServerRefused("The database has no tables of Companion yet.", UPGRADE)
    if number < scripts()[-1][0]:
        raise TeamServerRefused("The team's server has the tables of an older companion.", UPGRADE)


def has_vectors(open_: PostgresConnection) -> bool:
    """Whether the server keeps vectors."""
    return bool(_first(open_, _VECTORS))


def _with_vectors(open_: PostgresConnection) -> str:
    if has_vectors(open_):
        return "Search finds words and meaning."
    if not _first(open_, _CAN_VECTORS):
        return "The extension `vector` is not installed on this server: search finds words alone."
    try:
        with open_.transaction():
            open_.execute((files(__package__) / "vectors.sql").read_text(encoding="utf-8").encode())
    except Exception as wrong:  # too old, or only a superuser may create it
        return f"The extension `vector` cannot be used ({type(wrong).__name__}): search finds words alone."
    return "Search finds words and meaning."


def _number(open_: PostgresConnection) -> int:
    """The number of the last script that was applied; 0 where there are no tables."""
    return int(str(_first(open_, _APPLIED))) if _first(open_, _SCHEMA) else 0


def _first(open_: PostgresConnection, query: str) -> object:
    row = open_.execute(query.encode()).fetchone()
    return row[0] if row is not None else None
